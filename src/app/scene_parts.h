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

/* fabric: scene_fill.c */
void scene_fill_fabric(struct scene_fill *fill, const struct scene_fill_in *in,
                       struct scene_mem *mem, struct scene *scene);

/* An axis from `t0` that reaches at least to `t1`, its silences cut out; `beside` may be NULL.
 * `expected`: as long as it will be if nothing is in the way, so that it need not grow. */
struct scene_axis scene_axis_of(const struct history *history, const struct history *beside,
                                struct scene_mem *mem, sim_ps t0, sim_ps t1, sim_ps now,
                                sim_ps expected);

/* What a step takes, from its start, when nothing is in the way, and a little air behind it. */
sim_ps scene_airy_step(const struct playback *playback);

/* The timeline on a given axis; the fabric must be filled. */
void scene_fill_timeline(const struct scene_fill_in *in, const struct scene_axis *axis,
                         struct scene_mem *mem, struct scene *scene);

void scene_fill_scrubber(const struct scene_fill_in *in, struct scene_mem *mem,
                         struct scene *scene);

/* The plots, on the axis of the timeline, which must be filled: scene_plot.c */
void scene_fill_plot(const struct scene_fill_in *in, struct scene_mem *mem, struct scene *scene);

/* Number `which` of what is plotted, of both sides of a what-if, on the axis of a timeline; nothing where one of
 * them has none. */
void scene_fill_plot_beside(const struct scene_fill_in in[SCENE_SIDES], size_t which,
                            const struct scene_timeline *timeline, struct scene_mem *mem,
                            struct scene_whatif *out);

/* timeline, scrubber, event list, counts: scene_time.c */
void scene_fill_time(const struct scene_fill_in *in, struct scene_mem *mem, struct scene *scene);
/* Of the events, those before number `end`. */
void scene_fill_events(const struct scene_fill_in *in, uint64_t end, struct scene_mem *mem,
                       struct scene *scene);
void scene_fill_counts(const struct sim *sim, struct scene_mem *mem, struct scene *scene);

#endif
