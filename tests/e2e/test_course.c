/* The course as a person meets it: slower than the rest, because it is watched at its own speed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

/* clang-format off */
static const struct e2e_case cases[] = {
    { "the first lesson: any packet costs microseconds, one stalls them all",
      .args = WORDS("one-lost-packet"),
      .steps = STEPS(SEE("card 1 of"), SEE("Eight GPUs"), SEE_ANY("\xe2\x96\xb8|\xc2\xbb"), CHANGE, CHANGE,
                     KEYS("n"), SEE("card 2 of"), SEE("barrier"), KEYS("n"), SEE("card 3 of"), SEE("Destroy a packet"), KEYS("s"), SEE("What will it cost?"),
                     KEYS("b"), SEE("the cursor is on a packet"), KEYS("x"), SEE("lost"), SEE("NAK"), SEE("resent"), KEYS("s"), SEE("cost"),
                     KEYS("n"), SEE("card 4 of"), SEE("Not all are alike"), KEYS("c"), SEE("Nothing moved for 16."), SEE("of 8 at the barrier"),
                     KEYS("y"), SEE("waits at the barrier for g4"), SEE("only its timer"), KEYS("\033q"), EXIT(0)) },
    { "mixed order without PFC: thousands lost, timers waited for",
      .args = WORDS("one-lost-packet", "--card", "10"),
      .steps = STEPS(SEE("How many times slower?"), KEYS("d"), SEE("PAUSE"), SEE("Nothing moved for"), KEYS("s"), SEE("step 3"), KEYS("s"), SEE("step 4"), SEE("lost"), KEYS("q"), EXIT(0)) },
    { "every card can be gone to",
      .args = WORDS("one-lost-packet"),
      .steps = STEPS(SEE("card 1 of 12"), KEYS("gjjj\r"), SEE("card 4 of 12"), KEYS("gjjj\r"), SEE("card 7 of 12"), KEYS("gjjjj\r"), SEE("card 11 of 12"), KEYS("gj\r"), SEE("card 12 of 12"), KEYS("q"), EXIT(0)) },
};
/* clang-format on */

int main(void)
{
    return script_main("e2e/course", cases, sizeof cases / sizeof cases[0]);
}
