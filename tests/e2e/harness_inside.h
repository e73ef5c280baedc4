/*
 * The inside of the harness, shared by its files: harness.c plays steps, harness_check.c judges what is on the
 * screen and what weft takes.
 */
#ifndef WEFT_TESTS_E2E_HARNESS_INSIDE_H
#define WEFT_TESTS_E2E_HARNESS_INSIDE_H

#include <termios.h>

#include <vterm.h>

#include "base/text.h"
#include "harness.h"

enum { CAP_MS = 30000, SLICE_MS = 20 };

struct e2e {
    const struct e2e_case *c;
    int master, slave;
    pid_t shell, pid;
    int tell; /* news of the shell */
    bool ended, stopped;
    int status;
    VTerm *vterm;
    VTermScreen *screen;
    struct termios before;
    size_t raw_before; /* its length before the last step */
    struct text raw;   /* every byte weft wrote */
    struct text shown; /* the screen as text */
    struct text remembered;
    bool stale; /* `shown` is older than the screen */
    int step;
    size_t fed; /* of `raw` the emulator has got so much */
    int rate;   /* bytes a second that are read at most; 0: any number */
};

/* Ends the test: prints why, and the screen. */
void e2e_give_up(struct e2e *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), noreturn));

long e2e_now_ms(void);
/* Reads for at most `ms`; returns the bytes seen. */
size_t e2e_pump(struct e2e *e, int ms);
void e2e_type(struct e2e *e, const char *keys);
/* Until nothing was written for `ms`. */
void e2e_wait_quiet(struct e2e *e, int ms);
/* The screen as text, a row a line. */
const char *e2e_screen(struct e2e *e);

/* harness_check.c: as the verbs of harness.h say. */
void e2e_check_ascii(struct e2e *e);
bool e2e_is_coloured(struct e2e *e);
void e2e_wait_silent(struct e2e *e, const struct e2e_step *step);
void e2e_check_fresh(struct e2e *e);
/* What must hold after weft has ended or stopped. */
void e2e_check_restored(struct e2e *e);

#endif
