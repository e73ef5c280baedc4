/* The smallest program on term/: shows keys and size. The terminal tests play with it. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "term/term.h"

static void on_winch(int sig)
{
    (void)sig; /* only there to end the wait */
}

static void draw(struct term *term, struct canvas *canvas, const char *keys)
{
    int rows, cols;
    term_size(term, &rows, &cols);
    canvas->ascii = term_ascii(term);
    canvas_resize(canvas, cols, rows);
    canvas_textf(canvas, 0, 0, UI_ROLE_TITLE, "size %dx%d", cols, rows);
    canvas_textf(canvas, 0, 1, UI_ROLE_PAUSE, "keys%s", keys);
    canvas_text(canvas, 0, 2, UI_ROLE_NAK, "\xe6\xbc\xa2\xe5\xad\x97 e\xcc\x81 \xe2\x96\xb8|");
    canvas_text(canvas, 0, 3, UI_ROLE_DEFAULT, "\xf0\x9f\x87\xaf\xf0\x9f\x87\xb5|");
    canvas_text(canvas, 0, 4, UI_ROLE_DIM, term_note(term));
    canvas_text(canvas, cols - 1, rows - 1, UI_ROLE_DEFAULT, "#");
    term_present(term, canvas);
}

static void stop(struct term *term)
{
    term_suspend(term);
    kill(0, SIGTSTP);
    while (!term_resume(term) && !term_gone(term)) {
        poll(NULL, 0, TERM_KEY_ESC_MS); /* in the background: until fg */
    }
}

int main(int argc, char **argv)
{
    struct term_options options = { 0 };
    if (argc > 1 && strcmp(argv[1], "ascii") == 0) {
        options.charset = TERM_CHARSET_ASCII;
    }
    struct err err = { 0 };
    struct term *term = term_open(&options, &err);
    if (term == NULL) {
        fprintf(stderr, "echo: %s\n", err.msg);
        return 1;
    }
    struct sigaction winch = { .sa_handler = on_winch };
    sigaction(SIGWINCH, &winch, NULL);
    struct canvas canvas;
    canvas_init(&canvas);
    char keys[4096] = "";
    bool done = false;
    while (!done && !term_gone(term)) {
        draw(term, &canvas, keys);
        short events = term_sending(term) ? POLLIN | POLLOUT : POLLIN;
        struct pollfd p = { .fd = term_fd(term), .events = events };
        /* A signal may come between drawing and waiting: look again now and then. */
        int n = poll(&p, 1, TERM_KEY_ESC_MS);
        if (n == 0) {
            if (term_key_waiting(term)) {
                term_key_timeout(term);
            }
        } else if (n > 0 && (p.revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
            term_read(term);
        }
        for (uint32_t key; (key = term_key(term)) != TERM_KEY_NONE;) {
            char name[32];
            size_t len = strlen(keys);
            snprintf(keys + len, sizeof keys - len, " %s", term_key_text(key, name, sizeof name));
            if (key == 'A') {
                abort();
            } else if (key == 'S') {
                raise(SIGSEGV);
            } else if (key == TERM_KEY_CTRL('z')) {
                stop(term);
            } else if (key == 'q') {
                done = true;
            }
        }
    }
    canvas_finish(&canvas);
    term_close(term);
    return 0;
}
