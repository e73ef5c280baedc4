/* Records as lines of words, both ways: what fields.c describes, this reads and writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/units.h"
#include "run/fields.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* Open addressing; at most half of the slots are taken. */
static uint32_t *slot_of(const struct field_names *names, const struct sim_scenario *sc,
                         const char *name)
{
    size_t i = (size_t)rng_hash_name(name) & (names->size - 1);
    while (names->slot[i] != 0 && strcmp(sc->nodes[names->slot[i] - 1].name, name) != 0) {
        i = (i + 1) & (names->size - 1);
    }
    return &names->slot[i];
}

uint32_t field_names_find(struct field_names *names, const struct sim_scenario *sc,
                          const char *name)
{
    if (names->size < 2 * (sc->node_count + 1)) {
        free(names->slot);
        for (names->size = 64; names->size < 2 * (sc->node_count + 1);) {
            names->size *= 2;
        }
        names->slot = mem_alloc(names->size, sizeof *names->slot);
        names->known = 0;
    }
    for (; names->known < sc->node_count; names->known++) {
        *slot_of(names, sc, sc->nodes[names->known].name) = (uint32_t)names->known + 1;
    }
    const uint32_t slot = *slot_of(names, sc, name);
    return slot != 0 ? slot - 1 : UINT32_MAX;
}

void field_names_finish(struct field_names *names)
{
    free(names->slot);
    *names = (struct field_names){ 0 };
}

/* ---- values ---------------------------------------------------------------------------------- */

static enum unit_kind unit_of(enum field_kind kind)
{
    return kind == FIELD_TIME   ? UNIT_TIME
           : kind == FIELD_RATE ? UNIT_RATE
           : kind == FIELD_SIZE ? UNIT_BYTES
                                : UNIT_COUNT;
}

static int64_t get_number(const struct field *field, const void *spec)
{
    const char *at = (const char *)spec + field->offset;
    bool flag;
    uint32_t small;
    int64_t large;
    if (field->size == sizeof flag) {
        memcpy(&flag, at, sizeof flag);
        return flag;
    }
    if (field->size == sizeof small) {
        memcpy(&small, at, sizeof small);
        return small;
    }
    memcpy(&large, at, sizeof large);
    return large;
}

static void set_number(const struct field *field, void *spec, int64_t value)
{
    char *at = (char *)spec + field->offset;
    const bool flag = value != 0;
    const uint32_t small = (uint32_t)value;
    if (field->size == sizeof flag) {
        memcpy(at, &flag, sizeof flag);
    } else if (field->size == sizeof small) {
        memcpy(at, &small, sizeof small);
    } else {
        memcpy(at, &value, sizeof value);
    }
}

/* What a person may write there: "NODE", "TIME", "host|switch". */
static void add_example(struct text *out, const struct field *field)
{
    switch (field->kind) {
    case FIELD_NAME:
        text_add(out, "NAME");
        break;
    case FIELD_NODE:
        text_add(out, "NODE");
        break;
    case FIELD_NUMBER:
        text_add(out, "NUMBER");
        break;
    case FIELD_TIME:
        text_add(out, "TIME");
        break;
    case FIELD_RATE:
        text_add(out, "RATE");
        break;
    case FIELD_SIZE:
        text_add(out, "SIZE");
        break;
    case FIELD_YES:
        text_add(out, "yes|no");
        break;
    case FIELD_WORD:
        for (size_t i = 0; field->words[i] != NULL; i++) {
            text_addf(out, "%s%s", i > 0 ? "|" : "", field->words[i]);
        }
        break;
    case FIELD_COMMAND:
        text_add(out, "COMMAND");
        break;
    }
}

static void add_usage(struct text *out, const struct field_record *record)
{
    text_addf(out, "%s%s", record->word, record->numbered ? " NUMBER" : "");
    for (size_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        const bool may = field->otherwise != FIELD_NEEDED;
        text_addf(out, " %s%s%s", may ? "[" : "", field->word, field->word[0] != '\0' ? " " : "");
        add_example(out, field);
        text_add(out, may ? "]" : "");
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_value(struct text *out, const struct field *field, const struct sim_scenario *sc,
                        const void *spec)
{
    char buf[512];
    const void *at = (const char *)spec + field->offset;
    switch (field->kind) {
    case FIELD_NAME:
        text_add(out, at);
        break;
    case FIELD_COMMAND:
        text_add(out, sim_cmd_format(at, buf, sizeof buf));
        break;
    case FIELD_NODE:
        text_add(out, sc->nodes[get_number(field, spec)].name);
        break;
    case FIELD_YES:
        text_add(out, get_number(field, spec) != 0 ? "yes" : "no");
        break;
    case FIELD_WORD:
        text_add(out, field->words[get_number(field, spec)]);
        break;
    case FIELD_NUMBER:
    case FIELD_TIME:
    case FIELD_RATE:
    case FIELD_SIZE:
        text_add(out, units_exact(buf, sizeof buf, unit_of(field->kind), get_number(field, spec)));
        break;
    }
}

void field_record_write(const struct field_record *record, const struct sim_scenario *sc,
                        size_t index, struct text *out)
{
    const void *spec = record->at(sc, index);
    text_add(out, record->word);
    if (record->numbered) {
        text_addf(out, " %zu", index);
    }
    for (size_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        if (field->otherwise == FIELD_NEEDED || get_number(field, spec) != field->otherwise) {
            text_addf(out, "%s%s ", field->word[0] != '\0' ? " " : "", field->word);
            write_value(out, field, sc, spec);
        }
    }
    text_add(out, "\n");
}

/* ---- reading --------------------------------------------------------------------------------- */

char *field_next_word(char **line)
{
    char *word = *line + strspn(*line, " \t");
    const size_t len = strcspn(word, " \t");
    if (len == 0) {
        *line = word;
        return NULL;
    }
    *line = word + len;
    if (**line != '\0') {
        *(*line)++ = '\0';
    }
    return word;
}

struct reading {
    const struct field_record *record;
    struct sim_scenario *sc;
    struct field_names *names;
    union { /* large enough for each */
        struct sim_node_spec node;
        struct sim_link_spec link;
        struct sim_class_spec class;
        struct sim_vl_entry vl;
        struct sim_flow_spec flow;
        struct sim_training_spec training;
        struct sim_route_spec route;
        struct sim_pin_spec pin;
        struct sim_fault_spec fault;
    } spec;
};

static bool read_number(const struct field *field, const char *word, int64_t *value,
                        struct err *err)
{
    if (!units_parse(word, unit_of(field->kind), value, err)) {
        return field->word[0] != '\0' ? err_note(err, "%s", field->word) : false;
    }
    return *value <= field->most ||
           err_set(err, ERR_RANGE, "%s: %.40s is too much", field->word, word);
}

static bool read_word(const struct field *field, const char *word, int64_t *value, struct err *err)
{
    static const char *const no_yes[] = { "no", "yes", NULL };
    const char *const *words = field->kind == FIELD_YES ? no_yes : field->words;
    for (*value = 0; words[*value] != NULL; (*value)++) {
        if (strcmp(words[*value], word) == 0) {
            return true;
        }
    }
    return err_set(err, ERR_SYNTAX, "\"%.40s\" is not a word that can stand there", word);
}

static bool read_value(struct reading *r, const struct field *field, const char *word,
                       struct err *err)
{
    char *at = (char *)&r->spec + field->offset;
    int64_t value = 0;
    switch (field->kind) {
    case FIELD_NAME:
        if (strlen(word) >= field->size) {
            return err_set(err, ERR_NAME, "the name \"%.40s\" is longer than %zu letters", word,
                           field->size - 1);
        }
        (void)snprintf(at, field->size, "%s", word);
        return true;
    case FIELD_COMMAND:
        return sim_cmd_parse(word, (struct sim_cmd *)(void *)at, err);
    case FIELD_NODE:
        value = field_names_find(r->names, r->sc, word);
        if (value == UINT32_MAX) {
            return err_set(err, ERR_NAME, "there is no node \"%.40s\" above", word);
        }
        break;
    case FIELD_YES:
    case FIELD_WORD:
        if (!read_word(field, word, &value, err)) {
            return false;
        }
        break;
    case FIELD_NUMBER:
    case FIELD_TIME:
    case FIELD_RATE:
    case FIELD_SIZE:
        if (!read_number(field, word, &value, err)) {
            return false;
        }
        break;
    }
    set_number(field, &r->spec, value);
    return true;
}

/* The fields in front, without names. */
static bool read_places(struct reading *r, char **words, struct err *err)
{
    for (size_t i = 0; i < r->record->field_count; i++) {
        const struct field *field = &r->record->fields[i];
        if (field->word[0] != '\0') {
            continue;
        }
        char *word = *words + strspn(*words, " \t");
        if (field->kind == FIELD_COMMAND) {
            *words = word + strlen(word);
        } else {
            word = field_next_word(words);
        }
        if (word == NULL) {
            return err_set(err, ERR_SYNTAX, "the line ends too early");
        }
        if (!read_value(r, field, word, err)) {
            return false;
        }
    }
    return true;
}

static const struct field *field_named(const struct field_record *record, const char *word,
                                       size_t *index)
{
    for (*index = 0; *index < record->field_count; (*index)++) {
        if (strcmp(record->fields[*index].word, word) == 0) {
            return &record->fields[*index];
        }
    }
    return NULL;
}

/* The fields with names, in any order, each at most once. */
static bool read_names(struct reading *r, char **words, struct err *err)
{
    uint64_t seen = 0;
    char *word;
    while ((word = field_next_word(words)) != NULL) {
        size_t index;
        const struct field *field = field_named(r->record, word, &index);
        const char *value = field_next_word(words);
        if (field == NULL) {
            return err_set(err, ERR_NAME, "\"%.40s\" means nothing here", word);
        }
        if (value == NULL) {
            return err_set(err, ERR_SYNTAX, "%s needs a value behind it", word);
        }
        if ((seen >> index & 1) != 0) {
            return err_set(err, ERR_SYNTAX, "%s is there twice", word);
        }
        seen |= UINT64_C(1) << index;
        if (!read_value(r, field, value, err)) {
            return false;
        }
    }
    for (size_t i = 0; i < r->record->field_count; i++) {
        const struct field *field = &r->record->fields[i];
        if (field->word[0] == '\0' || (seen >> i & 1) != 0) {
            continue;
        }
        if (field->otherwise == FIELD_NEEDED) {
            return err_set(err, ERR_SYNTAX, "%s is missing", field->word);
        }
        set_number(field, &r->spec, field->otherwise);
    }
    return true;
}

static bool read_index(const struct reading *r, char **words, size_t *index, struct err *err)
{
    int64_t number = 0;
    const char *word = field_next_word(words);
    const size_t count = r->record->count(r->sc);
    if (word == NULL || !units_parse(word, UNIT_COUNT, &number, NULL) ||
        (uint64_t)number >= count) {
        return err_set(err, ERR_RANGE, "which one? a number from 0 to %zu", count - 1);
    }
    *index = (size_t)number;
    return true;
}

bool field_record_read(const struct field_record *record, struct sim_scenario *sc,
                       struct field_names *names, char *words, struct err *err)
{
    struct reading r = { .record = record, .sc = sc, .names = names };
    size_t index = 0;
    memset(&r.spec, 0, sizeof r.spec);
    if ((!record->numbered || read_index(&r, &words, &index, err)) &&
        read_places(&r, &words, err) && read_names(&r, &words, err)) {
        return record->add(sc, index, &r.spec, err);
    }
    if (err != NULL) { /* the line itself is wrong: say how one looks */
        struct text usage = { 0 };
        add_usage(&usage, record);
        const size_t len = strlen(err->msg);
        (void)snprintf(err->msg + len, sizeof err->msg - len, "; write: %s", text_str(&usage));
        text_finish(&usage);
    }
    return false;
}
