/*
 * The packet inspector: one frame of the present moment, header by header and byte by byte, as a capture
 * of the same run has it (export/capture.h).
 *
 *     run of the session  ---- fork, from 0 on ---->  reader: every frame goes by (headers_learn)
 *     a frame that is on a cable or in a queue  -->  sim_sent_of, headers_of, frame_encode, frame_list
 *
 * A packet knows little of its message; what MSN, opcodes, RETH and sequence numbers of TCP need is read
 * from the past, a few ms a tick: until then only the frame's name is shown (`behind`). The reader is kept.
 *
 * It looks at a moment: while it is open, time stands still.
 */
#ifndef WEFT_APP_INSPECT_H
#define WEFT_APP_INSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/cursor.h"
#include "export/frame.h"
#include "export/headers.h"
#include "run/run.h"
#include "ui/scene.h"

enum { INSPECT_ROWS_MAX = FRAME_LINES_MAX + FRAME_LAYER_COUNT };

/* A row of the list: a header, or a field of it. */
struct inspect_row {
    enum frame_layer layer;
    size_t line; /* of inspect.line; SIZE_MAX: the header itself */
};

struct inspect {
    struct run *reader; /* NULL: none yet */
    struct headers *headers;
    bool behind; /* the reader has not come to the present yet */
    bool on;
    struct sim_frame frame; /* that is shown */

    struct frame_sums sums;
    uint8_t bytes[FRAME_BYTES_MAX];
    size_t size; /* 0: not known yet */
    struct frame_line line[FRAME_LINES_MAX];
    size_t line_count;

    unsigned folded; /* headers, a bit each */
    struct inspect_row row[INSPECT_ROWS_MAX];
    size_t row_count, selected;
};

/* Destroying NULL does nothing. */
struct inspect *inspect_create(void);
void inspect_destroy(struct inspect *inspect);

/* The session has another run: nothing is known, nothing is shown. */
void inspect_attach(struct inspect *inspect);

/* Shows what the cursor is on; on an empty lane, the nearest frame of any kind. False: there is none, or its
 * headers exist on no real link; `err` says so. */
bool inspect_open(struct inspect *inspect, const struct run *run, const struct cursor *cursor,
                  struct err *err);

/* The next frame of the same lane, toward its receiver or back. False: there is none. The cursor goes with
 * it. */
bool inspect_walk(struct inspect *inspect, const struct run *run, struct cursor *cursor,
                  bool ahead);

/* Another row: by fields, or by headers. */
void inspect_select(struct inspect *inspect, bool down, bool header);
void inspect_fold(struct inspect *inspect);

/* Reads on towards the present of `run`, for a few ms (`patient`: to its end), then finds headers and
 * bytes. True: there is more to do. */
bool inspect_work(struct inspect *inspect, const struct run *run, bool patient);

/* What is shown, as a scene. */
void inspect_fill(const struct inspect *inspect, const struct sim *sim, struct scene_mem *mem,
                  struct scene *scene);

/* "packet g3>g4:44#1", "ACK of g3>g4 up to 43", "PAUSE of class 3". Returns `buf`. */
const char *inspect_name(const struct sim *sim, const struct sim_frame *frame, char *buf,
                         size_t size);

/* What a field is for, in a sentence; NULL: its name says it. */
const char *inspect_about(enum frame_field field);
const char *inspect_about_layer(enum frame_layer layer);

#endif
