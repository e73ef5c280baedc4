#include "run/snapshots.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/*
 * An event takes some 60 ns, copying a byte (into memory that the system still has to find) less than
 * one: so many bytes an event are a few percent of the time. A state that no cache holds makes events
 * four times as slow. Where the state is small a snapshot costs
 * more than its bytes; and no more of them than can be looked through in no time.
 */
enum { BYTES_AN_EVENT = 3, BYTES_A_SLOW_EVENT = 8, BIG = 4 << 20 };
enum { EVENTS_MIN = 10000, SNAPSHOTS_MAX = 1024 };

void snapshots_init(struct snapshots *shots)
{
    *shots = (struct snapshots){ 0 };
}

static void let_go(struct snapshots *shots, struct snapshot *shot)
{
    shots->bytes -= shot->size;
    if (--shot->owners == 0) {
        free(shots->spare);
        shots->spare = shot;
    }
}

void snapshots_finish(struct snapshots *shots)
{
    for (size_t i = 0; i < shots->count; i++) {
        let_go(shots, shots->v[i]);
    }
    free(shots->spare);
    free(shots->v);
    snapshots_init(shots);
}

void snapshots_share(struct snapshots *shots, const struct snapshots *from)
{
    *shots = *from;
    shots->spare = NULL;
    shots->cap = from->count;
    shots->v = mem_dup(from->v, from->count * sizeof *from->v);
    for (size_t i = 0; i < shots->count; i++) {
        shots->v[i]->owners++;
    }
}

/* How many there are up to this moment: the place of a new one. */
static size_t place(const struct snapshots *shots, uint64_t events, sim_ps at)
{
    size_t low = 0, high = shots->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct snapshot *shot = shots->v[middle];
        if (shot->events < events || (shot->events == events && shot->at <= at)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint64_t distance(const struct snapshots *shots, size_t size)
{
    const uint64_t events = size / (size > BIG ? BYTES_A_SLOW_EVENT : BYTES_AN_EVENT);
    if (shots->every > 0) {
        return shots->every;
    }
    return events > EVENTS_MIN ? events : EVENTS_MIN;
}

uint64_t snapshots_due(const struct snapshots *shots, const struct sim *sim, size_t limit)
{
    const size_t size = sim_state_size(sim);
    if (shots->count > 0 && (size > limit || limit - size < shots->v[0]->size)) {
        return UINT64_MAX;
    }
    const uint64_t now = sim_events(sim);
    const size_t next = place(shots, now, sim_now(sim));
    if (next == 0) {
        return 1;
    }
    const uint64_t far = distance(shots, size);
    uint64_t due = shots->v[next - 1]->events + far;
    if (next < shots->count && shots->v[next]->events < due + far / 2) {
        due = shots->v[next]->events + far; /* run before: the gap is not worth another one */
    }
    return due > now ? due - now : 1;
}

/* What it costs to be without the i-th: the gap it leaves, by how far away that is. */
static uint64_t worth(const struct snapshots *shots, size_t i, uint64_t now, uint64_t far)
{
    const uint64_t from = shots->v[i - 1]->events, to = shots->v[i + 1]->events;
    const uint64_t away = now > to ? now - to : from > now ? from - now : 0;
    return ((to - from) << 16) / (away + far);
}

static bool thin(struct snapshots *shots, uint64_t now, uint64_t far)
{
    size_t least = 0;
    uint64_t least_worth = UINT64_MAX;
    for (size_t i = 1; i + 1 < shots->count; i++) {
        const uint64_t w = worth(shots, i, now, far);
        if (w < least_worth) {
            least = i;
            least_worth = w;
        }
    }
    least = least == 0 ? shots->count - 1 : least;
    if (least == 0) {
        return false;
    }
    let_go(shots, shots->v[least]);
    shots->count--;
    memmove(&shots->v[least], &shots->v[least + 1], (shots->count - least) * sizeof *shots->v);
    return true;
}

/* Memory for a state, with `room` set: what was used before if it fits. */
static struct snapshot *room_for(struct snapshots *shots, size_t size)
{
    struct snapshot *shot = shots->spare;
    shots->spare = NULL;
    if (shot == NULL || shot->room < size || shot->room / 2 > size) {
        free(shot);
        shot = mem_resize(NULL, sizeof *shot + size, 1);
        shot->room = size;
    }
    return shot;
}

void snapshots_take(struct snapshots *shots, const struct sim *sim, size_t applied, size_t limit)
{
    const size_t size = sim_state_size(sim);
    const uint64_t now = sim_events(sim);
    while (shots->count > 0 && (shots->bytes + size > limit || shots->count >= SNAPSHOTS_MAX)) {
        if (!thin(shots, now, distance(shots, size))) {
            return;
        }
    }
    struct snapshot *shot = room_for(shots, size);
    *shot = (struct snapshot){ .owners = 1,
                               .at = sim_now(sim),
                               .events = now,
                               .seq = sim_trace_seq(sim),
                               .applied = applied,
                               .size = size,
                               .room = shot->room };
    sim_state_save(sim, shot->state);
    const size_t at = place(shots, now, shot->at);
    shots->v = mem_grow(shots->v, &shots->cap, shots->count + 1, sizeof *shots->v);
    memmove(&shots->v[at + 1], &shots->v[at], (shots->count - at) * sizeof *shots->v);
    shots->v[at] = shot;
    shots->count++;
    shots->bytes += size;
}

size_t snapshots_find(const struct snapshots *shots, sim_ps t, size_t lines)
{
    size_t i = shots->count - 1;
    while (i > 0 && (shots->v[i]->at > t || shots->v[i]->applied > lines)) {
        i--;
    }
    return i;
}

void snapshots_cut(struct snapshots *shots, sim_ps t)
{
    while (shots->count > 1 && shots->v[shots->count - 1]->at > t) {
        let_go(shots, shots->v[--shots->count]);
    }
}
