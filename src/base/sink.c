#define _XOPEN_SOURCE 700

#include "base/sink.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

enum { BUFFER = 1 << 14 };

/* A place in the file behind which it may end. */
struct place {
    uint64_t bytes, pieces;
};

/*
 * What is in the buffer are whole pieces, so the file is cut well wherever a flush began. On a full disk
 * it is cut where at least a tail's bytes come free:
 *
 *     |---------- cut[0] -----------|-- cut[1] ---|-- this flush, as far as it came --X
 *                                    more than a tail apart
 */
struct sink {
    const char *path;
    struct file_draft draft; /* stdout: only its fd */
    bool to_stdout, regular;
    off_t from; /* where stdout stood */
    uint64_t limit;
    size_t tail; /* room for it */
    char *buffer;
    size_t used;
    struct place written, pending, cut[2];
    enum sink_end end;
    int why; /* errno */
    bool whole;
    sigset_t before, waiting_for;
};

/* ---- signals --------------------------------------------------------------------------------- */

/* They wait from now on; what is ignored stays ignored. */
static void hold_signals(struct sink *s)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    (void)sigemptyset(&s->waiting_for);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
            (void)sigaddset(&s->waiting_for, signals[i]);
        }
    }
    (void)sigprocmask(SIG_BLOCK, &s->waiting_for, &s->before);
}

static bool signal_waits(const struct sink *s)
{
    sigset_t pending;
    if (sigpending(&pending) != 0) {
        return false;
    }
    return (sigismember(&pending, SIGINT) == 1 && sigismember(&s->waiting_for, SIGINT) == 1) ||
           (sigismember(&pending, SIGTERM) == 1 && sigismember(&s->waiting_for, SIGTERM) == 1) ||
           (sigismember(&pending, SIGHUP) == 1 && sigismember(&s->waiting_for, SIGHUP) == 1);
}

/* ---- life ------------------------------------------------------------------------------------ */

static bool open_stdout(struct sink *s, bool binary, struct err *err)
{
    s->draft.fd = STDOUT_FILENO;
    s->to_stdout = true;
    return !(binary && isatty(STDOUT_FILENO)) ||
           err_set(err, ERR_IO,
                   "this is nothing for a terminal to show; --out FILE, or a pipe behind it");
}

struct sink *sink_open(const char *path, const struct sink_options *options, struct err *err)
{
    struct sink *s = mem_alloc(1, sizeof *s);
    s->path = path;
    s->limit = options->limit;
    s->tail = options->tail > 0 ? options->tail : SINK_TAIL_BYTES;
    s->buffer = mem_alloc(BUFFER, 1);
    hold_signals(s);
    const bool ok = strcmp(path, "-") == 0
                        ? open_stdout(s, options->binary, err)
                        : file_draft_open(&s->draft, path, options->replace, err);
    struct stat st;
    if (!ok) {
        s->draft.fd = -1;
        sink_destroy(s);
        return NULL;
    }
    s->regular = fstat(s->draft.fd, &st) == 0 && S_ISREG(st.st_mode);
    if (s->to_stdout && s->regular) {
        s->from = lseek(STDOUT_FILENO, 0, SEEK_CUR);
        s->regular = s->from >= 0;
    }
    return s;
}

void sink_destroy(struct sink *s)
{
    if (s == NULL) {
        return;
    }
    if (!s->to_stdout) {
        file_draft_drop(&s->draft);
    }
    free(s->buffer);
    const sigset_t before = s->before;
    free(s);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool put(struct sink *s, const char *data, size_t size)
{
    const size_t done = file_write_some(s->draft.fd, data, size);
    s->written.bytes += done;
    if (done < size) {
        s->why = errno;
        s->end = errno == EPIPE ? SINK_GONE : SINK_FULL;
    }
    return done == size;
}

static bool flush(struct sink *s)
{
    if (s->written.bytes - s->cut[1].bytes >= s->tail) {
        s->cut[0] = s->cut[1];
        s->cut[1] = s->written;
    }
    const size_t size = s->used;
    s->used = 0;
    if (!put(s, s->buffer, size)) {
        return false;
    }
    s->written.pieces += s->pending.pieces;
    s->pending.pieces = 0;
    return true;
}

bool sink_takes(struct sink *s)
{
    if (s->end == SINK_GOES && signal_waits(s)) {
        s->end = SINK_ASKED;
    }
    return s->end == SINK_GOES;
}

bool sink_add(struct sink *s, const void *piece, size_t size)
{
    if (s->end != SINK_GOES) {
        return false;
    }
    if (s->limit > 0 && s->written.bytes + s->used + size + s->tail > s->limit) {
        s->end = SINK_LIMIT;
        return false;
    }
    if (s->used + size > BUFFER && (!sink_takes(s) || !flush(s))) {
        return false;
    }
    if (size > BUFFER) {
        const bool ok = put(s, piece, size);
        s->written.pieces += ok;
        return ok;
    }
    memcpy(s->buffer + s->used, piece, size);
    s->used += size;
    s->pending.pieces++;
    return true;
}

bool sink_add_text(struct sink *s, struct text *piece)
{
    const bool ok = sink_add(s, text_str(piece), piece->len);
    text_clear(piece);
    return ok;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Back to a place behind which a tail has room. */
static bool cut_back(struct sink *s)
{
    const bool last = s->written.bytes - s->cut[1].bytes >= s->tail;
    const struct place to = last ? s->cut[1] : s->cut[0];
    const off_t length = s->from + (off_t)to.bytes;
    s->written = to;
    return s->regular && to.pieces > 0 && ftruncate(s->draft.fd, length) == 0 &&
           (lseek(s->draft.fd, length, SEEK_SET) == length);
}

bool sink_tail_made(struct sink *s, sink_tail_fn *make, void *arg)
{
    struct text tail = { 0 };
    if (s->end != SINK_FULL && s->end != SINK_GONE && flush(s)) {
        make(arg, s->written.pieces, s->end != SINK_GOES, &tail);
        assert(tail.len <= s->tail);
        s->whole = put(s, text_str(&tail), tail.len);
    }
    if (s->end == SINK_FULL && cut_back(s)) {
        text_clear(&tail);
        make(arg, s->written.pieces, true, &tail);
        s->whole = file_write_some(s->draft.fd, text_str(&tail), tail.len) == tail.len;
        s->written.bytes += tail.len;
    }
    text_finish(&tail);
    return s->whole;
}

struct tails {
    const char *whole, *cut;
};

static void choose_tail(void *arg, uint64_t pieces, bool cut, struct text *tail)
{
    const struct tails *tails = arg;
    (void)pieces;
    text_add(tail, cut ? tails->cut : tails->whole);
}

bool sink_tail(struct sink *s, const char *whole, const char *cut)
{
    struct tails tails = { whole, cut };
    return sink_tail_made(s, choose_tail, &tails);
}

bool sink_close(struct sink *s, struct err *err)
{
    if (!s->whole) {
        if (s->end != SINK_GONE) {
            (void)err_set(err, ERR_IO, "cannot write: %s", sink_why(s));
            (void)err_at(err, s->to_stdout ? "stdout" : s->path, 0);
        }
        return false;
    }
    return s->to_stdout || file_draft_keep(&s->draft, s->path, err);
}

enum sink_end sink_end(const struct sink *s)
{
    return s->end;
}

const char *sink_why(const struct sink *s)
{
    return strerror(s->why);
}

uint64_t sink_pieces(const struct sink *s)
{
    return s->written.pieces;
}

uint64_t sink_bytes(const struct sink *s)
{
    return s->written.bytes;
}
