/* The terminal, seen from outside: a small program on a pty inside a terminal emulator. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../e2e/script.h"

#define KILL_CASE(s)                                                                               \
    {                                                                                              \
        "signal " #s " restores and kills", .steps = STEPS(SEE("size"), SIGNAL(s), KILLED(s))      \
    }

#define TEN(s) s s s s s s s s s s
#define LONG   TEN(TEN(TEN("123")))

/* clang-format off */
static const struct e2e_case cases[] = {
    { "shows and quits", .steps = STEPS(SEE("size 80x24"), KEYS("q"), EXIT(0)) },
    { "wide and combining characters keep their place",
      .steps = STEPS(SEE("\xe6\xbc\xa2\xe5\xad\x97 e\xcc\x81 \xe2\x96\xb8|"), SEE("? |"), KEYS("q"), EXIT(0)) },
    { "ASCII by option", .args = WORDS("ascii"), .steps = STEPS(SEE("?"), { .verb = E2E_GONE, .text = "\xe6\xbc\xa2" }, KEYS("q"), EXIT(0)) },
    { "ASCII in a locale without UTF-8", .env = WORDS("LC_ALL=C"),
      .steps = STEPS(SEE("size"), { .verb = E2E_GONE, .text = "\xe6\xbc\xa2" }, KEYS("q"), EXIT(0)) },
    { "ASCII in a locale that does not exist", .env = WORDS("LC_ALL=xx_YY.bogus"),
      .steps = STEPS(SEE("size"), { .verb = E2E_GONE, .text = "\xe6\xbc\xa2" }, KEYS("q"), EXIT(0)) },
    { "an arrow split by a slow line is one key",
      .steps = STEPS(SEE("keys"), KEYS("\033"), { .verb = E2E_PAUSE, .number = 5 }, KEYS("["), { .verb = E2E_PAUSE, .number = 5 }, KEYS("A"), SEE("keys Up"), KEYS("q"), EXIT(0)) },
    { "a lone Esc is a key", .steps = STEPS(SEE("keys"), KEYS("\033"), SEE("keys Esc"), KEYS("q"), EXIT(0)) },
    { "Ctrl-S stops nothing, Ctrl-C is a key", .steps = STEPS(SEE("keys"), KEYS("\023\003x"), SEE("keys Ctrl-S Ctrl-C x"), KEYS("q"), EXIT(0)) },
    { "pasted text is no keys", .steps = STEPS(SEE("keys"), KEYS("\033[200~q\rq\033[201~x"), SEE("keys x"), KEYS("q"), EXIT(0)) },
    { "resize", .steps = STEPS(SEE("size 80x24"), RESIZE(200, 60), SEE("size 200x60"), RESIZE(7, 3), SEE("size 7"), RESIZE(2, 1), RESIZE(1, 1), RESIZE(1, 50), RESIZE(80, 1), RESIZE(60, 20), SEE("size 60x20"), KEYS("q"), EXIT(0)) },
    { "starts on one cell", .rows = 1, .cols = 1, .steps = STEPS(SEE("#"), KEYS("q"), EXIT(0)) },
    { "starts on a huge screen", .rows = 200, .cols = 500, .steps = STEPS(SEE("size 500x200"), KEYS("q"), EXIT(0)) },
    { "a resize signal without a resize writes nothing",
      .steps = STEPS(SEE("size"), { .verb = E2E_QUIET, .number = 300 }, SIGNAL(SIGWINCH), SIGNAL(SIGWINCH), { .verb = E2E_SILENT, .number = 300 }, KEYS("q"), EXIT(0)) },
    { "Ctrl-Z gives the terminal back, fg takes it again",
      .steps = STEPS(SEE("size"), KEYS("\032"), { .verb = E2E_STOPPED }, RESIZE(70, 20), { .verb = E2E_CONTINUE }, SEE("size 70x20"), KEYS("xq"), EXIT(0)) },
    { "an unknown child of xterm", .env = WORDS("TERM=xterm-nobody"), .steps = STEPS(SEE("TERM=xterm-nobody is not known here: using xterm-256color"), KEYS("q"), EXIT(0)) },
    { "an unknown terminal is refused", .env = WORDS("TERM=nonsense"), .no_screen = true, .steps = STEPS(SEE("use --plain"), EXIT(1)) },
    { "no TERM is refused", .env = WORDS("TERM"), .no_screen = true, .steps = STEPS(SEE("TERM is not set"), EXIT(1)) },
    { "an empty TERM is refused", .env = WORDS("TERM="), .no_screen = true, .steps = STEPS(SEE("TERM is empty"), EXIT(1)) },
    { "dumb is refused", .env = WORDS("TERM=dumb"), .no_screen = true, .steps = STEPS(SEE("TERM is dumb"), EXIT(1)) },
    { "vt100", .env = WORDS("TERM=vt100", "LC_ALL=C"), .steps = STEPS(SEE("size 80x24"), KEYS("q"), EXIT(0)) },
    { "linux console", .env = WORDS("TERM=linux"), .steps = STEPS(SEE("size 80x24"), KEYS("\033[Aq"), EXIT(0)) },
    { "a terminal that draws boxes two columns wide gets ASCII", .answer = E2E_ANSWER_WIDE,
      .steps = STEPS(SEE("size"), GONE("\xe6\xbc\xa2"), KEYS("q"), EXIT(0)) },
    { "one that does not say gets Unicode, and its late answer is no key", .answer = E2E_ANSWER_NEVER,
      .steps = STEPS(SEE("\xe6\xbc\xa2"), KEYS("\033[1;2Rx"), SEE("keys x"), KEYS("q"), EXIT(0)) },
    { "keys typed while the terminal was asked are not lost", .answer = E2E_ANSWER_NEVER,
      .steps = STEPS(KEYS("abc"), SEE("keys a b c"), KEYS("q"), EXIT(0)) },
    { "an endless sequence does not hang it", .steps = STEPS(SEE("keys"), KEYS("\033]"), KEYS(LONG), KEYS(LONG), SEE("Esc ]"), KEYS("q"), EXIT(0)) },
    { "no colour", .env = WORDS("NO_COLOR=1"), .steps = STEPS(SEE("size 80x24"), KEYS("q"), EXIT(0)) },
    { "bg writes nothing, fg goes on", .steps = STEPS(SEE("size"), KEYS("\032"), { .verb = E2E_STOPPED }, { .verb = E2E_BACKGROUND }, { .verb = E2E_SILENT, .number = 300 }, { .verb = E2E_CONTINUE }, SEE("size"), KEYS("q"), EXIT(0)) },
    { "stopped from outside, fg goes on", .steps = STEPS(SEE("size"), SIGNAL(SIGSTOP), { .verb = E2E_PAUSE, .number = 50 }, { .verb = E2E_CONTINUE }, KEYS("xq"), EXIT(0)) },
    { "the window closes, hang-up ignored", .ignore_hangup = true, .steps = STEPS(SEE("size"), { .verb = E2E_HANGUP }, EXIT(0)) },
    { "the window closes", .steps = STEPS(SEE("size"), { .verb = E2E_HANGUP }, { .verb = E2E_OVER }) },
    KILL_CASE(SIGINT), KILL_CASE(SIGTERM), KILL_CASE(SIGHUP), KILL_CASE(SIGQUIT), KILL_CASE(SIGABRT), KILL_CASE(SIGSEGV),
    { "abort restores", .steps = STEPS(SEE("size"), KEYS("A"), KILLED(SIGABRT)) },
    { "a crash restores", .steps = STEPS(SEE("size"), KEYS("S"), KILLED(SIGSEGV)) },
};
/* clang-format on */

int main(void)
{
    return script_main("term/term", cases, sizeof cases / sizeof cases[0]);
}
