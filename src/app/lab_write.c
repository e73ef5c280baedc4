/*
 * The lab's draft as a lesson: for the screen, and for somebody to go on from.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lab_parts.h"
#include "base/mem.h"

/* What the lesson says and offers, and not its scenario. */
static const char *const SAID[] = { "about", "year", "offers", NULL };

/* A text in long brackets that nothing in it closes. */
static void add_long(struct text *out, const char *s)
{
    const char *level = strstr(s, "]==]") != NULL ? "===" : "==";
    text_addf(out, "[%s[\n%s]%s]", level, s, level);
}

static void add_quoted(struct text *out, const char *s)
{
    struct lesson_draft value = { .type = LESSON_DRAFT_TEXT, .kind = LESSON_KIND_COUNT };
    char *kept = NULL;
    int line = 1;
    value.text = kept = mem_strdup(s);
    lesson_draft_write(&value, 0, NULL, &line, out);
    free(kept);
}

/* Keys that a text cites: "[Guo16]". */
static void add_sources(struct text *out, const char *about)
{
    size_t n = 0;
    for (const char *c = strchr(about, '['); c != NULL; c = strchr(c + 1, '[')) {
        size_t len = 0;
        while (isalnum((unsigned char)c[1 + len])) {
            len++;
        }
        if (len > 0 && c[1 + len] == ']' && isupper((unsigned char)c[1])) {
            text_addf(out, "%s\"%.*s\"", n++ > 0 ? ", " : "  sources = { ", (int)len, c + 1);
        }
    }
    text_add(out, n > 0 ? " },\n" : "");
}

static void begin(struct lesson_draft *draft, const char *id, const char *title, int minutes,
                  const char *scene, struct text *out)
{
    const char *year = lesson_draft_text(draft, "year");
    text_addf(out, "return weft.lesson {\n  api = 1,\n  id = \"%s\",\n  title = ", id);
    add_quoted(out, title);
    text_addf(out, ",\n  year = %s,\n  minutes = %d,\n", *year != '\0' ? year : LAB_YEAR, minutes);
    add_sources(out, lesson_draft_text(draft, "about"));
    text_addf(out, "\n  scenes = {\n    %s = ", scene);
    int line = 1;
    lesson_draft_write(draft, 4, SAID, &line, out);
    text_addf(out, ",\n  },\n\n  weft.scene \"%s\",\n", scene);
}

void lab_write_card(struct lesson_draft *draft, struct text *out)
{
    const char *name = lesson_draft_text(draft, "name"), *about = lesson_draft_text(draft, "about");
    text_add(out, "local weft = require \"weft\"\n");
    begin(draft, "lab", *name != '\0' ? name : "Lab", 1, "lab", out);
    text_add(out, "  weft.say ");
    add_long(out, *about != '\0' ? about : "**A fabric of your own.**");
    text_add(out, ",\n");
    struct lesson_draft *offers = lesson_draft_get(draft, "offers");
    for (size_t i = 0; offers != NULL && i < offers->count; i++) {
        int line = 1;
        text_add(out, "  ");
        lesson_draft_write(&offers->item[i], 2, NULL, &line, out);
        text_add(out, ",\n");
    }
    const struct lesson_draft *work = lesson_draft_get(draft, "workload");
    const bool trains = work != NULL && work->kind == LESSON_KIND_TRAINING;
    text_addf(out, "  weft.play { to = \"end\", gear = \"%s\" },\n}\n", trains ? "round" : "step");
}

/* ---- a lesson to go on from -------------------------------------------------------------------------- */

/* A line of the journal as an item. */
static void add_line(struct text *out, const struct sim_cmd *cmd)
{
    char text[256];
    if (cmd->kind == SIM_CMD_SET) {
        text_addf(out, "  weft.set { %s = ", sim_knob_info(cmd->knob)->name);
        sim_knob_format(cmd->knob, cmd->value, true, text, sizeof text);
        add_quoted(out, text);
        text_add(out, " },\n");
        return;
    }
    text_add(out, "  weft.fault ");
    add_quoted(out, sim_cmd_format(cmd, text, sizeof text));
    text_add(out, ",\n");
}

static void add_play(struct text *out, sim_ps time)
{
    char text[64];
    text_addf(out, "  weft.play { time = \"%s\" },\n",
              units_exact(text, sizeof text, UNIT_TIME, time));
}

void lab_write_lesson(struct lab *lab, struct run *run, const char *id, struct text *out)
{
    struct lesson_draft *draft = lab->draft;
    const char *name = lesson_draft_text(draft, "name");
    struct lesson_draft *copy = lesson_draft_copy(draft);
    lesson_draft_remove(copy, "about"); /* it spoke of switches of the lab */
    text_addf(out,
              "-- %s: begun in the lab, from %s. What was done there is its path.\n--\n"
              "--     weft check %s.lua      is everything in it true?\n"
              "--     weft %s.lua            see it\n--\n"
              "-- `weft api` lists every word used here, with its fields, units and ranges.\n\n"
              "local weft = require \"weft\"\n\n",
              id, lab->id, id, id);
    begin(copy, id, *name != '\0' ? name : id, 5, "main", out);
    lesson_draft_destroy(copy);
    text_add(out,
             "  weft.say [[\n    **What there is to see.** Write here what happens, forty-five "
             "words at most. A number about the run is\n    measured: {packets.sent} packets were "
             "sent.\n  ]],\n");
    const struct run_line *lines;
    const size_t count = run_journal(run, &lines);
    sim_ps at = 0;
    for (size_t i = 0; i < count; i++) {
        if (lines[i].at > at + 1) { /* it acts at the instant behind the one that is played to */
            add_play(out, lines[i].at - 1 - at);
            at = lines[i].at - 1;
        }
        add_line(out, &lines[i].cmd);
    }
    /* A switch moved just now has done nothing yet: there is nothing to play. */
    const bool moved = count > 0 && lines[count - 1].cmd.kind == SIM_CMD_SET;
    if (run_now(run) > at + (moved ? 1 : 0)) {
        add_play(out, run_now(run) - at);
    }
    const struct sim_counters counters = sim_counters(run_sim(run));
    text_addf(out,
              "  weft.claim(\"as many packets are lost as in the lab\", function(r)\n"
              "    return r.packets.dropped == %" PRIu64 ", r.packets.dropped\n  end),\n}\n",
              (uint64_t)counters.dropped);
}
