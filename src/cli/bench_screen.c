/*
 * What the screen costs: CPU time and bytes a frame, of the card of the course on which most changes, beside
 * a program that everybody knows, at the same size and as many frames a second, on this machine.
 *
 *     reel --> which card changes most cells a frame
 *     weft | htop | top  on a pseudo-terminal --> bytes that come, time that the process takes
 *
 * What comes without a pause between is a frame. Start-up is left out.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "app/reel.h"
#include "cli/bench.h"
#include "cli/cli.h"

enum {
    FPS = 10,         /* htop has no more */
    LOOKED_AT = 200,  /* frames of a lesson, to find the busiest card */
    CARD_FRAMES = 10, /* that a card has at least, to count */
    WARM_MS = 2000,   /* start-up */
    MEASURED_MS = 5000,
    APART_MS = 15,    /* what is closer together is one frame */
    SILENCE_MS = 500, /* then something is typed that makes it go on */
    WORDS_MAX = 8
};

/* ---- The busiest card -------------------------------------------------------------------------- */

struct busiest {
    char id[64];
    size_t card;
    double cells; /* that change from one frame to the next, on average */
};

static size_t changed_cells(const struct canvas *now, const struct canvas *before)
{
    size_t n = 0;
    for (int i = 0; i < now->w * now->h; i++) {
        n += canvas_differs(now, before, i % now->w, i / now->w) ? 1 : 0;
    }
    return n;
}

/* Goes through the first frames of a lesson; keeps its busiest card if it is busier. */
static bool look_through(const struct lesson_info *info, const char *data_dir, struct busiest *best,
                         struct err *err)
{
    const struct app_options app = { .data_dir = data_dir, .seed = 1 };
    const struct reel_options how = { .width = 80, .height = 24, .fps = FPS };
    struct reel *reel = reel_create(&app, info->file, &how, err);
    struct canvas before;
    size_t card = 0, frames = 0, cells = 0;
    if (reel == NULL) {
        return false;
    }
    canvas_init(&before);
    for (int i = 0; i < LOOKED_AT && reel_next(reel); i++) {
        if (reel_card(reel) != card) {
            card = reel_card(reel);
            frames = cells = 0;
        } else {
            frames++;
            cells += changed_cells(reel_canvas(reel), &before);
        }
        const double mean = frames > 0 ? (double)cells / (double)frames : 0;
        if (frames >= CARD_FRAMES && mean > best->cells) {
            *best = (struct busiest){ .card = card, .cells = mean };
            (void)snprintf(best->id, sizeof best->id, "%s", info->id);
        }
        canvas_copy(&before, reel_canvas(reel));
    }
    canvas_finish(&before);
    reel_destroy(reel);
    return true;
}

static bool find_busiest(struct busiest *best, struct err *err)
{
    struct text errors = { 0 };
    struct lesson_list list = { 0 };
    char *data_dir = cli_data_dir();
    const struct lesson_places course = { .data_dir = data_dir };
    bool ok = lesson_list(&course, &list, &errors, err);
    *best = (struct busiest){ .card = 1 };
    for (size_t i = 0; ok && i < list.count; i++) {
        ok = look_through(&list.items[i], data_dir, best, err);
    }
    lesson_list_finish(&list);
    text_finish(&errors);
    free(data_dir);
    return ok;
}

/* ---- A program on a terminal ------------------------------------------------------------------- */

struct cost {
    size_t bytes, frames;
    double cpu_s;
};

static int64_t wall_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* CPU time of another process so far, in seconds; 0: it cannot be told. */
static double cpu_of(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) {
        return 0;
    }
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The child: never returns. */
static void become(const char *const *words, const char *slave)
{
    char *argv[WORDS_MAX + 1] = { 0 };
    for (size_t i = 0; i < WORDS_MAX && words[i] != NULL; i++) {
        argv[i] = strdup(words[i]);
    }
    (void)setsid();
    const int tty = open(slave, O_RDWR);
    if (tty < 0 || dup2(tty, 0) < 0 || dup2(tty, 1) < 0 || dup2(tty, 2) < 0) {
        _exit(127);
    }
    (void)ioctl(tty, TIOCSCTTY, 0);
    (void)setenv("TERM", "xterm-256color", 1);
    (void)setenv("HTOPRC", "/dev/null", 1);
    (void)setenv("XDG_STATE_HOME", "/dev/null", 1);  /* nothing is kept of this, */
    (void)setenv("XDG_CONFIG_HOME", "/dev/null", 1); /* and keys are as they come */
    (void)unsetenv("COLUMNS");
    (void)unsetenv("LINES");
    (void)unsetenv("NO_COLOR");
    execvp(argv[0], argv);
    _exit(127);
}

static int open_master(int w, int h)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    const struct winsize size = { .ws_row = (unsigned short)h, .ws_col = (unsigned short)w };
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
        ioctl(master, TIOCSWINSZ, &size) != 0) {
        if (master >= 0) {
            (void)close(master);
        }
        return -1;
    }
    return master;
}

/* Reads for `ms`; what is asked of the terminal is not answered. `wakes`: typed when nothing comes. */
static struct cost watch(int master, pid_t pid, int ms, const char *wakes)
{
    struct cost cost = { 0 };
    const int64_t end = wall_ms() + ms;
    int64_t last = 0, heard = wall_ms();
    const double cpu = cpu_of(pid);
    for (int64_t now = heard; now < end; now = wall_ms()) {
        struct pollfd p = { .fd = master, .events = POLLIN };
        char buf[16384];
        if (now - heard > SILENCE_MS && wakes != NULL) {
            heard = now;
            (void)!write(master, wakes, strlen(wakes));
        }
        if (poll(&p, 1, 50) <= 0) {
            continue;
        }
        const ssize_t n = read(master, buf, sizeof buf);
        if (n <= 0) {
            break;
        }
        now = heard = wall_ms();
        cost.frames += now - last > APART_MS ? 1 : 0;
        cost.bytes += (size_t)n;
        last = now;
    }
    cost.cpu_s = cpu_of(pid) - cpu;
    return cost;
}

/* False: it cannot be run, or writes nothing. */
static bool measure(const char *const *words, int w, int h, const char *wakes, struct cost *cost)
{
    const int master = open_master(w, h);
    const char *name = master >= 0 ? ptsname(master) : NULL;
    char slave[128];
    if (name == NULL) {
        return false;
    }
    (void)snprintf(slave, sizeof slave, "%s", name);
    const pid_t pid = fork();
    if (pid == 0) {
        become(words, slave);
    }
    if (pid > 0) {
        (void)watch(master, pid, WARM_MS, wakes);
        *cost = watch(master, pid, MEASURED_MS, wakes);
        (void)kill(pid, SIGTERM);
        (void)watch(master, pid, 100, NULL); /* what it says at its end must not hold it up */
        (void)kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    (void)close(master);
    return pid > 0 && cost->frames > 0 && cost->cpu_s > 0;
}

/* ---- Beside others ----------------------------------------------------------------------------- */

static const struct other {
    const char *name;
    const char *const words[WORDS_MAX];
} others[] = {
    { "htop", { "htop", "-d", "1" } }, /* tenths of a second */
    { "top", { "top", "-d", "0.1" } },
};

static const int sizes[][2] = { { 80, 24 }, { 200, 60 } };

/* This very program. */
static const char *self(char *buf, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", buf, size - 1);
    if (n <= 0) {
        return "weft";
    }
    buf[n] = '\0';
    return buf;
}

static double ms_a_frame(const struct cost *c)
{
    return c->cpu_s * 1e3 / (double)c->frames;
}

static double bytes_a_frame(const struct cost *c)
{
    return (double)c->bytes / (double)c->frames;
}

static void add_size(struct text *out, bool json, bool first, const int *size,
                     const struct cost *ours, const struct other *other, const struct cost *theirs)
{
    if (json) {
        text_addf(
            out,
            "%s\n    {\"columns\": %d, \"rows\": %d, \"frames\": %zu, \"cpu_ms_a_frame\": %.3f, "
            "\"bytes_a_frame\": %.0f",
            first ? "" : ",", size[0], size[1], ours->frames, ms_a_frame(ours),
            bytes_a_frame(ours));
        if (other != NULL) {
            text_addf(
                out,
                ", \"beside\": \"%s\", \"its_cpu_ms_a_frame\": %.3f, \"its_bytes_a_frame\": %.0f",
                other->name, ms_a_frame(theirs), bytes_a_frame(theirs));
        }
        text_add(out, "}");
        return;
    }
    text_addf(out, "           %dx%d: %.2f ms CPU, %.0f bytes a frame", size[0], size[1],
              ms_a_frame(ours), bytes_a_frame(ours));
    if (other != NULL) {
        text_addf(out, "; %s %.2f ms, %.0f bytes", other->name, ms_a_frame(theirs),
                  bytes_a_frame(theirs));
    }
    text_add(out, "\n");
}

bool bench_screen(const struct cli_options *options, struct text *out, struct err *err)
{
    const bool json = options->format == CLI_JSON;
    struct busiest best;
    char path[1024], card[24], fps[8];
    if (!bench_is_wished(options, "screen")) {
        return true;
    }
    if (!find_busiest(&best, err)) {
        return false;
    }
    (void)snprintf(card, sizeof card, "%zu", best.card);
    (void)snprintf(fps, sizeof fps, "%d", FPS);
    const char *const weft[WORDS_MAX] = {
        self(path, sizeof path), best.id, "--card", card, "--fps", fps
    };
    const struct other *other = NULL;
    if (!json) {
        text_addf(
            out, "screen     %s, card %s: %.0f cells of 80x24 change a frame, %d frames a second\n",
            best.id, card, best.cells, FPS);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct cost ours = { 0 }, theirs = { 0 };
        const size_t last = sizeof others / sizeof *others;
        if (!measure(weft, sizes[i][0], sizes[i][1], " ", &ours)) {
            return err_set(err, ERR_STATE, "%s does not run on a terminal here", weft[0]);
        }
        size_t k = other != NULL ? (size_t)(other - others) : 0;
        while (k < last && !measure(others[k].words, sizes[i][0], sizes[i][1], NULL, &theirs)) {
            k++;
        }
        other = k < last ? &others[k] : NULL;
        add_size(out, json, i == 0, sizes[i], &ours, other, &theirs);
    }
    if (other == NULL && !json) {
        text_add(out, "           neither htop nor top is here to compare with\n");
    }
    return true;
}
