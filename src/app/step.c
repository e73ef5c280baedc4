#include "app/step.h"

#include <stdio.h>

/* Rates that cables have had, in bit/s; beyond them 1, 2, 5. */
static const int64_t RATES[] = {
    INT64_C(1000000000),   INT64_C(10000000000),  INT64_C(25000000000),  INT64_C(40000000000),
    INT64_C(50000000000),  INT64_C(54500000000),  INT64_C(100000000000), INT64_C(200000000000),
    INT64_C(400000000000), INT64_C(800000000000), INT64_C(1600000000000)
};
enum { RATE_COUNT = sizeof RATES / sizeof *RATES };

/* The k-th of 1, 2, 5, 10, 20, ... in `one`; INT64_MAX: beyond all. */
static int64_t decade(int64_t one, int k)
{
    static const int64_t within[] = { 1, 2, 5 };
    int64_t v = one * within[k % 3];
    for (int i = k / 3; i > 0; i--) {
        if (v > INT64_MAX / 10) {
            return INT64_MAX;
        }
        v *= 10;
    }
    return v;
}

static int64_t next_decade(int64_t one, int64_t value, bool up)
{
    int64_t before = 0;
    for (int k = 0;; k++) {
        const int64_t v = decade(one, k);
        if (v >= value || v == INT64_MAX) {
            return !up ? before : v > value || v == INT64_MAX ? v : decade(one, k + 1);
        }
        before = v;
    }
}

static int64_t next_rate(int64_t value, bool up)
{
    if (up) {
        for (int i = 0; i < RATE_COUNT; i++) {
            if (RATES[i] > value) {
                return RATES[i];
            }
        }
        return next_decade(1, value, true);
    }
    for (int i = RATE_COUNT; i-- > 0;) {
        if (RATES[i] < value) {
            return value > 2 * RATES[RATE_COUNT - 1] ? next_decade(1, value, false) : RATES[i];
        }
    }
    return next_decade(1, value, false);
}

/* 16, 24, 32, 48, ...: powers of two, and halfway between; `halves` off: the powers alone. */
static int64_t next_power(int64_t value, bool up, bool halves)
{
    int64_t before = 0;
    for (int64_t v = 1; v <= INT64_MAX / 2; v *= 2) {
        const int64_t half = halves && v >= 2 ? v + v / 2 : 0;
        if (up ? v > value : v >= value) {
            return up ? v : before;
        }
        before = v;
        if (half > 0) {
            if (up ? half > value : half >= value) {
                return up ? half : before;
            }
            before = half;
        }
    }
    return before;
}

static int64_t next_count(int64_t value, bool up)
{
    enum { ONE_BY_ONE = 16 };
    if (up ? value < ONE_BY_ONE : value <= ONE_BY_ONE) {
        return value + (up ? 1 : -1);
    }
    return next_power(value, up, true);
}

/* In thousandths; 1000 is all. */
static int64_t next_share(int64_t value, bool up)
{
    static const int64_t shares[] = { 0,    1,    2,    5,    10,    20,    50,   100,
                                      200,  300,  400,  500,  600,   700,   800,  900,
                                      1000, 2000, 4000, 8000, 16000, 32000, 64000 };
    enum { COUNT = sizeof shares / sizeof *shares };
    int64_t before = 0;
    for (int i = 0; i < COUNT; i++) {
        const int64_t v = (UNIT_ONE * shares[i] + 500) / 1000;
        if (up ? v > value : v >= value) {
            return up ? v : before;
        }
        before = v;
    }
    return before;
}

bool step_quantity(enum unit_kind unit, int64_t value, bool up, int64_t min, int64_t max,
                   int64_t *out)
{
    int64_t next = value;
    switch (unit) {
    case UNIT_COUNT:
        next = next_count(value, up);
        break;
    case UNIT_TIME:
        next = next_decade(UNIT_NS, value, up);
        break;
    case UNIT_RATE:
        next = next_rate(value, up);
        break;
    case UNIT_BYTES:
        next = next_power(value, up, false);
        break;
    case UNIT_SHARE:
        next = next_share(value, up);
        break;
    }
    next = next < min ? min : next > max ? max : next;
    *out = next;
    return next != value;
}

bool step_knob(enum sim_knob knob, int64_t value, bool up, int64_t *out)
{
    const struct sim_knob_info *info = sim_knob_info(knob);
    if (info->type == SIM_KNOB_CHOICE) {
        const int64_t n = info->max + 1;
        *out = (value + (up ? 1 : n - 1)) % n;
        return n > 1;
    }
    const bool may_auto = (info->allow & SIM_MAY_AUTO) != 0;
    const bool unlimited = (info->allow & SIM_MAY_UNLIMITED) != 0;
    if (value == SIM_UNLIMITED) {
        *out = info->max;
        return !up;
    }
    if (value == SIM_AUTO) { /* upward from the smallest there is: no round value lies nearer */
        return up && (info->min > 0
                          ? (*out = info->min, true)
                          : step_quantity(info->unit, info->min, true, info->min, info->max, out));
    }
    if (step_quantity(info->unit, value, up, info->min, info->max, out)) {
        return true;
    }
    *out = up ? SIM_UNLIMITED : SIM_AUTO;
    return up ? unlimited : may_auto;
}

const char *step_typed(enum unit_kind unit, int64_t value, char *buf, size_t size)
{
    char nice[64];
    size_t n = 0;
    int64_t back = 0;
    units_format(nice, sizeof nice, unit, value);
    for (size_t i = 0; nice[i] != '\0'; i++) {
        nice[n] = nice[i];
        n += nice[i] != ' ' && nice[i] != ',';
    }
    nice[n] = '\0';
    if (units_parse(nice, unit, &back, NULL) && back == value) {
        snprintf(buf, size, "%s", nice);
        return buf;
    }
    return units_exact(buf, size, unit, value);
}
