/*
 * What a scenario consists of, as rows: the one place where a member of a scenario's structs gets its
 * word in a file. field_lines.c turns rows into lines and back, for all records alike.
 *
 *     X(member, word, kind, words, otherwise)
 *
 *     word       "": stands at its place in front, without a name
 *     kind       what is written: see enum field_kind
 *     words      of a FIELD_WORD, in the order of its enum; else NULL
 *     otherwise  its value when a line leaves it out, for ever; FIELD_NEEDED: it may not
 *
 * One row a member, in the order of the struct. Forgetting one does not compile: fields.c builds a
 * value of each struct from its rows and lets the compiler count them.
 */
#ifndef WEFT_RUN_FIELDS_H
#define WEFT_RUN_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "sim/scenario.h"

enum field_kind {
    FIELD_NAME,   /* of a node, declared here, or of a flow */
    FIELD_NODE,   /* name of a node declared before */
    FIELD_NUMBER, /* a plain one */
    FIELD_TIME,   /* quantities with units */
    FIELD_RATE,
    FIELD_SIZE,
    FIELD_YES,     /* yes or no */
    FIELD_WORD,    /* one of some */
    FIELD_COMMAND, /* all the rest of the line, as --do takes it */
};

#define FIELD_NEEDED INT64_MIN

/* clang-format off */
#define NODE_FIELDS(X)                                                                             \
    X(name,         "",         NAME,   NULL,       FIELD_NEEDED)                                  \
    X(kind,         "",         WORD,   node_words, FIELD_NEEDED)                                  \
    X(row,          "row",      NUMBER, NULL,       0)                                             \
    X(column,       "column",   NUMBER, NULL,       0)

#define LINK_FIELDS(X)                                                                             \
    X(a,            "",         NODE,   NULL,       FIELD_NEEDED)                                  \
    X(b,            "",         NODE,   NULL,       FIELD_NEEDED)                                  \
    X(rate_bps,     "rate",     RATE,   NULL,       FIELD_NEEDED)                                  \
    X(delay_ps,     "delay",    TIME,   NULL,       FIELD_NEEDED)                                  \
    X(kind,         "kind",     WORD,   link_words, SIM_LINK_FABRIC)

#define CLASS_FIELDS(X)                                                                            \
    X(lossless,     "lossless", YES,    NULL,       0)                                             \
    X(weight,       "weight",   NUMBER, NULL,       0)                                             \
    X(vl,           "vl",       NUMBER, NULL,       8)

#define VL_FIELDS(X)                                                                               \
    X(table,        "",         WORD,   vl_tables,  FIELD_NEEDED)                                  \
    X(vl,           "",         NUMBER, NULL,       FIELD_NEEDED)                                  \
    X(weight,       "weight",   NUMBER, NULL,       FIELD_NEEDED)

#define FLOW_FIELDS(X)                                                                             \
    X(src,          "",         NODE,   NULL,       FIELD_NEEDED)                                  \
    X(dst,          "",         NODE,   NULL,       FIELD_NEEDED)                                  \
    X(bytes,        "bytes",    SIZE,   NULL,       FIELD_NEEDED)                                  \
    X(start_ps,     "start",    TIME,   NULL,       0)                                             \
    X(prio,         "priority", NUMBER, NULL,       3)                                             \
    X(gap_ps,       "gap",      TIME,   NULL,       0)                                             \
    X(poisson,      "poisson",  YES,    NULL,       0)                                             \
    X(messages,     "messages", NUMBER, NULL,       0)                                             \
    X(replies,      "replies",  YES,    NULL,       0)

#define TRAINING_FIELDS(X)                                                                         \
    X(bytes,        "bytes",    SIZE,   NULL,       FIELD_NEEDED)                                  \
    X(bucket_bytes, "bucket",   SIZE,   NULL,       0)                                             \
    X(compute_ps,   "compute",  TIME,   NULL,       FIELD_NEEDED)                                  \
    X(steps,        "steps",    NUMBER, NULL,       FIELD_NEEDED)

#define ROUTE_FIELDS(X)                                                                            \
    X(sw,           "",         NODE,   NULL,       FIELD_NEEDED)                                  \
    X(dst,          "",         NODE,   NULL,       FIELD_NEEDED)                                  \
    X(next,         "",         NODE,   NULL,       FIELD_NEEDED)

#define PIN_FIELDS(X)                                                                              \
    X(flow,         "",         NAME,   NULL,       FIELD_NEEDED)                                  \
    X(via,          "",         NODE,   NULL,       FIELD_NEEDED)

#define FAULT_FIELDS(X)                                                                            \
    X(at,           "",         TIME,   NULL,       FIELD_NEEDED)                                  \
    X(cmd,          "",         COMMAND, NULL,      FIELD_NEEDED)
/* clang-format on */

struct field {
    const char *word;
    enum field_kind kind;
    const char *const *words;
    int64_t otherwise;
    int64_t most;        /* what its type can hold */
    size_t offset, size; /* in the record's struct */
};

/* A kind of record: its rows, and how it stands in a scenario. */
struct field_record {
    const char *word;
    const struct field *fields;
    size_t field_count;
    bool numbered; /* its first word is its index; there are always `count` of them */
    size_t (*count)(const struct sim_scenario *sc);
    const void *(*at)(const struct sim_scenario *sc, size_t index);
    /* Checks and takes over one that has been read: `spec` points to its struct. */
    bool (*add)(struct sim_scenario *sc, size_t index, const void *spec, struct err *err);
};

/* All kinds, in the order of a file; `count` of them. */
const struct field_record *field_records(size_t *count);
/* The one of that word, or NULL. */
const struct field_record *field_record_find(const char *word);

/* Node names to indexes, quickly; grows with the scenario. Zero is a valid start. */
struct field_names {
    uint32_t *slot; /* index + 1; 0: free */
    size_t size, known;
};
uint32_t field_names_find(struct field_names *names, const struct sim_scenario *sc,
                          const char *name);
void field_names_finish(struct field_names *names);

/* "word g1 leaf1 rate 100Gbps ..." and a newline. */
void field_record_write(const struct field_record *record, const struct sim_scenario *sc,
                        size_t index, struct text *out);

/* Reads what follows the record's word and adds it to the scenario. `words` is cut up. */
bool field_record_read(const struct field_record *record, struct sim_scenario *sc,
                       struct field_names *names, char *words, struct err *err);

/* Takes the next word of a line and moves behind it; NULL at its end. */
char *field_next_word(char **line);

#endif
