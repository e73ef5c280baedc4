#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

int script_main_before(const char *group, const struct e2e_case *cases, size_t count,
                       int (*before)(void **state))
{
    const char *only = getenv("E2E_ONLY");
    struct CMUnitTest *tests = mem_alloc(count, sizeof *tests);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (only == NULL || strstr(cases[i].name, only) != NULL) {
            /* cmocka hands the row on without a const; e2e_row only reads it. */
            tests[n++] = (struct CMUnitTest){ cases[i].name, e2e_row, before, NULL,
                                              (void *)(uintptr_t)&cases[i] };
        }
    }
    int failed = _cmocka_run_group_tests(group, tests, n, NULL, NULL);
    free(tests);
    return failed;
}

int script_main(const char *group, const struct e2e_case *cases, size_t count)
{
    return script_main_before(group, cases, count, NULL);
}
