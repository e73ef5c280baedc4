/* Plain mode: the same lesson as sentences, and never an escape sequence. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

#define TRY           WORDS("./try-it.lua", "--plain")
#define TRY_WITH(...) WORDS("./try-it.lua", "--plain", __VA_ARGS__)

/* clang-format off */
static const struct e2e_case cases[] = {
    { "says its mode first and asks with numbers", .no_screen = true, .args = TRY,
      .steps = STEPS(SEE("weft, plain mode. Try it."), SEE("Card 1 of 4."), SEE("1 next card"), KEYS("1\n"), SEE("Card 2 of 4."), SEE("destroy a packet"),
                     KEYS("1\n"), SEE("Destroyed: packet "), SEE("What will it cost?"), SEE("2 a few us"), KEYS("2\n"), SEE("How sure are you?"), SEE("3 I know"), KEYS("3\n"), SEE("asks for"), SEE("You said: a few us, you were sure. So it is."), SEE("The step took"),
                     KEYS("q\n"), EXIT(0)) },
    { "why, state, repeat, detail", .no_screen = true, .args = TRY_WITH("--card", "3"), .rows = 60,
      .steps = STEPS(SEE("nothing moved for 16."), SEE("timeout"), SEE("1 next card"), KEYS("2\n"), SEE_ANY("computes for another|does not wait"), KEYS("3\n"), SEE("g8: "), KEYS("5\n"), SEE("more detail"), KEYS("9999\n"), SEE("A number from 1"),
                     KEYS("q\n"), EXIT(0)) },
    { "switches have numbers too", .no_screen = true, .args = TRY_WITH("--card", "4"), .rows = 60,
      .steps = STEPS(SEE("move the switch PFC, now pfc"), KEYS("move\n"), SEE("is now none"), SEE("Nothing changes, because no queue"), KEYS("q\n"), EXIT(0)) },
    { "a wrong answer, unsure or not", .no_screen = true, .args = TRY_WITH("--card", "2"), .rows = 60,
      .steps = STEPS(SEE("destroy a packet"), KEYS("2\n"), SEE("What will it cost?"), KEYS("3\n"), SEE("How sure are you?"), KEYS("4\n"), SEE("You said: thousands of us. It is: a few us."), KEYS("q\n"), EXIT(0)) },
    { "a number, and how sure", .no_screen = true, .args = WORDS("../lesson/good/tasks.lua", "--plain", "--card", "4"), .rows = 60,
      .steps = STEPS(SEE("answer with a number"), KEYS("a\n"), SEE("Your answer,"), KEYS("1s\n"), SEE("How sure are you?"), KEYS("1\n"), SEE("You said 1 s, a guess. It is 16.8 ms: you said too much."), SEE("Not that long"), KEYS("q\n"), EXIT(0)) },
    { "where to look, and a what-if, in words", .no_screen = true, .args = WORDS("../lesson/good/tasks.lua", "--plain", "--card", "5"), .rows = 60,
      .steps = STEPS(SEE("What if nobody lost any?"), SEE("Look at g3."), SEE("g3>g8: idle"), SEE("What if, from 0 ps on: flow control pfc."), SEE("First difference: at"), SEE("lost: 16,5"), SEE("without it, 0 with it"), KEYS("q\n"), EXIT(0)) },
    { "a task, and the state of flows", .no_screen = true, .args = WORDS("../lesson/good/tasks.lua", "--plain", "--card", "2"), .rows = 80,
      .steps = STEPS(SEE("1 try it"), KEYS("1\n"), SEE("were lost."), SEE("2 hint"), KEYS("h\n"), SEE("Somebody must wait."), KEYS("5\n"), SEE_ANY("g1>g8: |g1>g8 to "), KEYS("8\n"), SEE("is now pfc"), KEYS("1\n"), SEE("The goal is reached."), SEE("PAUSE frames"), KEYS("q\n"), EXIT(0)) },
    { "goes to another moment", .no_screen = true, .args = TRY, .rows = 60,
      .steps = STEPS(SEE("7 go to another moment"), KEYS("7\n"), SEE("Where to?"), KEYS("10us\n"), SEE("stands at 10 us"), KEYS("7\nnext barrier\n"), SEE("the barrier opens after step 1"), KEYS("7\nprevious drop\n"), SEE("no drop before"),
                     KEYS("7\nhome\n"), SEE_ANY("unit|time"), KEYS("7\nnext thing\n"), SEE("previous what?"), KEYS("q\n"), EXIT(0)) },
    { "what if, kept and taken back", .no_screen = true, .args = TRY, .rows = 100,
      .steps = STEPS(SEE("8 what if"), KEYS("8\n"), SEE("What if? A number"), KEYS("1\n"), SEE("is lost."), SEE("First difference: at"), SEE("with it"), SEE("2 go back"), KEYS("2\n"), SEE("Nothing is changed."),
                     KEYS("8\nset ecn on\n"), SEE("Nothing differs"), KEYS("1\n"), SEE("Kept."), SEE("take back"), KEYS("take\n"), SEE("Undone"), SEE("do again"), KEYS("take\n"), SEE("nothing of yours to undo"), KEYS("do again\n"), SEE("Done again"), KEYS("q\n"), EXIT(0)) },
    { "a packet, header by header", .no_screen = true, .args = TRY, .rows = 60,
      .steps = STEPS(SEE("11 open a packet"), KEYS("11\n"), SEE("on g1:1 to leaf1, 4154 bytes:"), SEE("Base Transport Header: Opcode RC - SEND Middle"), SEE("Source Address 10.0.0.1"), KEYS("q\n"), EXIT(0)) },
    { "a lesson is looked for by words", .no_screen = true, .args = WORDS("--plain"), .rows = 60,
      .steps = STEPS(SEE("weft, plain mode. The lessons:"), SEE("Enter takes One lost packet"), KEYS("zebra\n"), SEE("Nothing matches."), KEYS("one-lost-packet\n"), SEE("plain mode. One lost packet."), KEYS("q\n"), EXIT(0)) },
    { "end of input is the end", .no_screen = true, .args = TRY, .steps = STEPS(SEE("1 next card"), KEYS("\004"), EXIT(0)) },
    { "without a terminal it takes the declared path", .no_screen = true, .stdin_null = true, .args = TRY, .rows = 100,
      .steps = STEPS(SEE("Card 4 of 4."), EXIT(0)) },
    { "standard input from nowhere means plain", .no_screen = true, .stdin_null = true, .args = WORDS("./try-it.lua"), .rows = 100,
      .steps = STEPS(SEE("weft, plain mode"), SEE("Card 4 of 4."), EXIT(0)) },
    { "a dumb terminal means plain", .no_screen = true, .args = WORDS("./try-it.lua"), .env = WORDS("TERM=dumb"),
      .steps = STEPS(SEE("weft, plain mode"), KEYS("q\n"), EXIT(0)) },
    { "ACCESSIBLE=1 means plain", .no_screen = true, .args = WORDS("./try-it.lua"), .env = WORDS("ACCESSIBLE=1"),
      .steps = STEPS(SEE("weft, plain mode"), KEYS("q\n"), EXIT(0)) },
    { "Ctrl-C ends it by its signal", .no_screen = true, .args = TRY, .steps = STEPS(SEE("1 next card"), KEYS("\003"), KILLED(SIGINT)) },
};
/* clang-format on */

int main(void)
{
    return script_main("e2e/plain", cases, sizeof cases / sizeof cases[0]);
}
