/*
 * Values of the views of a report that take more than an offset: what VALUE_MADE stands for in the table
 * of measure_fields.c.
 */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "lesson/host.h"
#include "lesson/measure_inside.h"
#include "lesson/measure_values.h"
#include "lesson/quantity.h"

void measure_push_time(lua_State *L, sim_ps t)
{
    if (t == SIM_NEVER) {
        lesson_host_pending(L);
    }
    lesson_quantity_push(L, UNIT_TIME, t);
}

const struct report_step *measure_step_of(const struct view *view)
{
    return &view->report->steps[view->at];
}

void measure_make_duration(lua_State *L, const struct view *view)
{
    const struct report_step *step = measure_step_of(view);
    measure_push_time(L, step->end == SIM_NEVER ? SIM_NEVER : step->end - step->start);
}

void measure_make_this(lua_State *L, const struct view *view)
{
    const int64_t step = measure_context(L)->measure->sight.step;
    if (step < 1 || (size_t)step > view->report->step_count) {
        lesson_host_pending(L);
    }
    measure_push_view(L, VIEW_STEP, view->report, (size_t)step - 1);
}

void measure_make_step_number(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, measure_step_of(view)->step);
}

void measure_make_outcome(lua_State *L, const struct view *view)
{
    lua_pushstring(L, report_outcome_word(view->report->outcome));
}

void measure_make_gpu_busy(lua_State *L, const struct view *view)
{
    if (view->report->gpu_busy < 0) {
        luaL_error(L, "gpu_busy: this scene has no training");
    }
    lua_pushnumber(L, view->report->gpu_busy);
}

void measure_make_timeout(lua_State *L, const struct view *view)
{
    lesson_quantity_push(L, UNIT_TIME, sim_timeout_ps(view->report->sim));
}

static int find_flow(lua_State *L)
{
    const struct view *view = measure_check_view(L, lua_upvalueindex(1));
    const char *name = luaL_checkstring(L, 1);
    const uint32_t flow = sim_find_flow(view->report->sim, name);
    for (size_t i = 0; i < view->report->flow_count; i++) {
        if (view->report->flows[i].flow == flow) {
            measure_push_view(L, VIEW_FLOW, view->report, i);
            return 1;
        }
    }
    return luaL_error(L, "flow(\"%s\"): there is no such flow in this scene", name);
}

void measure_make_flow(lua_State *L, const struct view *view)
{
    (void)view;
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, find_flow, 1);
}

void measure_make_flow_name(lua_State *L, const struct view *view)
{
    lua_pushstring(L, sim_flow(view->report->sim, view->report->flows[view->at].flow).name);
}

static struct sim_flow_state flow_state(const struct view *view)
{
    return sim_flow_state(view->report->sim, view->report->flows[view->at].flow);
}

void measure_make_flow_dropped(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, (lua_Integer)flow_state(view).dropped);
}

void measure_make_flow_acked(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, (lua_Integer)flow_state(view).una);
}

void measure_make_flow_arrived(lua_State *L, const struct view *view)
{
    lesson_quantity_push(L, UNIT_BYTES, flow_state(view).delivered_bytes);
}

/* Of what has arrived: flows that never end have one, too. */
void measure_make_flow_mean_rate(lua_State *L, const struct view *view)
{
    const struct sim_flow_state s = flow_state(view);
    const bool all = s.delivered_bytes == s.posted_bytes && s.delivered_at != SIM_NEVER;
    const sim_ps end = all ? s.delivered_at : sim_now(view->report->sim);
    if (s.start == SIM_NEVER || end <= s.start) {
        lesson_host_pending(L);
    }
    lesson_quantity_push(L, UNIT_RATE,
                         llround((double)s.delivered_bytes * 8e12 / (double)(end - s.start)));
}

static const struct report_flow *tcp_flow(lua_State *L, const struct view *view, const char *name)
{
    const struct report_flow *flow = &view->report->flows[view->at];
    if (flow->cwnd == 0) {
        luaL_error(L, "flow.%s: only transport tcp has one", name);
    }
    return flow;
}

void measure_make_flow_cwnd(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, (lua_Integer)tcp_flow(L, view, "cwnd")->cwnd);
}

void measure_make_flow_ssthresh(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, (lua_Integer)tcp_flow(L, view, "ssthresh")->ssthresh);
}

void measure_make_flow_rate(lua_State *L, const struct view *view)
{
    const int64_t rate = view->report->flows[view->at].rate_bps;
    if (rate == 0) {
        luaL_error(L, "flow.rate: nothing limits it; that takes cc dcqcn");
    }
    lesson_quantity_push(L, UNIT_RATE, rate);
}

/* packets.by("icrc") */
static int count_reason(lua_State *L)
{
    const struct view *view = measure_check_view(L, lua_upvalueindex(1));
    const char *name = luaL_checkstring(L, 1);
    for (int r = SIM_REASON_NONE + 1; r < SIM_REASON_COUNT; r++) {
        if (strcmp(sim_reason_word((enum sim_reason)r), name) == 0) {
            lua_pushinteger(L, (lua_Integer)view->report->count.dropped_by[r]);
            return 1;
        }
    }
    return luaL_error(L, "packets.by(\"%s\"): nothing is lost for that", name);
}

void measure_make_dropped_by(lua_State *L, const struct view *view)
{
    (void)view;
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, count_reason, 1);
}

/* ---- ports ----------------------------------------------------------------------------------- */

static int find_port(lua_State *L)
{
    const struct view *view = measure_check_view(L, lua_upvalueindex(1));
    const char *name = luaL_checkstring(L, 1);
    const uint32_t port = sim_find_port(view->report->sim, name);
    if (port == SIM_NONE) {
        return luaL_error(L, "port(\"%s\"): there is no such port in this scene", name);
    }
    measure_push_view(L, VIEW_PORT, view->report, port);
    return 1;
}

void measure_make_port(lua_State *L, const struct view *view)
{
    (void)view;
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, find_port, 1);
}

void measure_make_port_queue(lua_State *L, const struct view *view)
{
    lesson_quantity_push(L, UNIT_BYTES,
                         sim_port_queue(view->report->sim, (uint32_t)view->at).bytes);
}

void measure_make_port_peak(lua_State *L, const struct view *view)
{
    lesson_quantity_push(L, UNIT_BYTES,
                         sim_port_queue(view->report->sim, (uint32_t)view->at).max_bytes);
}

void measure_make_port_dropped(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, (lua_Integer)sim_port_queue(view->report->sim, (uint32_t)view->at).dropped);
}

void measure_make_port_held(lua_State *L, const struct view *view)
{
    const struct sim_held held = sim_port_held(view->report->sim, (uint32_t)view->at);
    lesson_quantity_push(L, UNIT_BYTES, held.shared + held.headroom);
}

void measure_make_port_headroom(lua_State *L, const struct view *view)
{
    lesson_quantity_push(L, UNIT_BYTES,
                         sim_port_held(view->report->sim, (uint32_t)view->at).headroom);
}

void measure_make_port_headroom_limit(lua_State *L, const struct view *view)
{
    lesson_quantity_push(L, UNIT_BYTES,
                         sim_port_held(view->report->sim, (uint32_t)view->at).headroom_limit);
}

static void push_share(lua_State *L, const struct view *view, sim_ps part)
{
    const sim_ps now = sim_now(view->report->sim);
    if (now <= 0) {
        lesson_host_pending(L);
    }
    lua_pushnumber(L, (double)part / (double)now);
}

void measure_make_port_load(lua_State *L, const struct view *view)
{
    push_share(L, view, sim_port_busy_ps(view->report->sim, (uint32_t)view->at));
}

void measure_make_port_pause(lua_State *L, const struct view *view)
{
    push_share(L, view, sim_port_paused_ps(view->report->sim, (uint32_t)view->at));
}

/* ---- a standstill ---------------------------------------------------------------------------- */

void measure_make_stall(lua_State *L, const struct view *view)
{
    const struct report *r = view->report;
    lua_pushstring(
        L, sim_reason_word(r->outcome == REPORT_STALLED ? r->stall.reason : SIM_REASON_NONE));
}

/* Not the report's own: that one is of a run that has stopped. */
void measure_make_cycle(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, (lua_Integer)sim_wait_cycle(view->report->sim, NULL, 0, NULL));
}

/* ---- what has happened since the card began -------------------------------------------------- */

int64_t lesson_measure_payload(const struct sim *sim)
{
    int64_t sum = 0;
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        if (sim_flow(sim, f).staged == SIM_NONE) { /* else a leg of one that counts */
            sum += sim_flow_state(sim, f).delivered_bytes;
        }
    }
    return sum;
}

/* The card is one of the scene in force: in another one everything counts. So it does in a run that
 * the card itself has begun again. */
static struct lesson_since since_of(lua_State *L, const struct view *view)
{
    const struct lesson_sight *sight = &measure_context(L)->measure->sight;
    const bool here = view->report == sight->reports[sight->scene] &&
                      sim_now(view->report->sim) >= sight->since.at;
    return here ? sight->since : (struct lesson_since){ 0 };
}

void measure_make_card_time(lua_State *L, const struct view *view)
{
    lesson_quantity_push(L, UNIT_TIME, sim_now(view->report->sim) - since_of(L, view).at);
}

void measure_make_card_goodput(lua_State *L, const struct view *view)
{
    const struct sim *sim = view->report->sim;
    const sim_ps time = sim_now(sim) - since_of(L, view).at;
    if (time <= 0) {
        lesson_host_pending(L);
    }
    /* go-back-0 gives back what it had of a message */
    const int64_t more = lesson_measure_payload(sim) - since_of(L, view).payload;
    const int64_t bytes = more > 0 ? more : 0;
    lesson_quantity_push(L, UNIT_RATE, llround((double)bytes * 8e12 / (double)time));
}

#define SINCE(member)                                                                              \
    void measure_make_card_##member(lua_State *L, const struct view *view)                         \
    {                                                                                              \
        const uint64_t now = view->report->count.member;                                           \
        lua_pushinteger(L, (lua_Integer)(now - since_of(L, view).count.member));                   \
    }
SINCE(delivered)
SINCE(dropped)
SINCE(retransmitted)
SINCE(timeouts)
SINCE(xoff_frames)
#undef SINCE

/* ---- the workload: what the scenario asks for ------------------------------------------------ */

static const struct sim *training_of(lua_State *L, const struct view *view)
{
    if (sim_rank_count(view->report->sim) == 0) {
        luaL_error(L, "work: this scene has no training");
    }
    return view->report->sim;
}

/* Packets that one GPU sends in a step, to whomever. */
static int64_t packets_per_gpu(const struct sim *sim)
{
    const uint32_t node = sim_rank_node(sim, 0);
    int64_t sum = 0;
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        sum += sim_flow(sim, f).src == node ? (int64_t)sim_flow_state(sim, f).step_packets : 0;
    }
    return sum;
}

static int64_t rounds_per_sum(const struct sim *sim)
{
    return sim_rank(sim, 0).rounds / sim_bucket_count(sim);
}

void measure_make_gpus(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, (lua_Integer)sim_rank_count(training_of(L, view)));
}

void measure_make_rounds(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, rounds_per_sum(training_of(L, view)));
}

void measure_make_buckets(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, sim_bucket_count(training_of(L, view)));
}

void measure_make_work_bytes(lua_State *L, const struct view *view)
{
    lesson_quantity_push(L, UNIT_BYTES, sim_scenario_of(training_of(L, view))->training.bytes);
}

void measure_make_packets_per_gpu(lua_State *L, const struct view *view)
{
    lua_pushinteger(L, packets_per_gpu(training_of(L, view)));
}

void measure_make_packets_per_message(lua_State *L, const struct view *view)
{
    const struct sim *sim = training_of(L, view);
    const int64_t rounds = sim_rank(sim, 0).rounds; /* none with one GPU */
    lua_pushinteger(L, rounds > 0 ? packets_per_gpu(sim) / rounds : 0);
}

void measure_make_crossings(lua_State *L, const struct view *view)
{
    if (view->report->pcie_crossings < 0) {
        lesson_host_pending(L);
    }
    lua_pushnumber(L, view->report->pcie_crossings);
}

void measure_make_work_packets(lua_State *L, const struct view *view)
{
    const struct sim *sim = training_of(L, view);
    int64_t sum = 0;
    for (size_t i = 0; i < sim_flow_count(sim); i++) {
        sum += (int64_t)sim_flow_state(sim, (uint32_t)i).step_packets;
    }
    lua_pushinteger(L, sum);
}
