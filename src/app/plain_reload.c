/*
 * Plain mode: a lesson that was saved while it is open. There is no loop here, so it is looked for where
 * something is asked.
 */
#include <stdio.h>
#include <stdlib.h>

#include "app/plain_parts.h"
#include "base/mem.h"
#include "lesson/resume.h"

void plain_watch(struct plain *p)
{
    free(p->stamps);
    p->stamps = mem_alloc(p->files.count + 1, sizeof *p->stamps);
    for (size_t i = 0; i < p->files.count; i++) {
        p->stamps[i] = watch_stamp_of(p->files.path[i]);
    }
}

/* A file that is away just now is waited for. */
static bool was_saved(const struct plain *p)
{
    bool saved = false;
    for (size_t i = 0; i < p->files.count; i++) {
        const struct watch_stamp now = watch_stamp_of(p->files.path[i]);
        saved = saved || (!watch_stamp_same(&now, &p->stamps[i]) && now.inode != 0);
    }
    return saved;
}

static void say_broken(struct err *err)
{
    char line[sizeof err->msg + sizeof err->where + 8];
    printf("\nThe lesson was saved, but this version cannot be shown:\n%s\n"
           "The one before goes on.\n",
           err_text(err, line, sizeof line));
}

bool plain_reload(struct plain *p)
{
    if (!p->interactive || p->saved != NULL || !was_saved(p)) {
        return false;
    }
    plain_watch(p); /* as they are before they are read */
    struct err err = { 0 };
    struct lesson_resumed resumed;
    struct player *player = NULL;
    struct lesson *lesson = lesson_load_followed(lesson_info(p->lesson).file, p->options->data_dir,
                                                 &p->files, NULL, &err);
    if (lesson != NULL) {
        struct lesson_place *place = lesson_place_take(p->player);
        const struct player_options po = session_player_options(p->options);
        player = player_resume(lesson, &po, place, NULL, &resumed, &err);
        lesson_place_destroy(place);
    }
    plain_watch(p); /* those that were not known before, too */
    if (player == NULL) {
        lesson_destroy(lesson);
        say_broken(&err);
        return false;
    }
    player_destroy(p->player);
    lesson_destroy(p->lesson);
    p->player = player;
    p->lesson = lesson;
    p->focused = p->focused != SIZE_MAX ? player_focus(player) : SIZE_MAX;
    p->plotted = p->plotted != SIZE_MAX ? player_plot(player) : SIZE_MAX;
    p->undid = false;
    narrator_begin(&p->narrator, plain_sim(p));
    printf("\nThe lesson was saved: this is the new version.\n");
    if (resumed.card_gone) {
        printf("The card is gone; this is card %zu, the nearest.\n", player_place(player) + 1);
    } else if (resumed.lost > 0) {
        printf("%zu of the things you did could not be done again.\n", resumed.lost);
    }
    return true;
}
