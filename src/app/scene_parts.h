/*
 * What the files behind scene_fill.h share.
 */
#ifndef WEFT_APP_SCENE_PARTS_H
#define WEFT_APP_SCENE_PARTS_H

#include "app/scene_fill.h"

/* A state of a rank as words for the end of its row: "sends", "wants g4". */
const char *scene_rank_word(const struct sim *sim, uint32_t rank, enum scene_gpu_state state,
                            struct scene_mem *mem);
const char *scene_flow_word(enum scene_gpu_state state);

/* timeline, scrubber, event list, counts: scene_time.c */
void scene_fill_time(const struct scene_fill_in *in, struct scene_mem *mem, struct scene *scene);
void scene_fill_events(const struct sim *sim, struct scene_mem *mem, struct scene *scene);
void scene_fill_counts(const struct sim *sim, struct scene_mem *mem, struct scene *scene);

#endif
