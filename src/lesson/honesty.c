#include "lesson/honesty.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

enum { FIELDS = 5, FILE_MAX = 1 << 18 };

static const char *const KINDS[] = { [LESSON_HONEST_PICTURE] = "picture",
                                     [LESSON_HONEST_MODELLED] = "modelled",
                                     [LESSON_HONEST_MISSING] = "missing",
                                     [LESSON_HONEST_CONSTANT] = "constant" };

/* A field without the blanks round it; "-" is an empty one. */
static char *trim(char *s)
{
    s += strspn(s, " ");
    for (size_t n = strlen(s); n > 0 && s[n - 1] == ' ';) {
        s[--n] = '\0';
    }
    return strcmp(s, "-") == 0 ? s + 1 : s;
}

/* The fields between bars; the last one may hold bars. False: there are too few. */
static bool split(char *line, char *field[FIELDS])
{
    for (int i = 0; i < FIELDS; i++) {
        char *bar = i + 1 < FIELDS ? strchr(line, '|') : NULL;
        if (bar == NULL && i + 1 < FIELDS) {
            return false;
        }
        if (bar != NULL) {
            *bar = '\0';
        }
        field[i] = trim(line);
        line = bar != NULL ? bar + 1 : line;
    }
    return true;
}

static bool add(struct lesson_honesty *h, char *line, struct err *err)
{
    char *field[FIELDS];
    int kind = 0;
    if (!split(line, field)) {
        return err_set(err, ERR_SYNTAX, "a line has five fields between bars");
    }
    while (kind < LESSON_HONEST_KINDS && strcmp(KINDS[kind], field[0]) != 0) {
        kind++;
    }
    if (kind == LESSON_HONEST_KINDS) {
        return err_set(err, ERR_NAME, "\"%.40s\" is none of picture, modelled, missing, constant",
                       field[0]);
    }
    const char *knob = kind == LESSON_HONEST_CONSTANT ? field[1] : field[2];
    const enum sim_knob found = sim_knob_find(knob);
    if (found == SIM_KNOB_COUNT && *knob != '\0') {
        return err_set(err, ERR_NAME, "there is no switch \"%.40s\"; did you mean \"%s\"?", knob,
                       sim_knob_nearest(knob));
    }
    h->row = mem_grow(h->row, &h->cap, h->count + 1, sizeof *h->row);
    h->row[h->count++] = (struct lesson_honesty_row){ .kind = (enum lesson_honest)kind,
                                                      .name = mem_strdup(field[1]),
                                                      .knob = found,
                                                      .checks = mem_strdup(field[3]),
                                                      .text = mem_strdup(field[4]) };
    return true;
}

bool lesson_honesty_read(const char *data_dir, struct lesson_honesty *h, struct err *err)
{
    struct text path = { 0 };
    char *data = NULL;
    size_t size = 0;
    int number = 0;
    *h = (struct lesson_honesty){ 0 };
    text_addf(&path, "%s/assets/honesty.txt", data_dir);
    bool ok = file_read(text_str(&path), FILE_MAX, &data, &size, err);
    for (char *line = data, *next = NULL; ok && line != NULL && *line != '\0'; line = next) {
        const size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        line[n] = '\0';
        number++;
        if (*line != '#' && *line != '\0' && !add(h, line, err)) {
            ok = err_at(err, text_str(&path), number);
        }
    }
    free(data);
    text_finish(&path);
    return ok;
}

void lesson_honesty_finish(struct lesson_honesty *h)
{
    for (size_t i = 0; i < h->count; i++) {
        free(h->row[i].name);
        free(h->row[i].text);
        free(h->row[i].checks);
    }
    free(h->row);
    *h = (struct lesson_honesty){ 0 };
}

const char *lesson_honesty_source(const struct lesson_honesty *h, enum sim_knob knob)
{
    for (size_t i = 0; i < h->count; i++) {
        if (h->row[i].kind == LESSON_HONEST_CONSTANT && h->row[i].knob == knob) {
            return h->row[i].text;
        }
    }
    return NULL;
}
