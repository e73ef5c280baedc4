#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness_inside.h"
#include "job.h"

long e2e_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void put_utf8(struct text *out, uint32_t c)
{
    char s[5] = { 0 };
    if (c < 0x80) {
        s[0] = (char)c;
    } else if (c < 0x800) {
        s[0] = (char)(0xc0 | c >> 6);
        s[1] = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        s[0] = (char)(0xe0 | c >> 12);
        s[1] = (char)(0x80 | (c >> 6 & 0x3f));
        s[2] = (char)(0x80 | (c & 0x3f));
    } else {
        s[0] = (char)(0xf0 | c >> 18);
        s[1] = (char)(0x80 | (c >> 12 & 0x3f));
        s[2] = (char)(0x80 | (c >> 6 & 0x3f));
        s[3] = (char)(0x80 | (c & 0x3f));
    }
    text_add(out, s);
}

const char *e2e_screen(struct e2e *e)
{
    if (!e->stale && e->shown.s != NULL) {
        return e->shown.s;
    }
    text_clear(&e->shown);
    int rows, cols;
    vterm_get_size(e->vterm, &rows, &cols);
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            VTermScreenCell cell = { 0 };
            VTermPos pos = { .row = row, .col = col };
            vterm_screen_get_cell(e->screen, pos, &cell);
            if (cell.chars[0] == (uint32_t)-1) {
                continue; /* right half of a wide character */
            }
            if (cell.chars[0] == 0) {
                text_add(&e->shown, " ");
            }
            for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++) {
                put_utf8(&e->shown, cell.chars[i]);
            }
        }
        text_add(&e->shown, "\n");
    }
    e->stale = false;
    return text_str(&e->shown);
}

static void say_screen(struct e2e *e)
{
    const char *s = e2e_screen(e);
    while (*s != '\0') {
        size_t len = strcspn(s, "\n");
        printf("#   |%.*s|\n", (int)len, s);
        s += len + (s[len] == '\n');
    }
}

void e2e_give_up(struct e2e *e, const char *fmt, ...)
{
    char why[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    printf("# %s, step %d: %s\n", e->c->name, e->step + 1, why);
    say_screen(e);
    fflush(stdout);
    if (!e->ended) {
        kill(e->pid, SIGKILL);
    }
    waitpid(e->shell, NULL, 0);
    fail_msg("%s, step %d: %s", e->c->name, e->step + 1, why);
    abort();
}

/* The emulator gets whole characters: this version of it forgets the half of one. */
static void feed(struct e2e *e)
{
    size_t end = e->raw.len;
    size_t back = 0; /* bytes of the last character */
    while (back < 3 && end - back > e->fed &&
           ((unsigned char)e->raw.s[end - back - 1] & 0xc0) == 0x80) {
        back++;
    }
    if (end - back > e->fed) {
        const unsigned char lead = (unsigned char)e->raw.s[end - back - 1];
        const size_t whole = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
        end = whole > back + 1 ? end - back - 1 : end;
    }
    vterm_input_write(e->vterm, e->raw.s + e->fed, end - e->fed);
    e->fed = end;
}

static void take_bytes(struct e2e *e, const char *buf, size_t n)
{
    text_add_n(&e->raw, buf, n);
    feed(e);
    e->stale = true;
    /* Answers of the terminal to weft's questions. */
    char answer[256];
    size_t len = vterm_output_read(e->vterm, answer, sizeof answer);
    bool cursor = len > 0 && answer[len - 1] == 'R';
    if (cursor && e->c->answer == E2E_ANSWER_WIDE) {
        len = (size_t)snprintf(answer, sizeof answer, "\033[1;3R");
    } else if (cursor && e->c->answer == E2E_ANSWER_NEVER) {
        len = 0;
    }
    if (len > 0 && write(e->master, answer, len) < 0) {
        printf("# the answer of the terminal was not taken\n");
    }
}

/* A slow line: as many bytes as go over it in `ms`. */
static size_t pump_slowly(struct e2e *e, int ms)
{
    struct pollfd p = { .fd = e->master, .events = POLLIN };
    char buf[4096];
    size_t most = (size_t)e->rate * (size_t)(ms > 0 ? ms : 1) / 1000 + 1;
    poll(NULL, 0, ms);
    if (poll(&p, 1, 0) <= 0 || (p.revents & POLLIN) == 0) {
        return 0;
    }
    ssize_t n = read(e->master, buf, most < sizeof buf ? most : sizeof buf);
    if (n > 0) {
        take_bytes(e, buf, (size_t)n);
    }
    return n > 0 ? (size_t)n : 0;
}

/* Reads for at most `ms`; returns the bytes seen. */
size_t e2e_pump(struct e2e *e, int ms)
{
    struct pollfd p = { .fd = e->master, .events = POLLIN };
    size_t total = 0;
    if (e->master < 0) {
        poll(NULL, 0, ms);
        return 0;
    }
    if (e->rate > 0) {
        return pump_slowly(e, ms);
    }
    int wait = ms;
    while (poll(&p, 1, wait) > 0 && (p.revents & POLLIN) != 0) {
        char buf[16384];
        ssize_t n = read(e->master, buf, sizeof buf);
        if (n <= 0) {
            break;
        }
        take_bytes(e, buf, (size_t)n);
        total += (size_t)n;
        wait = 0;
        if (total > sizeof buf * 8) {
            break;
        }
    }
    return total;
}

/* True when weft has ended, or has stopped and that was asked for. */
static bool reap(struct e2e *e, bool stop_counts)
{
    struct job_news news;
    while (!e->ended && read(e->tell, &news, sizeof news) == (ssize_t)sizeof news) {
        e->status = news.status;
        if (news.status == -1) {
            e->pid = news.pid;
        } else if (WIFSTOPPED(news.status)) {
            e->stopped = true;
        } else {
            e->ended = true;
        }
    }
    return e->ended || (stop_counts && e->stopped);
}

static void start(struct e2e *e)
{
    const char *weft = getenv("WEFT");
    if (weft == NULL) {
        fail_msg("set WEFT to the program under test");
        return;
    }
    int rows = e->c->rows > 0 ? e->c->rows : 24;
    int cols = e->c->cols > 0 ? e->c->cols : 80;
    e->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(e->master >= 0);
    assert_int_equal(grantpt(e->master), 0);
    assert_int_equal(unlockpt(e->master), 0);
    e->slave = open(ptsname(e->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(e->slave >= 0);
    struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };
    ioctl(e->slave, TIOCSWINSZ, &size);
    tcgetattr(e->slave, &e->before);

    e->vterm = vterm_new(rows, cols);
    vterm_set_utf8(e->vterm, 1);
    e->screen = vterm_obtain_screen(e->vterm);
    vterm_screen_enable_altscreen(e->screen, 1);
    vterm_screen_reset(e->screen, 1);

    fflush(stdout);
    e->shell = job_start(e->c, weft, e->slave, &e->tell);
    assert_true(e->shell > 0);
    while (e->pid == 0 && !reap(e, false)) {
        e2e_pump(e, 1);
    }
}

void e2e_type(struct e2e *e, const char *keys)
{
    size_t left = strlen(keys);
    while (left > 0) {
        /* Reading in between: neither side may wait for the other for ever. */
        ssize_t n = write(e->master, keys, left < 512 ? left : 512);
        if (n <= 0) {
            e2e_give_up(e, "weft does not take keys: %s", strerror(errno));
        }
        keys += n;
        left -= (size_t)n;
        if (left > 0) {
            e2e_pump(e, 0);
        }
    }
}

static bool sees(struct e2e *e, const struct e2e_step *step)
{
    const char *screen = e2e_screen(e);
    switch (step->verb) {
    case E2E_SEE:
        return strstr(screen, step->text) != NULL;
    case E2E_GONE:
        return strstr(screen, step->text) == NULL;
    case E2E_CHANGE:
        return strcmp(screen, text_str(&e->remembered)) != 0;
    case E2E_SEE_ANY: {
        const char *word = step->text;
        while (*word != '\0') {
            size_t len = strcspn(word, "|");
            char one[256];
            snprintf(one, sizeof one, "%.*s", (int)len, word);
            if (strstr(screen, one) != NULL) {
                return true;
            }
            word += len + (word[len] == '|');
        }
        return false;
    }
    case E2E_END:
    case E2E_KEYS:
    case E2E_SHELL:
    case E2E_RESIZE:
    case E2E_STORM:
    case E2E_QUIET:
    case E2E_SILENT:
    case E2E_IDLE:
    case E2E_FEW:
    case E2E_FRESH:
    case E2E_SLOW:
    case E2E_SIGNAL:
    case E2E_STOPPED:
    case E2E_CONTINUE:
    case E2E_BACKGROUND:
    case E2E_HANGUP:
    case E2E_DEAF:
    case E2E_PAUSE:
    case E2E_ASCII:
    case E2E_COLOURLESS:
    case E2E_COLOURED:
    case E2E_NEVER:
    case E2E_NOT_CLEARED:
    case E2E_EXIT:
    case E2E_KILLED:
    case E2E_OVER:
        break;
    }
    return false;
}

static void wait_screen(struct e2e *e, const struct e2e_step *step)
{
    long end = e2e_now_ms() + CAP_MS;
    while (!sees(e, step)) {
        if (reap(e, false)) {
            e2e_pump(e, SLICE_MS);
            if (sees(e, step)) {
                return;
            }
            e2e_give_up(e, "weft ended (status 0x%x) before \"%s\"", (unsigned)e->status,
                        step->text == NULL ? "a change" : step->text);
        }
        if (e2e_now_ms() > end) {
            e2e_give_up(e, "waited in vain for %s\"%s\"",
                        step->verb == E2E_GONE ? "the end of " : "",
                        step->text == NULL ? "a change" : step->text);
        }
        e2e_pump(e, SLICE_MS);
    }
}

void e2e_wait_quiet(struct e2e *e, int ms)
{
    long end = e2e_now_ms() + CAP_MS;
    long last = e2e_now_ms();
    while (e2e_now_ms() - last < ms) {
        if (e2e_pump(e, SLICE_MS) > 0) {
            last = e2e_now_ms();
        }
        if (e2e_now_ms() > end) {
            e2e_give_up(e, "weft never stops writing");
        }
    }
}

static void wait_end(struct e2e *e, const struct e2e_step *step)
{
    const long begin = e2e_now_ms();
    while (!reap(e, false)) {
        if (e2e_now_ms() > begin + CAP_MS) {
            e2e_give_up(e, "weft does not end");
        }
        e2e_pump(e, SLICE_MS);
    }
    if (step->verb == E2E_OVER) { /* a second at most where nothing else is to be done */
        printf("# %s: ended after %ld ms\n", e->c->name, e2e_now_ms() - begin);
    }
    e2e_pump(e, SLICE_MS);
    bool good = step->verb == E2E_OVER ? true
                : step->verb == E2E_EXIT
                    ? WIFEXITED(e->status) && WEXITSTATUS(e->status) == step->number
                    : WIFSIGNALED(e->status) && WTERMSIG(e->status) == step->number;
    if (!good) {
        e2e_give_up(e, "weft ended with wait status 0x%x, not with %s %d", (unsigned)e->status,
                    step->verb == E2E_EXIT ? "exit status" : "signal", step->number);
    }
    e2e_check_restored(e);
}

static void wait_stopped(struct e2e *e)
{
    long end = e2e_now_ms() + CAP_MS;
    while (!reap(e, true)) {
        if (e2e_now_ms() > end) {
            e2e_give_up(e, "weft does not stop");
        }
        e2e_pump(e, SLICE_MS);
    }
    if (e->ended) {
        e2e_give_up(e, "weft ended instead of stopping");
    }
    e->stopped = false;
    e2e_pump(e, SLICE_MS);
    e2e_check_restored(e);
}

static void resize(struct e2e *e, const struct e2e_step *step)
{
    struct winsize size = { .ws_row = (unsigned short)step->rows,
                            .ws_col = (unsigned short)step->cols };
    vterm_set_size(e->vterm, step->rows, step->cols);
    e->stale = true;
    ioctl(e->master, TIOCSWINSZ, &size);
}

static void hang_up(struct e2e *e)
{
    close(e->slave);
    close(e->master);
    e->slave = e->master = -1;
}

/* Sizes as a window manager in a bad mood would give them; the same ones every time. */
static void storm(struct e2e *e, const struct e2e_step *step)
{
    uint32_t luck = 1;
    const char *keys = step->text;
    for (int i = 0; i < step->number; i++) {
        luck = luck * 1103515245u + 12345u;
        struct e2e_step to = { .verb = E2E_RESIZE };
        to.cols = 1 + (int)(luck >> 8) % 200;
        to.rows = 1 + (int)(luck >> 18) % 60;
        resize(e, &to);
        if (keys != NULL && keys[0] != '\0') {
            const char key[] = { keys[(size_t)i % strlen(keys)], '\0' };
            e2e_type(e, key);
        }
        e2e_pump(e, 2);
    }
}

static void play_step(struct e2e *e, const struct e2e_step *step)
{
    size_t raw_before = e->raw.len;
    switch (step->verb) {
    case E2E_END:
        break;
    case E2E_SEE:
    case E2E_GONE:
    case E2E_SEE_ANY:
    case E2E_CHANGE:
        wait_screen(e, step);
        break;
    case E2E_KEYS:
        e2e_type(e, step->text);
        break;
    case E2E_SHELL:
        if (system(step->text) != 0) {
            e2e_give_up(e, "the shell could not do: %s", step->text);
        }
        break;
    case E2E_RESIZE:
        resize(e, step);
        break;
    case E2E_QUIET:
        e2e_wait_quiet(e, step->number);
        break;
    case E2E_SILENT:
    case E2E_IDLE:
        e2e_wait_silent(e, step);
        break;
    case E2E_STORM:
        storm(e, step);
        break;
    case E2E_FEW:
        if (e->raw.len - e->raw_before > (size_t)step->number) {
            e2e_give_up(e, "%zu bytes were written", e->raw.len - e->raw_before);
        }
        break;
    case E2E_FRESH:
        e2e_check_fresh(e);
        break;
    case E2E_SLOW:
        e->rate = step->number;
        break;
    case E2E_DEAF:
        poll(NULL, 0, step->number);
        break;
    case E2E_PAUSE: {
        long end = e2e_now_ms() + step->number;
        while (e2e_now_ms() < end) {
            e2e_pump(e, step->number < SLICE_MS ? step->number : SLICE_MS);
        }
        break;
    }
    case E2E_ASCII:
        e2e_check_ascii(e);
        break;
    case E2E_COLOURLESS:
    case E2E_COLOURED:
        if (e2e_is_coloured(e) != (step->verb == E2E_COLOURED)) {
            e2e_give_up(e, step->verb == E2E_COLOURED ? "nothing has a colour"
                                                      : "something has a colour");
        }
        break;
    case E2E_NEVER:
        if (strstr(text_str(&e->raw), step->text) != NULL) {
            e2e_give_up(e, "\"%s\" was written", step->text);
        }
        break;
    case E2E_NOT_CLEARED:
        if (strstr(text_str(&e->raw) + e->raw_before, "\033[2J") != NULL ||
            strstr(text_str(&e->raw) + e->raw_before, "\033[J") != NULL) {
            e2e_give_up(e, "the screen was cleared");
        }
        break;
    case E2E_SIGNAL:
        kill(e->pid, step->number);
        break;
    case E2E_STOPPED:
        wait_stopped(e);
        break;
    case E2E_CONTINUE:
        kill(e->shell, SIGUSR1);
        break;
    case E2E_BACKGROUND:
        kill(e->shell, SIGUSR2);
        break;
    case E2E_HANGUP:
        hang_up(e);
        break;
    case E2E_EXIT:
    case E2E_KILLED:
    case E2E_OVER:
        wait_end(e, step);
        break;
    }
    text_clear(&e->remembered);
    text_add(&e->remembered, e2e_screen(e));
    e->raw_before = raw_before;
}

void e2e_play(const struct e2e_case *c)
{
    struct e2e e = { .c = c, .master = -1, .slave = -1 };
    start(&e);
    for (e.step = 0; c->steps[e.step].verb != E2E_END; e.step++) {
        play_step(&e, &c->steps[e.step]);
    }
    if (!e.ended) {
        e2e_give_up(&e, "the script ends while weft still runs");
    }
    waitpid(e.shell, NULL, 0);
    close(e.tell);
    vterm_free(e.vterm);
    if (e.master >= 0) {
        hang_up(&e);
    }
    text_finish(&e.raw);
    text_finish(&e.shown);
    text_finish(&e.remembered);
}

void e2e_row(void **state)
{
    e2e_play(*state);
}
