/* Sinks: whatever ends a file early, it is whole and its pieces are the first ones. */
#define _XOPEN_SOURCE 700

#include "cmocka_rows.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sink.h"

static char folder[64];
static char path[128];

static const char *in_folder(const char *name)
{
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)snprintf(folder, sizeof folder, "/tmp/weft-test-sink.XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* Pieces are numbered lines of 20 bytes. The file is so many of them and then the tail. */
static void assert_is(const char *file, uint64_t pieces, const char *tail)
{
    char *data = NULL;
    size_t size = 0;
    assert_true(file_read(file, 1 << 24, &data, &size, NULL));
    assert_int_equal(size, pieces * 20 + strlen(tail));
    for (uint64_t i = 0; i < pieces; i++) {
        char want[32];
        (void)snprintf(want, sizeof want, "%19llu\n", (unsigned long long)i);
        assert_memory_equal(data + i * 20, want, 20);
    }
    assert_string_equal(data + pieces * 20, tail);
    free(data);
}

/* Up to `most` of them; returns how many were taken. */
static int add_lines(struct sink *sink, int most)
{
    for (int i = 0; i < most; i++) {
        char line[32];
        (void)snprintf(line, sizeof line, "%19d\n", i);
        if (!sink_add(sink, line, 20)) {
            return i;
        }
    }
    return most;
}

static size_t entries(void)
{
    char command[128];
    char answer[16] = "";
    (void)snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
    FILE *p = popen(command, "r");
    assert_non_null(fgets(answer, sizeof answer, p));
    (void)pclose(p);
    return (size_t)atoi(answer);
}

static void a_whole_file(void **state)
{
    (void)state;
    const char *a = in_folder("whole");
    struct err err = { 0 };
    struct sink *sink = sink_open(a, &(struct sink_options){ 0 }, &err);
    assert_non_null(sink);
    assert_int_equal(add_lines(sink, 5000), 5000);
    assert_false(file_exists(a)); /* nobody sees half of it */
    assert_true(sink_tail(sink, "whole", "cut"));
    assert_true(sink_close(sink, &err));
    assert_int_equal(sink_pieces(sink), 5000);
    assert_int_equal(sink_bytes(sink), 100005);
    sink_destroy(sink);
    assert_is(a, 5000, "whole");
    assert_int_equal(entries(), 1);
}

static void does_not_overwrite_unasked(void **state)
{
    (void)state;
    const char *a = in_folder("old");
    struct err err = { 0 };
    assert_true(file_write(a, "old", 3, false, NULL));
    assert_null(sink_open(a, &(struct sink_options){ 0 }, &err));
    assert_non_null(strstr(err.msg, "--force"));
    struct sink *sink = sink_open(a, &(struct sink_options){ .replace = true }, NULL);
    assert_int_equal(add_lines(sink, 10), 10);
    sink_destroy(sink); /* not closed: dropped */
    assert_is(a, 0, "old");
    assert_int_equal(entries(), 2);
}

/* The disk holds `room` bytes: as with a full one, less arrives than was given. */
static struct full {
    const char *name;
    rlim_t room;
    int lines;
} fulls[] = {
    { "full in the middle", 200000, 100000 },
    { "full at the end of a flush", 16384 * 3, 100000 },
    { "full one byte behind a flush", 16384 * 3 + 1, 100000 },
    { "full where the tail begins", 20 * 3000, 3000 },
    { "full within the tail", 20 * 3000 + 2, 3000 },
};

static void a_full_disk(void **state)
{
    const struct full *full = *state;
    const char *a = in_folder("full");
    struct err err = { 0 };
    struct rlimit before;
    (void)unlink(a);
    struct sink *sink = sink_open(a, &(struct sink_options){ 0 }, &err);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit now = { full->room, before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
    (void)add_lines(sink, full->lines);
    const bool whole = sink_tail(sink, "whole", "cut");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(whole);
    assert_int_equal(sink_end(sink), SINK_FULL);
    assert_true(sink_close(sink, &err));
    const uint64_t pieces = sink_pieces(sink);
    assert_true(pieces > 0 && pieces * 20 <= full->room);
    assert_true(pieces * 20 + 3 * 16384 > full->room); /* not much is lost */
    sink_destroy(sink);
    assert_is(a, pieces, "cut");
}

static void no_room_at_all(void **state)
{
    (void)state;
    struct err err = { 0 };
    const size_t before = entries();
    struct sink *sink = sink_open("/dev/full", &(struct sink_options){ 0 }, &err);
    assert_non_null(sink);
    (void)add_lines(sink, 5000);
    assert_false(sink_tail(sink, "whole", "cut"));
    assert_false(sink_close(sink, &err));
    assert_string_equal(err.where, "/dev/full");
    assert_non_null(strstr(err.msg, "No space left"));
    sink_destroy(sink);
    assert_int_equal(entries(), before);
}

static void a_limit(void **state)
{
    (void)state;
    const char *a = in_folder("limit");
    struct sink *sink = sink_open(a, &(struct sink_options){ .limit = 50000 }, NULL);
    const int taken = add_lines(sink, 100000);
    assert_int_equal(taken, (50000 - SINK_TAIL_BYTES) / 20);
    assert_int_equal(sink_end(sink), SINK_LIMIT);
    assert_true(sink_tail(sink, "whole", "cut"));
    assert_true(sink_close(sink, NULL));
    sink_destroy(sink);
    assert_is(a, (uint64_t)taken, "cut");
}

static volatile sig_atomic_t heard;

static void hear(int signum)
{
    heard = signum;
}

static void a_signal_waits(void **state)
{
    (void)state;
    const char *a = in_folder("signal");
    heard = 0;
    (void)signal(SIGTERM, hear);
    (void)signal(SIGINT, SIG_IGN);
    struct sink *sink = sink_open(a, &(struct sink_options){ 0 }, NULL);
    assert_int_equal(add_lines(sink, 10), 10);
    (void)raise(SIGINT); /* ignored before, ignored now */
    assert_true(sink_takes(sink));
    (void)raise(SIGTERM);
    assert_false(sink_takes(sink));
    assert_int_equal(sink_end(sink), SINK_ASKED);
    assert_int_equal(add_lines(sink, 1), 0);
    assert_true(sink_tail(sink, "whole", "cut"));
    assert_true(sink_close(sink, NULL));
    assert_int_equal(heard, 0);
    sink_destroy(sink);
    assert_int_equal(heard, SIGTERM);
    (void)signal(SIGTERM, SIG_DFL);
    (void)signal(SIGINT, SIG_DFL);
    assert_is(a, 10, "cut");
}

static void the_reader_has_gone(void **state)
{
    (void)state;
    struct err err = { 0 };
    const char *a = in_folder("pipe");
    (void)signal(SIGPIPE, SIG_IGN);
    assert_int_equal(mkfifo(a, 0600), 0);
    const int reader = open(a, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    struct sink *sink = sink_open(a, &(struct sink_options){ 0 }, &err);
    assert_non_null(sink);
    (void)close(reader);
    assert_true(add_lines(sink, 5000) < 5000);
    assert_int_equal(sink_end(sink), SINK_GONE);
    assert_false(sink_tail(sink, "whole", "cut"));
    assert_false(sink_close(sink, &err));
    assert_int_equal(err.code, ERR_NONE); /* nothing that one must be told */
    sink_destroy(sink);
    (void)signal(SIGPIPE, SIG_DFL);
}

static void large_pieces(void **state)
{
    (void)state;
    static char big[100000];
    const char *a = in_folder("large");
    memset(big, 'x', sizeof big);
    struct sink *sink = sink_open(a, &(struct sink_options){ 0 }, NULL);
    assert_true(sink_add(sink, "a", 1));
    assert_true(sink_add(sink, big, sizeof big));
    assert_true(sink_add(sink, "b", 1));
    assert_true(sink_tail(sink, "", ""));
    assert_int_equal(sink_pieces(sink), 3);
    assert_true(sink_close(sink, NULL));
    sink_destroy(sink);
    struct stat st;
    assert_int_equal(stat(a, &st), 0);
    assert_int_equal(st.st_size, sizeof big + 2);
}

int main(void)
{
    enum { ROWS = sizeof fulls / sizeof *fulls };
    const struct CMUnitTest others[] = {
        cmocka_unit_test(a_whole_file),   cmocka_unit_test(does_not_overwrite_unasked),
        cmocka_unit_test(no_room_at_all), cmocka_unit_test(a_limit),
        cmocka_unit_test(a_signal_waits), cmocka_unit_test(the_reader_has_gone),
        cmocka_unit_test(large_pieces),
    };
    struct CMUnitTest tests[sizeof others / sizeof *others + ROWS];
    memcpy(tests, others, sizeof others);
    for (size_t i = 0; i < ROWS; i++) {
        tests[sizeof others / sizeof *others + i] =
            (struct CMUnitTest){ fulls[i].name, a_full_disk, NULL, NULL, &fulls[i] };
    }
    return cmocka_run_group_tests_name("base/sink", tests, make_folder, remove_folder);
}
