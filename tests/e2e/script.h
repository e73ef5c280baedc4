/*
 * Short words for scripts: one a step.
 */
#ifndef WEFT_TESTS_E2E_SCRIPT_H
#define WEFT_TESTS_E2E_SCRIPT_H

#include "harness.h"

/* clang-format off */
#define STEPS(...) (const struct e2e_step[]){ __VA_ARGS__, { .verb = E2E_END } }
#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }

#define SEE(s)       { .verb = E2E_SEE, .text = s }
#define SEE_ANY(s)   { .verb = E2E_SEE_ANY, .text = s }
#define GONE(s)      { .verb = E2E_GONE, .text = s }
#define CHANGE       { .verb = E2E_CHANGE }
#define KEYS(s)      { .verb = E2E_KEYS, .text = s }
#define SHELL(s)     { .verb = E2E_SHELL, .text = s }
#define RESIZE(c, r) { .verb = E2E_RESIZE, .cols = c, .rows = r }
#define QUIET(ms)    { .verb = E2E_QUIET, .number = ms }
#define SILENT(ms)   { .verb = E2E_SILENT, .number = ms }
#define IDLE(ms)     { .verb = E2E_IDLE, .number = ms }
#define FEW(bytes)   { .verb = E2E_FEW, .number = bytes }
#define FRESH        { .verb = E2E_FRESH }
#define SLOW(rate)   { .verb = E2E_SLOW, .number = rate }
#define STORM(n, s)  { .verb = E2E_STORM, .number = n, .text = s }
#define WAIT_MS(ms)  { .verb = E2E_PAUSE, .number = ms }
#define DEAF(ms)     { .verb = E2E_DEAF, .number = ms }
#define SIGNAL(n)    { .verb = E2E_SIGNAL, .number = n }
#define STOPPED      { .verb = E2E_STOPPED }
#define CONTINUE     { .verb = E2E_CONTINUE }
#define BACKGROUND   { .verb = E2E_BACKGROUND }
#define HANGUP       { .verb = E2E_HANGUP }
#define ASCII_ONLY   { .verb = E2E_ASCII }
#define COLOURLESS   { .verb = E2E_COLOURLESS }
#define COLOURED     { .verb = E2E_COLOURED }
#define NEVER(s)     { .verb = E2E_NEVER, .text = s }
#define NOT_CLEARED  { .verb = E2E_NOT_CLEARED }
#define EXIT(n)      { .verb = E2E_EXIT, .number = n }
#define KILLED(n)    { .verb = E2E_KILLED, .number = n }
#define OVER         { .verb = E2E_OVER }
/* clang-format on */

/* Plays all cases as one cmocka group, or those whose name holds the text in E2E_ONLY. */
int script_main(const char *group, const struct e2e_case *cases, size_t count);
/* The same; `before` runs before each case and returns 0 (see cmocka on set-up functions). */
int script_main_before(const char *group, const struct e2e_case *cases, size_t count,
                       int (*before)(void **state));

#endif
