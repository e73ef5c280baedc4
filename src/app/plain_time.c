/*
 * Plain mode: moving in time, what-ifs, taking back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/clock.h"
#include "app/events.h"
#include "app/plain_parts.h"
#include "app/whatif.h"
#include "base/mem.h"
#include "base/units.h"
#include "run/seek.h"

/* ---- going -------------------------------------------------------------------------------------- */

static void say_record(const struct run *run, const struct sim_record *r)
{
    char when[40], sentence[256];
    printf("%s: %s.\n", units_format(when, sizeof when, UNIT_TIME, r->t),
           sim_trace_say(run_sim(run), r, sentence, sizeof sentence));
}

static void search(struct run *run, const char *what, enum run_way way)
{
    struct event_filter filter;
    struct sim_record found;
    struct err err = { 0 };
    char name[64];
    if (!event_filter_parse(what, run_sim(run), &filter, &err)) {
        printf(
            "next or previous what? event, drop, pause, NAK, timeout, round, barrier; of a node: "
            "drop g3\n");
        return;
    }
    const struct run_want want = { .kinds = event_filter_kinds(&filter),
                                   .of_node = filter.of_node,
                                   .node = filter.node };
    const sim_ps now = run_now(run);
    const sim_ps limit = now < SIM_NEVER - RUN_FAR ? now + RUN_FAR : SIM_NEVER;
    if (run_find(run, &want, way, limit, &found)) {
        say_record(run, &found);
    } else {
        printf("no %s %s.\n", event_filter_say_one(&filter, run_sim(run), name, sizeof name),
               way == RUN_ON ? "follows" : "before this moment");
    }
}

static void go(struct run *run, const char *where)
{
    struct err err = { 0 };
    int64_t t;
    char when[40];
    if (strncmp(where, "next ", 5) == 0) {
        search(run, where + 5, RUN_ON);
    } else if (strncmp(where, "previous ", 9) == 0) {
        search(run, where + 9, RUN_BACK);
    } else if (!units_parse(where, UNIT_TIME, &t, &err) || !run_seek(run, t, &err)) {
        printf("%s\n", err.msg);
    } else {
        printf("The run stands at %s.\n", units_format(when, sizeof when, UNIT_TIME, run_now(run)));
    }
}

void plain_go(struct plain *p)
{
    char line[128];
    if (plain_read(p,
                   "Where to? 61us, next drop, previous barrier (event, drop, pause, NAK, "
                   "timeout, round)",
                   line, sizeof line)) {
        go(player_run(p->player), line);
        narrator_begin(&p->narrator, plain_sim(p));
    }
}

/* ---- what if ------------------------------------------------------------------------------------ */

/* Until both have something to show for it. */
static void run_both(struct compare *c, struct run *a, struct run *b)
{
    enum { SLICES_MAX = 2000 };
    const int64_t steps_a = sim_steps_done(run_sim(a)), steps_b = sim_steps_done(run_sim(b));
    sim_ps tick[PLAYBACK_GEAR_COUNT];
    int64_t rate[PLAYBACK_GEAR_COUNT];
    playback_gears(run_sim(a), tick, rate);
    for (int i = 0; i < SLICES_MAX && !clock_over(a, b); i++) {
        if (sim_steps_done(run_sim(a)) > steps_a && sim_steps_done(run_sim(b)) > steps_b) {
            return;
        }
        const sim_ps next = clock_next(a, b), now = clock_now(a, b);
        compare_until(c, (next > now && next != SIM_NEVER ? next : now) + tick[PLAYBACK_ROUND]);
    }
}

static void say_numbers(const struct run *a, const struct run *b, sim_ps from)
{
    struct whatif_numbers numbers;
    bool any = false;
    char when[40];
    whatif_measure(&numbers, a, b, from);
    for (size_t i = 0; i < numbers.count; i++) {
        const struct whatif_number *n = &numbers.v[i];
        if (n->differs) {
            if (!any) {
                printf("At %s:\n", units_format(when, sizeof when, UNIT_TIME, clock_now(a, b)));
                any = true;
            }
            printf("  %s: %s without it, %s with it%s%s\n", n->name, n->a, n->b,
                   n->differ[0] != '\0' ? ", " : "", n->differ);
        }
    }
}

bool plain_compare(struct player *player, const struct sim_cmd *cmd)
{
    struct run *run = player_run(player);
    struct compare compare;
    struct err err = { 0 };
    char change[96], when[40], difference[400];
    const sim_ps from = run_now(run);
    const bool again = cmd->kind == SIM_CMD_SET && sim_knob_info(cmd->knob)->when == SIM_RESTART;
    struct run *other = compare_what_if(&compare, run, cmd, &err);
    if (other == NULL) {
        printf("%s\n", err.msg);
        return false;
    }
    compare.where[COMPARE_LEFT] = "without it";
    compare.where[COMPARE_RIGHT] = "with it";
    (void)run_until(run, run_now(other), 0); /* a line takes 1 ps */
    run_both(&compare, run, other);
    printf("What if, from %s on: %s.\n",
           again ? "the beginning" : units_format(when, sizeof when, UNIT_TIME, from),
           whatif_say(cmd, change, sizeof change));
    printf("%s%s.\n", compare.differs ? "First difference: " : "Nothing differs",
           compare_say(&compare, difference, sizeof difference));
    say_numbers(run, other, again ? 0 : from);
    run_destroy(other);
    (void)run_seek(run, from, NULL);
    return true;
}

/* One of those listed, or any command that is typed. False: none. */
static bool ask_change(struct plain *p, struct sim_cmd *cmd)
{
    static const struct cursor nowhere = { 0 };
    struct whatif_choice *choice = mem_alloc(WHATIF_CHOICES_MAX, sizeof *choice);
    struct err err = { 0 };
    char line[160];
    size_t number;
    const size_t n =
        whatif_choices(plain_sim(p), &nowhere, p->lesson, player_card(p->player), choice);
    for (size_t i = 0; i < n; i++) {
        printf("%zu %s\n", i + 1, choice[i].text);
    }
    bool ok =
        plain_read(p, "What if? A number, or a command like: set xoff 50KB", line, sizeof line) &&
        line[0] != '\0';
    if (ok && plain_is_number(line, n, &number)) {
        *cmd = choice[number - 1].cmd;
    } else if (ok && !sim_cmd_parse(line, cmd, &err)) {
        printf("%s\n", err.msg);
        ok = false;
    }
    free(choice);
    return ok;
}

void plain_whatif(struct plain *p)
{
    struct sim_cmd cmd;
    char line[32];
    if (!ask_change(p, &cmd) || !plain_compare(p->player, &cmd)) {
        return;
    }
    narrator_begin(&p->narrator, plain_sim(p));
    if (!plain_read(p, "1 keep the change\n2 go back, nothing changed", line, sizeof line) ||
        line[0] != '1') {
        printf("Nothing is changed.\n");
    } else if (plain_do_command(p, &cmd)) {
        printf("Kept.\n");
    }
}

/* ---- taking back -------------------------------------------------------------------------------- */

void plain_undo(struct plain *p, bool again)
{
    struct err err = { 0 };
    bool restarted = false;
    const bool ok =
        again ? player_redo(p->player, &restarted, &err) : player_undo(p->player, &restarted, &err);
    *(again ? &p->undid : &p->did) = ok; /* there may be more of it */
    *(again ? &p->did : &p->undid) |= ok;
    narrator_begin(&p->narrator, plain_sim(p));
    if (!ok) {
        printf("%s\n", err.msg);
    } else {
        printf("%s%s\n", again ? "Done again." : "Undone: the run is as if you had never done it.",
               restarted ? " The run starts again." : "");
    }
}
