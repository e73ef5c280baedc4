/*
 * What a check finds, and how it reads.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/check_inside.h"

const char *lesson_rule_name(enum lesson_rule rule)
{
    static const char *const names[] = {
#define X(id, name, help) name,
        LESSON_RULES(X)
#undef X
    };
    return names[rule];
}

const char *lesson_rule_help(enum lesson_rule rule)
{
    static const char *const helps[] = {
#define X(id, name, help) help,
        LESSON_RULES(X)
#undef X
    };
    return helps[rule];
}

static void add(struct lesson_check *result, const struct lesson_finding *finding)
{
    result->findings =
        mem_grow(result->findings, &result->cap, result->count + 1, sizeof *result->findings);
    result->findings[result->count++] = *finding;
    result->failed += finding->verdict == LESSON_FAILS;
    result->complaints += finding->verdict == LESSON_COMPLAINED;
}

/* "file:12" in its parts; no number: line 0. */
static void split_place(const char *where, struct lesson_finding *finding)
{
    const char *colon = strrchr(where, ':');
    const bool numbered =
        colon != NULL && colon[1] != '\0' && colon[1 + strspn(colon + 1, "0123456789")] == '\0';
    finding->file = mem_strndup(where, numbered ? (size_t)(colon - where) : strlen(where));
    finding->line = numbered ? atoi(colon + 1) : 0;
}

/* The paths before have found this. */
static bool is_known(const struct checker *c, const struct lesson_finding *finding)
{
    for (size_t i = 0; i < c->found; i++) {
        const struct lesson_finding *known = &c->result->findings[i];
        const size_t n = strlen(finding->text); /* behind it may stand on which path */
        if (known->verdict == finding->verdict && known->rule == finding->rule &&
            known->line == finding->line && strcmp(known->file, finding->file) == 0 &&
            strncmp(known->text, finding->text, n) == 0 &&
            (known->text[n] == '\0' || strncmp(known->text + n, " (with ", 7) == 0)) {
            return true;
        }
    }
    return false;
}

static bool note(struct checker *c, enum lesson_verdict verdict, enum lesson_rule rule,
                 const struct err *placed)
{
    struct lesson_finding finding = { .verdict = verdict, .rule = rule };
    split_place(placed->where, &finding);
    finding.text = mem_strdup(placed->msg);
    const bool known = is_known(c, &finding);
    if (known || c->way.len > 0) {
        free(finding.text);
    }
    if (known) {
        free(finding.file);
        return false;
    }
    if (c->way.len > 0) {
        struct text text = { 0 };
        text_addf(&text, "%s%s", placed->msg, text_str(&c->way));
        finding.text = text.s;
    }
    add(c->result, &finding);
    return true;
}

void check_error(struct checker *c, enum lesson_rule rule, int line, const struct err *err)
{
    struct err placed = *err;
    if (placed.where[0] == '\0') {
        (void)err_at(&placed, c->lesson->path, line);
    }
    (void)note(c, LESSON_FAILS, rule, &placed);
}

void check_held(struct checker *c, size_t item)
{
    if (c->held_on[item] == 0 || c->held_on[item] == c->path + 1) {
        c->result->claims++;
        c->result->held++;
        c->held_on[item] = c->path + 1;
    }
}

bool check_note(struct checker *c, enum lesson_verdict verdict, enum lesson_rule rule, int line,
                const char *fmt, ...)
{
    char msg[sizeof(struct err){ 0 }.msg];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    struct err err = { 0 };
    (void)err_set(&err, ERR_SCRIPT, "%s", msg);
    (void)err_at(&err, c->lesson->path, line);
    return note(c, verdict, rule, &err);
}

void check_sort(struct lesson_check *result)
{
    for (size_t i = 1; i < result->count; i++) {
        const struct lesson_finding finding = result->findings[i];
        size_t at = i;
        for (; at > 0 && result->findings[at - 1].line > finding.line &&
               strcmp(result->findings[at - 1].file, finding.file) == 0;
             at--) {
            result->findings[at] = result->findings[at - 1];
        }
        result->findings[at] = finding;
    }
}

void lesson_check_add_errors(struct lesson_check *result, const char *errors)
{
    for (const char *line = errors; *line != '\0'; line += line[0] == '\n') {
        const size_t n = strcspn(line, "\n");
        /* "file:12: text", "file: text": what stands before the first colon that a blank follows */
        const char *text = line;
        while (text < line + n && !(text[0] == ':' && text[1] == ' ')) {
            text++;
        }
        struct lesson_finding finding = { .verdict = LESSON_FAILS, .rule = LESSON_RULE_LOAD };
        char *where = mem_strndup(line, (size_t)(text - line));
        split_place(where, &finding);
        free(where);
        text += text < line + n ? 2 : 0;
        finding.text = mem_strndup(text, (size_t)(line + n - text));
        add(result, &finding);
        line += n;
    }
}

void lesson_check_say(const struct lesson_check *result, struct text *out)
{
    static const char *const words[] = {
        [LESSON_HOLDS] = "ok: ", [LESSON_FAILS] = "not ok: ", [LESSON_COMPLAINED] = "lint: "
    };
    for (size_t i = 0; i < result->count; i++) {
        const struct lesson_finding *f = &result->findings[i];
        struct err place = { 0 };
        (void)err_at(&place, f->file, f->line);
        text_addf(out, "%s: %s%s\n", place.where,
                  f->rule == LESSON_RULE_LOAD ? "" : words[f->verdict], f->text);
    }
}

void lesson_check_finish(struct lesson_check *result)
{
    for (size_t i = 0; i < result->count; i++) {
        free(result->findings[i].file);
        free(result->findings[i].text);
    }
    free(result->findings);
    free(result->id);
    *result = (struct lesson_check){ 0 };
}
