/*
 * What a script may ask of the screen, and of what weft takes while nothing changes.
 */
#include "harness_inside.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void e2e_check_ascii(struct e2e *e)
{
    for (const char *s = e2e_screen(e); *s != '\0'; s++) {
        if ((unsigned char)*s > 126) {
            e2e_give_up(e, "not ASCII: \"%.12s\"", s);
        }
    }
}

/* Whether some cell has a colour. */
bool e2e_is_coloured(struct e2e *e)
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

void e2e_wait_silent(struct e2e *e, const struct e2e_step *step)
{
    /* One clock tick may fall on anybody; and a busy machine may let weft finish only now what it had
     * begun before: what is really silent is so in one of three stretches. */
    enum { SLEEPS = 2, TICKS = 1, STRETCHES = 3 };
    for (int i = 1;; i++) {
        long ticks[2] = { 0 }, sleeps[2] = { 0 };
        size_t seen = 0;
        bool idle = step->verb == E2E_IDLE && used(e->pid, &ticks[0], &sleeps[0]);
        const long end = e2e_now_ms() + step->number;
        while (e2e_now_ms() < end) {
            seen += e2e_pump(e, SLICE_MS);
        }
        idle = idle && used(e->pid, &ticks[1], &sleeps[1]);
        const bool woke = idle && (sleeps[1] - sleeps[0] > SLEEPS || ticks[1] - ticks[0] > TICKS);
        if (seen == 0 && !woke) {
            return;
        }
        if (i == STRETCHES) {
            e2e_give_up(
                e, "weft wrote %zu bytes, woke up %ld times, took %ld ticks though nothing changed",
                seen, sleeps[1] - sleeps[0], ticks[1] - ticks[0]);
        }
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

void e2e_check_fresh(struct e2e *e)
{
    enum { STILL_MS = 300 };
    int cols, rows, count[2];
    e2e_wait_quiet(e, STILL_MS);
    VTermScreenCell *before = take_cells(e, &count[0]);
    e2e_type(e, "\014");
    e2e_wait_quiet(e, STILL_MS);
    VTermScreenCell *after = take_cells(e, &count[1]);
    vterm_get_size(e->vterm, &rows, &cols);
    for (int i = 0; i < count[0] && i < count[1]; i++) {
        if (!same_cell(&before[i], &after[i])) {
            e2e_give_up(e, "row %d, column %d was not what painting anew gives", i / cols,
                        i % cols);
        }
    }
    free(before);
    free(after);
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
        e2e_give_up(e, "%s was not put back", name);
    }
}

void e2e_check_restored(struct e2e *e)
{
    if (e->master < 0) {
        return; /* the window is closed: nothing is left to restore */
    }
    struct termios after;
    tcgetattr(e->slave, &after);
    if (after.c_iflag != e->before.c_iflag || after.c_oflag != e->before.c_oflag ||
        after.c_cflag != e->before.c_cflag || after.c_lflag != e->before.c_lflag ||
        memcmp(after.c_cc, e->before.c_cc, sizeof after.c_cc) != 0) {
        e2e_give_up(e, "the terminal's modes were not restored");
    }
    if ((fcntl(e->slave, F_GETFL) & O_NONBLOCK) != 0) { /* the shell's terminal, too */
        e2e_give_up(e, "reading from the terminal does not block any more");
    }
    int in = occurrences(&e->raw, "\033[?1049h"), out = occurrences(&e->raw, "\033[?1049l");
    if (in != out) {
        e2e_give_up(e, "the alternate screen was entered %d times and left %d times", in, out);
    }
    if (e->c->no_screen && (in != 0 || strchr(text_str(&e->raw), '\033') != NULL)) {
        e2e_give_up(e, "escape sequences were written");
    }
    check_mode(e, "\033[?25l", "\033[?25h", "the cursor");
    check_mode(e, "\033[?2004h", "\033[?2004l", "bracketed paste");
    check_mode(e, "\033[?1004h", "\033[?1004l", "focus reports");
    check_mode(e, "\033[?1000h", "\033[?1000l", "the mouse");
    check_mode(e, "\033[?1002h", "\033[?1002l", "the mouse");
    check_mode(e, "\033[?1003h", "\033[?1003l", "the mouse");
    check_mode(e, "\033[?1006h", "\033[?1006l", "the mouse");
}
