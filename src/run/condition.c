#include "run/condition.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* ---- words ----------------------------------------------------------------------------------- */

enum { TEXT_MAX = 1000 };

struct parser {
    const char *text, *at;
    struct condition *to;
    int depth;
    struct err *err;
};

static bool fail(struct parser *p, const char *what)
{
    char rest[24];
    (void)snprintf(rest, sizeof rest, "%.20s", p->at);
    return rest[0] != '\0' ? err_set(p->err, ERR_SYNTAX, "at letter %d, \"%s\": %s",
                                     (int)(p->at - p->text) + 1, rest, what)
                           : err_set(p->err, ERR_SYNTAX, "at its end: %s", what);
}

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t') {
        p->at++;
    }
}

/* A word of letters that ends where a name cannot go on. */
static bool take_word(struct parser *p, const char *word)
{
    const size_t len = strlen(word);
    skip_blanks(p);
    if (strncmp(p->at, word, len) != 0 || isalnum((unsigned char)p->at[len]) || p->at[len] == '_' ||
        p->at[len] == '.' || p->at[len] == '[') {
        return false;
    }
    p->at += len;
    return true;
}

static bool take_sign(struct parser *p, const char *sign)
{
    skip_blanks(p);
    if (strncmp(p->at, sign, strlen(sign)) != 0) {
        return false;
    }
    p->at += strlen(sign);
    return true;
}

static int add_node(struct parser *p, enum condition_kind kind, int a, int b)
{
    if (p->to->count == CONDITION_NODES_MAX) {
        (void)err_set(p->err, ERR_LIMIT, "a condition has at most %d parts", CONDITION_NODES_MAX);
        return -1;
    }
    p->to->node[p->to->count] = (struct condition_node){ .kind = kind, .a = a, .b = b };
    return p->to->count++;
}

/* ---- a comparison ---------------------------------------------------------------------------- */

/* "steps[2].exposed_comm_ns": what stands between brackets may be anything. */
static bool take_name(struct parser *p, char name[CONDITION_NAME_MAX])
{
    size_t len = 0;
    bool inside = false;
    skip_blanks(p);
    for (; p->at[len] != '\0'; len++) {
        const unsigned char c = (unsigned char)p->at[len];
        if (!inside && !isalnum(c) && strchr("_.[]", (int)c) == NULL) {
            break;
        }
        inside = inside ? c != ']' : c == '[';
    }
    if (len == 0 || !isalpha((unsigned char)p->at[0])) {
        return fail(p, "a metric should stand there, like time, dropped or packets.sent");
    }
    if (inside || len >= CONDITION_NAME_MAX) {
        return fail(p, inside ? "a ] is missing" : "no metric has so long a name");
    }
    memcpy(name, p->at, len);
    name[len] = '\0';
    p->at += len;
    return true;
}

/* The unit of a number of one step, flow or queue shows in the end of its name. */
static const struct metric_info *element_unit(const char *name)
{
    static const struct {
        const char *end;
        struct metric_info info;
    } units[] = {
        { "_ns", { "", UNIT_TIME, 1000, "" } },
        { "bytes", { "", UNIT_BYTES, 1, "" } },
        { "_gbps", { "", UNIT_RATE, 1000000000, "" } },
        { "", { "", UNIT_COUNT, 1, "" } },
    };
    size_t i = 0;
    while (strlen(name) < strlen(units[i].end) ||
           strcmp(name + strlen(name) - strlen(units[i].end), units[i].end) != 0) {
        i++;
    }
    return &units[i].info;
}

/* Writes the full name of a metric over its short one. */
static bool resolve(struct parser *p, const char *start, char name[CONDITION_NAME_MAX],
                    const struct metric_info **info)
{
    enum metric metric;
    struct err err = { 0 };
    if (strchr(name, '[') != NULL) {
        *info = element_unit(name);
        return true;
    }
    if (!metric_find(name, &metric, &err)) {
        p->at = start;
        return fail(p, err.msg);
    }
    *info = metric_info(metric);
    (void)snprintf(name, CONDITION_NAME_MAX, "%s", (*info)->name);
    return true;
}

static bool take_op(struct parser *p, enum condition_kind *kind)
{
    static const struct {
        const char *sign;
        enum condition_kind kind;
    } ops[] = {
        { ">=", CONDITION_AT_LEAST }, { "<=", CONDITION_AT_MOST }, { "!=", CONDITION_IS_NOT },
        { "==", CONDITION_IS },       { ">", CONDITION_MORE },     { "<", CONDITION_LESS },
        { "=", CONDITION_IS },
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (take_sign(p, ops[i].sign)) {
            *kind = ops[i].kind;
            return true;
        }
    }
    return fail(p, "one of > < >= <= = != should stand there");
}

/* "1.1", "-10us": the number, and whether it has a unit. */
static bool take_number(struct parser *p, const struct metric_info *info, double *number,
                        bool *has_unit)
{
    char word[48];
    char *end = word;
    struct err err = { 0 };
    int64_t value = 0;
    const bool minus = take_sign(p, "-");
    skip_blanks(p);
    const size_t len = strcspn(p->at, " \t()");
    const bool digits = isdigit((unsigned char)p->at[0]) || p->at[0] == '.';
    if (!digits || len >= sizeof word) {
        return fail(p, "a number should stand there, like 1.1 or 10us");
    }
    memcpy(word, p->at, len);
    word[len] = '\0';
    size_t plain = strspn(word, "0123456789.");
    if ((word[plain] == 'e' || word[plain] == 'E') && isdigit((unsigned char)word[plain + 1])) {
        plain += 1 + strspn(word + plain + 1, "0123456789");
    }
    *has_unit = word[plain] != '\0';
    if (*has_unit && !units_parse(word, info->unit, &value, &err)) {
        return fail(p, err.msg);
    }
    *number = *has_unit ? (double)value / info->size : strtod(word, &end);
    if ((!*has_unit && *end != '\0') || !isfinite(*number)) {
        return fail(p, "a number should stand there, like 1.1 or 10us");
    }
    *number = minus ? -*number : *number;
    p->at += len;
    return true;
}

static bool has_side(struct parser *p, enum condition_side *side)
{
    static const char *const words[] = { "left", "right", "ratio", "difference" };
    for (int i = 0; i < 4; i++) {
        if (take_word(p, words[i])) {
            *side = (enum condition_side)i;
            return true;
        }
    }
    return false;
}

/* Whether a number with or without a unit goes with what is compared. */
static bool check_unit(struct parser *p, const struct metric_info *info, bool given, bool has_unit,
                       enum condition_side *side)
{
    const bool wants = info->unit != UNIT_COUNT && info->unit != UNIT_SHARE;
    if (!given) {
        *side = wants && !has_unit ? CONDITION_RATIO : CONDITION_RIGHT;
    }
    if (*side == CONDITION_RATIO && has_unit) {
        return fail(p, "a ratio has no unit");
    }
    if (*side != CONDITION_RATIO && wants && !has_unit) {
        (void)err_set(p->err, ERR_SYNTAX, "a number without a unit before letter %d; write %s",
                      (int)(p->at - p->text) + 1, units_example(info->unit));
        return false;
    }
    return true;
}

static int take_comparison(struct parser *p)
{
    enum condition_side side = CONDITION_RIGHT;
    enum condition_kind kind = CONDITION_IS;
    const struct metric_info *info = NULL;
    char name[CONDITION_NAME_MAX];
    double number = 0;
    bool has_unit = false;
    const bool given = has_side(p, &side);
    skip_blanks(p);
    const char *start = p->at;
    if (!take_name(p, name) || !resolve(p, start, name, &info) || !take_op(p, &kind) ||
        !take_number(p, info, &number, &has_unit) || !check_unit(p, info, given, has_unit, &side)) {
        return -1;
    }
    const int node = add_node(p, kind, -1, -1);
    if (node >= 0) {
        p->to->node[node].side = side;
        p->to->node[node].number = number;
        memcpy(p->to->node[node].name, name, sizeof name);
    }
    return node;
}

/* ---- and, or, not ---------------------------------------------------------------------------- */

static int take_or(struct parser *p);

static int take_part(struct parser *p)
{
    int node;
    if (p->depth == CONDITION_DEPTH_MAX) {
        (void)fail(p, "too deep");
        return -1;
    }
    p->depth++;
    if (take_word(p, "not")) {
        const int a = take_part(p);
        node = a < 0 ? -1 : add_node(p, CONDITION_NOT, a, -1);
    } else if (take_sign(p, "(")) {
        node = take_or(p);
        if (node >= 0 && !take_sign(p, ")")) {
            (void)fail(p, "a ) is missing");
            node = -1;
        }
    } else {
        node = take_comparison(p);
    }
    p->depth--;
    return node;
}

static int take_and(struct parser *p)
{
    int node = take_part(p);
    while (node >= 0 && take_word(p, "and")) {
        const int b = take_part(p);
        node = b < 0 ? -1 : add_node(p, CONDITION_AND, node, b);
    }
    return node;
}

static int take_or(struct parser *p)
{
    int node = take_and(p);
    while (node >= 0 && take_word(p, "or")) {
        const int b = take_and(p);
        node = b < 0 ? -1 : add_node(p, CONDITION_OR, node, b);
    }
    return node;
}

bool condition_parse(struct condition *condition, const char *text, struct err *err)
{
    struct parser p = { .text = text, .at = text, .to = condition, .err = err };
    condition->count = 0;
    if (strlen(text) > TEXT_MAX) {
        return err_set(err, ERR_LIMIT, "a condition is at most %d letters long", (int)TEXT_MAX);
    }
    condition->root = take_or(&p);
    if (condition->root < 0) {
        return false;
    }
    skip_blanks(&p);
    return *p.at == '\0' || fail(&p, "and, or, or nothing more should stand there");
}

/* ---- judging --------------------------------------------------------------------------------- */

static bool value_of(const struct condition_node *node, const struct differences *all,
                     double *value, struct err *err)
{
    size_t i = 0;
    while (i < all->count && strcmp(all->v[i].name, node->name) != 0) {
        i++;
    }
    if (i == all->count) {
        return err_set(err, ERR_NAME, "neither run has a number %s", node->name);
    }
    const double left = all->v[i].left, right = all->v[i].right;
    const bool need_left = node->side != CONDITION_RIGHT, need_right = node->side != CONDITION_LEFT;
    if ((need_left && isnan(left)) || (need_right && isnan(right))) {
        return err_set(err, ERR_STATE, "the %s run has no %s",
                       need_left && isnan(left) ? "left" : "right", node->name);
    }
    switch (node->side) {
    case CONDITION_LEFT:
        *value = left;
        break;
    case CONDITION_RIGHT:
        *value = right;
        break;
    case CONDITION_RATIO:
        *value = left == right ? 1.0 : right / left;
        break;
    case CONDITION_DIFFERENCE:
        *value = right - left;
        break;
    }
    return true;
}

static bool judge(const struct condition *c, int at, const struct differences *all, bool *holds,
                  struct err *err)
{
    const struct condition_node *node = &c->node[at];
    double value = 0;
    bool a = false, b = false;
    if (node->kind <= CONDITION_NOT) {
        if (!judge(c, node->a, all, &a, err) ||
            (node->kind != CONDITION_NOT && !judge(c, node->b, all, &b, err))) {
            return false;
        }
    } else if (!value_of(node, all, &value, err)) {
        return false;
    }
    switch (node->kind) {
    case CONDITION_AND:
        *holds = a && b;
        break;
    case CONDITION_OR:
        *holds = a || b;
        break;
    case CONDITION_NOT:
        *holds = !a;
        break;
    case CONDITION_MORE:
        *holds = value > node->number;
        break;
    case CONDITION_LESS:
        *holds = value < node->number;
        break;
    case CONDITION_AT_LEAST:
        *holds = value >= node->number;
        break;
    case CONDITION_AT_MOST:
        *holds = value <= node->number;
        break;
    case CONDITION_IS:
        *holds = value == node->number;
        break;
    case CONDITION_IS_NOT:
        *holds = value != node->number;
        break;
    }
    return true;
}

bool condition_holds(const struct condition *condition, const struct differences *all, bool *holds,
                     struct err *err)
{
    return judge(condition, condition->root, all, holds, err);
}
