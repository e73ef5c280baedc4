#include "term/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"

enum { LEAVE_MS = 200, SIGNAL_STACK = 64 * 1024 };

/* Signals that end the program. The first three are requests, the others are accidents. */
static const int fatal[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGABRT,
                             SIGSEGV, SIGBUS,  SIGFPE, SIGILL };
enum { FATAL_COUNT = (int)(sizeof fatal / sizeof fatal[0]) };

struct term_tty {
    int fd;
    struct termios before; /* as the shell left them */
    struct termios raw;
    char leave[256];
    size_t leave_len;
    volatile sig_atomic_t is_raw;
    struct sigaction old[FATAL_COUNT];
    void *stack; /* handlers run here: a stack overflow must restore the terminal too */
};

/* The one terminal a signal handler has to restore; NULL while there is none. */
static struct term_tty *volatile tty_of_handlers;

static void write_patiently(int fd, const char *buf, size_t size, int timeout_ms)
{
    while (size > 0) {
        ssize_t n = write(fd, buf, size);
        if (n > 0) {
            buf += n;
            size -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            struct pollfd p = { .fd = fd, .events = POLLOUT };
            if (poll(&p, 1, timeout_ms) <= 0 || (p.revents & (POLLERR | POLLHUP)) != 0) {
                return;
            }
        } else if (n >= 0 || errno != EINTR) {
            return;
        }
    }
}

/* Only async-signal-safe calls from here: poll, write, tcflush, tcsetattr. */
static void give_back(struct term_tty *tty)
{
    if (!tty->is_raw) {
        return;
    }
    tty->is_raw = 0;
    struct pollfd room = { .fd = tty->fd, .events = POLLOUT };
    if (poll(&room, 1, 0) == 0) {
        tcflush(tty->fd, TCOFLUSH); /* a stuck line: rather this than the frame before it */
    }
    write_patiently(tty->fd, tty->leave, tty->leave_len, LEAVE_MS);
    /* A late answer to a question of ours must not be typed into the shell. */
    tcflush(tty->fd, TCIFLUSH);
    tcsetattr(tty->fd, TCSANOW, &tty->before);
}

static void on_fatal(int sig)
{
    struct term_tty *tty = tty_of_handlers;
    if (tty != NULL) {
        tty_of_handlers = NULL;
        give_back(tty);
    }
    /* The exit status must name the signal. It is blocked until we return, then it acts. */
    signal(sig, SIG_DFL);
    raise(sig);
}

static void catch_fatal(struct term_tty *tty)
{
    stack_t stack = { .ss_sp = tty->stack, .ss_size = SIGNAL_STACK };
    sigaltstack(&stack, NULL);
    struct sigaction act = { .sa_handler = on_fatal, .sa_flags = SA_ONSTACK };
    sigfillset(&act.sa_mask);
    for (int i = 0; i < FATAL_COUNT; i++) {
        sigaction(fatal[i], NULL, &tty->old[i]);
        /* nohup and shells in the background ignore some on purpose: that stays so. */
        if (tty->old[i].sa_handler != SIG_IGN) {
            sigaction(fatal[i], &act, NULL);
        }
    }
    tty_of_handlers = tty;
}

static void release_fatal(struct term_tty *tty)
{
    tty_of_handlers = NULL;
    for (int i = 0; i < FATAL_COUNT; i++) {
        sigaction(fatal[i], &tty->old[i], NULL);
    }
    stack_t none = { .ss_flags = SS_DISABLE };
    sigaltstack(&none, NULL);
}

static int open_by_name(void)
{
    for (int i = 0; i <= 2; i++) {
        char name[256];
        if (ttyname_r(i, name, sizeof name) == 0) {
            int fd = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
            if (fd >= 0) {
                return fd;
            }
        }
    }
    return open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

struct term_tty *term_tty_open(struct err *err)
{
    int fd = open_by_name();
    struct termios before;
    if (fd < 0 || tcgetattr(fd, &before) != 0) {
        if (fd >= 0) {
            close(fd);
        }
        err_set(err, ERR_IO, "there is no terminal here; --plain tells the same as sentences");
        return NULL;
    }
    struct term_tty *tty = mem_alloc(1, sizeof *tty);
    tty->fd = fd;
    tty->before = before;
    tty->raw = before;
    /* IXON off: Ctrl-S must not freeze the screen. OPOST off: curses counts on a bare newline. */
    tty->raw.c_iflag &=
        ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON | IXOFF | PARMRK | IGNBRK);
    tty->raw.c_oflag &= ~(tcflag_t)OPOST;
    tty->raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    tty->raw.c_cc[VMIN] = 1;
    tty->raw.c_cc[VTIME] = 0;
    tty->stack = mem_alloc(1, SIGNAL_STACK);
    return tty;
}

void term_tty_close(struct term_tty *tty)
{
    if (tty == NULL) {
        return;
    }
    term_tty_restore(tty);
    close(tty->fd);
    free(tty->stack);
    free(tty);
}

int term_tty_fd(const struct term_tty *tty)
{
    return tty->fd;
}

void term_tty_set_leave(struct term_tty *tty, const char *bytes)
{
    size_t len = strlen(bytes);
    if (len > sizeof tty->leave - 1) {
        len = sizeof tty->leave - 1;
    }
    memcpy(tty->leave, bytes, len);
    tty->leave_len = len;
}

bool term_tty_raw(struct term_tty *tty)
{
    if (tty->is_raw) {
        return true;
    }
    catch_fatal(tty);
    tty->is_raw = 1; /* first: a signal in between then restores what is not yet changed */
    int rc;
    do {
        /* In the background this stops us with SIGTTOU until the shell says fg. */
        rc = tcsetattr(tty->fd, TCSANOW, &tty->raw);
    } while (rc != 0 && errno == EINTR);
    if (rc != 0) {
        tty->is_raw = 0;
        release_fatal(tty);
    }
    return rc == 0;
}

bool term_tty_is_raw(const struct term_tty *tty)
{
    struct termios now;
    return tty->is_raw && tcgetattr(tty->fd, &now) == 0 && now.c_lflag == tty->raw.c_lflag &&
           now.c_iflag == tty->raw.c_iflag && now.c_oflag == tty->raw.c_oflag;
}

void term_tty_restore(struct term_tty *tty)
{
    if (!tty->is_raw) {
        return;
    }
    give_back(tty);
    release_fatal(tty);
}

void term_tty_size(const struct term_tty *tty, int *rows, int *cols)
{
    struct winsize size = { 0 };
    if (ioctl(tty->fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
        *rows = 24;
        *cols = 80;
        return;
    }
    *rows = size.ws_row;
    *cols = size.ws_col;
}

bool term_tty_foreground(const struct term_tty *tty)
{
    pid_t group = tcgetpgrp(tty->fd);
    return group < 0 || group == getpgrp(); /* not our controlling terminal: nobody else's job */
}

static long outcome(ssize_t n, bool zero_is_end)
{
    if (n > 0) {
        return (long)n;
    }
    if (n == 0) {
        return zero_is_end ? -1 : 0;
    }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
}

long term_tty_read(struct term_tty *tty, char *buf, size_t size)
{
    return outcome(read(tty->fd, buf, size), true);
}

long term_tty_write(struct term_tty *tty, const char *buf, size_t size)
{
    return size == 0 ? 0 : outcome(write(tty->fd, buf, size), false);
}

void term_tty_write_all(struct term_tty *tty, const char *buf, size_t size, int timeout_ms)
{
    write_patiently(tty->fd, buf, size, timeout_ms);
}
