/*
 * The workload: flows, and training (model 5).
 */
#ifndef WEFT_SIM_WORK_H
#define WEFT_SIM_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/collective.h"
#include "sim/world.h"

void sim_work_begin(struct sim *s);
void sim_work_flow(struct sim *s, uint32_t flow);
void sim_work_delivered(struct sim *s, uint32_t flow);
void sim_work_acked(struct sim *s, uint32_t flow);         /* nothing is outstanding on it */
void sim_work_message_acked(struct sim *s, uint32_t flow); /* of a message, everything */
void sim_work_done(struct sim *s);
void sim_training_begin(struct sim *s);
void sim_training_computed(struct sim *s, uint32_t rank);
void sim_training_delivered(struct sim *s, uint32_t flow);
void sim_training_acked(struct sim *s, uint32_t flow);
void sim_training_message_acked(struct sim *s, uint32_t flow);
void sim_training_dies(struct sim *s, uint32_t party);
/* For readers. The next operation of this kind that a party comes to, or else its last one. */
bool sim_training_next(const struct sim *s, uint32_t party, enum sim_op_kind kind,
                       struct sim_op *op);
/* The operation at which it has to wait; of several messages it lacks, one that is stuck or not even
 * posted. False: it waits for none. */
bool sim_training_waits(const struct sim *s, uint32_t party, struct sim_op *op);
/* Of the queue pairs of a connection whose next message is not complete: one whose part is missing,
 * that which explains most (stuck, not even posted, on its way). */
uint32_t sim_training_missing(const struct sim *s, uint32_t lead);
/* The flow of an operation of this party, the first of its queue pairs, in the order of ranks in
 * force. */
uint32_t sim_training_flow(const struct sim *s, uint32_t party, const struct sim_op *op);
/* A stall is no end for commands: what they change may end it. */
void sim_stall_set(struct sim *s, enum sim_reason reason, uint32_t flow);

#endif
