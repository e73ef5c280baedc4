/*
 * Every view at every size that screens are made for, in both sets of glyphs: VIEWS x SIZES x SETS frames,
 * compared with golden files. A view is a row of `views`.
 *
 *     UPDATE_GOLDEN=1 test_ui_views DIR      writes them anew: then look at each with your own eyes
 */
#include "cmocka_rows.h"

#include <stdio.h>

#include "fabrics.h"
#include "golden.h"
#include "scenes.h"
#include "ui/ui.h"

static const char *folder;

typedef struct scene make_scene(struct scene_mem *mem);

static struct scene home(struct scene_mem *mem)
{
    return scene_home(mem, 8);
}

static struct scene packet(struct scene_mem *mem)
{
    return scene_packet(mem, 5);
}

static struct scene why(struct scene_mem *mem)
{
    static const char *const lines[] = {
        "everyone waits at the barrier for g4",
        "g4 waits for one packet from g3",
        "g3 does not know it is lost: the packet that would show the gap belongs to the next step",
        "the next step waits at the barrier",
    };
    struct scene s = scene_stalled(mem);
    static const int depth[] = { 0, 1, 2, 2 };
    s.why = (struct scene_popup){ .shown = true,
                                  .title = "why is g1 waiting?",
                                  .line = lines,
                                  .line_count = 4,
                                  .depth = depth,
                                  .marks = true,
                                  .marked = 1 };
    s.reasons = s.why; /* where it has a place of its own */
    s.reasons.marks = false;
    return s;
}

static struct scene map(struct scene_mem *mem)
{
    return scene_many(mem, 128, false);
}

static struct scene heat(struct scene_mem *mem)
{
    return scene_many(mem, 128, true);
}

static const struct view {
    const char *name;
    make_scene *make;
    enum scene_view view;
} views[] = {
    { "fabric", scene_paused, SCENE_VIEW_MAIN },
    { "timeline", scene_stalled, SCENE_VIEW_TIMELINE },
    { "plot", scene_plotted, SCENE_VIEW_PLOT },
    { "events", scene_victim, SCENE_VIEW_EVENTS },
    { "inspector", packet, SCENE_VIEW_MAIN },
    { "why", why, SCENE_VIEW_MAIN },
    { "map", map, SCENE_VIEW_GPUS },
    { "heat", heat, SCENE_VIEW_GPUS },
    { "many", map, SCENE_VIEW_TIMELINE },
    { "distribution", heat, SCENE_VIEW_SPREAD },
    { "prose", scene_paused, SCENE_VIEW_PROSE },
    { "switches", scene_paused, SCENE_VIEW_SWITCHES },
    { "home", home, SCENE_VIEW_MAIN },
    { "help", scene_help, SCENE_VIEW_MAIN },
    { "whatif", scene_whatif, SCENE_VIEW_MAIN },
    { "whatif-plot", scene_whatif_plotted, SCENE_VIEW_MAIN },
};

static const int sizes[][2] = { { 40, 12 }, { 80, 24 }, { 100, 30 }, { 120, 40 }, { 200, 60 } };

enum { SETS = 2, FRAMES = COUNT_OF(views) * COUNT_OF(sizes) * SETS };

struct frame {
    char name[64];
    const struct view *view;
    const int *size;
    bool ascii;
};

static void matches_its_golden_frame(void **state)
{
    const struct frame *f = *state;
    struct scene_mem mem = { 0 };
    struct scene scene = f->view->make(&mem);
    struct canvas c;
    struct text got = { 0 };
    char path[1024];
    scene.view = f->view->view;
    scene.ascii = f->ascii;
    canvas_init(&c);
    canvas_resize(&c, f->size[0], f->size[1]);
    ui_draw(&scene, &c);
    canvas_dump(&c, &got);
    snprintf(path, sizeof path, "%s/%s.txt", folder, f->name);
    const bool same = golden_matches(path, text_str(&got));
    text_finish(&got);
    canvas_finish(&c);
    scene_mem_finish(&mem);
    assert_true(same);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: test_ui_views FOLDER\n", stderr);
        return 2;
    }
    folder = argv[1];
    static struct frame frames[FRAMES];
    static struct CMUnitTest tests[FRAMES];
    for (size_t i = 0; i < FRAMES; i++) {
        struct frame *f = &frames[i];
        f->view = &views[i / (COUNT_OF(sizes) * SETS)];
        f->size = sizes[i / SETS % COUNT_OF(sizes)];
        f->ascii = i % SETS == 1;
        snprintf(f->name, sizeof f->name, "%s-%dx%d%s", f->view->name, f->size[0], f->size[1],
                 f->ascii ? "-ascii" : "");
        tests[i] = (struct CMUnitTest){ f->name, matches_its_golden_frame, NULL, NULL, f };
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
