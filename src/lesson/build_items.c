/*
 * The items of a lesson, and the cards they make up.
 */
#include "lesson/data.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/mem.h"
#include "lesson/api.h"
#include "lesson/build_items.h"
#include "run/plot.h"
#include "sim/sim.h"

#define VALUES_MAX 8

/* A text as Markdown wants it: without the indentation of the Lua source, without blanks at both
 * ends. `*line` moves by the lines that were cut off in front. */
static char *tidy(const char *s, int *line)
{
    for (; isspace((unsigned char)*s); s++) {
        *line += *s == '\n';
    }
    struct text out = { 0 };
    while (*s != '\0') {
        s += strspn(s, " \t\r");
        const size_t n = strcspn(s, "\n");
        text_add_clean(&out, s, n, false);
        s += n;
        if (*s == '\n') {
            text_add(&out, "\n");
            s++;
        }
    }
    while (out.len > 0 && isspace((unsigned char)out.s[out.len - 1])) {
        out.s[--out.len] = '\0';
    }
    return out.s == NULL ? mem_strdup("") : out.s;
}

/* One line of text, harmless. */
char *lesson_plain(const char *s)
{
    if (s == NULL) {
        return NULL;
    }
    struct text out = { 0 };
    text_add_clean(&out, s, strlen(s), false);
    return out.s == NULL ? mem_strdup("") : out.s;
}

bool lesson_set_prose(const struct lesson_builder *b, const struct lesson_value *v, char **text)
{
    if (!v->given) {
        return true;
    }
    int line = lesson_source_text(b->problems->source, v->line);
    *text = tidy(v->s, &line);
    return lesson_build_prose(b->lesson, *text, line, b->problems);
}

void lesson_keep_function(const struct lesson_builder *b, enum lesson_field field)
{
    lesson_api_push(b->L, b->index, field);
    *b->func = luaL_ref(b->L, LUA_REGISTRYINDEX);
}

/* ---- one function for each kind -------------------------------------------------------------- */

bool lesson_find_scene(const struct lesson_builder *b, const char *name, int *scene)
{
    const char *names[LESSON_SCENES_MAX + 1];
    for (size_t i = 0; i < b->lesson->scene_count; i++) {
        names[i] = b->lesson->scenes[i].name;
        if (strcmp(names[i], name) == 0) {
            *scene = (int)i;
            return true;
        }
    }
    names[b->lesson->scene_count] = NULL;
    const char *near = lesson_nearest(names, name);
    return near == NULL
               ? lesson_problem(b->problems, b->item->line, "there is no scene \"%.60s\"", name)
               : lesson_problem(b->problems, b->item->line,
                                "there is no scene \"%.60s\"; did you mean \"%s\"?", name, near);
}

static bool build_scene(const struct lesson_builder *b)
{
    const bool ok = lesson_find_scene(b, b->v[LESSON_SCENE_text].s, &b->item->scene);
    b->state->scene = b->item->scene;
    b->state->astray = !ok;
    return ok;
}

static bool build_say(const struct lesson_builder *b)
{
    return lesson_set_prose(b, &b->v[LESSON_SAY_text], &b->item->text);
}

static bool build_note(const struct lesson_builder *b)
{
    return lesson_set_prose(b, &b->v[LESSON_NOTE_text], &b->item->text);
}

static bool build_set(const struct lesson_builder *b)
{
    lesson_api_push_fields(b->L, b->index);
    b->item->cmds =
        lesson_api_read_knobs(b->L, "set", b->item->line, b->problems, &b->item->cmd_count);
    lua_pop(b->L, 1);
    return b->item->cmds != NULL &&
           (b->item->cmd_count > 0 ||
            lesson_problem(b->problems, b->item->line, "weft.set is empty"));
}

static bool build_switch(const struct lesson_builder *b)
{
    const char *knob = b->v[LESSON_SWITCH_knob].s;
    const struct lesson_value *values = &b->v[LESSON_SWITCH_values];
    bool ok = true;
    if (knob == NULL || !values->given) {
        return false;
    }
    if (sim_knob_find(knob) == SIM_KNOB_COUNT && strcmp(knob, "pfc") != 0) {
        return lesson_problem(b->problems, b->v[LESSON_SWITCH_knob].line,
                              "switch.knob: there is no switch \"%.60s\"; did you mean \"%s\"?",
                              knob, sim_knob_nearest(knob));
    }
    lesson_api_push(b->L, b->index, LESSON_SWITCH_values);
    const int n = lesson_api_length(b->L, -1);
    if (n < 2 || n > VALUES_MAX) {
        ok = lesson_problem(b->problems, values->line, "switch.values wants 2 to %d values",
                            VALUES_MAX);
    }
    b->item->values = mem_alloc(VALUES_MAX, sizeof *b->item->values);
    for (int i = 0; ok && i < n; i++) {
        struct err err = { 0 };
        lua_rawgeti(b->L, -1, i + 1);
        if (!lesson_api_knob_value(b->L, knob, &b->item->knob, &b->item->values[i], &err)) {
            (void)err_note(&err, "switch.values[%d]", i + 1);
            ok = lesson_problem_err(b->problems, values->line, &err);
        }
        lua_pop(b->L, 1);
    }
    lua_pop(b->L, 1);
    b->item->value_count = ok ? (size_t)n : 0;
    if (ok) {
        const struct lesson_value *label = &b->v[LESSON_SWITCH_label];
        const struct lesson_value *no_effect = &b->v[LESSON_SWITCH_no_effect];
        b->item->label = lesson_plain(label->given ? label->s : sim_knob_info(b->item->knob)->term);
        b->item->no_effect = no_effect->given ? lesson_plain(no_effect->s) : NULL;
    }
    return ok;
}

/* `which`: a word, or the number of a packet. */
static bool read_which(const struct lesson_builder *b, struct sim_cmd *cmd)
{
    static const char *const words[] = { "first", "middle", "last", "resend", NULL };
    static const enum sim_drop_which which[] = { SIM_DROP_FIRST, SIM_DROP_MIDDLE, SIM_DROP_LAST,
                                                 SIM_DROP_RESEND };
    lesson_api_push(b->L, b->index, LESSON_DROP_which);
    bool found = false;
    if (lua_isinteger(b->L, -1) && lua_tointeger(b->L, -1) >= 1) {
        cmd->which = SIM_DROP_INDEX;
        cmd->psn = (uint64_t)lua_tointeger(b->L, -1);
        found = true;
    } else if (lua_type(b->L, -1) == LUA_TSTRING) {
        for (size_t i = 0; words[i] != NULL; i++) {
            if (strcmp(words[i], lua_tostring(b->L, -1)) == 0) {
                cmd->which = which[i];
                found = true;
            }
        }
    }
    lua_pop(b->L, 1);
    return found ||
           lesson_problem(b->problems, b->v[LESSON_DROP_which].line,
                          "drop.which wants \"first\", \"middle\", \"last\", \"resend\" or "
                          "the number of a packet in its step, from 1");
}

static bool build_drop(const struct lesson_builder *b)
{
    const char *flow = b->v[LESSON_DROP_flow].s;
    struct sim_cmd *cmd = mem_alloc(1, sizeof *cmd);
    b->item->cmds = cmd;
    b->item->cmd_count = 1;
    b->item->ask = b->v[LESSON_DROP_ask].num != 0;
    cmd->kind = SIM_CMD_DROP;
    if (strlen(flow) >= sizeof cmd->flow) {
        return lesson_problem(b->problems, b->v[LESSON_DROP_flow].line, "there is no flow %.40s...",
                              flow);
    }
    memcpy(cmd->flow, flow, strlen(flow) + 1);
    cmd->attempts = (uint32_t)b->v[LESSON_DROP_attempts].num;
    cmd->step = b->v[LESSON_DROP_step].num;
    return read_which(b, cmd);
}

static bool build_fault(const struct lesson_builder *b)
{
    const struct lesson_value *text = &b->v[LESSON_FAULT_text];
    struct err err = { 0 };
    b->item->cmds = mem_alloc(1, sizeof *b->item->cmds);
    b->item->cmd_count = 1;
    if (!sim_cmd_parse(text->s, b->item->cmds, &err)) {
        return lesson_problem_err(b->problems, text->line, &err);
    }
    return b->item->cmds->kind != SIM_CMD_SET ||
           lesson_problem(b->problems, text->line, "a switch is no fault: use weft.set { ... }");
}

static bool build_compare(const struct lesson_builder *b)
{
    const struct lesson_value *text = &b->v[LESSON_COMPARE_text];
    struct err err = { 0 };
    b->item->cmds = mem_alloc(1, sizeof *b->item->cmds);
    b->item->cmd_count = 1;
    return sim_cmd_parse(text->s, b->item->cmds, &err) ||
           lesson_problem_err(b->problems, text->line, &err);
}

static bool build_focus(const struct lesson_builder *b)
{
    const struct lesson_value *view = &b->v[LESSON_FOCUS_view], *node = &b->v[LESSON_FOCUS_node];
    const int scene = b->item->scene;
    uint32_t found = 0;
    b->item->view = view->given ? (int)view->num : -1;
    b->item->node = node->given ? lesson_plain(node->s) : NULL;
    if (!view->given && !node->given) {
        return lesson_problem(b->problems, b->item->line,
                              "weft.focus wants `view = \"events\"`, `node = \"g3\"` or both");
    }
    return !node->given || b->state->astray ||
           lesson_find_node(&b->lesson->scenes[scene].scenario, node, false, b->problems, &found);
}

/* Names only; whether the fabric has such things is judged when it is whole. */
static bool build_plot(const struct lesson_builder *b)
{
    bool ok = true;
    lesson_api_push_fields(b->L, b->index);
    const int n = lesson_api_length(b->L, -1);
    if (n < 1 || n > LESSON_PLOTS_MAX) {
        ok =
            lesson_problem(b->problems, b->item->line,
                           "weft.plot wants 1 to %d names, as \"queue leaf1:3\"", LESSON_PLOTS_MAX);
    }
    b->item->plots = mem_alloc(LESSON_PLOTS_MAX, sizeof *b->item->plots);
    for (int i = 0; ok && i < n; i++) {
        lua_rawgeti(b->L, -1, i + 1);
        ok = lua_type(b->L, -1) == LUA_TSTRING ||
             lesson_problem(b->problems, b->item->line,
                            "weft.plot wants names, as \"queue leaf1:3\", not a %s",
                            luaL_typename(b->L, -1));
        if (ok) {
            b->item->plots[b->item->plot_count++] = lesson_plain(lua_tostring(b->L, -1));
        }
        lua_pop(b->L, 1);
    }
    lua_pop(b->L, 1);
    return ok;
}

static bool build_play(const struct lesson_builder *b)
{
    const struct lesson_value *to = &b->v[LESSON_PLAY_to], *time = &b->v[LESSON_PLAY_time];
    if (to->given == time->given || (to->given && to->num == LESSON_UNTIL_TIME)) {
        return lesson_problem(b->problems, b->item->line,
                              "weft.play wants `to = \"barrier\"` (or end, drop, nak, timeout, "
                              "xoff, round) or `time = \"5us\"`");
    }
    b->item->until = to->given ? (enum lesson_until)to->num : LESSON_UNTIL_TIME;
    b->item->for_ps = time->num;
    b->item->gear = (enum lesson_gear)b->v[LESSON_PLAY_gear].num;
    b->item->rate = b->v[LESSON_PLAY_rate].num;
    return true;
}

static const struct item_row {
    enum lesson_kind kind;
    enum lesson_item_kind item;
    bool (*build)(const struct lesson_builder *b);
    bool reads_on; /* also without a field that is missing or no good: there may be more to say */
} item_rows[] = {
    { LESSON_KIND_SCENE, LESSON_SCENE, build_scene, false },
    { LESSON_KIND_SAY, LESSON_SAY, build_say, false },
    { LESSON_KIND_NOTE, LESSON_NOTE, build_note, false },
    { LESSON_KIND_SET, LESSON_SET, build_set, false },
    { LESSON_KIND_SWITCH, LESSON_SWITCH, build_switch, true },
    { LESSON_KIND_DROP, LESSON_DROP, build_drop, false },
    { LESSON_KIND_FAULT, LESSON_FAULT, build_fault, false },
    { LESSON_KIND_COMPARE, LESSON_COMPARE, build_compare, false },
    { LESSON_KIND_FOCUS, LESSON_FOCUS, build_focus, false },
    { LESSON_KIND_PLOT, LESSON_PLOT, build_plot, false },
    { LESSON_KIND_PLAY, LESSON_PLAY, build_play, false },
    { LESSON_KIND_PREDICT, LESSON_PREDICT, lesson_build_predict, true },
    { LESSON_KIND_RECALL, LESSON_PREDICT, lesson_build_recall, true },
    { LESSON_KIND_BRANCH, LESSON_BRANCH, lesson_build_branch, true },
    { LESSON_KIND_FIX, LESSON_FIX, lesson_build_fix, true },
    { LESSON_KIND_CLAIM, LESSON_CLAIM, lesson_build_claim, true },
};

bool lesson_kind_is_item(enum lesson_kind kind)
{
    bool found = false;
    for (size_t i = 0; i < sizeof item_rows / sizeof item_rows[0]; i++) {
        found = found || item_rows[i].kind == kind;
    }
    return found;
}

/* The object on top of the stack, made in `line`, as the lesson's next item. */
static bool build_known(struct lesson *lesson, const struct item_row *row, int line,
                        struct lesson_state *state, struct lesson_problems *problems)
{
    lua_State *L = lesson_host_lua(lesson->host);
    struct lesson_item *item = &lesson->items[lesson->item_count];
    int *func = &lesson->funcs[lesson->item_count++];
    const bool lost = state->scene < 0 && row->kind != LESSON_KIND_SCENE;
    state->scene = state->scene < 0 ? 0 : state->scene;
    *item = (struct lesson_item){
        .kind = row->item, .line = line, .scene = state->scene, .apart = state->apart
    };
    *func = LESSON_NO_FUNC;
    state->apart = false;
    if (lost) {
        (void)lesson_problem(problems, line,
                             "the ways before this end in different scenes: go on with weft.scene");
    }
    struct lesson_values values = { 0 };
    const bool read = lesson_api_read(L, -1, row->kind, line, problems, &values);
    if (!read && !row->reads_on) {
        return false;
    }
    const struct lesson_builder b = { L,    lesson, problems, lua_gettop(L),
                                      item, func,   values.v, state };
    item->sound = row->build(&b) && read && !lost && !state->astray;
    return item->sound;
}

/* The `index`-th part of the `list` that begins in line `from`, on top of the stack. */
static bool build_item(struct lesson *lesson, const char *list, int from, int index,
                       struct lesson_state *state, struct lesson_problems *problems)
{
    lua_State *L = lesson_host_lua(lesson->host);
    int line = 0;
    const enum lesson_kind kind = lesson_api_kind(L, -1, &line);
    const struct item_row *row = NULL;
    for (size_t i = 0; i < sizeof item_rows / sizeof item_rows[0]; i++) {
        row = item_rows[i].kind == kind ? &item_rows[i] : row;
    }
    if (row == NULL || line == 0) { /* it was made in a tail call, or by nobody */
        line = lesson_source_line(problems->source, from, list, NULL, index);
    }
    if (row == NULL) {
        return lesson_problem(
            problems, line, "a lesson's item is a weft.say, weft.play, ..., not %s%s",
            kind == LESSON_KIND_COUNT ? "a " : "weft.",
            kind == LESSON_KIND_COUNT ? luaL_typename(L, -1) : lesson_kind_info(kind)->name);
    }
    const struct lesson_place before = lesson_api_enter(L, -1, problems);
    const bool ok = build_known(lesson, row, line, state, problems);
    lesson_problems_leave(problems, before);
    return ok;
}

bool lesson_build_list(struct lesson *lesson, int index, const char *name, int line,
                       struct lesson_state *state, struct lesson_problems *problems)
{
    lua_State *L = lesson_host_lua(lesson->host);
    index = lua_absindex(L, index);
    const int n = lesson_api_length(L, index);
    if (lesson->item_count + (size_t)n > LESSON_ITEMS_MAX) {
        return lesson_problem(problems, line, "a lesson has at most %d items", LESSON_ITEMS_MAX);
    }
    bool ok = true;
    luaL_checkstack(L, 16, "a lesson");
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, index, i);
        ok = build_item(lesson, name, line, i, state, problems) && ok;
        lua_settop(L, index);
    }
    return ok;
}

size_t lesson_plots(const struct lesson_item *item, const struct sim *sim, struct run_plot *plots,
                    size_t cap)
{
    size_t n = 0;
    for (size_t i = 0; i < item->plot_count && n < cap; i++) {
        n += run_plot_parse(sim, item->plots[i], &plots[n], NULL) ? 1 : 0;
    }
    return n;
}

void lesson_item_finish(struct lesson_item *item)
{
    free(item->text);
    free(item->cmds);
    free(item->values);
    free(item->label);
    free(item->no_effect);
    for (size_t i = 0; i < item->choice_count; i++) {
        free(item->choices[i].text);
        free(item->choices[i].belief);
        free(item->choices[i].reply);
    }
    free(item->choices);
    free(item->because);
    free(item->reply);
    free(item->from);
    free(item->name);
    free(item->ways);
    free(item->node);
    free(item->low);
    free(item->high);
    for (size_t i = 0; i < item->hint_count; i++) {
        free(item->hints[i]);
    }
    free(item->hints);
    for (size_t i = 0; i < item->plot_count; i++) {
        free(item->plots[i]);
    }
    free(item->plots);
}
