/*
 * A lesson in front of a room: the presenter's layout, a blank screen, answers that wait to be revealed, and
 * notes that no learner sees by accident.
 */
#include "app/session_box.h"
#include "app/session_parts.h"
#include "ui/ui.h"

bool session_hides(const struct session *s)
{
    return s->presenter && !s->revealed;
}

void session_show_truth(struct session *s)
{
    player_hide(s->player, session_hides(s));
    s->prose_key.valid = false;
}

void session_set_presenter(struct session *s, bool presenter)
{
    s->presenter = presenter;
    s->revealed = false;
    session_show_truth(s);
}

static void present(struct session *s)
{
    s->sentence = 0;
    s->prose_scroll = 0;
    session_set_presenter(s, !s->presenter);
    session_say(s, s->presenter ? "for a room: {key:scroll-down} more, {key:reveal} reveals; "
                                  "{key:present} back"
                                : "back from the layout for a room");
}

static void reveal(struct session *s)
{
    if (!s->presenter) {
        session_say(s, "answers are shown; {key:present} is the presenter's layout, where they "
                       "wait for {key:reveal}");
    } else if (!player_knows_answer(s->player)) {
        session_say(s, s->need == PLAYER_ANSWER
                           ? "first an answer, or {key:skip}: then the run shows it"
                           : "there is no answer to show yet");
    } else {
        s->revealed = !s->revealed;
        s->sentence = 0;
        session_show_truth(s);
        session_say(s, s->revealed ? "the answer" : "the answer is hidden again");
    }
}

/* They are for who teaches: in that layout, or where --notes asked for them. */
static void notes(struct session *s)
{
    struct err err = { 0 };
    if (!s->presenter && !s->notes) {
        session_say(s, "notes: in the presenter's layout ({key:present}), or with --notes");
        return;
    }
    struct text said = { 0 };
    const bool ok = player_notes(s->player, &said, &err);
    text_clear(&s->box_text);
    keymap_fill(s->keys, text_str(&said), &s->box_text);
    text_finish(&said);
    if (!ok) {
        session_say(s, "%s", err.msg);
    } else if (s->box_text.len == 0) {
        session_say(s, "this card has no notes");
    } else {
        session_box_notes(s);
    }
}

void session_present_command(struct session *s, enum command command)
{
    if (command == COMMAND_PRESENT) {
        present(s);
    } else if (command == COMMAND_REVEAL) {
        reveal(s);
    } else if (command == COMMAND_NOTES) {
        notes(s);
    } else if (command == COMMAND_BLANK) {
        playback_play(&s->playback, false);
        s->blank = true;
    }
}

/* True: the key only brought the picture back. */
bool session_unblank(struct session *s)
{
    const bool was = s->blank;
    s->blank = false;
    if (was) {
        session_say(s, "the run stands still: space plays on");
    }
    return was;
}

void session_next_sentence(struct session *s, bool back)
{
    if (back && s->sentence > 0) {
        s->sentence--;
    } else if (!back && s->sentence + 1 < s->sentence_count) {
        s->sentence++;
    } else {
        session_say(s, back ? "this is how the card begins"
                            : "the card says no more; {key:next} goes on");
    }
}
