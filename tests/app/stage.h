/*
 * A session on a stage: keys, frames and invented wall time, no terminal.
 */
#ifndef WEFT_TESTS_APP_STAGE_H
#define WEFT_TESTS_APP_STAGE_H

#include "app/picture.h"
#include "app/session.h"

enum { FRAME_MS = 50 };

struct stage {
    struct session *session;
    struct picture picture;
    int64_t ms;
    int rows, cols; /* 0: 80x24 */
};

/* The lesson of the end-to-end tests, at this card (from 1). */
void stage_begin(struct stage *stage, size_t card);
/* Another lesson. */
void stage_begin_lesson(struct stage *stage, const char *path, size_t card);
void stage_end(struct stage *stage);

/* A tick and a frame. */
void stage_frame(struct stage *stage);
void stage_key(struct stage *stage, uint32_t key);
void stage_type(struct stage *stage, const char *keys);
/* Frames until nothing moves any more; fails when that takes too long. */
void stage_settle(struct stage *stage);
/* Whether the last frame holds the text. */
bool stage_sees(const struct stage *stage, const char *text);

#endif
