/*
 * The items that ask: predictions, tasks, claims.
 */
#include "lesson/build_items.h"

#include "base/mem.h"

#define CHOICES_MAX 4
#define HINTS_MAX   6

/* The choice on top of the stack: a text, or { text, belief = , reply = }. */
static bool build_choice(const struct lesson_builder *b, int number, int line,
                         struct lesson_choice *choice)
{
    lua_State *L = b->L;
    bool ok = true;
    if (lua_istable(L, -1) && lesson_api_kind(L, -1, NULL) == LESSON_KIND_COUNT) {
        struct lesson_values part = { 0 };
        ok = lesson_api_read_part(L, -1, LESSON_KIND_CHOICE, line, b->problems, &part);
        const struct lesson_value *belief = &part.v[LESSON_CHOICE_belief];
        struct lesson_value *reply = &part.v[LESSON_CHOICE_reply];
        choice->belief = belief->given ? lesson_plain(belief->s) : NULL;
        reply->line = line;
        ok = (!reply->given || lesson_set_prose(b, reply, &choice->reply)) && ok;
        lua_rawgeti(L, -1, 1);
    } else {
        lua_pushvalue(L, -1);
    }
    if (lua_type(L, -1) == LUA_TSTRING && lua_rawlen(L, -1) > 0) {
        choice->text = lesson_plain(lua_tostring(L, -1));
    } else {
        ok = lesson_problem(b->problems, line,
                            "choices[%d]: a choice is a text, or a table that begins with one: { "
                            "\"...\", belief = \"...\", reply = \"...\" }",
                            number);
    }
    lua_pop(L, 1);
    return ok;
}

/* The answers in the list field `field` of a weft.`kind`. */
static bool build_choices(const struct lesson_builder *b, const char *kind, enum lesson_field field)
{
    const int line = b->v[field].line;
    bool ok = true;
    if (!b->v[field].given) {
        return false;
    }
    lesson_api_push(b->L, b->index, field);
    const int n = lesson_api_length(b->L, -1);
    if (n < 2 || n > CHOICES_MAX) {
        ok = lesson_problem(b->problems, line, "%s.choices wants 2 to %d answers", kind,
                            CHOICES_MAX);
    } else {
        b->item->choices = mem_alloc((size_t)n, sizeof *b->item->choices);
        b->item->choice_count = (size_t)n;
        for (int i = 1; i <= n; i++) {
            const int at = lesson_source_line(b->problems->source, line, "choices", NULL, i);
            lua_rawgeti(b->L, -1, i);
            ok = build_choice(b, i, at, &b->item->choices[i - 1]) && ok;
            lua_pop(b->L, 1);
        }
    }
    lua_pop(b->L, 1);
    return ok;
}

/* A number in place of choices. */
static bool build_number(const struct lesson_builder *b)
{
    const struct lesson_value *unit = &b->v[LESSON_PREDICT_unit], *low = &b->v[LESSON_PREDICT_low];
    const struct lesson_value *tolerance = &b->v[LESSON_PREDICT_tolerance];
    const struct lesson_value *high = &b->v[LESSON_PREDICT_high];
    bool ok = !b->v[LESSON_PREDICT_choices].given ||
              lesson_problem(b->problems, b->v[LESSON_PREDICT_choices].line,
                             "predict.choices: a number has none; its replies are low and high");
    ok = (unit->given || unit->refused ||
          lesson_problem(b->problems, b->item->line,
                         "predict.unit: a number needs one: \"time\", \"rate\", \"bytes\", "
                         "\"share\" or \"count\"")) &&
         ok;
    ok = (!low->given || lesson_set_prose(b, low, &b->item->low)) && ok;
    ok = (!high->given || lesson_set_prose(b, high, &b->item->high)) && ok;
    b->item->number = true;
    b->item->unit = (enum unit_kind)unit->num;
    b->item->tolerance = tolerance->given ? tolerance->num : UNIT_NTH(10);
    return ok;
}

/* What belongs to a number alone. */
static bool no_number(const struct lesson_builder *b)
{
    static const enum lesson_field fields[] = { LESSON_PREDICT_unit, LESSON_PREDICT_tolerance,
                                                LESSON_PREDICT_low, LESSON_PREDICT_high };
    if (b->v[LESSON_PREDICT_answer].refused) {
        return false; /* it may have been meant to be one */
    }
    bool ok = b->v[LESSON_PREDICT_choices].given || b->v[LESSON_PREDICT_choices].refused ||
              lesson_problem(b->problems, b->item->line,
                             "weft.predict needs `choices`, or answer = \"number\"");
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (b->v[fields[i]].given) {
            ok = lesson_problem(b->problems, b->v[fields[i]].line,
                                "predict.%s goes with answer = \"number\"",
                                lesson_field_info(fields[i])->name);
        }
    }
    return ok;
}

bool lesson_build_predict(const struct lesson_builder *b)
{
    const struct lesson_value *sure = &b->v[LESSON_PREDICT_sure];
    const struct lesson_value *name = &b->v[LESSON_PREDICT_name];
    bool ok = lesson_set_prose(b, &b->v[LESSON_PREDICT_because], &b->item->because);
    ok = lesson_set_prose(b, &b->v[LESSON_PREDICT_ask], &b->item->text) && ok;
    if (b->v[LESSON_PREDICT_answer].num != 0) {
        ok = build_number(b) && ok;
    } else {
        ok = no_number(b) && ok;
        ok = build_choices(b, "predict", LESSON_PREDICT_choices) && ok;
    }
    b->item->asks_sure = !sure->given || sure->num != 0;
    b->item->name = name->given ? lesson_plain(name->s) : NULL;
    lesson_keep_function(b, LESSON_PREDICT_truth);
    return ok;
}

bool lesson_build_recall(const struct lesson_builder *b)
{
    const struct lesson_value *right = &b->v[LESSON_RECALL_right];
    const struct lesson_value *name = &b->v[LESSON_RECALL_name];
    bool ok = lesson_set_prose(b, &b->v[LESSON_RECALL_because], &b->item->because);
    ok = lesson_set_prose(b, &b->v[LESSON_RECALL_ask], &b->item->text) && ok;
    ok = build_choices(b, "recall", LESSON_RECALL_choices) && ok;
    b->item->asks_sure = b->v[LESSON_RECALL_sure].num != 0;
    b->item->from = lesson_plain(b->v[LESSON_RECALL_from].s);
    b->item->right = (size_t)right->num;
    b->item->name = name->given ? lesson_plain(name->s) : NULL;
    if (ok && right->given && b->item->right > b->item->choice_count) {
        ok = lesson_problem(b->problems, right->line, "recall.right: there are %d choices",
                            (int)b->item->choice_count);
    }
    return ok;
}

bool lesson_build_claim(const struct lesson_builder *b)
{
    b->item->text = lesson_plain(b->v[LESSON_CLAIM_text].s);
    lesson_keep_function(b, LESSON_CLAIM_check);
    if (!b->v[LESSON_CLAIM_scenes].given) {
        return true;
    }
    enum { MAX = sizeof b->item->scenes / sizeof b->item->scenes[0] };
    lesson_api_push(b->L, b->index, LESSON_CLAIM_scenes);
    const int n = lesson_api_length(b->L, -1);
    bool ok = (n >= 1 && n <= MAX) || lesson_problem(b->problems, b->v[LESSON_CLAIM_scenes].line,
                                                     "claim.scenes wants 1 to %d names", (int)MAX);
    for (int i = 1; ok && i <= n; i++) {
        lua_rawgeti(b->L, -1, i);
        ok = lua_type(b->L, -1) == LUA_TSTRING
                 ? lesson_find_scene(b, lua_tostring(b->L, -1), &b->item->scenes[i - 1])
                 : lesson_problem(b->problems, b->v[LESSON_CLAIM_scenes].line,
                                  "claim.scenes holds names of scenes only");
        lua_pop(b->L, 1);
    }
    lua_pop(b->L, 1);
    b->item->scene_count = ok ? (size_t)n : 0;
    return ok;
}

/* ---- tasks ------------------------------------------------------------------------------------ */

static bool build_hints(const struct lesson_builder *b)
{
    const int line = b->v[LESSON_FIX_hints].line;
    lesson_api_push(b->L, b->index, LESSON_FIX_hints);
    const int n = lua_istable(b->L, -1) ? lesson_api_length(b->L, -1) : 0;
    bool ok = n <= HINTS_MAX ||
              lesson_problem(b->problems, line, "fix.hints: %d of them, at most %d", n, HINTS_MAX);
    b->item->hints = mem_alloc(HINTS_MAX, sizeof *b->item->hints);
    for (int i = 1; ok && i <= n; i++) {
        lua_rawgeti(b->L, -1, i);
        ok = (lua_type(b->L, -1) == LUA_TSTRING && lua_rawlen(b->L, -1) > 0) ||
             lesson_problem(b->problems, line, "fix.hints: a hint is a text");
        if (ok) {
            b->item->hints[b->item->hint_count++] = lesson_plain(lua_tostring(b->L, -1));
        }
        lua_pop(b->L, 1);
    }
    lua_pop(b->L, 1);
    return ok;
}

bool lesson_build_fix(const struct lesson_builder *b)
{
    const struct lesson_value *because = &b->v[LESSON_FIX_because],
                              *reply = &b->v[LESSON_FIX_reply];
    const int line = b->v[LESSON_FIX_solution].line;
    b->item->text = lesson_plain(b->v[LESSON_FIX_goal].s);
    bool ok = !because->given || lesson_set_prose(b, because, &b->item->because);
    ok = (!reply->given || lesson_set_prose(b, reply, &b->item->reply)) && ok;
    ok = build_hints(b) && ok;
    b->item->until = b->v[LESSON_FIX_time].given ? LESSON_UNTIL_TIME : LESSON_UNTIL_END;
    b->item->for_ps = b->v[LESSON_FIX_time].num;
    if (b->v[LESSON_FIX_solution].given) {
        lesson_api_push(b->L, b->index, LESSON_FIX_solution);
        b->item->cmds =
            lesson_api_read_knobs(b->L, "fix.solution", line, b->problems, &b->item->cmd_count);
        lua_pop(b->L, 1);
    }
    lesson_keep_function(b, LESSON_FIX_check);
    return b->item->cmds != NULL && ok &&
           (b->item->cmd_count > 0 ||
            lesson_problem(b->problems, line, "fix.solution is empty: nothing would be to do"));
}

/* A solution that the learner has no switch for is none. */
static bool offers(const struct lesson *lesson, const struct lesson_card *card,
                   const struct sim_cmd *cmd, bool *knob)
{
    *knob = false;
    for (size_t i = card->first; i < card->first + card->count; i++) {
        const struct lesson_item *item = &lesson->items[i];
        if (item->kind == LESSON_SWITCH && !item->sound) {
            return true; /* it may be the one */
        }
        if (item->kind != LESSON_SWITCH || item->knob != cmd->knob) {
            continue;
        }
        *knob = true;
        for (size_t v = 0; v < item->value_count; v++) {
            if (item->values[v] == cmd->value) {
                return true;
            }
        }
    }
    return false;
}

static bool check_fix(const struct lesson *lesson, const struct lesson_card *card,
                      const struct lesson_item *fix, struct lesson_problems *problems)
{
    bool ok = true;
    for (size_t i = 0; i < fix->cmd_count; i++) {
        const struct sim_cmd *cmd = &fix->cmds[i];
        bool knob = false;
        if (!offers(lesson, card, cmd, &knob)) {
            char value[64];
            sim_knob_format(cmd->knob, cmd->value, false, value, sizeof value);
            const char *name = sim_knob_info(cmd->knob)->name;
            ok = knob ? lesson_problem(problems, fix->line,
                                       "fix.solution.%s: this card's switch does not offer %s; add "
                                       "it to its values",
                                       name, value)
                      : lesson_problem(problems, fix->line,
                                       "fix.solution.%s: this card has no such switch; write "
                                       "weft.switch { knob = \"%s\", values = { ... } }",
                                       name, name);
        }
    }
    return ok;
}

bool lesson_check_fixes(const struct lesson *lesson, struct lesson_problems *problems)
{
    bool ok = true;
    for (size_t c = 0; c < lesson->card_count; c++) {
        const struct lesson_card *card = &lesson->cards[c];
        for (size_t i = card->first; i < card->first + card->count; i++) {
            if (lesson->items[i].kind == LESSON_FIX && lesson->items[i].sound) {
                ok = check_fix(lesson, card, &lesson->items[i], problems) && ok;
            }
        }
    }
    return ok;
}
