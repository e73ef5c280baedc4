/*
 * Errors as values.
 *
 * A function that can fail for a reason outside this program returns bool and takes a
 * `struct err *` last. The message is one sentence a user can act on: what happened, the value
 * and the limit. `where` names the user's place ("one-lost-packet.lua:12"), never ours.
 * `assert` is for our mistakes, `struct err` for everybody else's.
 *
 * A NULL `struct err *` is allowed everywhere: the caller then only learns that it failed.
 */
#ifndef WEFT_BASE_ERR_H
#define WEFT_BASE_ERR_H

#include <stdbool.h>

enum err_code {
    ERR_NONE,
    ERR_USAGE,  /* the command line is wrong: exit status 2 */
    ERR_RANGE,  /* a value is outside its range */
    ERR_SYNTAX, /* text that does not parse */
    ERR_NAME,   /* no such node, flow, knob, lesson; or declared twice */
    ERR_STATE,  /* right request, wrong moment */
    ERR_LIMIT,  /* a cap of ours was reached: nodes, memory, instructions */
    ERR_IO,     /* the operating system refused */
    ERR_SCRIPT, /* a lesson's Lua raised an error */
};

struct err {
    enum err_code code;
    char msg[512]; /* one sentence, no newline, nothing that text_add_clean() would not let pass */
    char where[256]; /* "file:line", "file" or empty */
};

/* Fills `err` (if not NULL) and returns false, so that `return err_set(...)` reads well. */
bool err_set(struct err *err, enum err_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Names the user's place. `line` 0 means: the file as a whole. Returns false. */
bool err_at(struct err *err, const char *file, int line);

/* Puts "while ...: " in front of the message, for the caller who knows what was being tried. */
bool err_note(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "file:line: message", as it goes to stderr. Returns `buf`. */
const char *err_text(const struct err *err, char *buf, unsigned long size);

#endif
