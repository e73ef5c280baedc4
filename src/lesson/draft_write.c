/*
 * A draft as Lua again: one field a line in what constructors make, plain tables in one line.
 */
#include <ctype.h>
#include <string.h>

#include "lesson/draft.h"

struct writer {
    struct text *out;
    int line;
};

static void new_line(struct writer *w, int indent)
{
    text_addf(w->out, "\n%*s", indent, "");
    w->line++;
}

/* A text as Lua reads it back, whatever is in it. */
static void write_text(struct writer *w, const char *s)
{
    text_add(w->out, "\"");
    for (; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') {
            text_addf(w->out, "\\%c", c);
        } else if (c < ' ' || c == 127) {
            text_addf(w->out, "\\%03d", c);
        } else {
            text_add_n(w->out, s, 1);
        }
    }
    text_add(w->out, "\"");
}

static bool is_plain_key(const char *key)
{
    static const char *const words[] = { "and",   "break", "do",       "else", "elseif", "end",
                                         "false", "for",   "function", "goto", "if",     "in",
                                         "local", "nil",   "not",      "or",   "repeat", "return",
                                         "then",  "true",  "until",    "while" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(key, words[i]) == 0) {
            return false;
        }
    }
    if (!isalpha((unsigned char)*key) && *key != '_') {
        return false;
    }
    for (; *key != '\0'; key++) {
        if (!isalnum((unsigned char)*key) && *key != '_') {
            return false;
        }
    }
    return true;
}

static void write_key(struct writer *w, const struct lesson_draft *d)
{
    if (d->key == NULL) {
        return;
    }
    if (d->numbered) {
        text_addf(w->out, "[%s] = ", d->key);
    } else if (is_plain_key(d->key)) {
        text_addf(w->out, "%s = ", d->key);
    } else {
        text_add(w->out, "[");
        write_text(w, d->key);
        text_add(w->out, "] = ");
    }
}

static bool is_named(const char *const *names, const char *name)
{
    for (; names != NULL && name != NULL && *names != NULL; names++) {
        if (strcmp(*names, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Something in it stands in lines of its own. */
static bool is_long(const struct lesson_draft *d)
{
    enum { SHORT = 5 }; /* values that go into one line */
    size_t inside = 0;
    for (size_t i = 0; i < d->count; i++) {
        inside += d->item[i].type == LESSON_DRAFT_TABLE ? d->item[i].count + 1 : 1;
    }
    return inside > SHORT;
}

static void write(struct writer *w, struct lesson_draft *d, int indent, const char *const *but)
{
    d->line = w->line;
    write_key(w, d);
    if (d->type == LESSON_DRAFT_TEXT) {
        write_text(w, d->text);
        return;
    }
    if (d->type != LESSON_DRAFT_TABLE) {
        text_add(w->out, d->text);
        return;
    }
    if (d->kind != LESSON_KIND_COUNT) {
        text_addf(w->out, "weft.%s ", lesson_kind_info(d->kind)->name);
        if (lesson_kind_info(d->kind)->form == LESSON_FORM_TEXT) {
            write_text(w, lesson_draft_text(d, "text"));
            return;
        }
    }
    const bool lines = is_long(d);
    text_add(w->out, "{");
    for (size_t i = 0; i < d->count; i++) {
        if (is_named(but, d->item[i].key)) {
            continue;
        }
        if (lines) {
            new_line(w, indent + 2);
        } else {
            text_add(w->out, " ");
        }
        write(w, &d->item[i], indent + 2, NULL);
        text_add(w->out, lines || i + 1 < d->count ? "," : "");
    }
    if (lines) {
        new_line(w, indent);
    } else {
        text_add(w->out, " ");
    }
    text_add(w->out, "}");
}

void lesson_draft_write(struct lesson_draft *draft, int indent, const char *const *but, int *line,
                        struct text *out)
{
    struct writer w = { out, *line };
    write(&w, draft, indent, but);
    *line = w.line;
}
