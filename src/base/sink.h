/*
 * A sink: where a long result goes, piece by piece, while it is being made.
 *
 *     sink_open --> sink_add, sink_add, ... --> sink_tail --> sink_close --> sink_destroy
 *                        |
 *                        +-- false: it takes no more, and sink_end() says why
 *
 * A piece is what a format cannot do with half of: a record, a frame, a block. A file may end behind any
 * piece, followed by the tail ("]}" of JSON, "</svg>"), for which room is always kept. So when the
 * disk is full, when the file is as large as it may become, or when somebody presses Ctrl-C, what was
 * written so far is a whole file, only shorter.
 *
 * A file is a draft until it is closed: nobody sees half of it, and what it replaces stays until then.
 * "-" is stdout. Between sink_open() and sink_destroy() SIGINT, SIGTERM and SIGHUP wait; sink_takes()
 * looks for them, and whoever computes for long asks it now and then. sink_destroy() lets them through,
 * so the program then ends as it was asked to, unless somebody ignores them.
 */
#ifndef WEFT_BASE_SINK_H
#define WEFT_BASE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

#define SINK_TAIL_BYTES 4096 /* unless options say otherwise */

enum sink_end {
    SINK_GOES,  /* it takes more */
    SINK_LIMIT, /* as large as it may become */
    SINK_FULL,  /* the disk is full, or refuses for another reason: sink_why() */
    SINK_ASKED, /* a signal asked us to end */
    SINK_GONE,  /* whoever read the pipe has seen enough */
};

struct sink_options {
    bool replace;   /* an existing file */
    bool binary;    /* nothing for a terminal */
    uint64_t limit; /* bytes, tail included; 0: none */
    size_t tail;    /* bytes that a tail may take; 0: SINK_TAIL_BYTES */
};

struct sink;

/* `path` is borrowed. NULL: err. */
struct sink *sink_open(const char *path, const struct sink_options *options, struct err *err);

/* A piece. False: it was not taken, nor will any other be. */
bool sink_add(struct sink *sink, const void *piece, size_t size);
/* The same, and the text is empty afterwards. */
bool sink_add_text(struct sink *sink, struct text *piece);

/* Whether pieces are still taken. */
bool sink_takes(struct sink *sink);

enum sink_end sink_end(const struct sink *sink);
/* SINK_FULL: "No space left on device". */
const char *sink_why(const struct sink *sink);
/* Pieces that are in the file, and bytes; right after sink_tail(). */
uint64_t sink_pieces(const struct sink *sink);
uint64_t sink_bytes(const struct sink *sink);

/* Ends the file, once, however it came to its end: behind all that was added with `whole`, behind less
 * with `cut`. False: there is no whole file, not even a shorter one. */
bool sink_tail(struct sink *sink, const char *whole, const char *cut);

/* The same with a tail that is made for the pieces that are in the file; `cut`: not all of them. May be
 * asked twice. */
typedef void sink_tail_fn(void *arg, uint64_t pieces, bool cut, struct text *tail);
bool sink_tail_made(struct sink *sink, sink_tail_fn *make, void *arg);

/* Keeps what sink_tail() has made whole. False: there is nothing, and err says why (SINK_GONE: err stays
 * empty). */
bool sink_close(struct sink *sink, struct err *err);
/* What was not closed is dropped. NULL is fine. */
void sink_destroy(struct sink *sink);

#endif
