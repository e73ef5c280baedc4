/*
 * Another version of the lesson takes over: see reload.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session_parts.h"
#include "base/units.h"

struct player_options session_player_options(const struct app_options *options)
{
    return (struct player_options){ .seed = options->seed,
                                    .sets = options->sets,
                                    .set_count = options->set_count,
                                    .notes = options->notes };
}

/* Nothing is open that looks at the run from aside. */
bool session_calm(const struct session *s)
{
    return s->whatif.other == NULL && !s->whatif_begins && !s->prompt.on && !s->goes && !s->hurry &&
           !player_question(s->player).trying && s->box != SESSION_BOX_CONTENTS &&
           s->box != SESSION_BOX_WHATIF;
}

/* "ring.lua:12: ...", without the folders: there is one line for it. */
void session_say_broken(struct session *s, const struct err *err)
{
    const char *slash = strrchr(err->where, '/');
    struct err brief = *err;
    if (slash != NULL) {
        snprintf(brief.where, sizeof brief.where, "%s", slash + 1);
    }
    err_text(&brief, s->strip, sizeof s->strip);
}

static void say_taken_over(struct session *s, const struct lesson_resumed *resumed)
{
    char things[64];
    if (resumed->card_gone) {
        session_say(s, "saved: the card is gone, this is the nearest");
    } else if (resumed->lost > 0) {
        units_counted(things, sizeof things, (int64_t)resumed->lost, "thing", "things");
        session_say(s, "saved: the new version; %s you did could not be done again", things);
    } else {
        session_say(s, "saved: this is the new version");
    }
}

void session_take_over(struct session *s, struct lesson *lesson, struct player *player,
                       struct lesson_files *files, const struct lesson_resumed *resumed)
{
    const bool playing = s->playback.playing;
    const bool compared = s->compared != SIZE_MAX, focused = s->focused != SIZE_MAX;
    const bool same = sim_state_hash(session_sim(s)) == sim_state_hash(run_sim(player_run(player)));
    const struct cursor cursor = s->cursor;
    player_destroy(s->player);
    lesson_destroy(s->lesson);
    s->player = player;
    s->lesson = lesson;
    lesson_files_finish(&s->files);
    s->files = *files;
    *files = (struct lesson_files){ 0 };
    s->attached = NULL; /* even a run at the same address is another one */
    session_attach(s);
    s->compared = compared ? player_item(player) : SIZE_MAX;
    s->focused = focused && !resumed->card_gone ? player_focus(player) : SIZE_MAX;
    s->asks_sure = s->asks_sure && player_question(player).state == PLAYER_ANSWERED;
    s->did_drop = s->did_drop && !resumed->card_gone;
    s->find_from = -1;
    s->strip[0] = '\0';
    session_show_truth(s);
    session_terms_renew(s);
    session_proceed(s);
    if (same && s->need != PLAYER_DROP) {
        s->cursor = cursor;
    }
    if (s->need != PLAYER_DROP) {
        playback_play(&s->playback, playing);
    }
    session_sample(s);
    session_update_follow(s);
    say_taken_over(s, resumed);
}
