/*
 * The terminal device: our own descriptor, its modes, and the promise to give it back.
 *
 * A terminal is shared with the shell and with everything in our pipeline, and so is the "open
 * file" behind descriptors 0, 1 and 2. O_NONBLOCK set there would surprise all of them. So the
 * device is opened anew, by name, and only that descriptor is made non-blocking.
 *
 *      term_tty_open           term_tty_raw            term_tty_restore        term_tty_raw        term_tty_close
 *   ------------> OPEN ------------> RAW --------------> OPEN ----------> RAW -----------> gone
 *                                     |
 *                                     +--- a fatal signal: leave string, old modes, raised again
 *
 * Invariant: while RAW, whatever ends the process (return, signal, assert) first writes the leave
 * string and puts the old modes back, once. SIGKILL is the exception nobody can mend.
 *
 * One terminal at a time: a signal handler has no argument, so the terminal it must restore hangs
 * on the only writable static of this layer.
 */
#ifndef WEFT_TERM_TTY_H
#define WEFT_TERM_TTY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct term_tty;

/* Opens the terminal of descriptor 0, 1 or 2, or the controlling one. Modes are not touched. */
struct term_tty *term_tty_open(struct err *err);

/* Restores and closes. Takes NULL. */
void term_tty_close(struct term_tty *tty);

int term_tty_fd(const struct term_tty *tty);

/* What a terminal must be sent so that it looks as before. Copied, cut at 255 bytes. */
void term_tty_set_leave(struct term_tty *tty, const char *bytes);

/*
 * Raw mode: bytes come as typed, Ctrl-C and Ctrl-Z are keys, Ctrl-S stops nothing. From now on
 * fatal signals restore the terminal before they end the program. False: the device is gone.
 */
bool term_tty_raw(struct term_tty *tty);

/* True when the device really is in raw mode: whoever was in front may have changed it. */
bool term_tty_is_raw(const struct term_tty *tty);

/* Leaves raw mode and sends the leave string. Does nothing when not raw. */
void term_tty_restore(struct term_tty *tty);

/* Rows and columns with one ioctl; 24x80 when the device does not know. */
void term_tty_size(const struct term_tty *tty, int *rows, int *cols);

/* True when we are the terminal's foreground job: only then may anything be written. */
bool term_tty_foreground(const struct term_tty *tty);

/* -1: the device is gone (end of file, hang-up). 0: nothing now. Otherwise the bytes moved. */
long term_tty_read(struct term_tty *tty, char *buf, size_t size);
long term_tty_write(struct term_tty *tty, const char *buf, size_t size);

/* Writes all of it, waiting for a slow line at most `timeout_ms`. */
void term_tty_write_all(struct term_tty *tty, const char *buf, size_t size, int timeout_ms);

#endif
