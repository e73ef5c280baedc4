/*
 * The what-if as a scene: both sides on one axis, what differs now, what was measured.
 */
#include <inttypes.h>

#include "app/scene_parts.h"
#include "app/whatif.h"
#include "base/units.h"

/* The later one, where one of them is stalled. */
static sim_ps now_of(const struct scene_fill_in in[SCENE_SIDES])
{
    const sim_ps a = sim_now(in[0].sim), b = sim_now(in[1].sim);
    return a > b ? a : b;
}

/* The axis begins with the training step in which both parted, or with the one of an earlier moment that
 * is looked at. */
static sim_ps first_shown(const struct sim *sim, sim_ps t)
{
    for (int64_t k = sim_step_now(sim); k > 1; k--) {
        const sim_ps start = sim_step(sim, k).start;
        if (start != SIM_NEVER && start <= t) {
            return start;
        }
    }
    return 0;
}

static struct scene_axis axis_of(const struct scene_fill_in in[SCENE_SIDES], const struct whatif *w,
                                 struct scene_mem *mem)
{
    const sim_ps now = now_of(in);
    const sim_ps t0 = first_shown(in[0].sim, now < w->at ? now : w->at);
    return scene_axis_of(in[0].history, in[1].history, mem, t0, now, now,
                         scene_airy_step(in[0].playback));
}

static const char *progress_of(const struct sim *sim, struct scene_mem *mem)
{
    switch (sim_outcome(sim)) {
    case SIM_STALLED:
        return "stalled";
    case SIM_DONE:
        return "done";
    case SIM_MEMORY_LIMIT:
        return "out of memory";
    case SIM_RUNNING:
        break;
    }
    if (sim_rank_count(sim) > 0) {
        return scene_mem_textf(mem, "in step %" PRId64, sim_step_now(sim));
    }
    size_t arrived = 0;
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        arrived += history_flow_state(sim, f) == SCENE_GPU_BARRIER ? 1 : 0;
    }
    char part[64];
    units_part(part, sizeof part, (int64_t)arrived, (int64_t)sim_flow_count(sim));
    return scene_mem_textf(mem, "%s arrived", part);
}

/* Which GPUs, or flows, do something else on the other side now. */
static const bool *differing_rows(const struct scene side[SCENE_SIDES],
                                  const struct scene_fill_in in[SCENE_SIDES], struct scene_mem *mem)
{
    const size_t n = side[0].timeline.row_count;
    if (n != side[1].timeline.row_count) {
        return NULL;
    }
    bool *differs = scene_mem_take(mem, n, sizeof *differs);
    for (uint32_t r = 0; r < n; r++) {
        if (in[0].history->flows) {
            differs[r] = history_flow_state(in[0].sim, r) != history_flow_state(in[1].sim, r);
        } else {
            const uint32_t node = sim_rank_node(in[0].sim, r);
            differs[r] = side[0].fabric.node[node].state != side[1].fabric.node[node].state;
        }
    }
    return differs;
}

static void fill_numbers(const struct whatif *w, struct scene_mem *mem, struct scene_whatif *out)
{
    struct scene_metric *metric = scene_mem_take(mem, w->numbers.count, sizeof *metric);
    for (size_t i = 0; i < w->numbers.count; i++) {
        const struct whatif_number *n = &w->numbers.v[i];
        metric[i] = (struct scene_metric){
            .name = n->name, .a = n->a, .b = n->b, .differ = n->differs ? n->differ : NULL
        };
    }
    out->metric_count = w->numbers.count;
    out->metric = metric;
}

/* The first difference, once the clock has come to it. */
static void fill_difference(const struct whatif *w, sim_ps now, struct scene_mem *mem,
                            struct scene_whatif *out)
{
    char text[400];
    out->first_ps = -1;
    if (!w->compare.differs) {
        out->difference = "no difference so far: the same has happened on both sides";
    } else if (now < w->compare.first.t) {
        out->difference = "no difference yet at this moment; ] goes to the first one";
    } else {
        out->first_ps = w->compare.first.t;
        out->difference = scene_mem_textf(mem, "%s", compare_say(&w->compare, text, sizeof text));
    }
}

void scene_fill_whatif(struct scene_fill fill[SCENE_SIDES],
                       const struct scene_fill_in in[SCENE_SIDES], const struct whatif *w,
                       struct scene_mem *mem, struct scene *scene)
{
    char at[40];
    struct scene side[SCENE_SIDES] = { { 0 } };
    struct scene_whatif *out = &scene->whatif;
    const struct scene_axis axis = axis_of(in, w, mem);
    *out = (struct scene_whatif){ .picked = w->picked, .fork_ps = w->at, .scroll = w->scroll };
    for (size_t i = 0; i < SCENE_SIDES; i++) {
        scene_fill_fabric(&fill[i], &in[i], mem, &side[i]);
        scene_fill_timeline(&in[i], &axis, mem, &side[i]);
        scene_fill_counts(in[i].sim, mem, &side[i]);
        out->side[i] = (struct scene_side){ .change = w->change[i],
                                            .progress = progress_of(in[i].sim, mem),
                                            .counts = side[i].counts,
                                            .fabric = side[i].fabric,
                                            .timeline = side[i].timeline };
    }
    if (w->plotted > 0) {
        scene_fill_plot_beside(in, w->plotted - 1, &out->side[0].timeline, mem, out);
    }
    fill_difference(w, axis.now_ps, mem, out);
    out->differs = out->first_ps >= 0 ? differing_rows(side, in, mem) : NULL;
    fill_numbers(w, mem, out);
    scene_fill_scrubber(&in[w->picked], mem, scene);
    scene->title = scene_mem_textf(mem, "what-if at %s, same seed, one clock",
                                   w->at > 0 ? units_format(at, sizeof at, UNIT_TIME, w->at) : "0");
}
