/*
 * Collecting problems, and finding lines in Lua source.
 */
#include "lesson/problems.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAMES_LEN_MAX 64

void lesson_problems_finish(struct lesson_problems *problems)
{
    text_finish(&problems->all);
}

struct lesson_place lesson_problems_enter(struct lesson_problems *problems, const char *path)
{
    const struct lesson_place before = { problems->path, problems->source };
    if (path != NULL && strcmp(path, problems->path) != 0) {
        problems->path = path;
        problems->source = NULL; /* fields are then placed at their constructor */
    }
    return before;
}

void lesson_problems_leave(struct lesson_problems *problems, struct lesson_place before)
{
    problems->path = before.path;
    problems->source = before.source;
}

bool lesson_problem_err(struct lesson_problems *problems, int line, const struct err *err)
{
    struct err placed = *err;
    if (placed.where[0] == '\0') {
        (void)err_at(&placed, problems->path, line);
    }
    if (problems->count++ == 0) {
        problems->first = placed;
    }
    char buf[sizeof placed.msg + sizeof placed.where + 8];
    text_addf(&problems->all, "%s\n", err_text(&placed, buf, sizeof buf));
    return false;
}

bool lesson_problem(struct lesson_problems *problems, int line, const char *fmt, ...)
{
    char msg[sizeof(struct err){ 0 }.msg];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    struct err err = { 0 };
    (void)err_set(&err, ERR_SYNTAX, "%s", msg);
    return lesson_problem_err(problems, line, &err);
}

/* Edit distance (insert, delete, replace), for names up to NAMES_LEN_MAX. */
static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    size_t row[NAMES_LEN_MAX + 1];
    if (n > NAMES_LEN_MAX || m > NAMES_LEN_MAX) {
        return NAMES_LEN_MAX;
    }
    for (size_t j = 0; j <= m; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const size_t replace = diagonal + (a[i - 1] != b[j - 1]);
            const size_t step = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replace < step ? replace : step;
        }
    }
    return row[m];
}

const char *lesson_nearest(const char *const *names, const char *mistyped)
{
    const char *best = NULL;
    size_t least = strlen(mistyped) / 2 + 1; /* farther than that is another word */
    for (; *names != NULL; names++) {
        const size_t d = distance(*names, mistyped);
        if (d < least || (d == least && best == NULL)) {
            least = d;
            best = *names;
        }
    }
    return best;
}

/* ---- a reader of Lua tokens ------------------------------------------------------------------ */

enum token { TOKEN_END, TOKEN_NAME, TOKEN_STRING, TOKEN_OTHER };

struct lexer {
    const char *p;
    int line;
    const char *start; /* of the token */
    size_t len;
    int token_line;
};

/* Length of a long bracket "[==[" at p, or 0. */
static size_t long_bracket(const char *p)
{
    if (*p != '[') {
        return 0;
    }
    const size_t level = strspn(p + 1, "=");
    return p[1 + level] == '[' ? level + 2 : 0;
}

static void skip_long(struct lexer *lex, size_t open)
{
    char close[NAMES_LEN_MAX];
    const size_t n = open < sizeof close ? open : sizeof close - 1;
    memset(close, '=', n);
    close[0] = close[n - 1] = ']';
    close[n] = '\0';
    const char *end = strstr(lex->p + open, close);
    end = end == NULL ? lex->p + strlen(lex->p) : end + n;
    for (; lex->p < end; lex->p++) {
        lex->line += *lex->p == '\n';
    }
}

static void skip_blank(struct lexer *lex)
{
    for (;;) {
        if (*lex->p == '\n') {
            lex->line++;
            lex->p++;
        } else if (isspace((unsigned char)*lex->p)) {
            lex->p++;
        } else if (lex->p[0] == '-' && lex->p[1] == '-') {
            lex->p += 2;
            const size_t open = long_bracket(lex->p);
            if (open > 0) {
                skip_long(lex, open);
            } else {
                lex->p += strcspn(lex->p, "\n");
            }
        } else {
            return;
        }
    }
}

static void skip_string(struct lexer *lex)
{
    const char quote = *lex->p++;
    while (*lex->p != '\0' && *lex->p != quote && *lex->p != '\n') {
        if (*lex->p == '\\' && lex->p[1] != '\0') {
            lex->p++;
            lex->line += *lex->p == '\n';
        }
        lex->p++;
    }
    lex->p += *lex->p == quote;
}

static enum token next_token(struct lexer *lex)
{
    skip_blank(lex);
    lex->start = lex->p;
    lex->token_line = lex->line;
    enum token kind = TOKEN_OTHER;
    const size_t open = long_bracket(lex->p);
    if (*lex->p == '\0') {
        kind = TOKEN_END;
    } else if (isalpha((unsigned char)*lex->p) || *lex->p == '_') {
        while (isalnum((unsigned char)*lex->p) || *lex->p == '_') {
            lex->p++;
        }
        kind = TOKEN_NAME;
    } else if (*lex->p == '"' || *lex->p == '\'') {
        skip_string(lex);
        kind = TOKEN_STRING;
    } else if (open > 0) {
        skip_long(lex, open);
        kind = TOKEN_STRING;
    } else {
        lex->p++;
    }
    lex->len = (size_t)(lex->p - lex->start);
    return kind;
}

static bool is_text(const struct lexer *lex, const char *s)
{
    return lex->len == strlen(s) && strncmp(lex->start, s, lex->len) == 0;
}

static bool is_one_of(const struct lexer *lex, const char *chars)
{
    return lex->len == 1 && strchr(chars, *lex->start) != NULL;
}

/* Moves behind `name` where it is called (or is a field: name = {), in or after `line`; false at
 * the end. */
static bool find_call(struct lexer *lex, int line, const char *name)
{
    enum token kind = next_token(lex);
    while (kind != TOKEN_END) {
        if (kind == TOKEN_NAME && lex->token_line >= line && is_text(lex, name)) {
            struct lexer ahead = *lex;
            const enum token after = next_token(&ahead);
            if (after == TOKEN_STRING || is_one_of(&ahead, "{(") ||
                (is_one_of(&ahead, "=") && *ahead.p == ' ' && (next_token(&ahead), true) &&
                 is_one_of(&ahead, "{"))) {
                return true;
            }
        }
        kind = next_token(lex);
    }
    return false;
}

int lesson_source_text(const char *source, int line)
{
    const char *p = source;
    for (int i = 1; i < line && p != NULL; i++) {
        p = strchr(p, '\n');
        p += p != NULL;
    }
    if (source == NULL || p == NULL) {
        return line;
    }
    size_t n = strcspn(p, "\n");
    while (n > 0 && isspace((unsigned char)p[n - 1])) {
        n--;
    }
    return line + (n > 0 && p[n - 1] == '[');
}

int lesson_source_find(const char *source, const char *name)
{
    struct lexer lex = { .p = source, .line = 1 };
    return find_call(&lex, 1, name) ? lex.token_line : 0;
}

int lesson_source_line(const char *source, int line, const char *name, const char *field, int index)
{
    struct lexer lex = { .p = source, .line = 1 };
    if (source == NULL || !find_call(&lex, line, name)) {
        return line;
    }
    int depth = 0, part = 1;
    bool at_start = true; /* of a part of the table */
    struct lexer ahead = lex;
    if (next_token(&ahead) == TOKEN_OTHER && is_one_of(&ahead, "=")) {
        lex = ahead;
    }
    do {
        const enum token kind = next_token(&lex);
        if (kind == TOKEN_END) {
            break;
        }
        if (depth == 1 && at_start && !is_one_of(&lex, "}),;")) {
            ahead = lex;
            const bool named = kind == TOKEN_NAME && (next_token(&ahead), is_one_of(&ahead, "=")) &&
                               ahead.p[0] != '=';
            if (named ? field != NULL && is_text(&lex, field) : index > 0 && part == index) {
                return lex.token_line;
            }
            part += !named;
            at_start = false;
        }
        if (kind == TOKEN_OTHER && is_one_of(&lex, "{([")) {
            depth++;
            at_start = depth == 1;
        } else if (kind == TOKEN_OTHER && is_one_of(&lex, "})]")) {
            depth--;
        } else if (depth == 1 && is_one_of(&lex, ",;")) {
            at_start = true;
        }
    } while (depth > 0);
    return line;
}
