/*
 * What a learner does to the fabric: all of it through the journal.
 */
#include <stdio.h>

#include "app/session_parts.h"

static bool session_do_to_run(struct session *s, const struct sim_cmd *cmd, bool *restarted)
{
    struct err err = { 0 };
    bool again = false;
    if (!player_do(s->player, cmd, &again, &err)) {
        session_say(s, "%s", err.msg);
        return false;
    }
    session_attach(s);
    struct run *run = player_run(s->player);
    if (again) {
        playback_moved(&s->playback, run);
        history_attach(&s->history, run_sim(run));
    } else {
        history_cut(&s->history, run_sim(run), run_now(run)); /* what was seen beyond is void */
        playback_look(&s->playback, run);
    }
    if (restarted != NULL) {
        *restarted = again;
    }
    return true;
}

void session_do_drop(struct session *s)
{
    struct err err = { 0 };
    struct sim_cmd cmd;
    const struct sim *sim = session_sim(s);
    if (!s->cursor.on) {
        playback_play(&s->playback, false);
        if (cursor_snap(&s->cursor, sim)) {
            session_say(s, "the cursor is on a packet: x again destroys it");
        } else {
            s->cursor.on = false;
            session_say(s, "no packet is on its way just now: . lets a moment pass");
        }
        return;
    }
    if (!cursor_drop(&s->cursor, sim, &cmd, &err)) {
        session_say(s, "%s", err.msg);
        return;
    }
    struct victim victim = { 0 };
    victim_take(&victim, sim, s->cursor.flow, s->cursor.psn, s->cursor.attempt);
    if (!session_do_to_run(s, &cmd, NULL)) {
        victim_finish(&victim);
        return;
    }
    victim_finish(&s->victim);
    s->victim = victim;
    s->cursor.on = false;
    s->status[0] = '\0';
    if (s->need == PLAYER_DROP) {
        s->did_drop = true;
        session_proceed(s); /* what the card waited for */
    } else if (s->need != PLAYER_ANSWER) {
        playback_play(&s->playback, true);
    }
}

/* The how-many-eth switch of this card, as far as it has come. */
static const struct lesson_item *find_switch(const struct session *s, int digit)
{
    const struct lesson_card *card = lesson_card(s->lesson, player_card(s->player));
    for (size_t i = 0; i < card->count; i++) {
        const struct lesson_item *item = lesson_item(s->lesson, card->first + i);
        if (item->kind == LESSON_SWITCH && --digit == 0) {
            return item;
        }
    }
    return NULL;
}

void session_do_switch(struct session *s, int digit)
{
    const struct lesson_item *item = find_switch(s, digit);
    if (item == NULL) {
        session_say(s, "this card offers no switch %d", digit);
        return;
    }
    int64_t now = sim_knob(session_sim(s), item->knob);
    size_t at = 0;
    for (size_t i = 0; i < item->value_count; i++) {
        at = item->values[i] == now ? i + 1 : at;
    }
    struct sim_cmd cmd = { .kind = SIM_CMD_SET,
                           .knob = item->knob,
                           .value = item->values[at % item->value_count] };
    bool restarted = false;
    if (!session_do_to_run(s, &cmd, &restarted)) {
        return;
    }
    const struct sim_knob_info *info = sim_knob_info(item->knob);
    char value[64];
    sim_knob_format(item->knob, cmd.value, false, value, sizeof value);
    session_say(s, "%s is now %s%s%s%s", item->label != NULL ? item->label : info->term, value,
                restarted                     ? ": the run starts again"
                : info->when == SIM_NEXT_STEP ? ", from the next step on"
                                              : "",
                item->no_effect != NULL ? "; nothing changes, because " : "",
                item->no_effect != NULL ? item->no_effect : "");
    if (restarted) {
        session_proceed(s);
    }
}
