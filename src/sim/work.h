/*
 * The workload: what the hosts want from the fabric (model 5). Flows begin at their times (work.c);
 * training computes, exchanges and meets at the barrier (training.c).
 *
 *     begin -> sim_qp_post() ... the transport reports: delivered, acknowledged ... -> done
 *
 * This is where a run finds out that it is done, and where it is told that it never will be. A
 * *flow* is a queue pair; a connection of several has a lead, and its messages are complete when
 * the parts of all are (sim/config.h).
 */
#ifndef WEFT_SIM_WORK_H
#define WEFT_SIM_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/collective.h"
#include "sim/world.h"

/* Posts or expects what is first. */
void sim_work_begin(struct sim *s);
/* SIM_EV_FLOW: a flow begins, or its next message is due. */
void sim_work_flow(struct sim *s, uint32_t flow);
/* All is done: `done_at`. */
void sim_work_done(struct sim *s);
/* The run has stalled, for this reason: because of a flow that has given up, or SIM_NONE. It is no
 * end for commands: what they change may end the stall. */
void sim_stall_set(struct sim *s, enum sim_reason reason, uint32_t flow);

/* ---- what the transport reports, of a queue pair --------------------------------------------- */

/* A message is complete at its receiver. */
void sim_work_delivered(struct sim *s, uint32_t flow);
/* Nothing is outstanding on it. */
void sim_work_acked(struct sim *s, uint32_t flow);
/* One of its messages is acknowledged to the end. */
void sim_work_message_acked(struct sim *s, uint32_t flow);

/* ---- the same for training; `flow` is the lead of a connection ------------------------------- */

void sim_training_begin(struct sim *s);
/* SIM_EV_COMPUTED: a rank has the gradients of its next bucket, or more. */
void sim_training_computed(struct sim *s, uint32_t rank);
void sim_training_delivered(struct sim *s, uint32_t flow);
void sim_training_acked(struct sim *s, uint32_t flow); /* of a queue pair */
void sim_training_message_acked(struct sim *s, uint32_t flow);
/* The host of a party is dead: it neither computes nor waits. */
void sim_training_dies(struct sim *s, uint32_t party);
/* The GPU of a rank stands still for so long; twice adds up. */
void sim_training_pause(struct sim *s, uint32_t rank, sim_ps time);

/* ---- for readers: where a party stands in its program ---------------------------------------- */

/* The next operation of this kind that a party comes to, or else its last one; false: it has none. */
bool sim_training_next(const struct sim *s, uint32_t party, enum sim_op_kind kind,
                       struct sim_op *op);
/* The operation at which it has to wait; of several messages it lacks, one that is stuck or not
 * even posted. False: it waits for none. */
bool sim_training_waits(const struct sim *s, uint32_t party, struct sim_op *op);
/* Of the queue pairs of a connection whose next message is not complete: one whose part is missing,
 * that which explains most (stuck, not even posted, on its way). */
uint32_t sim_training_missing(const struct sim *s, uint32_t lead);
/* The flow of an operation of this party, the first of its queue pairs, in the order of ranks in
 * force. */
uint32_t sim_training_flow(const struct sim *s, uint32_t party, const struct sim_op *op);

#endif
