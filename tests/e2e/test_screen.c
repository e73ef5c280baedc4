/* weft as a person meets it: on a terminal, with keys. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "script.h"

#define TRY           WORDS("./try-it.lua")
#define TRY_WITH(...) WORDS("./try-it.lua", __VA_ARGS__)
#define CARD_1        SEE("card 1 of 4")
#define LEAVE         KEYS("q"), EXIT(0)

static char config[4200]; /* ./config, as an absolute path */
static const char *const own_keys[] = { config, NULL };

/* Card 3 drops the last packet of g3: everything stops until its timer. */
#define STALL   WORDS("./try-it.lua", "--card", "3")
#define STALLED SEE("Nothing moved for 16.")

/* clang-format off */
static const struct e2e_case cases[] = {
    { "the first two minutes",
      .steps = STEPS(SEE("start here"), SEE("adding up"), KEYS("\r"), SEE("card 1 of"), SEE("leaf1"), SEE("g8"),
                     KEYS("n"), SEE("card 2 of"), KEYS("p"), SEE("card 1 of"), KEYS("q"), SEE("start here"), SEE("card 1 of"),
                     KEYS("q"), EXIT(0)) },
    { "the list is searched, Esc shows all again",
      .steps = STEPS(SEE("start here"), KEYS("/"), SEE("/ "), KEYS("zebra"), SEE("nothing matches"), GONE("start here"), KEYS("\033"), SEE("start here"),
                     KEYS("/barr"), SEE("(barrier)"), KEYS("\r"), SEE("card 1 of"), KEYS("q"), SEE("start here"), KEYS("q"), EXIT(0)) },
    { "a key without a meaning there says so", .steps = STEPS(SEE("start here"), KEYS("z"), SEE("z does nothing here"), KEYS("j"), GONE("does nothing"), KEYS("q"), EXIT(0)) },
    { "a route leads from stop to stop", .args = WORDS("../lesson/own", "--route", "short"),
      .steps = STEPS(SEE("Own words, stop 1 of 2"), KEYS("n"), SEE("Own words, stop 2 of 2"), KEYS("n"), SEE("the route ends here"), KEYS("q"), SEE("Twice the same"),
                     KEYS("G\r"), SEE("Own words, stop 1 of 2"), KEYS("q"), SEE("Twice the same"), KEYS("q"), EXIT(0)) },
    { "a route that is not there", .args = WORDS("../lesson/own", "--route", "long"), .no_screen = true, .steps = STEPS(SEE("there is no route \"long\"; there are: short"), EXIT(1)) },
    { "the lab is on the first screen", .steps = STEPS(SEE("start here"), KEYS("/the lab"), SEE("free experiment"), KEYS("\r"), GONE("free experiment"), KEYS("\003"), EXIT(0)) },
    { "a course of one's own has the ring of its own first lesson", .args = WORDS("../lesson/own"),
      .steps = STEPS(SEE("Four GPUs adding up"), KEYS("q"), EXIT(0)) },
    { "packets move, space stops them",
      .args = TRY, .steps = STEPS(CARD_1, SEE_ANY("\xe2\x96\xb8|\xc2\xbb"), CHANGE, CHANGE, CHANGE,
                     KEYS(" "), SEE("paused"), QUIET(300), SILENT(500), KEYS(" "), CHANGE, CHANGE, LEAVE) },
    { "the mouse points, opens, chooses", .args = TRY,
      .steps = STEPS(CARD_1, SEE("now 30 us"), KEYS("\033[<0;1;3M\033[<0;1;3m"), SEE("g1: exchanges"), SEE("x faults"), KEYS("x"), SEE("faults: g1"), KEYS("\033[<65;9;20M"), SEE("> stop its GPU"), KEYS("\033"), GONE("faults: g1"),
                     KEYS("\033[<0;4;23M"), SEE("now 0"), LEAVE) },
    { "the mouse is left alone", .args = TRY_WITH("--no-mouse"), .steps = STEPS(CARD_1, SEE("now 30 us"), NEVER("\033[?1000h"), LEAVE) },
    { "one packet destroyed: NAK, sent again, cost",
      .args = TRY_WITH("--card", "2"), .steps = STEPS(SEE("the cursor is on a packet"), SEE("packet "), KEYS("x"), SEE("lost"), SEE("What will it cost?"),
                     SEE("\xe2\x9c\x97"), KEYS("b"), SEE("sure?  - a guess"), KEYS("="), SEE("you think so"),
                     SEE("NAK"), SEE("resent"), SEE("cost: +"), LEAVE) },
    { "the question comes first, and can be skipped",
      .args = TRY_WITH("--card", "2"), .steps = STEPS(SEE("the cursor is on a packet"), KEYS("x"), SEE("What will it cost?"), KEYS(" "), SEE("first your guess"),
                     KEYS("d"), SEE("no answer d"), KEYS("s"), SEE("question skipped"), LEAVE) },
    { "the lesson chooses when one does not",
      .args = TRY_WITH("--card", "2"), .steps = STEPS(SEE("the cursor is on a packet"), KEYS("s"), SEE("the lesson chooses"), LEAVE) },
    { "the stall: all wait for one timer, and y says why",
      .args = STALL, .steps = STEPS(SEE("card 3 of 4"), STALLED, SEE("//"), KEYS("y"), SEE("why is it waiting?"), SEE("waits at the barrier for g4"),
                     SEE("only its timer"), KEYS("\033"), GONE("why is it waiting?"), KEYS("n"), SEE("card 4 of 4"), LEAVE) },
    { "a switch that changes nothing says why",
      .args = TRY_WITH("--card", "4"), .steps = STEPS(SEE("card 4 of 4"), KEYS("1"), SEE("nothing changes, because no queue"), KEYS("2"), SEE("no switch 2"), LEAVE) },
    { "gears", .args = TRY, .steps = STEPS(CARD_1, KEYS("+"), SEE("gear step"), KEYS("+"), SEE("gear timeout"), KEYS("+"), SEE("the fastest gear"),
                     KEYS("-"), SEE("gear step"), KEYS("---"), SEE("the slowest gear"), LEAVE) },
    { "step on and back", .args = TRY, .steps = STEPS(CARD_1, KEYS(" "), SEE("paused"), KEYS("."), SEE("one round on"), KEYS(","), SEE("one round back"),
                     KEYS(">"), CHANGE, KEYS("<"), CHANGE, KEYS("\033[H"), SEE("the beginning of the run"), KEYS(","), SEE("this is the beginning"), LEAVE) },
    { "arrow keys step too", .args = TRY, .steps = STEPS(CARD_1, KEYS(" "), SEE("paused"), KEYS("\033[C"), SEE("one round on"), KEYS("\033[D"), SEE("one round back"), LEAVE) },
    { "the cursor walks", .args = TRY, .steps = STEPS(CARD_1, SEE_ANY("\xe2\x96\xb8|\xc2\xbb"), KEYS("c"), SEE_ANY("packet | lane from"), KEYS("j"), CHANGE, KEYS("k"), CHANGE, KEYS("\033"),
                     GONE("destroy"), LEAVE) },
    { "Enter on a packet opens it", .args = TRY, .steps = STEPS(CARD_1, SEE_ANY("\xe2\x96\xb8|\xc2\xbb"), KEYS("c\r"), SEE("- Base Transport Header"), KEYS("j"), SEE("RC - SEND"), SEE("What the packet does"), KEYS("\033"),
                     GONE("Base Transport"), LEAVE) },
    { "x without the cursor puts it on first", .args = TRY, .steps = STEPS(CARD_1, SEE_ANY("\xe2\x96\xb8|\xc2\xbb"), KEYS("x"), SEE("x again destroys it"), KEYS("x"), SEE("lost"), LEAVE) },
    { "undo", .args = TRY, .steps = STEPS(CARD_1, SEE_ANY("\xe2\x96\xb8|\xc2\xbb"), KEYS("xx"), SEE("lost"), KEYS("u"), SEE("undone"), KEYS("u"), SEE("nothing of yours to undo"), LEAVE) },
    { "undoing the packet that a card asked for begins the card again", .args = TRY_WITH("--card", "2"), .steps = STEPS(SEE("the cursor is on a packet"), KEYS("x"), SEE("What will it cost?"), KEYS("u"), SEE("this card from its beginning"), GONE("What will it cost?"), LEAVE) },
    { "restart the card", .args = TRY, .steps = STEPS(CARD_1, KEYS("R"), SEE("this card from its beginning"), LEAVE) },
    { "hurrying through cards", .args = TRY, .steps = STEPS(CARD_1, KEYS("n"), SEE("card 2 of 4"), KEYS("n"), SEE("card 3 of 4"), KEYS("n"), SEE("card 4 of 4"),
                     KEYS("s"), SEE("step 4, computing"), KEYS("n"), SEE_ANY("last card"), KEYS("ppp"), CARD_1, KEYS("p"), SEE("the first card"), LEAVE) },
    { "views take turns", .args = TRY, .steps = STEPS(CARD_1, KEYS("\t"), SEE("view:"), LEAVE) },
    { "forty GPUs: who waits for whom, a quantity, the slowest first, its distribution", .args = WORDS("../app/forty.lua", "--card", "2"),
      .steps = STEPS(SEE("slowest first, +"), KEYS("\t\t\t"), SEE("who waits for whom"), SEE("lost waiting in step 2"), KEYS("m"), SEE("40 GPUs: finish of step"), KEYS("s"), SEE("40 GPUs, slowest first"),
                     KEYS("\t\t"), SEE("distribution: finish of step"), SEE("p50"), RESIZE(200, 60), SEE("why is it waiting?"), RESIZE(40, 12), SEE("p50"), RESIZE(80, 24), KEYS("j"), LEAVE) },
    { "a saved run plays like a card, and is judged at its end",
      .args = WORDS("open", "./saved.weft"), .steps = STEPS(SEE("A saved run"), SEE("50000B"), SEE("g1"), SEE("not the run that was saved: weft 9.9.9"), SEE("card 1 of 1"),
                     KEYS("R"), SEE("this card from its beginning"), SEE("not the run that was saved"), KEYS("\033[H"), SEE("the beginning of the run"), LEAVE) },
    { "a damaged one is refused before the screen is touched",
      .args = WORDS("open", "./test_screen.c.weft"), .no_screen = true, .steps = STEPS(SEE("test_screen.c.weft: cannot open"), EXIT(1)) },
    { "contents go anywhere", .args = TRY, .steps = STEPS(CARD_1, KEYS("g"), SEE("contents"), KEYS("jj"), SEE(">  3"), KEYS("\r"), SEE("card 3 of 4"), LEAVE) },
    { "help shows keys and marks, and goes", .args = TRY, .steps = STEPS(CARD_1, KEYS("?"), SEE("Keys"), SEE("play or pause"), KEYS("?"), GONE("play or pause"), KEYS("?"), SEE("play or pause"), KEYS("\033"), GONE("play or pause"), LEAVE) },
    { "every key answers", .args = TRY, .steps = STEPS(CARD_1, KEYS("z"), SEE("z does nothing here"), KEYS("H"), SEE("no hint"), KEYS("7"), SEE("no switch 7"), LEAVE) },
    { "Esc never leaves", .args = TRY, .steps = STEPS(CARD_1, KEYS("\033"), SEE("nothing is open"), LEAVE) },
    { "an arrow split by a slow line neither leaves nor answers", .args = TRY,
      .steps = STEPS(CARD_1, KEYS("\033"), WAIT_MS(40), KEYS("["), WAIT_MS(40), KEYS("A"), KEYS("z"), SEE("z does nothing here"), LEAVE) },
    { "focus reports and pasted text do nothing", .args = TRY,
      .steps = STEPS(CARD_1, KEYS("\033[I\033[O\033[I\033[200~q\rexit\rn\033[201~z"), SEE("z does nothing here"), CARD_1, LEAVE) },
    { "keys of one's own, and what is wrong with them", .args = TRY, .env = own_keys,
      .steps = STEPS(CARD_1, SEE("keys:4: there is no command `nxet`; did you mean `next`?"), KEYS("\020"), SEE("paused"), SEE("Ctrl-P play"), KEYS(" "), SEE("space does nothing here"),
                     KEYS("?"), SEE("Ctrl-P"), KEYS("?"), KEYS("z"), SEE("card 2 of 4"), LEAVE) },
    { "on the first screen, too", .env = own_keys, .steps = STEPS(SEE("keys:4: there is no command"), KEYS("j"), GONE("keys:4"), KEYS("q"), EXIT(0)) },
    { "Ctrl-S does not freeze", .args = TRY, .steps = STEPS(CARD_1, KEYS("\023"), SEE("Ctrl-S does nothing"), KEYS(" "), SEE("paused"), LEAVE) },
    { "paused costs nothing, and the silence too", .args = STALL, .steps = STEPS(STALLED, KEYS(" "), SEE("paused"), GONE("gear step, 20"), QUIET(300), IDLE(1000), LEAVE) },
    { "an open question costs nothing", .args = TRY_WITH("--card", "2"), .steps = STEPS(SEE("the cursor is on a packet"), KEYS("x"), SEE("What will it cost?"), QUIET(500), IDLE(500), LEAVE) },
    { "a frame never clears the screen first", .args = TRY, .steps = STEPS(CARD_1, WAIT_MS(800), NOT_CLEARED, LEAVE) },
    { "only what changed is sent", .args = TRY, .steps = STEPS(CARD_1, KEYS(" "), SEE("paused"), QUIET(300), KEYS("z"), SEE("z does nothing"), FEW(400), NOT_CLEARED, LEAVE) },
    { "resize down to nothing and back", .args = TRY,
      .steps = STEPS(CARD_1, RESIZE(120, 40), SEE("card 1 of 4"), SEE("leaf1"), RESIZE(40, 12), SEE("g1"), RESIZE(20, 6), RESIZE(7, 3), RESIZE(2, 1), RESIZE(1, 1), RESIZE(1, 50), RESIZE(80, 1),
                     RESIZE(300, 70), SEE("leaf1"), RESIZE(80, 24), SEE("card 1 of 4"), LEAVE) },
    { "starts at 1x1", .args = TRY, .rows = 1, .cols = 1, .steps = STEPS(WAIT_MS(200), RESIZE(80, 24), CARD_1, LEAVE) },
    { "q leaves a window of one cell", .args = TRY, .steps = STEPS(CARD_1, RESIZE(1, 1), WAIT_MS(100), LEAVE) },
    { "starts at 40x12", .args = TRY, .rows = 12, .cols = 40, .steps = STEPS(SEE("g1"), LEAVE) },
    { "starts at 500x200", .args = TRY, .rows = 200, .cols = 500, .steps = STEPS(CARD_1, LEAVE) },
    { "a storm of sizes", .args = TRY, .steps = STEPS(CARD_1, RESIZE(81, 25), RESIZE(1, 1), RESIZE(200, 60), RESIZE(3, 3), KEYS(" "), RESIZE(99, 31), RESIZE(2, 40), RESIZE(80, 24), CARD_1, LEAVE) },
    { "two hundred sizes while a run plays, then a whole frame", .args = TRY,
      .steps = STEPS(CARD_1, STORM(200, ""), RESIZE(80, 24), KEYS(" "), SEE("paused"), FRESH, CARD_1, LEAVE) },
    { "keys in a storm of sizes", .args = TRY, .steps = STEPS(CARD_1, STORM(100, "\tc.jm\033,?\033yw\033"), KEYS("\033\033\033"), RESIZE(200, 60), WAIT_MS(300), FRESH, KEYS("\003"), EXIT(0)) },
    { "SIGWINCH at the same size clears nothing", .args = TRY, .steps = STEPS(CARD_1, KEYS(" "), SEE("paused"), QUIET(300), SIGNAL(SIGWINCH), SIGNAL(SIGWINCH), SIGNAL(SIGWINCH), QUIET(400), NOT_CLEARED, CARD_1, LEAVE) },
    { "absurd sizes", .args = TRY, .steps = STEPS(CARD_1, RESIZE(1000, 3), WAIT_MS(100), RESIZE(32767, 2), WAIT_MS(100), RESIZE(2, 1000), WAIT_MS(100), RESIZE(80, 24), CARD_1, LEAVE) },
    { "a stuck line stops frames, not keys", .args = TRY, .steps = STEPS(CARD_1, KEYS("\014\014\014"), DEAF(1500), KEYS(" "), DEAF(200), SEE("paused"), KEYS(" "), CHANGE, DEAF(1000), KEYS("q"), DEAF(1000), EXIT(0)) },
    { "a slow line slows frames, not answers", .args = TRY, .steps = STEPS(CARD_1, SLOW(12500), WAIT_MS(1000), KEYS(" "), SEE("paused"), FEW(20000), SLOW(0), QUIET(300), FRESH, LEAVE) },
    { "boxes two columns wide give ASCII", .args = TRY, .answer = E2E_ANSWER_WIDE, .steps = STEPS(CARD_1, ASCII_ONLY, LEAVE) },
    { "ASCII", .args = TRY_WITH("--ascii"), .steps = STEPS(CARD_1, SEE("+--"), SEE_ANY(">|}"), ASCII_ONLY, KEYS("?"), SEE("Keys"), ASCII_ONLY, KEYS("?"), LEAVE) },
    { "a locale without UTF-8 gets ASCII", .args = TRY, .env = WORDS("LC_ALL=C"), .steps = STEPS(CARD_1, SEE("+--"), ASCII_ONLY, LEAVE) },
    { "no locale at all", .args = TRY, .env = WORDS("LC_ALL"), .steps = STEPS(CARD_1, ASCII_ONLY, LEAVE) },
    { "unicode whatever the locale says", .args = TRY_WITH("--unicode"), .env = WORDS("LC_ALL=C"), .steps = STEPS(CARD_1, SEE("\xe2\x94\x8c"), LEAVE) },
    { "no colour", .args = TRY, .env = WORDS("NO_COLOR=1"), .steps = STEPS(CARD_1, COLOURLESS, LEAVE) },
    { "an empty NO_COLOR says nothing", .args = TRY, .env = WORDS("NO_COLOR="), .steps = STEPS(CARD_1, COLOURED, LEAVE) },
    { "a terminal of 8 colours gets no more, whatever COLORTERM says", .args = TRY, .env = WORDS("TERM=linux", "COLORTERM=truecolor"), .steps = STEPS(CARD_1, COLOURED, NEVER("38;2;"), NEVER("38;5;"), LEAVE) },
    { "no colour, whatever COLORTERM says", .args = TRY, .env = WORDS("NO_COLOR=1", "COLORTERM=truecolor"), .steps = STEPS(CARD_1, COLOURLESS, LEAVE) },
    { "a theme without colours", .args = TRY_WITH("--theme", "mono"), .steps = STEPS(CARD_1, COLOURLESS, LEAVE) },
    { "vt100", .args = TRY, .env = WORDS("TERM=vt100"), .steps = STEPS(CARD_1, KEYS("z"), SEE("z does nothing"), LEAVE) },
    { "linux console", .args = TRY, .env = WORDS("TERM=linux"), .steps = STEPS(CARD_1, KEYS("z"), SEE("z does nothing"), LEAVE) },
    { "inside tmux and screen", .args = TRY, .env = WORDS("TERM=screen"), .steps = STEPS(CARD_1, LEAVE) },
    { "a terminal terminfo does not know yet", .args = TRY, .env = WORDS("TERM=xterm-nobody"), .steps = STEPS(SEE("TERM=xterm-nobody is not known here"), LEAVE) },
    { "reduced motion", .args = TRY_WITH("--reduced-motion"), .steps = STEPS(CARD_1, LEAVE) },
    { "Ctrl-C leaves from anywhere", .args = TRY, .steps = STEPS(CARD_1, KEYS("?"), SEE("Keys"), KEYS("\003"), EXIT(0)) },
    { "Ctrl-Z, a resize, fg", .args = TRY, .steps = STEPS(CARD_1, KEYS("\032"), STOPPED, RESIZE(100, 30), CONTINUE, SEE("card 1 of 4"), KEYS("z"), SEE("z does nothing"), LEAVE) },
    { "Ctrl-Z, bg writes nothing, fg", .args = TRY, .steps = STEPS(CARD_1, KEYS("\032"), STOPPED, BACKGROUND, SILENT(500), CONTINUE, KEYS("z"), SEE("z does nothing"), LEAVE) },
    { "stopped from outside, fg", .args = TRY, .steps = STEPS(CARD_1, SIGNAL(SIGTSTP), STOPPED, CONTINUE, KEYS("z"), SEE("z does nothing"), LEAVE) },
    { "the window closes", .args = TRY, .steps = STEPS(CARD_1, HANGUP, OVER) },
    { "the window closes, hang-up ignored", .args = TRY, .ignore_hangup = true, .steps = STEPS(CARD_1, HANGUP, OVER) },
    { "SIGINT while animating", .args = TRY, .steps = STEPS(CARD_1, SIGNAL(SIGINT), KILLED(SIGINT)) },
    { "SIGTERM while animating", .args = TRY, .steps = STEPS(CARD_1, SIGNAL(SIGTERM), KILLED(SIGTERM)) },
    { "SIGHUP while animating", .args = TRY, .steps = STEPS(CARD_1, SIGNAL(SIGHUP), KILLED(SIGHUP)) },
    { "SIGQUIT while animating", .args = TRY, .steps = STEPS(CARD_1, SIGNAL(SIGQUIT), KILLED(SIGQUIT)) },
    { "SIGABRT while animating", .args = TRY, .steps = STEPS(CARD_1, SIGNAL(SIGABRT), KILLED(SIGABRT)) },
    { "SIGSEGV while animating", .args = TRY, .steps = STEPS(CARD_1, SIGNAL(SIGSEGV), KILLED(SIGSEGV)) },
    { "a broken lesson leaves the terminal alone", .args = WORDS("./no-such-lesson.lua"), .no_screen = true, .steps = STEPS(SEE("no-such-lesson"), EXIT(1)) },
    { "a lesson that fails leaves it alone too", .args = WORDS("../lesson/bad/runtime.lua"), .no_screen = true, .steps = STEPS(SEE("runtime.lua:"), EXIT(1)) },
    { "what is no lesson at all", .args = WORDS("./test_screen.c"), .no_screen = true, .steps = STEPS(SEE("test_screen.c:1:"), EXIT(1)) },
    { "few frames a second", .args = TRY_WITH("--fps", "2"), .steps = STEPS(CARD_1, CHANGE, CHANGE, LEAVE) },
    { "a card that is not there", .args = TRY_WITH("--card", "99"), .no_screen = true, .steps = STEPS(SEE("no card 99"), EXIT(1)) },
    { "an unknown terminal is refused with advice", .args = TRY, .env = WORDS("TERM=nonsense"), .no_screen = true, .steps = STEPS(SEE("--plain"), EXIT(1)) },
};
/* clang-format on */

int main(void)
{
    char here[4096];
    if (getcwd(here, sizeof here) == NULL) {
        return 1;
    }
    (void)snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s/config", here);
    return script_main("e2e/screen", cases, sizeof cases / sizeof cases[0]);
}
