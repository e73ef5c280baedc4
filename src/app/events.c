#include "app/events.h"

#include <string.h>

#include "sim/trace.h"

/* clang-format off */
static const struct event_kind KINDS[] = {
    { "all events", "event",
      SIM_TRACE_BIT(DROP) | SIM_TRACE_BIT(XOFF) | SIM_TRACE_BIT(XON) | SIM_TRACE_BIT(NAK) |
      SIM_TRACE_BIT(REWIND) | SIM_TRACE_BIT(FAST_RESEND) | SIM_TRACE_BIT(TIMEOUT) | SIM_TRACE_BIT(QP_ERROR) |
      SIM_TRACE_BIT(STEP) | SIM_TRACE_BIT(COMPUTED) | SIM_TRACE_BIT(ROUND) | SIM_TRACE_BIT(AT_BARRIER) |
      SIM_TRACE_BIT(BARRIER) | SIM_TRACE_BIT(SET) | SIM_TRACE_BIT(WATCHDOG) | SIM_TRACE_BIT(DONE) |
      SIM_TRACE_BIT(STALL) },
    { "drops",    "drop",    SIM_TRACE_BIT(DROP) },
    { "pauses",   "pause",   SIM_TRACE_BIT(XOFF) },
    { "NAKs",     "NAK",     SIM_TRACE_BIT(NAK) },
    { "timeouts", "timeout", SIM_TRACE_BIT(TIMEOUT) },
    { "rounds",   "round",   SIM_TRACE_BIT(ROUND) },
    { "barriers", "barrier", SIM_TRACE_BIT(BARRIER) },
};
/* clang-format on */

size_t event_kind_count(void)
{
    return sizeof KINDS / sizeof KINDS[0];
}

const struct event_kind *event_kind(size_t index)
{
    return &KINDS[index < event_kind_count() ? index : 0];
}

const struct event_kind *event_kind_named(const char *name)
{
    for (size_t i = 0; i < event_kind_count(); i++) {
        if (strcmp(KINDS[i].one, name) == 0 || strcmp(KINDS[i].name, name) == 0) {
            return &KINDS[i];
        }
    }
    return NULL;
}
