/*
 * Conditions on two runs, as `weft compare --fail-if` takes them.
 *
 *     time > 1.1                          the right run takes more than 1.1 times as long
 *     dropped > 0 or timeouts > 0         the right run loses something
 *     difference time > 10us and not (right gpu_busy >= 0.8)
 *     left steps[2].exposed_comm_ns <= 80us
 *
 *     condition   any of: and, or, not, ( ); not binds most, or least
 *     comparison  [SIDE] METRIC OP NUMBER
 *     SIDE        left, right: the value there
 *                 ratio: right by left;  difference: right less left
 *     METRIC      as in run/metrics.h and run/differences.h; also short: time, dropped, busbw_gbps
 *     OP          >  <  >=  <=  =  !=
 *     NUMBER      with its unit ("10us", "1MB", "100Gbps", "5%"); a count, a share or a ratio without
 *
 * Without a SIDE, what has a unit is compared with a quantity on the right, and with a bare number as a
 * ratio; what has none is the value on the right. 0 by 0 is a ratio of 1.
 *
 * Text comes from anywhere: its length, depth and number of comparisons are capped.
 */
#ifndef WEFT_RUN_CONDITION_H
#define WEFT_RUN_CONDITION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "run/differences.h"

#define CONDITION_NODES_MAX 64
#define CONDITION_NAME_MAX  112
#define CONDITION_DEPTH_MAX 32

enum condition_side { CONDITION_LEFT, CONDITION_RIGHT, CONDITION_RATIO, CONDITION_DIFFERENCE };

enum condition_kind {
    CONDITION_AND,
    CONDITION_OR,
    CONDITION_NOT,
    CONDITION_MORE,
    CONDITION_LESS,
    CONDITION_AT_LEAST,
    CONDITION_AT_MOST,
    CONDITION_IS,
    CONDITION_IS_NOT,
};

struct condition_node {
    enum condition_kind kind;
    int a, b; /* of AND, OR; NOT has only a */
    enum condition_side side;
    char name[CONDITION_NAME_MAX];
    double number; /* in the unit of the metric; a ratio has none */
};

struct condition {
    struct condition_node node[CONDITION_NODES_MAX];
    int count;
    int root;
};

/* The message says at which letter, and what could stand there. */
bool condition_parse(struct condition *condition, const char *text, struct err *err);

/* `all`: every number of both runs. False with err: a number is missing on one side, so that nothing can
 * be said. */
bool condition_holds(const struct condition *condition, const struct differences *all, bool *holds,
                     struct err *err);

#endif
