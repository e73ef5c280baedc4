/*
 * The words of a session: the card's prose with measured numbers.
 *
 * It asks the lesson's functions, which costs more than a frame should. So they are asked again
 * only when something may have changed them: another card or item, an answer, a step or a mark
 * more, another moment; and while time runs, which makes thousands of these, not more often than now
 * and then.
 */
#include <string.h>

#include "app/session_parts.h"

enum { AGAIN_MS = 300 };

static struct session_prose_key key_now(const struct session *s)
{
    const struct sim *sim = session_sim(s);
    const struct sim_record *marks;
    struct player_question question = player_question(s->player);
    return (struct session_prose_key){ .card = player_card(s->player),
                                       .item = player_item(s->player),
                                       .need = s->need,
                                       .answer = question.state,
                                       .tries = question.tries,
                                       .trying = question.trying,
                                       .steps = sim_steps_done(sim),
                                       .marks = sim_trace_marks(sim, &marks),
                                       .now = run_now(player_run(s->player)),
                                       .playing = s->playback.playing,
                                       .at_ms = s->now_ms };
}

static bool is_stale(const struct session_prose_key *then, const struct session_prose_key *now)
{
    if (then->card != now->card || then->item != now->item || then->need != now->need ||
        then->answer != now->answer || then->tries != now->tries || then->trying != now->trying ||
        then->steps != now->steps || !then->valid) {
        return true;
    }
    return (then->marks != now->marks || then->now != now->now) &&
           (now->at_ms - then->at_ms >= AGAIN_MS || !now->playing);
}

static void refresh(struct session *s)
{
    struct session_prose_key now = key_now(s);
    if (!is_stale(&s->prose_key, &now)) {
        return;
    }
    struct err err = { 0 };
    s->prose_key = now;
    s->prose_key.valid = true;
    struct text prose = { 0 };
    text_clear(&s->prose);
    const bool ok = player_prose(s->player, &prose, &s->prose_pending, &err);
    keymap_fill(s->keys, text_str(&prose), &s->prose);
    text_finish(&prose);
    if (!ok) {
        text_addf(&s->prose, "\n\n(%s)", err.msg);
    }
    session_terms_mark(s);
}

const char *session_prose(struct session *session, bool *pending)
{
    refresh(session);
    *pending = session->prose_pending;
    return text_str(&session->prose);
}

const char *session_marked_prose(struct session *session, bool *pending)
{
    refresh(session);
    *pending = session->prose_pending;
    return text_str(&session->marked);
}
