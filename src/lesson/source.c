/*
 * Cutting Lua into tokens, as far as lines need it: names, strings, and all else byte by byte.
 */
#include "lesson/source.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BRACKET_MAX 64 /* of a long bracket: [====[ */

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_STRING, TOKEN_OTHER };

struct token {
    const char *at;
    uint32_t len;
    int line;
    enum token_kind kind;
};

struct lesson_source {
    struct token *token; /* ascending by line; the last one is TOKEN_END */
    size_t count, cap;
};

/* ---- cutting --------------------------------------------------------------------------------- */

struct lexer {
    const char *p;
    int line;
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
    char close[BRACKET_MAX];
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

static struct token next_token(struct lexer *lex)
{
    skip_blank(lex);
    struct token t = { .at = lex->p, .line = lex->line, .kind = TOKEN_OTHER };
    const size_t open = long_bracket(lex->p);
    if (*lex->p == '\0') {
        t.kind = TOKEN_END;
    } else if (isalpha((unsigned char)*lex->p) || *lex->p == '_') {
        while (isalnum((unsigned char)*lex->p) || *lex->p == '_') {
            lex->p++;
        }
        t.kind = TOKEN_NAME;
    } else if (*lex->p == '"' || *lex->p == '\'') {
        skip_string(lex);
        t.kind = TOKEN_STRING;
    } else if (open > 0) {
        skip_long(lex, open);
        t.kind = TOKEN_STRING;
    } else {
        lex->p++;
    }
    t.len = (uint32_t)(lex->p - t.at);
    return t;
}

struct lesson_source *lesson_source_create(const char *text)
{
    struct lesson_source *source = mem_alloc(1, sizeof *source);
    struct lexer lex = { .p = text, .line = 1 };
    do {
        if (source->count == source->cap) {
            source->cap = 2 * source->cap + 1024;
            source->token = mem_resize(source->token, source->cap, sizeof *source->token);
        }
        source->token[source->count] = next_token(&lex);
    } while (source->token[source->count++].kind != TOKEN_END);
    return source;
}

void lesson_source_destroy(struct lesson_source *source)
{
    if (source != NULL) {
        free(source->token);
        free(source);
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

static bool is_text(const struct token *t, const char *s)
{
    return t->len == strlen(s) && strncmp(t->at, s, t->len) == 0;
}

static bool is_one_of(const struct token *t, const char *chars)
{
    return t->kind == TOKEN_OTHER && strchr(chars, *t->at) != NULL;
}

/* "=" and not "==". */
static bool is_assignment(const struct token *t)
{
    return is_one_of(t, "=") && t->at[1] != '=';
}

/* The first token that stands in or after `line`. */
static size_t first_in(const struct lesson_source *source, int line)
{
    size_t low = 0, n = source->count - 1;
    while (n > 0) {
        if (source->token[low + n / 2].line < line) {
            low += n / 2 + 1;
            n -= n / 2 + 1;
        } else {
            n /= 2;
        }
    }
    return low;
}

/* Where `name` is called (or is a field: name = {), in or after `line`; the end if nowhere. */
static const struct token *find_call(const struct lesson_source *source, int line, const char *name)
{
    const struct token *t = &source->token[first_in(source, line)];
    for (; t->kind != TOKEN_END; t++) {
        if (t->kind == TOKEN_NAME && is_text(t, name) &&
            (t[1].kind == TOKEN_STRING || is_one_of(&t[1], "{(") ||
             (is_assignment(&t[1]) && is_one_of(&t[2], "{")))) {
            break;
        }
    }
    return t;
}

int lesson_source_text(const struct lesson_source *source, int line)
{
    const size_t next = source == NULL ? 0 : first_in(source, line + 1);
    const struct token *t = next == 0 ? NULL : &source->token[next - 1];
    if (t == NULL || t->line != line || t->kind != TOKEN_STRING) {
        return line;
    }
    const size_t open = long_bracket(t->at);
    return line + (open > 0 && t->at[open + strspn(t->at + open, " \t\r")] == '\n');
}

int lesson_source_find(const struct lesson_source *source, const char *name)
{
    const struct token *t = source == NULL ? NULL : find_call(source, 1, name);
    return t == NULL || t->kind == TOKEN_END ? 0 : t->line;
}

/* How a token changes the depth: brackets, and what ends with `end`. */
static int deeper(const struct token *t)
{
    static const struct {
        const char *word;
        int by;
    } words[] = { { "function", 1 }, { "if", 1 },   { "do", 1 },
                  { "repeat", 1 },   { "end", -1 }, { "until", -1 } };
    for (size_t i = 0; t->kind == TOKEN_NAME && i < sizeof words / sizeof words[0]; i++) {
        if (is_text(t, words[i].word)) {
            return words[i].by;
        }
    }
    return is_one_of(t, "{([") ? 1 : is_one_of(t, "})]") ? -1 : 0;
}

/* Whether the token begins the part `field = ` or `["field"] = `. */
static bool is_field(const struct token *t, const char *field)
{
    if (field == NULL) {
        return false;
    }
    return *field == '[' ? is_one_of(t, "[") && strncmp(t->at, field, strlen(field)) == 0
                         : t->kind == TOKEN_NAME && is_assignment(&t[1]) && is_text(t, field);
}

/* The line of the `nth` time that a field or part stands in a constructor, or 0. */
static int find_part(const struct lesson_source *source, int line, const char *name,
                     const char *field, int index, int nth)
{
    const struct token *t = source == NULL ? NULL : find_call(source, line, name);
    if (t == NULL || t->kind == TOKEN_END) {
        return 0;
    }
    int depth = 0, part = 1;
    bool at_start = true; /* of a part of the table */
    t += is_assignment(&t[1]) ? 2 : 1;
    for (; t->kind != TOKEN_END; t++) {
        if (depth == 1 && at_start && !is_one_of(t, "}),;")) {
            const bool named = t->kind == TOKEN_NAME && is_assignment(&t[1]);
            const bool it = is_field(t, field) || (!named && index > 0 && part == index);
            nth -= it;
            if (it && nth == 0) {
                return t->line;
            }
            part += !named;
            at_start = false;
        }
        const int by = deeper(t);
        depth += by;
        at_start =
            (depth == 1 && by > 0) || (depth == 1 && is_one_of(t, ",;")) || (by == 0 && at_start);
        if (depth <= 0) {
            break;
        }
    }
    return 0;
}

int lesson_source_line(const struct lesson_source *source, int line, const char *name,
                       const char *field, int index)
{
    const int found = find_part(source, line, name, field, index, 1);
    return found > 0 ? found : line;
}

int lesson_source_again(const struct lesson_source *source, int line, const char *name,
                        const char *field)
{
    return find_part(source, line, name, field, 0, 2);
}
