/*
 * Golden frames: hand-filled scenes drawn at the sizes that matter, compared with text files.
 *
 *     UPDATE_GOLDEN=1 test_ui_golden DIR     writes them anew: then look at each with your own eyes
 *
 * A file holds the plain text of the frame; those named *.styles also hold the roles.
 */
#include "cmocka_rows.h"

#include <stdio.h>

#include "fabrics.h"
#include "golden.h"
#include "scenes.h"
#include "ui/ui.h"

static const char *folder;

enum {
    ASCII = 1,
    STYLES = 2,
    WHY = 4,
    PROMPT = 8,
    DONE = 16,
    SURE = 32,
    STATUS = 64,
    LEGEND = 128,
    TASK = 256,
    NUMBER = 512
};

typedef struct scene make_scene(struct scene_mem *mem);

static struct scene star8(struct scene_mem *mem)
{
    return scene_star(mem, 8);
}

static struct scene star5(struct scene_mem *mem)
{
    return scene_star(mem, 5);
}

static struct scene tiers_4_2_4(struct scene_mem *mem)
{
    return scene_tiers(mem, 4, 2, 4);
}

static struct scene tiers_2_0_4(struct scene_mem *mem)
{
    return scene_tiers(mem, 2, 0, 4);
}

static struct scene tiers_8_4_8(struct scene_mem *mem)
{
    return scene_tiers(mem, 8, 4, 8);
}

static struct scene home8(struct scene_mem *mem)
{
    return scene_home(mem, 8);
}

static struct scene course(struct scene_mem *mem)
{
    return scene_course(mem, 0);
}

static struct scene course_middle(struct scene_mem *mem)
{
    return scene_course(mem, 11);
}

static struct scene course_end(struct scene_mem *mem)
{
    return scene_course(mem, 24);
}

/* For a room: the second sentence of a card; its question. */
static struct scene present(struct scene_mem *mem)
{
    struct scene s = scene_stalled(mem);
    s.presenter = true;
    s.sentence = 1;
    s.quiet = NULL;
    return s;
}

static struct scene present_ask(struct scene_mem *mem)
{
    struct scene s = scene_paused(mem);
    s.presenter = true;
    return s;
}

static struct scene search(struct scene_mem *mem)
{
    struct scene s = scene_course(mem, 0);
    s.home.entry += 19;
    s.home.entry_count = 3;
    s.prompt = (struct scene_prompt){ .shown = true, .lead = "/ ", .text = "pfc", .cursor = 3 };
    return s;
}

static struct scene home5(struct scene_mem *mem)
{
    return scene_home(mem, 5);
}

static struct scene cards(struct scene_mem *mem)
{
    return scene_boxes(mem,
                       &(struct box_spec){ .boxes = 1, .gpus = 2, .pcie = true, .memory = true });
}

static struct scene nvswitch(struct scene_mem *mem)
{
    return scene_boxes(
        mem,
        &(struct box_spec){
            .boxes = 1, .gpus = 8, .switches = 4, .nvlink = true, .pcie = true, .memory = true });
}

static struct box_spec servers(size_t boxes, size_t leaves)
{
    return (struct box_spec){ .boxes = boxes,
                              .gpus = 8,
                              .nics = 8,
                              .switches = 4,
                              .nvlink = true,
                              .pcie = true,
                              .leaves = leaves,
                              .spines = leaves };
}

static struct scene two_boxes(struct scene_mem *mem)
{
    const struct box_spec spec = servers(2, 2);
    return scene_boxes(mem, &spec);
}

static struct scene four_boxes(struct scene_mem *mem)
{
    const struct box_spec spec = servers(4, 2);
    return scene_boxes(mem, &spec);
}

static struct scene four_fast(struct scene_mem *mem)
{
    return scene_fast(four_boxes(mem));
}

static struct scene coates(struct scene_mem *mem)
{
    return scene_boxes(
        mem, &(struct box_spec){
                 .boxes = 16, .gpus = 4, .nics = 1, .pcie = true, .memory = true, .leaves = 1 });
}

static struct scene rails(struct scene_mem *mem)
{
    return scene_boxes(
        mem, &(struct box_spec){
                 .boxes = 4, .gpus = 8, .nics = 8, .switches = 8, .nvlink = true, .pcie = true });
}

static struct scene fat_tree(struct scene_mem *mem)
{
    return scene_fat_tree(mem, 4);
}

static struct scene ring8(struct scene_mem *mem)
{
    return scene_ring(mem, 8, 1, true);
}

static struct scene row4(struct scene_mem *mem)
{
    return scene_fast(scene_ring(mem, 4, 2, false));
}

static struct scene placed(struct scene_mem *mem)
{
    return scene_placed(mem, false);
}

static struct scene twins(struct scene_mem *mem)
{
    return scene_placed(mem, true);
}

static struct scene thousand(struct scene_mem *mem)
{
    return scene_fast(scene_boxes(
        mem, &(struct box_spec){
                 .boxes = 128, .gpus = 8, .nics = 1, .pcie = true, .leaves = 16, .spines = 8 }));
}

static struct scene many_heat(struct scene_mem *mem)
{
    return scene_many(mem, 128, true);
}

static struct scene many_states(struct scene_mem *mem)
{
    return scene_many(mem, 128, false);
}

static struct scene packet_field(struct scene_mem *mem)
{
    return scene_packet(mem, 5);
}

static struct scene packet_header(struct scene_mem *mem)
{
    return scene_packet(mem, 1);
}

static struct scene parted8(struct scene_mem *mem)
{
    return scene_parted(mem, 2, 4);
}

static struct scene parted32(struct scene_mem *mem)
{
    struct scene s = scene_parted(mem, 4, 8);
    s.whatif.scroll = 5;
    return s;
}

static struct frame_case {
    const char *name;
    make_scene *make;
    int w, h;
    enum scene_view view;
    unsigned flags;
} cases[] = {
    { "paused-80x24", scene_paused, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "paused-80x24-ascii", scene_paused, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "paused-80x24.styles", scene_paused, 80, 24, SCENE_VIEW_MAIN, STYLES },
    { "paused-120x40", scene_paused, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "paused-120x40-legend", scene_paused, 120, 40, SCENE_VIEW_GPUS, LEGEND },
    { "paused-100x30", scene_paused, 100, 30, SCENE_VIEW_EVENTS, 0 },
    { "paused-200x60-ascii", scene_paused, 200, 60, SCENE_VIEW_MAIN, ASCII },
    { "paused-40x12-gpus", scene_paused, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "paused-40x12-card", scene_paused, 40, 12, SCENE_VIEW_PROSE, 0 },
    { "paused-40x12-switches", scene_paused, 40, 12, SCENE_VIEW_SWITCHES, 0 },
    { "paused-40x12-events-ascii", scene_paused, 40, 12, SCENE_VIEW_EVENTS, ASCII },
    { "paused-78x22", scene_paused, 78, 22, SCENE_VIEW_MAIN, 0 },
    { "task-80x24", scene_paused, 80, 24, SCENE_VIEW_MAIN, TASK },
    { "number-80x24", scene_paused, 80, 24, SCENE_VIEW_MAIN, NUMBER },
    { "sure-80x24", scene_paused, 80, 24, SCENE_VIEW_MAIN, SURE },
    { "reply-80x24", scene_paused, 80, 24, SCENE_VIEW_SWITCHES, DONE | STATUS },
    { "stalled-80x24", scene_stalled, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "stalled-80x24-ascii", scene_stalled, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "stalled-80x24-why", scene_stalled, 80, 24, SCENE_VIEW_MAIN, WHY },
    { "stalled-120x40-ascii", scene_stalled, 120, 40, SCENE_VIEW_MAIN, ASCII },
    { "stalled-40x12-gpus", scene_stalled, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "stalled-40x12-timeline-ascii", scene_stalled, 40, 12, SCENE_VIEW_TIMELINE, ASCII },
    { "blurred-80x24", scene_blurred, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "blurred-80x24-ascii", scene_blurred, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "victim-80x24", scene_victim, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "victim-80x24.styles", scene_victim, 80, 24, SCENE_VIEW_MAIN, STYLES | PROMPT },
    { "victim-40x12", scene_victim, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "star8-80x24", star8, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "star5-100x30", star5, 100, 30, SCENE_VIEW_MAIN, 0 },
    { "pair-80x24", scene_pair, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "tiers-4-2-4-120x40", tiers_4_2_4, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "tiers-4-2-4-80x24", tiers_4_2_4, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "trunk-80x24", tiers_2_0_4, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "tiers-8-4-8-80x24", tiers_8_4_8, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "cards-80x24", cards, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "cards-120x40", cards, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "cards-40x12", cards, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "cards-80x24-ascii", cards, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "nvswitch-80x24", nvswitch, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "nvswitch-120x40", nvswitch, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "nvswitch-40x12", nvswitch, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "nvswitch-80x24-ascii", nvswitch, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "boxes-2-80x24", two_boxes, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "boxes-2-120x40", two_boxes, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "boxes-2-40x12", two_boxes, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "boxes-2-80x24-ascii", two_boxes, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "boxes-4-80x24", four_boxes, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "boxes-4-120x40", four_boxes, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "boxes-4-40x12", four_boxes, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "boxes-4-80x24-ascii", four_boxes, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "coates-80x24", coates, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "coates-120x40", coates, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "coates-40x12", coates, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "coates-80x24-ascii", coates, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "rails-80x24", rails, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "rails-120x40", rails, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "rails-40x12", rails, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "rails-80x24-ascii", rails, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "fat-tree-80x24", fat_tree, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "fat-tree-120x40", fat_tree, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "fat-tree-40x12", fat_tree, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "fat-tree-80x24-ascii", fat_tree, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "ring-8-80x24", ring8, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "ring-8-120x40", ring8, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "ring-8-40x12", ring8, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "ring-8-80x24-ascii", ring8, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "thousand-80x24", thousand, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "thousand-120x40", thousand, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "thousand-40x12", thousand, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "thousand-80x24-ascii", thousand, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "many-80x24.styles", many_heat, 80, 24, SCENE_VIEW_GPUS, STYLES },
    { "many-120x40.styles", many_states, 120, 40, SCENE_VIEW_SPREAD, STYLES },
    { "row-4-80x24", row4, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "placed-80x24", placed, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "placed-120x40-ascii", placed, 120, 40, SCENE_VIEW_MAIN, ASCII },
    { "twins-80x24", twins, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "placed-40x12", placed, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "box-pair-80x24", scene_box_pair, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "boxes-4-fast-80x24.styles", four_fast, 80, 24, SCENE_VIEW_MAIN, STYLES },
    { "thousand-80x24-gpus", thousand, 80, 24, SCENE_VIEW_GPUS, 0 },
    { "boxes-4-40x12-gpus-ascii", four_boxes, 40, 12, SCENE_VIEW_GPUS, ASCII },
    { "hostile-80x24", scene_hostile, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "hostile-40x12-ascii", scene_hostile, 40, 12, SCENE_VIEW_PROSE, ASCII },
    { "home-80x24", home8, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "home-80x24-ascii", home8, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "home-120x40", home8, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "home-40x12", home8, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "home5-60x20", home5, 60, 20, SCENE_VIEW_MAIN, 0 },
    { "present-60x20", present, 60, 20, SCENE_VIEW_MAIN, 0 },
    { "present-60x20-ascii", present, 60, 20, SCENE_VIEW_MAIN, ASCII },
    { "present-60x20-timeline", present, 60, 20, SCENE_VIEW_TIMELINE, 0 },
    { "present-80x24", present, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "present-120x40", present, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "present-40x12", present, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "present-ask-60x20", present_ask, 60, 20, SCENE_VIEW_MAIN, 0 },
    { "present-ask-80x24-ascii", present_ask, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "present-why-60x20", present, 60, 20, SCENE_VIEW_MAIN, WHY },
    { "course-80x24", course, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "course-80x24-ascii", course, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "course-120x40", course, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "course-40x12", course, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "course-200x60", course, 200, 60, SCENE_VIEW_MAIN, 0 },
    { "course-middle-80x24", course_middle, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "course-middle-40x12", course_middle, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "course-end-80x24", course_end, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "search-80x24", search, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "help-80x24", scene_help, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "help-120x40-ascii", scene_help, 120, 40, SCENE_VIEW_MAIN, ASCII },
    { "help-40x12", scene_help, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "whatif-80x24", scene_whatif, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "whatif-80x24-ascii", scene_whatif, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "whatif-80x24.styles", scene_whatif, 80, 24, SCENE_VIEW_MAIN, STYLES },
    { "whatif-120x40", scene_whatif, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "whatif-120x40-ascii", scene_whatif, 120, 40, SCENE_VIEW_MAIN, ASCII },
    { "whatif-200x60", scene_whatif, 200, 60, SCENE_VIEW_MAIN, 0 },
    { "whatif-40x12", scene_whatif, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "whatif-40x12-ascii", scene_whatif, 40, 12, SCENE_VIEW_MAIN, ASCII },
    { "whatif-200x60-ascii", scene_whatif, 200, 60, SCENE_VIEW_MAIN, ASCII },
    { "whatif-60x20", scene_whatif, 60, 20, SCENE_VIEW_MAIN, STATUS },
    { "whatif-60x20-ascii", scene_whatif, 60, 20, SCENE_VIEW_MAIN, ASCII | PROMPT },
    { "parted-80x24", parted8, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "parted-40x12-ascii", parted8, 40, 12, SCENE_VIEW_MAIN, ASCII },
    { "parted32-80x24", parted32, 80, 24, SCENE_VIEW_MAIN, WHY },
    { "plot-80x24", scene_plotted, 80, 24, SCENE_VIEW_PLOT, 0 },
    { "plot-80x24-ascii", scene_plotted, 80, 24, SCENE_VIEW_PLOT, ASCII },
    { "plot-80x24.styles", scene_plotted, 80, 24, SCENE_VIEW_PLOT, STYLES },
    { "plot-120x40", scene_plotted, 120, 40, SCENE_VIEW_PLOT, 0 },
    { "plot-40x12", scene_plotted, 40, 12, SCENE_VIEW_PLOT, 0 },
    { "plot-40x12-ascii", scene_plotted, 40, 12, SCENE_VIEW_PLOT, ASCII },
    { "plot-200x60", scene_plotted, 200, 60, SCENE_VIEW_PLOT, 0 },
    { "goodput-80x24", scene_goodput, 80, 24, SCENE_VIEW_PLOT, 0 },
    { "goodput-80x24-ascii", scene_goodput, 80, 24, SCENE_VIEW_PLOT, ASCII },
    { "goodput-120x40", scene_goodput, 120, 40, SCENE_VIEW_PLOT, 0 },
    { "goodput-40x12", scene_goodput, 40, 12, SCENE_VIEW_PLOT, 0 },
    { "plot-none-80x24", scene_paused, 80, 24, SCENE_VIEW_PLOT, 0 },
    { "packet-80x24", packet_field, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "packet-80x24-ascii", packet_header, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "packet-80x24.styles", packet_field, 80, 24, SCENE_VIEW_MAIN, STYLES },
    { "packet-120x40", packet_field, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "packet-200x60", packet_header, 200, 60, SCENE_VIEW_MAIN, 0 },
    { "packet-40x12", packet_field, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "packet-40x12-ascii", packet_header, 40, 12, SCENE_VIEW_MAIN, ASCII },
    { "packet-unread-80x24", scene_packet_unread, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "build-80x24", scene_menu_build, 80, 24, SCENE_VIEW_MAIN, 0 },
    { "build-80x24.styles", scene_menu_refused, 80, 24, SCENE_VIEW_MAIN, STYLES },
    { "build-40x12-ascii", scene_menu_refused, 40, 12, SCENE_VIEW_MAIN, ASCII },
    { "switches-all-80x24-ascii", scene_menu_switches, 80, 24, SCENE_VIEW_MAIN, ASCII },
    { "switches-all-120x40", scene_menu_switches, 120, 40, SCENE_VIEW_MAIN, 0 },
    { "switches-all-40x12", scene_menu_switches, 40, 12, SCENE_VIEW_MAIN, 0 },
    { "tiny-1x1", scene_paused, 1, 1, SCENE_VIEW_MAIN, 0 },
    { "tiny-12x2", scene_paused, 12, 2, SCENE_VIEW_MAIN, 0 },
    { "tiny-20x6", scene_paused, 20, 6, SCENE_VIEW_MAIN, 0 },
};

static const char *const why[] = {
    "everyone waits at the barrier for g4",
    "g4 waits for one packet from g3",
    "g3 does not know it is lost: the packet that would show the gap belongs to the next step",
    "the next step waits at the barrier",
};

static struct scene dress(struct scene s, const struct frame_case *k)
{
    static struct scene_choice answered[] = {
        { 'a', "only g1 and g3", SCENE_CHOICE_WRONG },
        { 'b', "everyone, at the barrier", SCENE_CHOICE_RIGHT },
        { 'c', "nobody: nothing was lost", SCENE_CHOICE_OPEN },
    };
    static const struct scene_choice chosen[] = {
        { 'a', "only g1 and g3", SCENE_CHOICE_CHOSEN },
        { 'b', "everyone, at the barrier", SCENE_CHOICE_OPEN },
    };
    s.ascii = (k->flags & ASCII) != 0;
    s.view = k->view;
    if ((k->flags & WHY) != 0) {
        static const int depth[] = { 0, 1, 2, 2 };
        s.why = (struct scene_popup){ .shown = true,
                                      .title = "why is g1 waiting?",
                                      .line = why,
                                      .line_count = 4,
                                      .depth = depth,
                                      .marks = true,
                                      .marked = 2 };
    }
    if ((k->flags & PROMPT) != 0) {
        static const struct scene_offer offers[] = { { "none", NULL },
                                                     { "pfc", "now" },
                                                     { "credits", NULL } };
        s.prompt = (struct scene_prompt){ .shown = true,
                                          .lead = ":",
                                          .text = "set flow_control none",
                                          .cursor = 21,
                                          .form = "set KNOB VALUE",
                                          .note = "flow_control: none | pfc | credits; default "
                                                  "pfc, now pfc. who may stop a sender",
                                          .offer = offers,
                                          .offer_count = 3,
                                          .offer_more = 2,
                                          .offer_at = 1 };
    }
    if ((k->flags & TASK) != 0) {
        s.question = (struct scene_question){ .asking = SCENE_ASK_TASK,
                                              .ask = "No packet is lost.",
                                              .hint = "Somebody must wait.",
                                              .more_hints = true };
    }
    if ((k->flags & NUMBER) != 0) {
        s.question = (struct scene_question){ .asking = SCENE_ASK_DONE,
                                              .ask = "How long do they wait?",
                                              .said = "5 us, it is 25 us",
                                              .reply = "As long as the queue is full." };
    }
    if ((k->flags & SURE) != 0) {
        s.question.asking = SCENE_ASK_SURE;
        s.question.choice = chosen;
        s.question.choice_count = 2;
    }
    if ((k->flags & DONE) != 0) {
        s.question.asking = SCENE_ASK_DONE;
        s.question.choice = answered;
        s.question.sure = "you think so";
        s.question.reply = "All wait at the **barrier** for the slowest.";
    }
    if ((k->flags & STATUS) != 0) {
        s.status = "flow control is PFC already: nothing changes";
    }
    if ((k->flags & LEGEND) != 0) {
        s.question.asking = SCENE_ASK_NONE;
    }
    return s;
}

static void draw_case(const struct frame_case *k, struct text *out)
{
    struct scene_mem mem = { 0 };
    struct canvas c;
    canvas_init(&c);
    canvas_resize(&c, k->w, k->h);
    const struct scene scene = dress(k->make(&mem), k);
    ui_draw(&scene, &c);
    if ((k->flags & STYLES) != 0) {
        canvas_dump_styles(&c, out);
    } else {
        canvas_dump(&c, out);
    }
    canvas_finish(&c);
    scene_mem_finish(&mem);
}

static void matches_its_golden_frame(void **state)
{
    const struct frame_case *k = *state;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.txt", folder, k->name);
    struct text got = { 0 };
    draw_case(k, &got);
    const bool same = golden_matches(path, text_str(&got));
    text_finish(&got);
    assert_true(same);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: test_ui_golden FOLDER\n", stderr);
        return 2;
    }
    folder = argv[1];
    struct CMUnitTest tests[COUNT_OF(cases)];
    size_t n = 0;
    ROWS(tests, n, cases, matches_its_golden_frame);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
