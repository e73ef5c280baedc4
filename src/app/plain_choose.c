/*
 * Plain mode: numbered choices. What a moment is about is listed each time, a line each; all else once, and when
 * ? asks for it.
 */
#include <stdio.h>
#include <string.h>

#include "app/plain_parts.h"

void plain_offer(struct plain *p, enum plain_act act, size_t which, const char *text)
{
    if (p->entry_count < PLAIN_ENTRIES_MAX) {
        struct plain_entry *e = &p->entry[p->entry_count++];
        *e = (struct plain_entry){ .act = act, .which = which };
        snprintf(e->text, sizeof e->text, "%s", text);
    }
}

const struct lesson_item *plain_switch(const struct plain *p, size_t which)
{
    const struct lesson_card *card = lesson_card(p->lesson, player_card(p->player));
    for (size_t i = 0; i < card->count; i++) {
        const struct lesson_item *item = lesson_item(p->lesson, card->first + i);
        if (item->kind == LESSON_SWITCH && which-- == 0) {
            return item;
        }
    }
    return NULL;
}

const char *plain_switch_label(const struct lesson_item *item)
{
    return item->label != NULL ? item->label : sim_knob_info(item->knob)->term;
}

void plain_offer_switches(struct plain *p)
{
    char text[96], value[64];
    const struct lesson_item *item;
    for (size_t i = 0; (item = plain_switch(p, i)) != NULL; i++) {
        sim_knob_format(item->knob, sim_knob(plain_sim(p), item->knob), false, value, sizeof value);
        snprintf(text, sizeof text, "move the switch %.40s, now %.30s", plain_switch_label(item),
                 value);
        plain_offer(p, ACT_SWITCH, i, text);
    }
}

void plain_offer_telling(struct plain *p)
{
    p->about = p->entry_count;
    plain_offer(p, ACT_WHY, 0, "why does it wait");
    plain_offer(p, ACT_STATE, 0, "state: where one is, what all GPUs do");
    plain_offer(p, ACT_REPEAT, 0, "repeat this card");
    plain_offer(p, ACT_DETAIL, 0,
                p->narrator.detail == NARRATOR_LITTLE ? "more detail" : "less detail");
}

void plain_offer_always(struct plain *p)
{
    plain_offer_telling(p);
    plain_offer_switches(p);
    plain_offer(p, ACT_QUIT, 0, "q quit");
}

/* ---- listing --------------------------------------------------------------------------------------------- */

/* Listed once, whatever its number was then. */
static bool was_heard(struct plain *p, const char *entry)
{
    struct text line = { 0 };
    text_addf(&line, "\n%s\n", entry);
    const bool heard = strstr(text_str(&p->heard), text_str(&line)) != NULL;
    if (!heard) {
        text_add(&p->heard, text_str(&line));
    }
    text_finish(&line);
    return heard;
}

/* Puts an entry on the line that is being filled; `alone`: it has one of its own. */
static void add_entry(struct text *line, const char *entry, bool alone)
{
    if (line->len > 0 &&
        (alone || text_cells(text_str(line)) + 3 + text_cells(entry) > PLAIN_WIDTH)) {
        text_add(line, "\n");
        plain_say_text(line);
    }
    text_addf(line, "%s%s", line->len > 0 ? "   " : "", entry);
}

/* Quitting has a letter and stands last: the number of something else, remembered, must never leave. */
static size_t number_count(const struct plain *p)
{
    const size_t n = p->entry_count;
    return n > 0 && p->entry[n - 1].act == ACT_QUIT ? n - 1 : n;
}

void plain_list(struct plain *p, bool all)
{
    struct text line = { 0 }, entry = { 0 };
    bool left_out = false;
    for (size_t i = 0; i < p->entry_count; i++) {
        const bool heard = i >= p->about && was_heard(p, p->entry[i].text);
        text_clear(&entry);
        if (i < number_count(p)) {
            text_addf(&entry, "%zu ", i + 1);
        }
        text_add(&entry, p->entry[i].text);
        if (all || !heard) {
            add_entry(&line, text_str(&entry), i <= p->about);
        }
        left_out = left_out || (heard && !all);
    }
    if (left_out) {
        add_entry(&line, "? every choice", p->about > 1);
    }
    text_add(&line, "\n");
    plain_say_text(&line);
    text_finish(&line);
    text_finish(&entry);
}

/* ---- choosing -------------------------------------------------------------------------------------------- */

/* Answers have letters, as on the screen. */
static const struct plain_entry *entry_lettered(const struct plain *p, const char *line)
{
    for (size_t i = 0; line[0] >= 'a' && line[0] <= 'z' && line[1] == '\0' && i < p->entry_count;
         i++) {
        const struct plain_entry *e = &p->entry[i];
        if ((e->act == ACT_ANSWER || e->act == ACT_NUMBER) && e->which == (size_t)(line[0] - 'a')) {
            return e;
        }
    }
    return NULL;
}

/* The one entry that begins with what was typed, or NULL: words do as well as numbers. */
static const struct plain_entry *entry_named(const struct plain *p, const char *line)
{
    const struct plain_entry *found = NULL;
    for (size_t i = 0; line[0] != '\0' && i < p->entry_count; i++) {
        if (strncmp(p->entry[i].text, line, strlen(line)) == 0) {
            if (found != NULL) {
                return NULL;
            }
            found = &p->entry[i];
        }
    }
    return found;
}

struct plain_entry plain_choose(struct plain *p, enum plain_act otherwise)
{
    static const struct plain_entry quit = { .act = ACT_QUIT }, nothing = { .act = ACT_NOTHING };
    const struct plain_entry *named;
    char line[128];
    size_t number;
    for (bool all = false;; all = strcmp(line, "?") == 0) {
        if (plain_reload(p)) {
            return nothing;
        }
        plain_list(p, all);
        if (!plain_read(p, NULL, line, sizeof line)) {
            return p->quit ? quit : (struct plain_entry){ .act = otherwise };
        }
        if (line[0] == 'q') {
            return quit;
        }
        if (plain_reload(p)) { /* the number was one of the old list */
            return nothing;
        }
        if (plain_is_number(line, number_count(p), &number)) {
            return p->entry[number - 1];
        }
        if ((named = entry_lettered(p, line)) != NULL || (named = entry_named(p, line)) != NULL) {
            return *named;
        }
        if (strcmp(line, "?") != 0) {
            printf("A number from 1 to %zu, please; q quits.\n", number_count(p));
        }
    }
}
