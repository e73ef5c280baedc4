/* The time machine on a terminal: steps, searches, what is taken back, what if. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

#define TRY           WORDS("./try-it.lua")
#define TRY_WITH(...) WORDS("./try-it.lua", __VA_ARGS__)
#define CARD_1        SEE("card 1 of 4")
#define STILL         KEYS("s"), SEE("now 30 us")
#define LEAVE         KEYS("q"), EXIT(0)

/* Card 1 at its end, its first offer tried beside it. */
#define LOST_BESIDE                                                                                \
    STILL, KEYS("w"), SEE("what if, from this moment on"), KEYS("\r"), SEE("what-if at 30 us"),    \
        SEE("is lost")

/* clang-format off */
static const struct e2e_case cases[] = {
    { "a tick of each gear, on and back", .args = TRY,
      .steps = STEPS(CARD_1, STILL, KEYS("."), SEE("one round on"), KEYS(","), SEE("one round back: 27.2 us"), KEYS("-"), SEE("gear packet"), KEYS("."), SEE("one packet-hop on"), KEYS(","), SEE("one packet-hop back"),
                     KEYS("++"), SEE("gear step"), KEYS(","), SEE("one step back: 0"), KEYS("."), SEE("one step on"), SEE("step 2"), KEYS("+"), SEE("gear timeout"), KEYS(","), SEE("no timeout before this one"), LEAVE) },
    { "events one by one, and one kind of them", .args = TRY_WITH("--card", "3"),
      .steps = STEPS(SEE("Nothing moved for"), KEYS("s"), SEE("step 3, computing"), KEYS("/drop\r"), SEE("stop: drops"), KEYS("\t"), SEE("events: drops"), KEYS("\t\t\t"), KEYS("<"), SEE("is lost at leaf1: fault"), KEYS("/timeout\r"), SEE("stop: timeouts"), KEYS(">"), SEE(": timeout"),
                     KEYS("<"), SEE("no timeout before this one"), LEAVE) },
    { "what is typed", .args = TRY,
      .steps = STEPS(CARD_1, STILL, KEYS(":go 10us"), SEE(":go 10us"), KEYS("\r"), SEE("now 10 us"), KEYS(":go next barrier\r"), SEE("the barrier opens"), KEYS(":set ecn on\r"), SEE("done: ecn on"),
                     KEYS(":set nothing on\r"), SEE("nothing"), KEYS(":x"), SEE(":x"), KEYS("\033"), GONE(":x"), LEAVE) },
    { "ends of the run", .args = TRY, .steps = STEPS(CARD_1, STILL, KEYS("\033[H"), SEE("the beginning of the run"), SEE("now 0"), KEYS("\033[F"), SEE("the end of what was played"), SEE("now 30 us"), KEYS("\033[F"), SEE("nothing more to play"), LEAVE) },
    { "what one did is taken back and done again", .args = TRY,
      .steps = STEPS(CARD_1, STILL, KEYS(":set xoff 20KB\r"), SEE("done: xoff 20 KB"), KEYS("u"), SEE("undone: xoff 20 KB, at 30 us; U does it again"), KEYS("U"), SEE("done again: xoff"), KEYS("uu"), SEE("nothing of yours to undo"), LEAVE) },
    { "what the lesson did stays", .args = TRY_WITH("--card", "3"), .steps = STEPS(SEE("Nothing moved for"), KEYS("u"), SEE("nothing of yours to undo"), LEAVE) },
    { "going back and doing something else says what it cuts", .args = TRY,
      .steps = STEPS(CARD_1, STILL, KEYS(":set ecn on\r"), SEE("done: ecn on"), KEYS(":go 10us\r:set xoff 50KB\r"), SEE("cut: 1 thing done later"), KEYS("u"), SEE("there again: 1 thing"), LEAVE) },
    { "what if: differences are found, Esc goes back", .args = TRY,
      .steps = STEPS(CARD_1, LOST_BESIDE, SEE("! first difference"), SEE("in B"), SEE("in step 2"), KEYS(" "), SEE("paused"), KEYS("m"), SEE("every number that differs"), SEE("packets.dropped: A 0, B 1"),
                     KEYS("\033"), GONE("every number"), KEYS("["), SEE_ANY("only in|the first difference"), KEYS("\t"), SEE("A is picked: as it is"), KEYS("y"), SEE("why is it waiting?"), KEYS("\033"), GONE("why is it"), KEYS("\033"), SEE("back at 30 us, nothing is changed"), CARD_1, LEAVE) },
    { "what if: B is kept, and taken back", .args = TRY,
      .steps = STEPS(CARD_1, LOST_BESIDE, SEE("step 2"), KEYS("\r"), SEE("kept B: packet"), CARD_1, KEYS("u"), SEE("undone: packet"), LEAVE) },
    { "what if: A is kept", .args = TRY, .steps = STEPS(CARD_1, LOST_BESIDE, KEYS("\t\r"), SEE("kept A: nothing is changed"), CARD_1, LEAVE) },
    { "what if: another change, from the beginning", .args = TRY,
      .steps = STEPS(CARD_1, LOST_BESIDE, KEYS("w"), SEE("what if, from this moment on"), KEYS("jj"), KEYS("\033"), GONE("what if"), KEYS("w"), SEE("what if"), KEYS("j"), SEE("> flow control: pfc -> none"), KEYS("\r"), SEE("flow control none"), SEE("what-if at 30 us"),
                     KEYS("q"), SEE("nothing is changed"), LEAVE) },
    { "what if: typed", .args = TRY,
      .steps = STEPS(CARD_1, STILL, KEYS("w"), SEE("what if"), KEYS("k"), KEYS("jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj"), SEE("> something else: type it"), KEYS("\r"), SEE("what if: "), KEYS("set mtu 1024B\r"), SEE("what-if at 0"), SEE("mtu 1"),
                     KEYS("\r"), SEE("kept B: mtu"), LEAVE) },
    { "what if: nothing moves, nothing is written", .args = TRY, .steps = STEPS(CARD_1, LOST_BESIDE, KEYS(" "), SEE("paused"), QUIET(300), SILENT(800), KEYS("\033"), LEAVE) },
    { "what if: a pair of fabrics on a large screen", .args = TRY, .rows = 40, .cols = 120,
      .steps = STEPS(CARD_1, LOST_BESIDE, SEE("leaf2 \xe2\x94\x80\xe2\x94\x80\xe2\x94\x90                 \xe2\x94\x8c\xe2\x94\x80\xe2\x94\x80 leaf1"), SEE("first difference"), RESIZE(80, 24), GONE("leaf2"), RESIZE(40, 12), SEE("Enter keep"), SEE("step"),
                     RESIZE(3, 2), RESIZE(120, 40), SEE("leaf2"), KEYS("\033"), SEE("nothing is changed"), LEAVE) },
    { "what if: in ASCII", .args = TRY_WITH("--ascii"), .steps = STEPS(CARD_1, LOST_BESIDE, SEE("! first difference"), SEE("=>B  packet"), ASCII_ONLY, KEYS("?"), SEE("In a what-if"), ASCII_ONLY, KEYS("\033"), GONE("In a what-if"), KEYS("\033"), SEE("nothing is changed"), LEAVE) },
    { "what if: no colour", .args = TRY, .env = WORDS("NO_COLOR=1"), .steps = STEPS(CARD_1, LOST_BESIDE, SEE("! first difference"), COLOURLESS, KEYS("\033"), SEE("nothing is changed"), LEAVE) },
    { "what if: Ctrl-C leaves", .args = TRY, .steps = STEPS(CARD_1, LOST_BESIDE, KEYS("\003"), EXIT(0)) },
};
/* clang-format on */

int main(void)
{
    return script_main("e2e/time", cases, sizeof cases / sizeof cases[0]);
}
