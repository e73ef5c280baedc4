/*
 * Measured values in prose: "{steps[2].duration}" is a Lua expression over the report.
 *
 * Each is compiled once, when the lesson is loaded, and called when the text is shown. "{{" and "}}"
 * are braces.
 */
#include "lesson/data.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/mem.h"
#include "lesson/measure.h"

/* The end of an expression that begins with '{' at p: behind its '}', or NULL. */
static const char *expr_end(const char *p)
{
    int depth = 0;
    for (; *p != '\0'; p++) {
        if (*p == '"' || *p == '\'') { /* braces in a string do not count */
            const char *close = strchr(p + 1, *p);
            if (close == NULL) {
                return NULL;
            }
            p = close;
        } else if (*p == '{') {
            depth++;
        } else if (*p == '}' && --depth == 0) {
            return p + 1;
        }
    }
    return NULL;
}

static int line_of(const char *text, const char *at, int line)
{
    for (const char *p = text; p < at; p++) {
        line += *p == '\n';
    }
    return line;
}

static bool compile(struct lesson *lesson, const char *from, const char *to, int line,
                    struct lesson_problems *problems, int *func)
{
    struct text code = { 0 };
    text_add(&code, "return ");
    text_add_n(&code, from + 1, (size_t)(to - from) - 2);
    struct err err = { 0 };
    const bool ok = lesson_host_compile(lesson->host, text_str(&code), lesson->path, line, &err);
    text_finish(&code);
    if (!ok) {
        (void)err_note(&err, "in prose, %.*s", (int)(to - from), from);
        return lesson_problem_err(problems, line, &err);
    }
    *func = luaL_ref(lesson_host_lua(lesson->host), LUA_REGISTRYINDEX);
    return true;
}

bool lesson_build_prose(struct lesson *lesson, const char *text, int line,
                        struct lesson_problems *problems)
{
    struct lesson_prose prose = { .text = text };
    size_t cap = 0;
    bool ok = true;
    for (const char *p = strchr(text, '{'); p != NULL; p = strchr(p, '{')) {
        if (p[1] == '{') {
            p += 2;
            continue;
        }
        if (strncmp(p, LESSON_KEY, strlen(LESSON_KEY)) == 0) { /* whoever shows it knows the keys */
            p++;
            continue;
        }
        const char *end = expr_end(p);
        const int at = line_of(text, p, line);
        if (end == NULL) {
            ok = lesson_problem(problems, at, "a { in prose has no }; write {{ for a brace");
            break;
        }
        int func = LESSON_NO_FUNC;
        ok = compile(lesson, p, end, at, problems, &func) && ok;
        prose.exprs = mem_grow(prose.exprs, &cap, prose.count + 1, sizeof *prose.exprs);
        prose.exprs[prose.count++] = (struct lesson_expr){ .from = (size_t)(p - text),
                                                           .to = (size_t)(end - text),
                                                           .func = func,
                                                           .given = strncmp(p, "{set.", 5) == 0 ||
                                                                    strncmp(p, "{work.", 6) == 0 };
        p = end;
    }
    lesson->proses = mem_grow(lesson->proses, &lesson->prose_cap, lesson->prose_count + 1,
                              sizeof *lesson->proses);
    lesson->proses[lesson->prose_count++] = prose;
    return ok;
}

/* Adds text[from..to), "{{" as "{" and "}}" as "}". */
static void add_plain(struct text *out, const char *text, size_t from, size_t to)
{
    while (from < to) {
        size_t n = from;
        while (n < to && text[n] != '{' && text[n] != '}') {
            n++;
        }
        const bool is_brace = n < to;
        text_add_clean(out, text + from, n - from + is_brace, true);
        from = n + is_brace + (is_brace && n + 1 < to && text[n + 1] == text[n]);
    }
}

/* Takes what it needs from `budget`. */
static bool add_value(struct lesson *lesson, const struct lesson_measure *measure,
                      const struct lesson_expr *expr, struct lesson_budget *budget,
                      struct text *out, bool *pending, struct err *err)
{
    const struct lesson_question question = {
        .measure = measure, .func = expr->func, .as_env = true, .budget = budget
    };
    if (measure->sight.blank != NULL && !expr->given) {
        text_add(out, measure->sight.blank);
        return true;
    }
    const bool ok = lesson_ask(lesson, &question, err);
    *budget = lesson_host_left(lesson->host);
    const bool unknown = !ok && lesson_host_was_pending(lesson->host);
    lua_State *L = lesson_host_lua(lesson->host);
    if (ok && !lua_isnil(L, -1)) {
        const bool is_text = lua_type(L, -1) == LUA_TSTRING;
        lesson_measure_say(L, out);
        text_add(out, measure->sight.old && !is_text && !expr->given ? " (old)" : "");
    } else if (ok || unknown) {
        lua_settop(L, 0);
        *pending = true;
        text_add(out, "...");
    } else {
        text_add(out, "(error)");
    }
    lesson_measure_end(L);
    return ok || unknown;
}

/* So much of an expression is shown in a message. */
static int shown_of(const struct lesson_expr *expr)
{
    enum { SHOWN_MAX = 60 };
    const size_t n = expr->to - expr->from;
    return n < SHOWN_MAX ? (int)n : SHOWN_MAX;
}

static struct lesson_prose *find_prose(struct lesson *lesson, const char *text)
{
    for (size_t i = 0; i < lesson->prose_count; i++) {
        if (lesson->proses[i].text == text || strcmp(lesson->proses[i].text, text) == 0) {
            return &lesson->proses[i];
        }
    }
    return NULL;
}

/* What is not known yet is three dots: that ends a sentence, too. */
static bool ends_in_dots(struct text *out)
{
    return out->len >= 3 && strcmp(text_str(out) + out->len - 3, "...") == 0;
}

/* The values of a text share one budget: however many there are, a picture waits for one. */
bool lesson_fill(struct lesson *lesson, const char *markdown, const struct lesson_sight *sight,
                 struct text *out, bool *pending, struct err *err)
{
    const struct lesson_measure measure = { *sight, lesson->scene_names, lesson->scene_count };
    struct lesson_prose *prose = find_prose(lesson, markdown);
    struct lesson_budget budget = lesson_budget_call;
    bool unknown = false, ok = true;
    size_t at = 0;
    for (size_t i = 0; prose != NULL && i < prose->count; i++) {
        struct err failed = { 0 };
        add_plain(out, markdown, at, prose->exprs[i].from);
        bool filled = false;
        if (prose->gave_up) {
            text_add(out, "(error)");
            (void)err_set(&failed, ERR_LIMIT, "the values of this text take too long to measure");
        } else {
            filled = add_value(lesson, &measure, &prose->exprs[i], &budget, out, &unknown, &failed);
            if (!filled) {
                (void)err_note(&failed, "in prose, %.*s", shown_of(&prose->exprs[i]),
                               markdown + prose->exprs[i].from);
            }
            prose->gave_up = !filled && failed.code == ERR_LIMIT;
        }
        if (!filled && ok) {
            ok = false;
            if (err != NULL) {
                *err = failed;
            }
        }
        at = prose->exprs[i].to;
        at += ends_in_dots(out) && markdown[at] == '.';
    }
    add_plain(out, markdown, at, strlen(markdown));
    if (pending != NULL) {
        *pending = unknown;
    }
    return ok;
}
