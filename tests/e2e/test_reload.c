#define _XOPEN_SOURCE 700 /* mkdtemp, setenv */

/* A lesson that is written while it is open; and that whatever a lesson does, keys are answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "script.h"

static char folder[] = "/tmp/weft-reload-XXXXXX"; /* $E2E_DIR */
static char lesson[96]; /* $E2E_DIR/l.lua: what a case is about, copied anew for each */

#define TRY(...)                                                                                   \
    (const char *const[])                                                                          \
    {                                                                                              \
        lesson, __VA_ARGS__, NULL                                                                  \
    }
#define SED(edit) SHELL("sed -i '" edit "' $E2E_DIR/l.lua")
#define BREAK     SED("s/year = 2014/year = = 2014/")
#define MEND      SED("s/year = = 2014/year = 2014/")
#define BROKEN    SEE("l.lua:5: unexpected symbol near")
#define LEAVE     KEYS(QUIT), EXIT(0)
#define QUIT      "q\n"
#define SAVED     SEE("saved: this is the new version")

/* clang-format off */
static const struct e2e_case cases[] = {
    { "other words appear where one is", .args = TRY("--card", "2"),
      .steps = STEPS(SEE("the cursor is on a packet"), SED("s/Second card:/2nd card, now:/"), SEE("2nd card, now:"), SAVED, SEE("card 2 of 4"), LEAVE) },
    { "what was done and answered stays", .args = TRY("--card", "2"),
      .steps = STEPS(SEE("the cursor is on a packet"), KEYS("x"), SEE("What will it cost?"), KEYS("b="), SEE("The step took"), SED("s/The step took/It took/"), SAVED, SEE("It took"), SEE("1 lost, 1 NAK"), LEAVE) },
    { "a broken one is said and mended, the old one goes on", .args = TRY("--card", "2"),
      .steps = STEPS(SEE("the cursor is on a packet"), BREAK, BROKEN, KEYS("?"), SEE("Anywhere"), BROKEN, KEYS("?"), SEE("Second card:"), MEND, GONE("unexpected symbol"), SEE("card 2 of 4"), LEAVE) },
    { "the same at 40x12", .args = TRY("--card", "2"), .rows = 12, .cols = 40,
      .steps = STEPS(SEE("card 2 of 4"), BREAK, SEE("l.lua:5: unexpected symbol near"), MEND, GONE("unexpected symbol"), SEE("card 2 of 4"), LEAVE) },
    { "saves, good and bad, in a storm of sizes", .args = TRY("--card", "2"),
      .steps = STEPS(SEE("the cursor is on a packet"), STORM(60, "\t,.j"), BREAK, STORM(60, "m\033?\033"), RESIZE(80, 24), BROKEN, MEND, STORM(60, ""), RESIZE(80, 24), GONE("unexpected symbol"), SEE("card 2 of 4"), FRESH, LEAVE) },
    { "beside a what-if, it waits", .args = TRY("--card", "2"),
      .steps = STEPS(SEE("the cursor is on a packet"), KEYS("w"), SEE("what if, from this moment"), SED("s/Second card:/2nd card, now:/"), WAIT_MS(400), SEE("what if, from this moment"), KEYS("\033"), SEE("2nd card, now:"), LEAVE) },
    { "one that never ends: keys are answered, and it is said", .args = TRY("--card", "2"),
      .steps = STEPS(SEE("the cursor is on a packet"), SED("s/^return/while true do end return/"), WAIT_MS(150), KEYS("?"), SEE("Keys and marks"), KEYS("?"), SEE("this runs too long"), LEAVE) },
    { "one that takes all its time: leaving does not wait", .args = TRY("--card", "2"),
      .steps = STEPS(SEE("the cursor is on a packet"), SED("s/^return/local s = (\"x\"):rep(250000) while true do pcall(error, s .. 1) end return/"), WAIT_MS(150), LEAVE) },
    { "a truth and a value that never end", .args = TRY("--card", "2"),
      .steps = STEPS(SEE("the cursor is on a packet"), SED("s/return 2 end/while true do end end/; s/Second card:/Second card, {(function() while true do end end)()}:/"), SAVED, SEE("(error)"),
                     KEYS("x"), SEE("What will it cost?"), KEYS("b"), SEE("sure?  - a guess"), KEYS("="), SEE("Not checked"), KEYS("?"), SEE("Keys and marks"), KEYS("?"), LEAVE) },
    { "opened from the list: what is typed meanwhile is for the lesson", .args = WORDS(folder),
      .steps = STEPS(SEE("Try it"), KEYS("\rn"), SEE("card 2 of 4"), KEYS("q"), SEE("card 2 of 4"), LEAVE) },
    { "opened from the list: one that takes all its time", .args = WORDS(folder),
      .steps = STEPS(SEE("Try it"), SED("s/^return/local s = (\"x\"):rep(250000) while true do pcall(error, s .. 1) end return/"), KEYS("\r"), SEE("opening the lesson ..."), KEYS("?"), SEE("Keys and marks"), KEYS("?"), LEAVE) },
    { "in words", .no_screen = true, .rows = 60, .args = TRY("--plain", "--card", "2"),
      .steps = STEPS(SEE("1 destroy a packet"), BREAK, KEYS("4\n"), SEE("cannot be shown:"), BROKEN, SEE("The one before goes on."), SEE("g8: "), MEND, SED("s/Second card:/2nd card, now:/"), KEYS("4\n"),
                     SEE("this is the new version."), SEE("2nd card, now:"), LEAVE) },
};
/* clang-format on */

static int copy(void **state)
{
    (void)state;
    return system("cp try-it.lua $E2E_DIR/l.lua");
}

int main(void)
{
    if (mkdtemp(folder) == NULL || setenv("E2E_DIR", folder, 1) != 0 ||
        system("echo 'return { \"l\" }' > $E2E_DIR/index.lua") != 0) {
        return 1;
    }
    (void)snprintf(lesson, sizeof lesson, "%s/l.lua", folder);
    const int status =
        script_main_before("e2e/reload", cases, sizeof cases / sizeof cases[0], copy);
    return system("rm -rf $E2E_DIR") == 0 ? status : 1;
}
