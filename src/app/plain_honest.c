/*
 * Plain mode: how true it is. What the honesty page says, in the same order.
 */
#include <stdio.h>

#include "app/honest.h"
#include "app/plain_parts.h"
#include "lesson/honesty.h"
#include "sim/idle.h"

static void add_rows(const struct plain *p, const struct lesson_honesty *honesty,
                     enum lesson_honest kind, const char *heading, struct text *out)
{
    text_addf(out, "%s\n", heading);
    for (size_t i = 0; i < honesty->count; i++) {
        const struct lesson_honesty_row *row = &honesty->row[i];
        char why[160];
        struct text said = { 0 };
        if (row->kind != kind) {
            continue;
        }
        text_addf(&said, "%s: %s%s%s", row->name, row->text,
                  row->checks[0] != '\0' ? "; checked by weft validate " : "", row->checks);
        if (row->knob != SIM_KNOB_COUNT &&
            sim_knob_idle(plain_sim(p), row->knob, why, sizeof why)) {
            text_addf(&said, "; not in this scene: %s", why);
        }
        text_add_wrapped(out, "  ", text_str(&said), PLAIN_WIDTH);
        text_finish(&said);
    }
}

static void add_constants(const struct plain *p, const struct lesson_honesty *honesty,
                          struct text *out)
{
    text_add(out, "Constants in force, and where their defaults come from:\n");
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const enum sim_knob knob = (enum sim_knob)k;
        const struct sim_knob_info *info = sim_knob_info(knob);
        const int64_t now = sim_knob(plain_sim(p), knob);
        const char *source = lesson_honesty_source(honesty, knob);
        char value[64], def[64];
        struct text said = { 0 };
        text_addf(&said, "%s %s", info->name,
                  sim_knob_format(knob, now, false, value, sizeof value));
        if (now != info->def) {
            text_addf(&said, " (the scene's; else %s)",
                      sim_knob_format(knob, info->def, false, def, sizeof def));
        }
        text_addf(&said, ": %s", source != NULL ? source : "");
        text_add_wrapped(out, "  ", text_str(&said), PLAIN_WIDTH);
        text_finish(&said);
    }
}

static void add_facts(const struct plain *p, struct text *out)
{
    struct honest_fact facts[HONEST_FACTS_MAX];
    const size_t n = honest_facts(plain_sim(p), 0, facts);
    const struct lesson_card *card = lesson_card(p->lesson, player_card(p->player));
    const char *scale =
        card->scene >= 0 ? lesson_scene(p->lesson, (size_t)card->scene)->scale : NULL;
    text_add(out, "True size, of this scene:\n");
    if (scale != NULL) {
        text_add_wrapped(out, "  ", scale, PLAIN_WIDTH);
    }
    for (size_t i = 0; i < n; i++) {
        struct text said = { 0 };
        text_addf(&said, "%s: %s; %s", facts[i].name, facts[i].value, facts[i].about);
        text_add_wrapped(out, "  ", text_str(&said), PLAIN_WIDTH);
        text_finish(&said);
    }
}

void plain_say_honesty(struct plain *p)
{
    struct lesson_honesty honesty;
    struct err err = { 0 };
    struct text out = { 0 };
    add_facts(p, &out);
    if (lesson_honesty_read(p->options->data_dir, &honesty, &err)) {
        add_rows(p, &honesty, LESSON_HONEST_MODELLED, "Modelled:", &out);
        add_rows(p, &honesty, LESSON_HONEST_MISSING, "Not modelled:", &out);
        add_constants(p, &honesty, &out);
    } else {
        text_addf(&out, "(%s)\n", err.msg);
    }
    lesson_honesty_finish(&honesty);
    plain_say_text(&out);
    text_finish(&out);
}
