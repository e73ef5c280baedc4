/*
 * End to end: weft on a pseudo-terminal, seen by a terminal emulator (libvterm).
 *
 *      test --keys--> pty master | pty slave --> weft
 *      test <-screen- libvterm <- pty master <--+
 *
 * A test is a list of steps played in order. Waiting steps read what weft writes until the
 * condition holds; their cap is generous and only ends a test that would hang. No step asserts on
 * wall time, so a slow machine changes nothing but the duration.
 *
 *      static const struct e2e_step steps[] = {
 *          { E2E_SEE, "start here" },
 *          { E2E_KEYS, "\r" },
 *          { E2E_SEE, "card 1 of" },
 *          { E2E_KEYS, "q" },
 *          { E2E_EXIT, .number = 0 },
 *          { E2E_END },
 *      };
 *
 * After E2E_EXIT the harness has checked that the terminal's modes are those of before, that the
 * alternate screen was entered and left the same number of times, that the cursor, mouse,
 * paste and focus modes are back, and that reading from the terminal blocks as before.
 */
#ifndef WEFT_TESTS_E2E_HARNESS_H
#define WEFT_TESTS_E2E_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum e2e_verb {
    E2E_END,
    E2E_SEE,      /* wait until the screen holds `text` */
    E2E_GONE,     /* wait until it does not */
    E2E_SEE_ANY,  /* wait until it holds one of the words in `text`, separated by | */
    E2E_CHANGE,   /* wait until the screen differs from what the step before left */
    E2E_KEYS,     /* type `text` */
    E2E_SHELL,    /* meanwhile, elsewhere: `text` in a shell, which ends well */
    E2E_RESIZE,   /* to `rows` x `cols` */
    E2E_STORM,    /* `number` sizes, from 1x1 to 200x60, a key of `text` between any two */
    E2E_QUIET,    /* wait until nothing was written for `number` ms */
    E2E_SILENT,   /* `number` ms in which not one byte is written: one such stretch of three */
    E2E_IDLE,     /* the same, and weft sleeps through it: no wake-ups, no processor time */
    E2E_FEW,      /* the step before wrote at most `number` bytes */
    E2E_FRESH,    /* what is on the screen is what painting it anew (Ctrl-L) gives, cell for cell */
    E2E_SLOW,     /* from here on read `number` bytes a second; 0: as they come */
    E2E_SIGNAL,   /* send signal `number` to weft */
    E2E_STOPPED,  /* wait until weft is stopped (Ctrl-Z) */
    E2E_CONTINUE, /* what a shell does for fg */
    E2E_BACKGROUND,  /* what a shell does for bg */
    E2E_HANGUP,      /* the terminal window is closed */
    E2E_DEAF,        /* for `number` ms read nothing: the line is stuck */
    E2E_PAUSE,       /* let `number` ms pass, reading (keys split by a slow line) */
    E2E_ASCII,       /* the screen holds ASCII only */
    E2E_COLOURLESS,  /* nothing on the screen has a colour */
    E2E_COLOURED,    /* something has */
    E2E_NEVER,       /* weft has not written `text` so far */
    E2E_NOT_CLEARED, /* in the step before, the screen was not cleared */
    E2E_EXIT,        /* wait for the end; exit status must be `number` */
    E2E_KILLED,      /* wait for the end; it must be by signal `number` */
    E2E_OVER, /* wait for the end, however it comes (a closed window: by end of file or SIGHUP); a TAP
                 comment tells how long that took */
};

struct e2e_step {
    enum e2e_verb verb;
    const char *text;
    int number;
    int rows, cols;
};

/* A terminal's answer to CSI 6n: its own, none, or one that says that a box takes two columns. */
enum e2e_answer { E2E_ANSWER_RIGHT, E2E_ANSWER_NEVER, E2E_ANSWER_WIDE };

struct e2e_case {
    const char *name;
    const char *const *args; /* behind "weft"; NULL at the end */
    const char *const
        *env;           /* "NAME=value", or "NAME" to take it out; NULL at the end; may be NULL */
    int rows, cols;     /* 0: 24 x 80 */
    bool stdin_null;    /* standard input is /dev/null */
    bool ignore_hangup; /* SIGHUP is ignored, as under nohup */
    enum e2e_answer answer; /* to the question where the cursor is */
    bool no_screen;         /* weft never takes the screen: only its text and status count */
    const struct e2e_step *steps;
};

/* Plays a case; prints the screen as TAP comments and fails the cmocka test when it goes wrong.
 * The program under test is named by the environment variable WEFT. */
void e2e_play(const struct e2e_case *c);

/* The same for a cmocka row: state is the case. */
void e2e_row(void **state);

#endif
