/*
 * cmocka with the headers it needs, and tests as rows: the table of cases is the specification,
 * each row is one reported test.
 */
#ifndef WEFT_TESTS_BASE_CMOCKA_ROWS_H
#define WEFT_TESTS_BASE_CMOCKA_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* wants the four above it first */

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* Appends one test for each row of `cases` (whose first member is `name`) to tests[*n]. */
#define ROWS(tests, n, cases, function)                                                            \
    do {                                                                                           \
        for (size_t row_ = 0; row_ < COUNT_OF(cases); row_++) {                                    \
            assert_true((n) < COUNT_OF(tests));                                                    \
            (tests)[(n)++] =                                                                       \
                (struct CMUnitTest){ (cases)[row_].name, function, NULL, NULL, &(cases)[row_] };   \
        }                                                                                          \
    } while (0)

#endif
