/*
 * Values of the views of a report that take more than an offset (measure_values.c). Each pushes one value;
 * what is not known yet raises lesson_host_pending(), what does not exist in this scene an error that says
 * so. The names are those of the fields in measure_fields.c.
 */
#ifndef WEFT_LESSON_MEASURE_VALUES_H
#define WEFT_LESSON_MEASURE_VALUES_H

#include <lua.h>

#include "lesson/measure_inside.h"

typedef void measure_make(lua_State *L, const struct view *view);

/* of the report */
measure_make measure_make_this, measure_make_outcome, measure_make_gpu_busy, measure_make_timeout,
    measure_make_flow, measure_make_dropped_by, measure_make_port, measure_make_stall,
    measure_make_cycle;
/* of a step */
measure_make measure_make_duration, measure_make_step_number;
/* of a flow */
measure_make measure_make_flow_name, measure_make_flow_dropped, measure_make_flow_acked,
    measure_make_flow_arrived, measure_make_flow_mean_rate, measure_make_flow_cwnd,
    measure_make_flow_ssthresh, measure_make_flow_rate;
/* of a port */
measure_make measure_make_port_queue, measure_make_port_peak, measure_make_port_dropped,
    measure_make_port_held, measure_make_port_headroom, measure_make_port_headroom_limit,
    measure_make_port_load, measure_make_port_pause;
/* since the card began */
measure_make measure_make_card_time, measure_make_card_goodput, measure_make_card_delivered,
    measure_make_card_dropped, measure_make_card_retransmitted, measure_make_card_timeouts,
    measure_make_card_xoff_frames;
/* of the workload */
measure_make measure_make_gpus, measure_make_rounds, measure_make_buckets, measure_make_work_bytes,
    measure_make_packets_per_gpu, measure_make_packets_per_message, measure_make_crossings,
    measure_make_work_packets;

/* A time; SIM_NEVER: not known yet. */
void measure_push_time(lua_State *L, sim_ps t);
/* The step that a view is of. */
const struct report_step *measure_step_of(const struct view *view);

#endif
