/* How far one has come is kept from one weft to the next, also when the window is closed on it. The cases
 * share a folder and are played in this order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "script.h"

static char state[64] = "XDG_STATE_HOME=";
static const char *const env[] = { state, NULL };

#define LESSON WORDS("one-lost-packet")

/* clang-format off */
static const struct e2e_case cases[] = {
    { "the window is closed at card 3", .env = env, .args = LESSON,
      .steps = STEPS(SEE("card 1 of"), KEYS("n"), SEE("card 2 of"), KEYS("n"), SEE("card 3 of"), HANGUP, OVER) },
    { "next time one goes on there", .env = env, .args = LESSON,
      .steps = STEPS(SEE("card 3 of"), SEE("on from card 3"), KEYS("q"), EXIT(0)) },
    { "the list says so, and goes on there", .env = env,
      .steps = STEPS(SEE("go on: One lost packet, card 3 of 12"), KEYS("\r"), SEE("card 3 of"), KEYS("p"), SEE("card 2 of"), KEYS("q"),
                     SEE("card 2 of 12, seen 3"), KEYS("q"), EXIT(0)) },
    { "in ASCII and 40 columns, too", .env = env, .rows = 12, .cols = 40, .args = WORDS("--ascii", "--color=never"),
      .steps = STEPS(SEE("go on: One lost packet, card 2"), KEYS("q"), EXIT(0)) },
    { "plain mode goes on there", .env = env, .no_screen = true, .args = WORDS("one-lost-packet", "--plain"), .rows = 60,
      .steps = STEPS(SEE("Going on at card 2, where you left it"), SEE("Card 2 of 12."), KEYS("q\n"), EXIT(0)) },
    { "--card goes elsewhere", .env = env, .args = WORDS("one-lost-packet", "--card", "1"),
      .steps = STEPS(SEE("card 1 of"), QUIET(300), GONE("on from card"), KEYS("q"), EXIT(0)) },
    { "without a terminal nothing is kept", .env = env, .no_screen = true, .stdin_null = true, .rows = 200, .args = WORDS("one-lost-packet", "--plain"),
      .steps = STEPS(SEE("Card 12 of 12."), EXIT(0)) },
    { "so it is where it was", .env = env,
      .steps = STEPS(SEE("start here: One lost packet, card 1 of 12, seen 3"), KEYS("q"), EXIT(0)) },
};
/* clang-format on */

int main(void)
{
    char folder[] = "/tmp/weft-state-XXXXXX";
    char command[64];
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    (void)snprintf(state, sizeof state, "XDG_STATE_HOME=%s", folder);
    const int status = script_main("e2e/progress", cases, sizeof cases / sizeof cases[0]);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? status : 1;
}
