/*
 * Packets of which one field is wrong: the command corrupt.
 *
 * It is about the next data packet of a flow that is sent into the fabric. "frame" turns a bit over on that
 * packet's first cable: whoever gets it sees that the frame's check sum (FCS) is wrong. Every other field is
 * spoilt inside the first switch, between its check of the frame and the new check sum it writes: what
 * comes out is a good frame with something wrong in it. Who refuses that depends on what covers the field
 * (SIM_FIELDS in command.h):
 *
 *   - the IP header has a check sum of its own, which every router, and the host, looks at
 *   - the ICRC covers all that no switch may change, from the IP addresses to the payload; only the
 *     receiving NIC looks at it
 *   - a NIC takes for RoCE what has UDP port 4791; anything else goes to the host's own software
 *   - some bits nobody looks at: MAC addresses, which each router writes anew; reserved bits of the BTH
 *
 * Where there is no switch, the sender's NIC spoils it. RoCEv2 over IPv4 only.
 *
 * Rules live in struct sim_world, and are for fault.c: nobody else asks.
 */
#ifndef WEFT_SIM_CORRUPT_H
#define WEFT_SIM_CORRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/command.h"
#include "sim/trace.h"
#include "sim/world.h"

/* Does this run have such fields, and room for one more? The flow has been checked. */
bool sim_corrupt_can(const struct sim *s, struct err *err);
void sim_corrupt_arm(struct sim *s, uint32_t flow, enum sim_field field);

/*
 * A data packet is at the end of the cable that `port` sends. Why it is refused there, or
 * SIM_REASON_NONE. `whole`: its last bit is there too; else only its header, and what covers the frame
 * or the payload cannot be judged yet.
 */
SIM_SELDOM enum sim_reason sim_corrupt_meets(struct sim *s, uint32_t port, uint32_t packet,
                                             bool whole);
/* It is lost for another reason. */
SIM_SELDOM void sim_corrupt_forget(struct sim *s, const struct sim_packet *f);
/* The field that is wrong in a packet as it leaves a port; SIM_FIELD_NONE: none. */
enum sim_field sim_corrupt_of(const struct sim *s, const struct sim_packet *f);

#endif
