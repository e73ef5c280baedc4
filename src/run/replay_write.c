/* A run as lines of text. What the lines mean is in replay.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/fields.h"
#include "run/replay.h"
#include "run/replay_words.h"

const char *const replay_authors[] = {
    [RUN_LESSON] = "lesson", [RUN_LEARNER] = "learner", [RUN_SCENARIO] = NULL
};

void replay_take(struct replay *replay, struct run *run, const char *version, const char *from)
{
    const struct run_line *lines;
    const size_t count = run_journal(run, &lines);
    (void)run_until(run, run_now(run), 0);
    const struct sim *sim = run_sim(run);
    *replay = (struct replay){ .seed = sim_seed(sim),
                               .has_result = true,
                               .outcome = report_outcome_of(sim),
                               .end = sim_now(sim),
                               .trace = sim_trace_hash(sim) };
    sim_scenario_copy(&replay->scenario, sim_scenario_of(sim));
    (void)snprintf(replay->version, sizeof replay->version, "%s", version);
    (void)snprintf(replay->from, sizeof replay->from, "%s", from != NULL ? from : "");
    for (size_t i = 0; i < count; i++) {
        if (lines[i].author != RUN_SCENARIO) {
            replay->lines = mem_grow(replay->lines, &replay->line_cap, replay->line_count + 1,
                                     sizeof *replay->lines);
            replay->lines[replay->line_count++] = lines[i];
        }
    }
}

void replay_finish(struct replay *replay)
{
    sim_scenario_finish(&replay->scenario);
    free(replay->lines);
    *replay = (struct replay){ 0 };
}

void replay_label(struct text *out, const char *s)
{
    s += strspn(s, " \t");
    text_add_clean(out, s, strlen(s), false);
    while (out->len > 0 && out->s[out->len - 1] == ' ') {
        out->s[--out->len] = '\0';
    }
}

static void write_label(struct text *out, const char *word, const char *s)
{
    struct text label = { 0 };
    replay_label(&label, s);
    text_addf(out, "%s%s%s\n", word, label.len > 0 ? " " : "", text_str(&label));
    text_finish(&label);
}

static void write_time(struct text *out, sim_ps at)
{
    text_addf(out, "%" PRId64 "ps", at);
}

/* First what somebody chose, then the rest: also a default may be another one some day. */
static void write_knobs(struct text *out, const struct sim_knobs *knobs)
{
    char buf[64];
    for (int defaults = 0; defaults < 2; defaults++) {
        text_add(out, defaults != 0 ? "# at their defaults:\n" : "");
        for (int k = 0; k < SIM_KNOB_COUNT; k++) {
            const struct sim_knob_info *info = sim_knob_info((enum sim_knob)k);
            if ((knobs->v[k] == info->def) == (defaults != 0)) {
                text_addf(out, "set %s %s\n", info->name,
                          sim_knob_format((enum sim_knob)k, knobs->v[k], true, buf, sizeof buf));
            }
        }
    }
}

static void write_scenario(struct text *out, const struct sim_scenario *sc)
{
    size_t kinds;
    const struct field_record *records = field_records(&kinds);
    write_label(out, "scenario", sc->name);
    if (sc->blocks != 0) {
        text_addf(out, "blocks %" PRId64 "\n", sc->blocks);
    }
    if (sc->vl_limit != 0) {
        text_addf(out, "vl_limit %" PRId64 "\n", sc->vl_limit);
    }
    for (size_t k = 0; k < kinds; k++) {
        const size_t count = records[k].count(sc);
        for (size_t i = 0; i < count; i++) {
            field_record_write(&records[k], sc, i, out);
        }
    }
    write_knobs(out, &sc->knobs);
}

void replay_write(struct text *out, const struct replay *replay)
{
    char buf[512];
    text_addf(out,
              "weft-replay %d\n"
              "# A run of weft: `weft open FILE` shows it, `weft run FILE` reports it. First its\n"
              "# scenario, then the seed, what was done and when, and what came of it.\n",
              REPLAY_FORMAT);
    write_label(out, "weft", replay->version);
    write_label(out, "from", replay->from);
    text_add(out, "\n");
    write_scenario(out, &replay->scenario);
    text_addf(out, "\nseed %" PRIu64 "\n", replay->seed);
    for (size_t i = 0; i < replay->line_count; i++) {
        const struct run_line *line = &replay->lines[i];
        text_addf(out, "%s ", replay_authors[line->author]);
        write_time(out, line->at);
        text_addf(out, " %s\n", sim_cmd_format(&line->cmd, buf, sizeof buf));
    }
    if (replay->has_result) {
        text_addf(out, "\nresult %s at ", report_outcome_word(replay->outcome));
        write_time(out, replay->end);
        text_addf(out, " trace %016" PRIx64 "\n", replay->trace);
    }
    text_add(out, "end\n");
}
