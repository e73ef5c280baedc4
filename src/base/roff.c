#include "base/roff.h"

#include <ctype.h>
#include <string.h>

void roff_words(struct text *out, const char *words)
{
    bool first = out->len == 0 || out->s[out->len - 1] == '\n';
    for (const char *s = words; *s != '\0'; s++) {
        if (first && (*s == '.' || *s == '\'')) {
            text_add(out, "\\&"); /* else the line would be a request */
        }
        switch (*s) {
        case '\\':
            text_add(out, "\\e");
            break;
        case '-':
            text_add(out, "\\-");
            break;
        case '\'':
            text_add(out, "\\(aq");
            break;
        case '`':
            text_add(out, "\\(ga");
            break;
        case '^':
            text_add(out, "\\(ha");
            break;
        case '~':
            text_add(out, "\\(ti");
            break;
        default:
            text_add_n(out, s, 1);
            break;
        }
        first = *s == '\n';
    }
}

void roff_begin(struct text *out, const char *name, int section, const char *source,
                const char *manual)
{
    text_add(out, ".TH ");
    for (const char *s = name; *s != '\0'; s++) {
        const char upper = (char)toupper((unsigned char)*s);
        text_add_n(out, &upper, 1);
    }
    text_addf(out, " %d \"\" \"%s\" \"%s\"\n", section, source, manual);
}

static void heading(struct text *out, const char *macro, const char *title)
{
    text_addf(out, "%s \"", macro);
    for (const char *s = title; *s != '\0'; s++) {
        if (*s == '"') {
            text_add(out, "\\(dq");
        } else {
            const char one[2] = { *s, '\0' };
            roff_words(out, one);
        }
    }
    text_add(out, "\"\n");
}

void roff_section(struct text *out, const char *title)
{
    struct text upper = { 0 };
    for (const char *s = title; *s != '\0'; s++) {
        const char c = (char)toupper((unsigned char)*s);
        text_add_n(&upper, &c, 1);
    }
    heading(out, ".SH", text_str(&upper));
    text_finish(&upper);
}

void roff_subsection(struct text *out, const char *title)
{
    heading(out, ".SS", title);
}

/* Begins a paragraph; right below a heading there is one already. */
static void paragraph(struct text *out)
{
    const char *text = text_str(out);
    const char *last = out->len > 0 ? text + out->len - 1 : text;
    while (last > text && last[-1] != '\n') {
        last--;
    }
    if (strncmp(last, ".SH", 3) != 0 && strncmp(last, ".SS", 3) != 0) {
        text_add(out, ".PP\n");
    }
}

void roff_paragraph(struct text *out, const char *words)
{
    paragraph(out);
    roff_words(out, words);
    text_add(out, "\n");
}

void roff_entry(struct text *out, const char *term, const char *value, const char *words)
{
    text_add(out, ".TP\n\\fB");
    roff_words(out, term);
    text_add(out, "\\fR");
    if (value[0] != '\0') {
        text_add(out, " \\fI");
        roff_words(out, value);
        text_add(out, "\\fR");
    }
    text_add(out, "\n");
    roff_words(out, words);
    text_add(out, "\n");
}

void roff_lines(struct text *out, const char *lines)
{
    bool as_is = false;
    bool fresh = true; /* the next line of prose begins a paragraph */
    while (*lines != '\0') {
        const size_t len = strcspn(lines, "\n");
        const bool blank = len == 0;
        const bool indented = len > 0 && lines[0] == ' ';
        if (as_is && !indented) {
            text_add(out, ".fi\n.RE\n");
            as_is = false;
            fresh = true;
        } else if (!as_is && indented) {
            paragraph(out);
            text_add(out, ".RS 4\n.nf\n");
            as_is = true;
        }
        if (!blank && !as_is && fresh) {
            paragraph(out);
        }
        if (!blank) {
            struct text line = { 0 };
            const size_t skip = as_is && len > 2 ? 2 : 0;
            text_add_n(&line, lines + skip, len - skip);
            roff_words(out, text_str(&line));
            text_add(out, "\n");
            text_finish(&line);
        }
        fresh = blank;
        lines += len + (lines[len] == '\n');
    }
    text_add(out, as_is ? ".fi\n.RE\n" : "");
}
