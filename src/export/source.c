#include "export/source.h"

/* So many events write fewer records than the trace keeps of either class. */
enum { EVENTS = 1024, BATCH = 256 };

struct watch {
    export_record_fn *each;
    void *arg;
    uint64_t seen, fine_seen, lost;
    bool past_done, enough;
};

static void hand_over(struct watch *w, const struct sim *sim, const struct sim_record *record)
{
    w->enough = w->enough || !w->each(w->arg, sim, record) ||
                (record->kind == SIM_TRACE_DONE && !w->past_done);
}

/* A fine record has the number of the record that follows it. */
static void hand_over_fine(struct watch *w, const struct sim *sim, uint64_t before)
{
    struct sim_record record;
    for (;;) {
        uint64_t next = w->fine_seen;
        if (sim_trace_read_fine(sim, &next, &record, 1) == 0 || record.seq > before) {
            return;
        }
        w->lost += next - w->fine_seen - 1;
        w->fine_seen = next;
        hand_over(w, sim, &record);
    }
}

static void read_on(struct watch *w, const struct sim *sim, bool fine)
{
    struct sim_record batch[BATCH];
    for (size_t n; (n = sim_trace_read(sim, &w->seen, batch, BATCH)) > 0;) {
        for (size_t i = 0; i < n; i++) {
            if (fine) {
                hand_over_fine(w, sim, batch[i].seq);
            }
            hand_over(w, sim, &batch[i]);
        }
    }
    if (fine) {
        hand_over_fine(w, sim, sim_trace_seq(sim));
    }
}

uint64_t export_watch(const struct export_source *source, uint32_t fine_kinds, struct sink *sink,
                      export_record_fn *each, void *arg)
{
    struct watch w = { .each = each, .arg = arg, .past_done = source->past_done };
    struct run *run = source->run;
    const struct sim *sim = run_sim(run);
    enum sim_stopped stopped = SIM_AT_TIME;
    run_forward_only(run);
    run_listen(run, fine_kinds);
    read_on(&w, sim, fine_kinds != 0);
    while (!w.enough && sink_takes(sink) && stopped != SIM_AT_END && run_now(run) < source->until &&
           (source->past_done || sim_outcome(sim) != SIM_DONE)) {
        stopped = run_events(run, EVENTS, source->until);
        read_on(&w, sim, fine_kinds != 0);
    }
    return w.lost;
}
