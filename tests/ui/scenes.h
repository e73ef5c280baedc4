/*
 * Scenes filled by hand, for golden frames: what a learner meets on the way through a lesson.
 */
#ifndef WEFT_TESTS_UI_SCENES_H
#define WEFT_TESTS_UI_SCENES_H

#include "ui/scene.h"

/* Eight GPUs on two leaves and two spines; traffic, PFC just acting, a question open. */
struct scene scene_paused(struct scene_mem *mem);
/* The same fabric still: the last packet of a message is lost, a timer runs. */
struct scene scene_stalled(struct scene_mem *mem);
/* Playback too fast for single packets. */
struct scene scene_blurred(struct scene_mem *mem);
/* A drop under the cursor, NAK and resends, the line that follows the victim. */
struct scene scene_victim(struct scene_mem *mem);
/* The first, with what is held from g1 plotted beside what waits for spine1: a spike, a silence cut out. */
struct scene scene_plotted(struct scene_mem *mem);
/* Goodput of five flows, in letters, and a share of time. */
struct scene scene_goodput(struct scene_mem *mem);
/* `gpus` GPUs on one switch. */
struct scene scene_star(struct scene_mem *mem, size_t gpus);
/* Two GPUs and a cable. */
struct scene scene_pair(struct scene_mem *mem);
/* `leaves` leaves of `gpus` GPUs each, `spines` spines. */
struct scene scene_tiers(struct scene_mem *mem, size_t leaves, size_t spines, size_t gpus);
/* A ring of `gpus` and a few lessons. */
struct scene scene_home(struct scene_mem *mem, size_t gpus);
/* The home screen of a course that does not fit. */
struct scene scene_course(struct scene_mem *mem, size_t selected);
struct scene scene_help(struct scene_mem *mem);
/* A what-if: the same eight GPUs with PFC and without, thousands of packets lost on one side. */
struct scene scene_whatif(struct scene_mem *mem);
/* The same with a plot of both sides. */
struct scene scene_whatif_plotted(struct scene_mem *mem);
/* The same of `leaves` leaves of `gpus` GPUs, parted a moment ago: no difference so far. */
struct scene scene_parted(struct scene_mem *mem, size_t leaves, size_t gpus);
/* A packet is open, with the selection on a row: 1, its IP header, and 5, the ECN field, have sentences. */
struct scene scene_packet(struct scene_mem *mem, size_t selected);
/* The same before its fields are known. */
struct scene scene_packet_unread(struct scene_mem *mem);
struct scene scene_menu_build(struct scene_mem *mem);
struct scene scene_menu_refused(struct scene_mem *mem);
struct scene scene_menu_switches(struct scene_mem *mem);
/* `boxes` of eight GPUs each, of which a third waits for one packet; `measured`: the map shows when each came
 * to the barrier. */
struct scene scene_many(struct scene_mem *mem, size_t boxes, bool measured);
/* Names and texts nobody should write. */
struct scene scene_hostile(struct scene_mem *mem);

#endif
