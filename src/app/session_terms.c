/*
 * Words of the glossary: those of the card, marked in its text and explained in a box; any by its name.
 */
#include <string.h>

#include "app/session_box.h"
#include "app/session_parts.h"

void session_terms_renew(struct session *s)
{
    lesson_glossary_destroy(s->glossary);
    s->glossary = lesson_glossary_create(s->lesson, s->data_dir);
    s->terms.count = 0;
    s->prose_key.valid = false;
}

void session_terms_finish(struct session *s)
{
    lesson_glossary_destroy(s->glossary);
    lesson_list_finish(&s->course);
    text_finish(&s->marked);
}

void session_terms_mark(struct session *s)
{
    text_clear(&s->marked);
    terms_mark(s->glossary, text_str(&s->prose), &s->terms, &s->marked);
}

/* Which lesson a word is new in: all of them are read for that, once. */
static const struct lesson_list *course(struct session *s)
{
    if (!s->course_known && s->places != NULL) {
        (void)lesson_list(s->places, &s->course, NULL, NULL);
    }
    s->course_known = true;
    return &s->course;
}

void session_terms_list(struct session *s)
{
    const struct terms_place place = { .glossary = s->glossary,
                                       .player = s->player,
                                       .course = course(s) };
    terms_say(&place, &s->listed, s->box_selected, &s->box_text);
}

void session_terms_ask(struct session *s)
{
    bool pending;
    (void)session_prose(s, &pending); /* as it is now */
    if (s->terms.count == 0) {
        session_say(s, "no glossary word here; :term explains any");
        return;
    }
    s->listed = s->terms;
    session_box_terms(s);
}

bool session_terms_typed(struct session *s, const char *name)
{
    const struct lesson_word *word = lesson_glossary_find(s->glossary, name);
    if (word != NULL) {
        s->listed = (struct terms){ .word = { word }, .count = 1 };
        session_box_terms(s);
    }
    return word != NULL;
}

size_t session_terms_card(struct session *s)
{
    return s->box_selected < s->listed.count
               ? terms_first_card(s->glossary, s->player, s->listed.word[s->box_selected])
               : SIZE_MAX;
}
