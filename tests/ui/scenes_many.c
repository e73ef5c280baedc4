/*
 * A thousand GPUs and more, for golden frames: a stall that walks round the ring, and what was measured of
 * each.
 */
#include "fabrics.h"
#include "scenes.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static const char *const waits[] = {
    "g766 < g765 < ... < g437: 330 in a chain, each waits for the next",
    "lost waiting in step 2 so far: 1.18 s of GPU time, 1.15 ms of each GPU",
    "g437 lacks packet 4,711 from g436 and refuses all that come after it",
    "g436 hears nothing, neither ACK nor NAK: only its timer of 16.8 ms can help, in 14.2 ms",
};

/* Where the stall is. */
static bool stalls(size_t gpu)
{
    return gpu >= 437 && gpu < 766;
}

static void fill_timeline(struct scene_mem *mem, struct scene *s, size_t gpus)
{
    const struct scene_timeline few = s->timeline;
    struct scene_row *row = scene_mem_take(mem, gpus, sizeof *row);
    for (size_t i = 0; i < gpus; i++) {
        row[i] = few.row[i % few.row_count];
        row[i].name = s->many.each[i].name;
    }
    s->timeline.row = row;
    s->timeline.row_count = gpus;
    s->timeline.order = "slowest first";
    s->timeline.first = 3;
}

struct scene scene_many(struct scene_mem *mem, size_t boxes, bool measured)
{
    struct scene s = scene_fast(scene_boxes(mem, &(struct box_spec){ .boxes = boxes,
                                                                     .gpus = 8,
                                                                     .nics = 1,
                                                                     .pcie = true,
                                                                     .leaves = boxes < 16 ? 2 : 16,
                                                                     .spines = 8 }));
    struct scene_node *node = scene_mem_take(mem, s.fabric.node_count, sizeof *node);
    struct scene_each *each = scene_mem_take(mem, boxes * 8, sizeof *each);
    size_t n = 0;
    for (size_t i = 0; i < s.fabric.node_count; i++) {
        node[i] = s.fabric.node[i];
        if (node[i].kind == SCENE_NODE_GPU) {
            const int64_t jitter = (int64_t)(n * 7919 % 101);
            node[i].state = n == 436    ? SCENE_GPU_TIMER
                            : stalls(n) ? SCENE_GPU_STARVED
                                        : SCENE_GPU_EXCHANGE;
            each[n].name = node[i].name;
            each[n].node = i;
            each[n].known = !stalls(n);
            each[n].value = (9400 + jitter + (n == 436 ? 1678000 : 0)) * UNIT_NS * 10;
            n++;
        }
    }
    s.fabric.node = node;
    s.many = (struct scene_many){ .each = each,
                                  .count = n,
                                  .measured = measured,
                                  .measure = "finish of step 2",
                                  .means = "at the barrier, after the start of the step",
                                  .missing = "are still on their way",
                                  .title = measured ? "1,024 GPUs: finish of step 2"
                                                    : "1,024 GPUs: what each does",
                                  .unit = UNIT_TIME,
                                  .wait = waits,
                                  .wait_count = COUNT_OF(waits) };
    fill_timeline(mem, &s, n);
    return s;
}
