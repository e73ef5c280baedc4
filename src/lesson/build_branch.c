/*
 * Cards that depend on an answer: reading a branch, and who can come where.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/build_items.h"
#include "lesson/path.h"

#define SCENE_OPEN  (-2) /* no way has ended yet */
#define DEPTH_MAX   4    /* branches inside each other */
#define NUMBERS_MAX 4    /* answers that may have a way of their own: [1] to [4] */

/* All kinds of answers with one grade, whichever the choice. */
#define EACH(grade)    (UINT32_C(0x1111) << LESSON_GRADE_##grade)
#define CHOICE(number) (UINT32_C(0xf) << (LESSON_GRADE_COUNT * (number)))

/* The ways of a branch in the order in which they are asked whether an answer is theirs. */
static const struct way_row {
    const char *on;
    enum lesson_field field; /* of a number: none */
    uint32_t answers;
    enum { FOR_ALL, FOR_CHOICES, FOR_NUMBERS } goes_with;
} way_rows[] = {
    { "[1]", LESSON_FIELD_COUNT, CHOICE(0), FOR_CHOICES },
    { "[2]", LESSON_FIELD_COUNT, CHOICE(1), FOR_CHOICES },
    { "[3]", LESSON_FIELD_COUNT, CHOICE(2), FOR_CHOICES },
    { "[4]", LESSON_FIELD_COUNT, CHOICE(3), FOR_CHOICES },
    { "low", LESSON_BRANCH_low, EACH(WRONG), FOR_NUMBERS },
    { "high", LESSON_BRANCH_high, EACH(HIGH), FOR_NUMBERS },
    { "right", LESSON_BRANCH_right, EACH(RIGHT), FOR_ALL },
    { "wrong", LESSON_BRANCH_wrong, EACH(NONE) | EACH(WRONG) | EACH(HIGH), FOR_ALL },
    { "otherwise", LESSON_BRANCH_otherwise, UINT32_MAX, FOR_ALL },
};
#define WAY_ROWS (sizeof way_rows / sizeof way_rows[0])

static const struct way_row *row_of(const struct lesson_way *way)
{
    size_t i = 0;
    while (way_rows[i].on != way->on) {
        i++;
    }
    return &way_rows[i];
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The list of a way is on top of the stack. */
static bool build_way(const struct lesson_builder *b, const struct way_row *row, int *scene)
{
    struct lesson_way *way = &b->item->ways[b->item->way_count++];
    *way = (struct lesson_way){ .on = row->on, .answers = row->answers };
    way->line = lesson_source_line(b->problems->source, b->item->line, "branch", row->on, 0);
    way->from = way->to = b->lesson->item_count;
    if (!lua_istable(b->L, -1) || lesson_api_kind(b->L, -1, NULL) != LESSON_KIND_COUNT) {
        return lesson_problem(b->problems, way->line,
                              "branch%s%s wants a list of items: { weft.say [[ ... ]], ... }",
                              *row->on == '[' ? "" : ".", row->on);
    }
    if (lesson_api_length(b->L, -1) == 0) {
        return lesson_problem(b->problems, way->line,
                              "branch%s%s is a dead end: give it a card (weft.say [[ ... ]]), or "
                              "leave it out for these answers to go straight on",
                              *row->on == '[' ? "" : ".", row->on);
    }
    struct lesson_state state = { .scene = b->item->scene,
                                  .astray = b->state->astray,
                                  .apart = true,
                                  .depth = b->state->depth + 1 };
    const bool ok = lesson_build_list(b->lesson, -1, row->on, way->line, &state, b->problems);
    way->to = b->lesson->item_count;
    *scene = *scene == SCENE_OPEN || state.scene == *scene ? state.scene : -1;
    return ok;
}

/* Pushes the list of a way, or nil: there is none, or it is no list (which has been said). */
static void push_way(const struct lesson_builder *b, size_t row)
{
    const enum lesson_field field = way_rows[row].field;
    if (field != LESSON_FIELD_COUNT && b->v[field].given) {
        lesson_api_push(b->L, b->index, field);
    } else if (field != LESSON_FIELD_COUNT) {
        lua_pushnil(b->L);
    } else {
        lesson_api_push_fields(b->L, b->index);
        lua_rawgeti(b->L, -1, (lua_Integer)row + 1);
        lua_remove(b->L, -2);
    }
}

/* Numbers that no way has. */
static bool check_numbers(const struct lesson_builder *b)
{
    bool ok = true;
    lesson_api_push_fields(b->L, b->index);
    for (lua_pushnil(b->L); lua_next(b->L, -2) != 0; lua_pop(b->L, 1)) {
        const lua_Integer n = lua_isinteger(b->L, -2) ? lua_tointeger(b->L, -2) : 1;
        if (n > NUMBERS_MAX && ok) {
            ok = lesson_problem(b->problems, b->item->line,
                                "branch[%d] is unreachable: a question has at most %d answers",
                                n > 9999 ? 9999 : (int)n, NUMBERS_MAX);
        }
    }
    lua_pop(b->L, 1);
    return ok;
}

bool lesson_build_branch(const struct lesson_builder *b)
{
    if (b->state->depth >= DEPTH_MAX) {
        return lesson_problem(b->problems, b->item->line,
                              "branches stand at most %d deep inside each other", DEPTH_MAX);
    }
    bool ok = check_numbers(b);
    const bool all = b->v[LESSON_BRANCH_otherwise].given ||
                     (b->v[LESSON_BRANCH_right].given && b->v[LESSON_BRANCH_wrong].given);
    int scene = all ? SCENE_OPEN : b->item->scene; /* behind it, as far as all ways agree */
    b->item->name = b->v[LESSON_BRANCH_on].given ? lesson_plain(b->v[LESSON_BRANCH_on].s) : NULL;
    b->item->ways = mem_alloc(WAY_ROWS, sizeof *b->item->ways);
    for (size_t i = 0; i < WAY_ROWS; i++) {
        push_way(b, i);
        ok = (lua_isnil(b->L, -1) || build_way(b, &way_rows[i], &scene)) && ok;
        lua_pop(b->L, 1);
    }
    b->state->scene = scene;
    b->state->apart = true;
    return (b->item->way_count > 0 ||
            lesson_problem(b->problems, b->item->line,
                           "weft.branch leads nowhere: write right = { weft.say [[ ... ]] }, or "
                           "[2] = { ... } for the second answer")) &&
           ok;
}

/* ---- questions ------------------------------------------------------------------------------- */

/* All kinds of answers that a question may get. */
static uint32_t answers_to(const struct lesson_item *question)
{
    if (question->number) {
        return CHOICE(0);
    }
    uint32_t all = 0;
    for (size_t i = 0; i < question->choice_count; i++) {
        const uint32_t right = EACH(RIGHT), open = EACH(NONE) | EACH(WRONG);
        /* Of a recalled one it is known which is right. */
        all |= CHOICE(i) & (question->right == 0       ? right | open
                            : question->right == i + 1 ? right
                                                       : EACH(WRONG));
    }
    return all;
}

static bool check_names(struct lesson *lesson, struct lesson_problems *problems)
{
    bool ok = true;
    for (size_t i = 0; i < lesson->item_count; i++) {
        struct lesson_item *item = &lesson->items[i];
        if (item->kind != LESSON_PREDICT) {
            continue;
        }
        item->answers = answers_to(item);
        for (size_t j = 0; j < i && item->name != NULL; j++) {
            const struct lesson_item *other = &lesson->items[j];
            if (other->kind == LESSON_PREDICT && other->name != NULL &&
                strcmp(other->name, item->name) == 0) {
                ok = lesson_problem(problems, item->line,
                                    "the name \"%.60s\" is taken by the question in line %d",
                                    item->name, other->line);
            }
        }
    }
    return ok;
}

static bool no_question(const struct lesson *lesson, const struct lesson_item *branch, size_t index,
                        struct lesson_problems *problems)
{
    const char *names[LESSON_ITEMS_MAX + 1];
    size_t n = 0;
    for (size_t i = 0; i < lesson->item_count; i++) {
        const struct lesson_item *item = &lesson->items[i];
        if (item->kind != LESSON_PREDICT || item->name == NULL) {
            continue;
        }
        if (i > index && strcmp(item->name, branch->name) == 0) {
            return lesson_problem(problems, branch->line,
                                  "branch.on: the question \"%.60s\" is asked later, in line %d; "
                                  "put the branch behind it",
                                  branch->name, item->line);
        }
        names[n++] = item->name;
    }
    names[n] = NULL;
    const char *near = lesson_nearest(names, branch->name);
    return near != NULL ? lesson_problem(problems, branch->line,
                                         "branch.on: no question is called \"%.60s\"; did you mean "
                                         "\"%.60s\"?",
                                         branch->name, near)
                        : lesson_problem(problems, branch->line,
                                         "branch.on: no question is called \"%.60s\"; write "
                                         "weft.predict { name = \"%.60s\", ... } before it",
                                         branch->name, branch->name);
}

static bool is_inside(const struct lesson_way *way, size_t item)
{
    return way->from <= item && item < way->to;
}

/* Everybody who comes to the branch has been asked; `*answers`: those that can have been given. */
static bool check_asked(const struct lesson *lesson, size_t index, uint32_t *answers,
                        struct lesson_problems *problems)
{
    const struct lesson_item *branch = &lesson->items[index];
    for (size_t i = 0; i < index; i++) {
        const struct lesson_item *other = &lesson->items[i];
        if (other->kind == LESSON_BRANCH && !other->sound) {
            continue;
        }
        for (size_t w = 0; other->kind == LESSON_BRANCH && w < other->way_count; w++) {
            const struct lesson_way *way = &other->ways[w];
            if (is_inside(way, branch->question) && !is_inside(way, index)) {
                return lesson_problem(problems, branch->line,
                                      "branch.on: not everybody is asked \"%.60s\" (line %d): it "
                                      "stands inside the branch in line %d",
                                      branch->name, lesson->items[branch->question].line,
                                      other->line);
            }
            if (is_inside(way, index) && other->question == branch->question) {
                *answers &= way->answers;
            }
        }
    }
    return true;
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* Leaves each way the answers that are its own; one that has none is never taken. */
static bool check_ways(struct lesson_item *branch, const struct lesson_item *question,
                       uint32_t answers, struct lesson_problems *problems)
{
    bool ok = true;
    for (size_t w = 0; w < branch->way_count; w++) {
        struct lesson_way *way = &branch->ways[w];
        const struct way_row *row = row_of(way);
        const char *dot = *way->on == '[' ? "" : ".";
        way->answers &= answers;
        answers &= ~way->answers;
        if (question->number && row->goes_with == FOR_CHOICES) {
            ok = lesson_problem(problems, way->line,
                                "branch%s is unreachable: \"%.60s\" asks for a number; write low, "
                                "high, right or wrong",
                                way->on, branch->name);
        } else if (!question->number && row->goes_with == FOR_NUMBERS) {
            ok = lesson_problem(problems, way->line,
                                "branch.%s is unreachable: \"%.60s\" does not ask for a number; "
                                "write [1], [2], right or wrong",
                                way->on, branch->name);
        } else if (*way->on == '[' && (size_t)(row - way_rows) >= question->choice_count) {
            ok = lesson_problem(problems, way->line,
                                "branch%s is unreachable: \"%.60s\" has %d answers", way->on,
                                branch->name, (int)question->choice_count);
        } else if (way->answers == 0) {
            ok = lesson_problem(problems, way->line,
                                "branch%s%s is unreachable: every such answer has gone another way",
                                dot, way->on);
        }
    }
    return ok;
}

/* The kind of answer that counts where nobody gives one: of the first way of the first branch. */
static int declared_kind(uint32_t answers)
{
    int kind = 0;
    const uint32_t judged = answers & ~EACH(NONE);
    for (const uint32_t set = judged != 0 ? judged : answers; (set >> kind & 1) == 0; kind++) {
    }
    return kind;
}

static bool check_branch(struct lesson *lesson, size_t index, bool *first,
                         struct lesson_problems *problems)
{
    struct lesson_item *branch = &lesson->items[index];
    size_t question = index;
    for (size_t i = 0; i < index; i++) {
        const struct lesson_item *item = &lesson->items[i];
        if (item->kind == LESSON_PREDICT && item->name != NULL &&
            strcmp(item->name, branch->name) == 0) {
            question = i;
        }
    }
    if (question == index) {
        return no_question(lesson, branch, index, problems);
    }
    struct lesson_item *asked = &lesson->items[question];
    uint32_t answers = asked->answers;
    branch->question = question;
    if (!asked->sound) {
        return false; /* which has been said */
    }
    if (!check_asked(lesson, index, &answers, problems) ||
        !check_ways(branch, asked, answers, problems)) {
        return false;
    }
    if (!first[question]) {
        asked->declared = declared_kind(branch->ways[0].answers);
        first[question] = true;
    }
    return true;
}

bool lesson_check_branches(struct lesson *lesson, struct lesson_problems *problems)
{
    bool has_branch[LESSON_ITEMS_MAX] = { false };
    bool ok = check_names(lesson, problems);
    int last = 0;
    for (size_t i = 0; i < lesson->item_count; i++) {
        if (lesson->items[i].kind == LESSON_BRANCH && lesson->items[i].sound) {
            ok = check_branch(lesson, i, has_branch, problems) && ok;
            last = lesson->items[i].line;
        }
    }
    return ok && (lesson_path_count(lesson) <= LESSON_PATHS_MAX ||
                  lesson_problem(problems, last,
                                 "there are more than %d ways through this lesson: branch less "
                                 "often, or make two lessons",
                                 LESSON_PATHS_MAX));
}
