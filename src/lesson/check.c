/*
 * Playing a lesson as a test.
 */
#include "lesson/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/data.h"
#include "lesson/lint.h"
#include "lesson/player.h"
#include "lesson/trial.h"
#include "run/compare.h"

#define SWITCHES_MAX 16
#define CHECK_SEED   1
/* How far a what-if is followed, and in which slices. */
#define COMPARE_FAR   UNIT_S
#define COMPARE_SLICE (100 * UNIT_US)

struct checker {
    struct lesson *lesson;
    const struct lesson_places *places;
    struct player *player;
    struct lesson_check *result;
    struct text *out;
    struct err first;
    /* Switches of the present card, each with the run as it stood when it was offered. */
    struct {
        size_t item;
        struct run *run;
    } switches[SWITCHES_MAX];
    size_t switch_count;
};

/* ---- saying ---------------------------------------------------------------------------------- */

static void say(struct checker *c, const struct err *err, const char *verdict)
{
    struct err line = *err;
    if (line.where[0] == '\0') {
        (void)err_at(&line, c->lesson->path, 0);
    }
    text_addf(c->out, "%s: %s: %s\n", line.where, verdict, line.msg);
    if (c->first.code == ERR_NONE && strcmp(verdict, "ok") != 0) {
        c->first = line;
    }
}

static void sayf(struct checker *c, const char *verdict, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static void sayf(struct checker *c, const char *verdict, int line, const char *fmt, ...)
{
    char msg[sizeof(struct err){ 0 }.msg];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    struct err err = { 0 };
    (void)err_set(&err, ERR_SCRIPT, "%s", msg);
    (void)err_at(&err, c->lesson->path, line);
    say(c, &err, verdict);
}

#define FAIL(c, ...) ((c)->result->failed++, sayf((c), "not ok", __VA_ARGS__))
#define LINT(c, ...) ((c)->result->complaints++, sayf((c), "lint", __VA_ARGS__))

/* ---- texts ----------------------------------------------------------------------------------- */

static bool is_source(const struct lesson *lesson, const char *key)
{
    for (size_t i = 0; i < lesson->source_count; i++) {
        if (strcmp(lesson->sources[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/* What can be said about a text without running anything. */
static void lint_prose(struct checker *c, const char *prose, int line)
{
    size_t len = 0, at = 0;
    const char *number = lesson_lint_typed_number(prose, &len);
    if (number != NULL) {
        LINT(c, line, "\"%.*s\" is typed by hand; measure it: {...}", (int)len, number);
    }
    struct text key = { 0 };
    while (lesson_lint_citation(prose, &at, &key)) {
        if (!is_source(c->lesson, text_str(&key))) {
            LINT(c, line, "[%s] is not among the lesson's sources", text_str(&key));
        }
    }
    text_finish(&key);
}

/* Questions, answers and goals are read before anything is known. */
static void lint_plain(struct checker *c, const char *text, int line)
{
    if (strchr(text, '{') != NULL) {
        LINT(c, line, "\"%.60s\" is shown as it is: {...} is measured in say, because and reply",
             text);
    }
}

/* The title stands in the table of contents, before anything is measured. */
static void lint_title(struct checker *c, const struct lesson_card *card)
{
    if (strpbrk(card->title, "{}*") != NULL) {
        LINT(c, lesson_item(c->lesson, card->first)->line,
             "the first bold words are this card's title: plain words only, not \"%.80s\"",
             card->title);
    }
}

/* Fills a text for the present moment and counts its words; "" for NULL. */
static int fill_words(struct checker *c, const char *prose, int line)
{
    if (prose == NULL) {
        return 0;
    }
    struct text out = { 0 };
    struct err err = { 0 };
    bool pending = false;
    const struct lesson_sight sight = player_sight(c->player);
    if (!lesson_fill(c->lesson, prose, &sight, &out, &pending, &err)) {
        (void)err_at(&err, c->lesson->path, line);
        c->result->failed++;
        say(c, &err, "not ok");
    } else if (pending) {
        FAIL(c, line, "a measured value is not known at the end of this card: %.200s",
             text_str(&out));
    }
    const int words = lesson_lint_words(text_str(&out));
    text_finish(&out);
    return words;
}

static void check_words(struct checker *c, int words, int line, const char *what)
{
    if (words > LESSON_CARD_WORDS) {
        LINT(c, line, "%s has %d words, at most %d", what, words, LESSON_CARD_WORDS);
    }
}

static void check_choices(struct checker *c, const struct lesson_item *item, size_t truth)
{
    const int because = fill_words(c, item->because, item->line);
    bool same = false;
    for (size_t i = 0; i < item->choice_count; i++) {
        const struct lesson_choice *choice = &item->choices[i];
        lint_plain(c, choice->text, item->line);
        const int reply = fill_words(c, choice->reply, item->line);
        check_words(c, reply + because, item->line, "a reply with its because");
        if (choice->reply != NULL) {
            lint_prose(c, choice->reply, item->line);
        }
        if (i != truth && (choice->belief == NULL || choice->reply == NULL)) {
            LINT(c, item->line, "the wrong answer \"%.60s\" needs a belief and a reply of its own",
                 choice->text);
        }
        for (size_t j = 0; j < i; j++) {
            same = same || strcmp(choice->text, item->choices[j].text) == 0;
        }
    }
    if (same) {
        LINT(c, item->line, "two answers are the same");
    }
}

static void check_number(struct checker *c, const struct lesson_item *item)
{
    const int because = fill_words(c, item->because, item->line);
    const char *const replies[] = { item->low, item->high };
    for (size_t i = 0; i < 2; i++) {
        if (replies[i] == NULL) {
            LINT(c, item->line, "a number that is too %s needs a reply of its own: %s",
                 i == 0 ? "small" : "large", i == 0 ? "low" : "high");
        } else {
            lint_prose(c, replies[i], item->line);
            check_words(c, fill_words(c, replies[i], item->line) + because, item->line,
                        "a reply with its because");
        }
    }
}

/* A lesson that this one refers to. */
static void check_lesson(struct checker *c, const char *id, int line, const char *what)
{
    struct err err = { 0 };
    struct text sibling = { 0 };
    char *folder = lesson_folder(c->lesson->path);
    text_addf(&sibling, "%s/%s.lua", folder, id);
    char *path = file_exists(text_str(&sibling)) ? mem_strdup(text_str(&sibling))
                                                 : lesson_find(c->places, id, &err);
    free(folder);
    text_finish(&sibling);
    if (path == NULL) {
        LINT(c, line, "%s: %s", what, err.msg);
    } else if (strcmp(id, c->lesson->id) == 0) {
        LINT(c, line, "%s: this is the lesson itself", what);
    }
    free(path);
}

static void check_predict(struct checker *c, size_t index)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    const struct lesson_sight sight = player_sight(c->player);
    struct err err = { 0 };
    size_t truth = 0;
    lint_prose(c, item->text, item->line);
    lint_plain(c, item->text, item->line);
    lint_prose(c, item->because, item->line);
    if (item->from != NULL) {
        check_lesson(c, item->from, item->line, "recall.from");
    }
    int64_t number = 0;
    if (!(item->number ? lesson_truth_number(c->lesson, index, &sight, &number, &err)
                       : lesson_truth(c->lesson, index, &sight, &truth, &err))) {
        (void)err_note(&err, "the question \"%.80s\"", item->text);
        (void)err_at(&err, c->lesson->path, item->line);
        c->result->failed++;
        say(c, &err, "not ok");
        return;
    }
    if (item->number) {
        check_number(c, item);
    } else {
        check_choices(c, item, truth);
    }
}

/* ---- tasks ------------------------------------------------------------------------------------ */

/* A reply to a try, in the sight of that try. */
static void check_try_words(struct checker *c, const struct lesson_item *item, const char *prose,
                            const struct lesson_sight *sight)
{
    struct text out = { 0 };
    struct err err = { 0 };
    bool pending = false;
    if (prose != NULL && !lesson_fill(c->lesson, prose, sight, &out, &pending, &err)) {
        (void)err_at(&err, c->lesson->path, item->line);
        c->result->failed++;
        say(c, &err, "not ok");
    } else if (pending) {
        FAIL(c, item->line, "a measured value is not known at the end of a try: %.200s",
             text_str(&out));
    }
    check_words(c, lesson_lint_words(text_str(&out)), item->line, "a reply to a try");
    text_finish(&out);
}

/* Whether these switches reach the goal: false with err when that cannot be judged. */
static bool try_fix(struct checker *c, size_t index, const int64_t *knobs, bool *reached,
                    struct err *err)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    struct lesson_trial trial = { 0 };
    bool ok = lesson_trial_begin(&trial, c->lesson, index, CHECK_SEED, knobs, err);
    while (ok && !lesson_trial_on(&trial, UNIT_S, err)) {
    }
    ok = ok && trial.over;
    if (ok) {
        struct report report = { 0 };
        report_take(&report, trial.run);
        struct lesson_sight sight = player_sight(c->player);
        const struct report *reports[LESSON_SCENES_MAX] = { NULL };
        for (size_t i = 0; i < lesson_scene_count(c->lesson); i++) {
            reports[i] = sight.reports[i];
        }
        reports[sight.scene] = &report;
        sight.reports = reports;
        sight.step = sim_rank_count(run_sim(trial.run)) > 0;
        ok = lesson_claim(c->lesson, index, &sight, reached, err);
        if (ok) {
            check_try_words(c, item, *reached ? item->because : item->reply, &sight);
        }
        report_finish(&report);
    }
    lesson_trial_finish(&trial);
    return ok;
}

static bool judge_fix(struct checker *c, size_t index, const int64_t *knobs, const char *what,
                      bool want)
{
    struct err err = { 0 };
    const int line = lesson_item(c->lesson, index)->line;
    bool reached = false;
    c->result->claims++;
    if (!try_fix(c, index, knobs, &reached, &err)) {
        (void)err_note(&err, "fix: not checked");
        (void)err_at(&err, c->lesson->path, line);
        c->result->failed++;
        say(c, &err, "not ok");
        return false;
    }
    if (reached != want) {
        FAIL(c, line, "fix: %s", what);
        return false;
    }
    c->result->held++;
    return true;
}

/* A task is one: not done already, and done by what its author says. At the moment it is set. */
static void check_fix(struct checker *c, size_t index)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    int64_t knobs[SIM_KNOB_COUNT];
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        knobs[k] = sim_knob(run_sim(player_run(c->player)), (enum sim_knob)k);
    }
    lint_plain(c, item->text, item->line);
    const char *const texts[] = { item->text, item->because, item->reply };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i] != NULL) {
            lint_prose(c, texts[i], item->line);
        }
    }
    const bool open =
        judge_fix(c, index, knobs, "the goal is reached before anything is done", false);
    for (size_t i = 0; i < item->cmd_count; i++) {
        knobs[item->cmds[i].knob] = item->cmds[i].value;
    }
    if (judge_fix(c, index, knobs, "the solution does not reach the goal", true) && open) {
        sayf(c, "ok", item->line, "the solution reaches: %.200s", item->text);
    }
}

/* ---- what-ifs --------------------------------------------------------------------------------- */

/* Both runs side by side: there must be something to see. The card's own run is not touched. */
static void check_compare(struct checker *c, size_t index)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    struct run *left = run_fork(player_run(c->player));
    struct compare compare;
    struct err err = { 0 };
    struct run *right = compare_what_if(&compare, left, item->cmds, &err);
    if (right == NULL) {
        (void)err_at(&err, c->lesson->path, item->line);
        c->result->failed++;
        say(c, &err, "not ok");
        run_destroy(left);
        return;
    }
    const sim_ps end = run_now(right) + COMPARE_FAR;
    (void)run_until(left, run_now(right), 0); /* the command took an instant */
    while (
        !compare.differs && run_now(right) < end &&
        (sim_outcome(run_sim(left)) == SIM_RUNNING || sim_outcome(run_sim(right)) == SIM_RUNNING)) {
        compare_until(&compare, run_now(right) + COMPARE_SLICE);
    }
    if (!compare.differs) {
        LINT(c, item->line, "nothing differs in this what-if");
    }
    run_destroy(right);
    run_destroy(left);
}

/* ---- switches -------------------------------------------------------------------------------- */

/* Whether two runs measured the same. */
static bool same_metrics(const struct report *a, const struct report *b)
{
    const struct sim_counters *x = &a->count, *y = &b->count;
    if (a->outcome != b->outcome || a->step_count != b->step_count || x->sent != y->sent ||
        x->delivered != y->delivered || x->dropped != y->dropped ||
        x->retransmitted != y->retransmitted || x->refused != y->refused ||
        x->xoff_frames != y->xoff_frames || x->paused != y->paused || x->timeouts != y->timeouts ||
        x->naks != y->naks) {
        return false;
    }
    for (size_t i = 0; i < a->step_count; i++) {
        if (a->steps[i].start != b->steps[i].start || a->steps[i].end != b->steps[i].end) {
            return false;
        }
    }
    for (size_t i = 0; i < a->flow_count && i < b->flow_count; i++) {
        if (a->flows[i].fct != b->flows[i].fct) {
            return false;
        }
    }
    return true;
}

/* Plays the rest of the card on `run` with another value; whether that was noticed. */
static bool value_matters(struct checker *c, struct run *run, size_t item, int64_t value)
{
    const struct sim_cmd cmd = { .kind = SIM_CMD_SET,
                                 .knob = lesson_item(c->lesson, item)->knob,
                                 .value = value };
    const struct lesson_card *card = lesson_card(c->lesson, player_card(c->player));
    struct err err = { 0 };
    bool matters = true;
    if (!run_do(run, &cmd, RUN_LEARNER, NULL, &err) ||
        !player_do_items(c->lesson, run, item + 1, card->first + card->count, &err)) {
        (void)err_at(&err, c->lesson->path, lesson_item(c->lesson, item)->line);
        c->result->failed++;
        say(c, &err, "not ok");
    } else {
        struct report other = { 0 };
        report_take(&other, run);
        matters = !same_metrics(player_sight(c->player).reports[card->scene], &other);
        report_finish(&other);
    }
    return matters;
}

static void check_switch(struct checker *c, size_t item, struct run *run)
{
    const struct lesson_item *it = lesson_item(c->lesson, item);
    const int64_t now = sim_knob(run_sim(run), it->knob);
    bool matters = false, offered = false;
    for (size_t i = 0; i < it->value_count; i++) {
        offered = offered || it->values[i] == now;
        if (it->values[i] != now) {
            struct run *fork = run_fork(run);
            matters = value_matters(c, fork, item, it->values[i]) || matters;
            run_destroy(fork);
        }
    }
    if (!offered) {
        LINT(c, it->line, "the present value of %s is not among the switch's values",
             sim_knob_info(it->knob)->name);
    }
    if (!matters && it->no_effect == NULL) {
        LINT(c, it->line,
             "moving %s changes nothing on this card: move it, or say no_effect = \"why\"",
             sim_knob_info(it->knob)->name);
    } else if (matters && it->no_effect != NULL) {
        LINT(c, it->line, "moving %s does change something, although no_effect says it does not",
             sim_knob_info(it->knob)->name);
    }
}

static void check_switches(struct checker *c)
{
    for (size_t i = 0; i < c->switch_count; i++) {
        check_switch(c, c->switches[i].item, c->switches[i].run);
        run_destroy(c->switches[i].run);
    }
    c->switch_count = 0;
}

/* ---- cards ----------------------------------------------------------------------------------- */

static void on_item(void *arg, struct player *player, size_t item,
                    const struct player_verdict *verdict)
{
    struct checker *c = arg;
    const struct lesson_item *it = lesson_item(c->lesson, item);
    if (it->kind == LESSON_SWITCH && c->switch_count < SWITCHES_MAX) {
        c->switches[c->switch_count].item = item;
        c->switches[c->switch_count++].run = run_fork(player_run(player));
    }
    if (it->kind == LESSON_COMPARE) {
        check_compare(c, item);
    }
    if (it->kind == LESSON_FIX) {
        check_fix(c, item);
    }
    if (verdict == NULL) {
        return;
    }
    c->result->claims += verdict->judged;
    if (verdict->judged && verdict->holds) {
        c->result->held++;
        sayf(c, "ok", it->line, "%s", it->text);
    } else if (verdict->judged) {
        const bool told = verdict->err->msg[0] != '\0';
        FAIL(c, it->line, "%.200s%s%s", it->text, told ? ": it was " : "", verdict->err->msg);
    } else {
        struct err err = *verdict->err;
        (void)err_note(&err, "%.200s: not checked", it->text);
        c->result->failed++;
        say(c, &err, "not ok");
    }
}

/* The card has been played to its end. */
static void check_card(struct checker *c)
{
    const struct lesson_card *card = lesson_card(c->lesson, player_card(c->player));
    bool has_prose = false;
    for (size_t i = card->first; i < card->first + card->count; i++) {
        const struct lesson_item *item = lesson_item(c->lesson, i);
        if (item->kind == LESSON_SAY) {
            has_prose = true;
            lint_prose(c, item->text, item->line);
            check_words(c, fill_words(c, item->text, item->line), item->line, "this card");
        } else if (item->kind == LESSON_NOTE) {
            lint_prose(c, item->text, item->line);
            (void)fill_words(c, item->text, item->line);
        } else if (item->kind == LESSON_PREDICT) {
            check_predict(c, i);
        }
    }
    lint_title(c, card);
    if (!has_prose) {
        LINT(c, lesson_item(c->lesson, card->first)->line, "this card says nothing");
    }
    check_switches(c);
}

/* Plays the card to its end by the declared path. */
static bool play_card(struct checker *c, struct err *err)
{
    for (;;) {
        const enum player_need need = player_next(c->player, err);
        if (err->code != ERR_NONE) {
            return false;
        }
        if (need == PLAYER_CARD || need == PLAYER_END) {
            return true;
        }
        if (!player_skip(c->player, err)) {
            return false;
        }
    }
}

static void play_cards(struct checker *c)
{
    const size_t n = lesson_card_count(c->lesson);
    struct err err = { 0 };
    for (size_t card = 0; card < n; card++) {
        if (!play_card(c, &err)) {
            c->result->failed++;
            say(c, &err, "not ok");
            return;
        }
        check_card(c);
        if (card + 1 < n && !player_next_card(c->player, &err)) {
            c->result->failed++;
            say(c, &err, "not ok");
            return;
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void check_name(struct checker *c)
{
    const char *slash = strrchr(c->lesson->path, '/');
    const char *base = slash == NULL ? c->lesson->path : slash + 1;
    const size_t n = strlen(c->lesson->id);
    if (strncmp(base, c->lesson->id, n) != 0 || strcmp(base + n, ".lua") != 0) {
        LINT(c, lesson_item(c->lesson, 0)->line, "the id \"%s\" and the name of the file differ",
             c->lesson->id);
    }
}

static bool failed(const struct checker *c, struct err *err)
{
    if (c->result->failed + c->result->complaints == 0) {
        return false;
    }
    if (err != NULL) {
        *err = c->first;
    }
    return true;
}

bool lesson_check(const char *path, const struct lesson_places *places, struct lesson_check *result,
                  struct text *out, struct err *err)
{
    struct checker c = { .places = places, .result = result, .out = out };
    *result = (struct lesson_check){ 0 };
    c.lesson = lesson_load(path, places->data_dir, out, err);
    if (c.lesson == NULL) {
        result->failed++;
        return false;
    }
    const struct player_options options = { .seed = CHECK_SEED };
    c.player = player_create(c.lesson, &options, &c.first);
    if (c.player == NULL) {
        result->failed++;
        say(&c, &c.first, "not ok");
    } else {
        player_listen(c.player, on_item, &c);
        check_name(&c);
        for (size_t i = 0; i < c.lesson->builds_on_count; i++) {
            check_lesson(&c, c.lesson->builds_on[i], c.lesson->builds_on_line, "lesson.builds_on");
        }
        play_cards(&c);
        check_switches(&c);
    }
    player_destroy(c.player);
    lesson_destroy(c.lesson);
    return !failed(&c, err);
}
