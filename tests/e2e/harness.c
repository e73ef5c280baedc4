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
#include <vterm.h>

#include "base/text.h"
#include "job.h"

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

static long now_ms(void)
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

static const char *screen_text(struct e2e *e)
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
    const char *s = screen_text(e);
    while (*s != '\0') {
        size_t len = strcspn(s, "\n");
        printf("#   |%.*s|\n", (int)len, s);
        s += len + (s[len] == '\n');
    }
}

static void give_up(struct e2e *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), noreturn));

static void give_up(struct e2e *e, const char *fmt, ...)
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
static size_t pump(struct e2e *e, int ms)
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
        pump(e, 1);
    }
}

static void type(struct e2e *e, const char *keys)
{
    size_t left = strlen(keys);
    while (left > 0) {
        /* Reading in between: neither side may wait for the other for ever. */
        ssize_t n = write(e->master, keys, left < 512 ? left : 512);
        if (n <= 0) {
            give_up(e, "weft does not take keys: %s", strerror(errno));
        }
        keys += n;
        left -= (size_t)n;
        if (left > 0) {
            pump(e, 0);
        }
    }
}

static bool sees(struct e2e *e, const struct e2e_step *step)
{
    const char *screen = screen_text(e);
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
    long end = now_ms() + CAP_MS;
    while (!sees(e, step)) {
        if (reap(e, false)) {
            pump(e, SLICE_MS);
            if (sees(e, step)) {
                return;
            }
            give_up(e, "weft ended (status 0x%x) before \"%s\"", (unsigned)e->status,
                    step->text == NULL ? "a change" : step->text);
        }
        if (now_ms() > end) {
            give_up(e, "waited in vain for %s\"%s\"", step->verb == E2E_GONE ? "the end of " : "",
                    step->text == NULL ? "a change" : step->text);
        }
        pump(e, SLICE_MS);
    }
}

static void wait_quiet(struct e2e *e, int ms)
{
    long end = now_ms() + CAP_MS;
    long last = now_ms();
    while (now_ms() - last < ms) {
        if (pump(e, SLICE_MS) > 0) {
            last = now_ms();
        }
        if (now_ms() > end) {
            give_up(e, "weft never stops writing");
        }
    }
}

static int occurrences(const struct text *in, const char *what)
{
    int n = 0;
    for (const char *s = text_str(in); (s = strstr(s, what)) != NULL; s++) {
        n++;
    }
    return n;
}

static const char *last_of(const struct text *in, const char *what)
{
    const char *last = NULL;
    for (const char *s = text_str(in); (s = strstr(s, what)) != NULL; s++) {
        last = s;
    }
    return last;
}

/* A mode that was switched (`wrong`) must later be switched to what it was (`right`). */
static void check_mode(struct e2e *e, const char *wrong, const char *right, const char *name)
{
    const char *w = last_of(&e->raw, wrong);
    const char *r = last_of(&e->raw, right);
    if (w != NULL && (r == NULL || r < w)) {
        give_up(e, "%s was not put back", name);
    }
}

static void check_restored(struct e2e *e)
{
    if (e->master < 0) {
        return; /* the window is closed: nothing is left to restore */
    }
    struct termios after;
    tcgetattr(e->slave, &after);
    if (after.c_iflag != e->before.c_iflag || after.c_oflag != e->before.c_oflag ||
        after.c_cflag != e->before.c_cflag || after.c_lflag != e->before.c_lflag ||
        memcmp(after.c_cc, e->before.c_cc, sizeof after.c_cc) != 0) {
        give_up(e, "the terminal's modes were not restored");
    }
    if ((fcntl(e->slave, F_GETFL) & O_NONBLOCK) != 0) { /* the shell's terminal, too */
        give_up(e, "reading from the terminal does not block any more");
    }
    int in = occurrences(&e->raw, "\033[?1049h"), out = occurrences(&e->raw, "\033[?1049l");
    if (in != out) {
        give_up(e, "the alternate screen was entered %d times and left %d times", in, out);
    }
    if (e->c->no_screen && (in != 0 || strchr(text_str(&e->raw), '\033') != NULL)) {
        give_up(e, "escape sequences were written");
    }
    check_mode(e, "\033[?25l", "\033[?25h", "the cursor");
    check_mode(e, "\033[?2004h", "\033[?2004l", "bracketed paste");
    check_mode(e, "\033[?1004h", "\033[?1004l", "focus reports");
    check_mode(e, "\033[?1000h", "\033[?1000l", "the mouse");
    check_mode(e, "\033[?1002h", "\033[?1002l", "the mouse");
    check_mode(e, "\033[?1003h", "\033[?1003l", "the mouse");
    check_mode(e, "\033[?1006h", "\033[?1006l", "the mouse");
}

static void wait_end(struct e2e *e, const struct e2e_step *step)
{
    const long begin = now_ms();
    while (!reap(e, false)) {
        if (now_ms() > begin + CAP_MS) {
            give_up(e, "weft does not end");
        }
        pump(e, SLICE_MS);
    }
    if (step->verb == E2E_OVER && step->number > 0 && now_ms() > begin + step->number) {
        give_up(e, "weft ended only after %ld ms", now_ms() - begin);
    }
    pump(e, SLICE_MS);
    bool good = step->verb == E2E_OVER ? true
                : step->verb == E2E_EXIT
                    ? WIFEXITED(e->status) && WEXITSTATUS(e->status) == step->number
                    : WIFSIGNALED(e->status) && WTERMSIG(e->status) == step->number;
    if (!good) {
        give_up(e, "weft ended with wait status 0x%x, not with %s %d", (unsigned)e->status,
                step->verb == E2E_EXIT ? "exit status" : "signal", step->number);
    }
    check_restored(e);
}

static void wait_stopped(struct e2e *e)
{
    long end = now_ms() + CAP_MS;
    while (!reap(e, true)) {
        if (now_ms() > end) {
            give_up(e, "weft does not stop");
        }
        pump(e, SLICE_MS);
    }
    if (e->ended) {
        give_up(e, "weft ended instead of stopping");
    }
    e->stopped = false;
    pump(e, SLICE_MS);
    check_restored(e);
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

static void check_ascii(struct e2e *e)
{
    for (const char *s = screen_text(e); *s != '\0'; s++) {
        if ((unsigned char)*s > 126) {
            give_up(e, "not ASCII: \"%.12s\"", s);
        }
    }
}

/* Whether some cell has a colour. */
static bool is_coloured(struct e2e *e)
{
    int rows, cols;
    vterm_get_size(e->vterm, &rows, &cols);
    for (int i = 0; i < rows * cols; i++) {
        VTermScreenCell cell = { 0 };
        VTermPos pos = { .row = i / cols, .col = i % cols };
        vterm_screen_get_cell(e->screen, pos, &cell);
        if (!VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) || !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)) {
            return true;
        }
    }
    return false;
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
            type(e, key);
        }
        pump(e, 2);
    }
}

/* Processor time (clock ticks) and how often it went to sleep; false: this system does not tell. */
static bool used(pid_t pid, long *ticks, long *sleeps)
{
    char path[64], line[1024];
    long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        return false;
    }
    const char *rest = fgets(line, sizeof line, f) != NULL ? strrchr(line, ')') : NULL;
    fclose(f);
    if (rest == NULL || sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user,
                               &system) != 2) {
        return false;
    }
    *ticks = user + system;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    f = fopen(path, "r");
    bool found = false;
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        found = sscanf(line, "voluntary_ctxt_switches: %ld", sleeps) == 1;
    }
    if (f != NULL) {
        fclose(f);
    }
    return found;
}

static void wait_silent(struct e2e *e, const struct e2e_step *step)
{
    enum { SLEEPS = 2, TICKS = 1 }; /* one clock tick may fall on anybody */
    long ticks[2] = { 0 }, sleeps[2] = { 0 };
    const bool idle = step->verb == E2E_IDLE && used(e->pid, &ticks[0], &sleeps[0]);
    const long end = now_ms() + step->number;
    size_t seen = 0;
    while (now_ms() < end) {
        seen += pump(e, SLICE_MS);
    }
    if (seen > 0) {
        give_up(e, "weft wrote %zu bytes though nothing changed", seen);
    }
    if (idle && used(e->pid, &ticks[1], &sleeps[1]) &&
        (sleeps[1] - sleeps[0] > SLEEPS || ticks[1] - ticks[0] > TICKS)) {
        give_up(e, "weft woke up %ld times and took %ld ticks though nothing changed",
                sleeps[1] - sleeps[0], ticks[1] - ticks[0]);
    }
}

/* Every cell of the screen, with what it looks like. */
static VTermScreenCell *take_cells(struct e2e *e, int *count)
{
    int rows, cols;
    vterm_get_size(e->vterm, &rows, &cols);
    *count = rows * cols;
    VTermScreenCell *cell = calloc((size_t)*count + 1, sizeof *cell);
    assert_non_null(cell);
    for (int i = 0; i < *count; i++) {
        vterm_screen_get_cell(e->screen, (VTermPos){ .row = i / cols, .col = i % cols }, &cell[i]);
    }
    return cell;
}

static bool same_cell(const VTermScreenCell *a, const VTermScreenCell *b)
{
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL; i++) {
        const uint32_t x = a->chars[i] == ' ' && i == 0 ? 0 : a->chars[i];
        const uint32_t y = b->chars[i] == ' ' && i == 0 ? 0 : b->chars[i];
        if (x != y) {
            return false;
        }
        if (a->chars[i] == 0) {
            break;
        }
    }
    return a->attrs.bold == b->attrs.bold && a->attrs.reverse == b->attrs.reverse &&
           a->attrs.underline == b->attrs.underline && vterm_color_is_equal(&a->fg, &b->fg) &&
           vterm_color_is_equal(&a->bg, &b->bg);
}

static void check_fresh(struct e2e *e)
{
    enum { STILL_MS = 300 };
    int cols, rows, count[2];
    wait_quiet(e, STILL_MS);
    VTermScreenCell *before = take_cells(e, &count[0]);
    type(e, "\014");
    wait_quiet(e, STILL_MS);
    VTermScreenCell *after = take_cells(e, &count[1]);
    vterm_get_size(e->vterm, &rows, &cols);
    for (int i = 0; i < count[0] && i < count[1]; i++) {
        if (!same_cell(&before[i], &after[i])) {
            give_up(e, "row %d, column %d was not what painting anew gives", i / cols, i % cols);
        }
    }
    free(before);
    free(after);
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
        type(e, step->text);
        break;
    case E2E_SHELL:
        if (system(step->text) != 0) {
            give_up(e, "the shell could not do: %s", step->text);
        }
        break;
    case E2E_RESIZE:
        resize(e, step);
        break;
    case E2E_QUIET:
        wait_quiet(e, step->number);
        break;
    case E2E_SILENT:
    case E2E_IDLE:
        wait_silent(e, step);
        break;
    case E2E_STORM:
        storm(e, step);
        break;
    case E2E_FEW:
        if (e->raw.len - e->raw_before > (size_t)step->number) {
            give_up(e, "%zu bytes were written", e->raw.len - e->raw_before);
        }
        break;
    case E2E_FRESH:
        check_fresh(e);
        break;
    case E2E_SLOW:
        e->rate = step->number;
        break;
    case E2E_DEAF:
        poll(NULL, 0, step->number);
        break;
    case E2E_PAUSE: {
        long end = now_ms() + step->number;
        while (now_ms() < end) {
            pump(e, step->number < SLICE_MS ? step->number : SLICE_MS);
        }
        break;
    }
    case E2E_ASCII:
        check_ascii(e);
        break;
    case E2E_COLOURLESS:
    case E2E_COLOURED:
        if (is_coloured(e) != (step->verb == E2E_COLOURED)) {
            give_up(e,
                    step->verb == E2E_COLOURED ? "nothing has a colour" : "something has a colour");
        }
        break;
    case E2E_NEVER:
        if (strstr(text_str(&e->raw), step->text) != NULL) {
            give_up(e, "\"%s\" was written", step->text);
        }
        break;
    case E2E_NOT_CLEARED:
        if (strstr(text_str(&e->raw) + e->raw_before, "\033[2J") != NULL ||
            strstr(text_str(&e->raw) + e->raw_before, "\033[J") != NULL) {
            give_up(e, "the screen was cleared");
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
    text_add(&e->remembered, screen_text(e));
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
        give_up(&e, "the script ends while weft still runs");
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
