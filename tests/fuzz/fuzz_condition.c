/* Conditions of --fail-if: what is read can be judged, what is not says why. */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "run/condition.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct condition condition;
    struct difference numbers[METRIC_COUNT] = { 0 };
    struct err err = { 0 };
    bool holds = false;
    char *text = mem_strndup((const char *)data, size);
    for (int m = 0; m < METRIC_COUNT; m++) {
        (void)snprintf(numbers[m].name, sizeof numbers[m].name, "%s",
                       metric_info((enum metric)m)->name);
        numbers[m].left = m % 3 == 0 ? (double)NAN : m;
        numbers[m].right = m % 5 == 0 ? (double)NAN : m;
    }
    const struct differences all = { .v = numbers, .count = METRIC_COUNT };
    if (!condition_parse(&condition, text, &err) ||
        !condition_holds(&condition, &all, &holds, &err)) {
        FUZZ_EXPECT(err.code != ERR_NONE && err.msg[0] != '\0');
    }
    free(text);
    return 0;
}
