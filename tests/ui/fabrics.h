/*
 * Fabrics filled by hand beyond pairs, stars and two tiers: boxes, rails, fat trees, rings, places.
 * Each is a scene like those of scenes.h, with traffic on it, one lane paused and one packet lost.
 */
#ifndef WEFT_TESTS_UI_FABRICS_H
#define WEFT_TESTS_UI_FABRICS_H

#include "ui/scene.h"

struct box_spec {
    size_t boxes, gpus, nics, switches; /* of each box: GPUs, NICs, PCIe switches; 0 NICs: alone */
    bool nvlink, pcie, memory;
    size_t leaves, spines; /* leaves 0: rails, one for each NIC of a box */
};

struct scene scene_boxes(struct scene_mem *mem, const struct box_spec *spec);
/* Of k-port switches. */
struct scene scene_fat_tree(struct scene_mem *mem, size_t k);
struct scene scene_ring(struct scene_mem *mem, size_t switches, size_t hosts, bool closed);
/* Six nodes in three columns; `twins`: two cables side by side; one cable bends. */
struct scene scene_placed(struct scene_mem *mem, bool twins);
/* Two boxes, NIC to NIC: a cable within a tier. */
struct scene scene_box_pair(struct scene_mem *mem);
/* The same at a speed at which packets blur. */
struct scene scene_fast(struct scene scene);

#endif
