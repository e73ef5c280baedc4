/*
 * Progress: what is kept, joined, never taken away; and what becomes of files that are not as they should
 * be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/progress.h"
#include "base/file.h"
#include "base/text.h"

struct fixture {
    char folder[64];
    struct text path;
};

static int begin(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    (void)snprintf(f->folder, sizeof f->folder, "/tmp/weft-progress-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    text_addf(&f->path, "%s/state/weft/progress.json", f->folder);
    *state = f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;
    char command[200];
    (void)snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", f->folder, f->folder);
    const int status = system(command);
    text_finish(&f->path);
    free(f);
    return status;
}

static void put(const struct fixture *f, const char *name, const char *text)
{
    struct text path = { 0 };
    struct err err = { 0 };
    text_addf(&path, "%s/%s", f->folder, name);
    assert_true(file_write(text_str(&path), text, strlen(text), true, &err));
    text_finish(&path);
}

static void be_at(struct progress *p, const char *id, size_t card, size_t cards, bool ended)
{
    progress_at(p, id, (struct progress_place){ .card = card, .cards = cards, .at = card }, ended);
}

static void keep(struct progress *p)
{
    struct err err = { 0 };
    if (!progress_write(progress_take(p), &err)) {
        fail_msg("%s", err.msg);
    }
}

static void expect(const struct fixture *f, const char *id, size_t card, size_t furthest, bool done)
{
    struct progress *p = progress_open(text_str(&f->path));
    const struct progress_place place = progress_of(p, id);
    assert_int_equal(place.card, card);
    assert_int_equal(place.furthest, furthest);
    assert_int_equal(place.done, done);
    progress_close(p);
}

static void what_is_kept_comes_back(void **state)
{
    struct fixture *f = *state;
    struct progress *p = progress_open(text_str(&f->path));
    assert_null(progress_note(p)); /* a first time is nothing to speak of */
    assert_int_equal(progress_of(p, "a").card, 0);
    assert_null(progress_take(p)); /* nothing new */
    be_at(p, "a", 3, 9, false);
    keep(p);
    assert_null(progress_take(p));
    progress_close(p);
    expect(f, "a", 3, 3, false);
    struct stat st;
    text_clear(&f->path);
    text_addf(&f->path, "%s/state/weft", f->folder);
    assert_int_equal(stat(text_str(&f->path), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
}

static void nothing_is_taken_away(void **state)
{
    struct fixture *f = *state;
    struct progress *p = progress_open(text_str(&f->path));
    be_at(p, "a", 9, 9, false);
    assert_false(progress_of(p, "a").done);
    be_at(p, "a", 9, 9, true);
    assert_true(progress_of(p, "a").done);
    be_at(p, "a", 2, 9, true); /* the end of another card */
    keep(p);
    progress_close(p);
    expect(f, "a", 2, 9, true);
    p = progress_open(text_str(&f->path));
    be_at(p, "a", 1, 9, false); /* played again */
    keep(p);
    progress_close(p);
    expect(f, "a", 1, 9, true);
}

static void two_at_a_time(void **state)
{
    struct fixture *f = *state;
    struct progress *one = progress_open(text_str(&f->path));
    struct progress *two = progress_open(text_str(&f->path));
    be_at(one, "a", 5, 9, false);
    be_at(two, "b", 2, 4, false);
    keep(one);
    keep(two); /* has never heard of a */
    be_at(one, "c", 1, 4, false);
    keep(one); /* nor this one of b */
    be_at(two, "a", 2, 9, false);
    keep(two);
    progress_close(one);
    progress_close(two);
    expect(f, "a", 2, 5, false);
    expect(f, "b", 2, 2, false);
    expect(f, "c", 1, 1, false);
}

static void what_others_wrote_stays(void **state)
{
    struct fixture *f = *state;
    text_clear(&f->path);
    text_addf(&f->path, "%s/p.json", f->folder);
    put(f, "p.json",
        "{\"schema\": 1, \"theme\": \"dark\", \"lessons\": {\"a\": {\"card\": 2, \"cards\": 9, "
        "\"stars\": 3}, \"z\": {\"card\": 1}}}");
    struct progress *p = progress_open(text_str(&f->path));
    be_at(p, "a", 4, 9, false);
    keep(p);
    progress_close(p);
    char *data = NULL;
    size_t size = 0;
    assert_true(file_read(text_str(&f->path), 1 << 16, &data, &size, NULL));
    assert_non_null(strstr(data, "\"theme\": \"dark\""));
    assert_non_null(strstr(data, "\"stars\": 3"));
    assert_non_null(strstr(data, "\"z\""));
    assert_non_null(strstr(data, "\"card\": 4"));
    free(data);
}

static const struct bad {
    const char *name, *text, *note;
    bool moved;
} bads[] = {
    { "of a newer weft", "{\"schema\": 2, \"lessons\": {}}", "newer", false },
    { "no JSON", "lessons: 7\n", "no record", true },
    { "empty", "", "no record", true },
    { "cut short", "{\"schema\": 1, \"lessons\": {\"a\"", "no record", true },
    { "another JSON", "[1, 2]", "no record", true },
    { "lessons that are none", "{\"schema\": 1, \"lessons\": []}", "no record", true },
};

/* A newer file stays to the byte; what is no record is kept beside the new one. */
static void bad_files(void **state)
{
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        struct text path = { 0 };
        struct text aside = { 0 };
        char name[32];
        char *data = NULL;
        size_t size = 0;
        printf("# %s\n", bads[i].name);
        (void)snprintf(name, sizeof name, "bad%zu.json", i);
        text_addf(&path, "%s/%s", f->folder, name);
        text_addf(&aside, "%s.broken", text_str(&path));
        put(f, name, bads[i].text);
        struct progress *p = progress_open(text_str(&path));
        assert_non_null(strstr(progress_note(p), bads[i].note));
        be_at(p, "a", 2, 3, false);
        keep(p);
        progress_close(p);
        assert_true(
            file_read(text_str(bads[i].moved ? &aside : &path), 1 << 16, &data, &size, NULL));
        assert_string_equal(data, bads[i].text);
        free(data);
        assert_int_equal(file_exists(text_str(&aside)), bads[i].moved);
        text_finish(&path);
        text_finish(&aside);
    }
}

/* Values that no weft wrote: in range, or as if they were not there. */
static void odd_values(void **state)
{
    struct fixture *f = *state;
    text_clear(&f->path);
    text_addf(&f->path, "%s/p.json", f->folder);
    put(f, "p.json",
        "{\"schema\": 1, \"lessons\": {\"a\": {\"card\": 12, \"cards\": 9, \"at\": 1, "
        "\"furthest\": -1},"
        " \"b\": 7, \"c\": {\"card\": 1e99, \"done\": 1}, \"d\": {\"card\": \"2\"}}}");
    expect(f, "a", 0, 0, false);
    expect(f, "b", 0, 0, false);
    expect(f, "c", 0, 0, false);
    expect(f, "d", 0, 0, false);
}

static void links_are_followed(void **state)
{
    struct fixture *f = *state;
    struct text target = { 0 };
    text_clear(&f->path);
    text_addf(&f->path, "%s/link.json", f->folder);
    text_addf(&target, "%s/target.json", f->folder);
    put(f, "target.json", "{\"schema\": 1, \"lessons\": {}}");
    assert_int_equal(symlink(text_str(&target), text_str(&f->path)), 0);
    struct progress *p = progress_open(text_str(&f->path));
    be_at(p, "a", 2, 3, false);
    keep(p);
    progress_close(p);
    struct stat st;
    assert_int_equal(lstat(text_str(&f->path), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    struct text path = f->path;
    f->path = target;
    expect(f, "a", 2, 2, false);
    f->path = path;
    text_finish(&target);
}

/* A full disk: a limit on the size of files does the same to write(). */
static void a_full_disk(void **state)
{
    struct fixture *f = *state;
    struct progress *p = progress_open(text_str(&f->path));
    be_at(p, "a", 3, 9, false);
    keep(p);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit full = { 20, before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    be_at(p, "a", 5, 9, false);
    struct err err = { 0 };
    const bool ok = progress_write(progress_take(p), &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(ok);
    assert_non_null(strstr(err.msg, "progress was not kept"));
    expect(f, "a", 3, 3, false); /* the old one, whole */
    be_at(p, "a", 6, 9, false);
    keep(p); /* there is room again */
    progress_close(p);
    expect(f, "a", 6, 6, false);
}

static void a_place_that_cannot_be(void **state)
{
    struct fixture *f = *state;
    struct err err = { 0 };
    put(f, "file", "x");
    text_clear(&f->path);
    text_addf(&f->path, "%s/file/weft/progress.json", f->folder);
    struct progress *p = progress_open(text_str(&f->path));
    be_at(p, "a", 3, 9, false);
    assert_false(progress_write(progress_take(p), &err));
    assert_non_null(strstr(err.where, "/file"));
    assert_int_equal(progress_of(p, "a").card, 3); /* it goes on all the same */
    progress_close(p);
    p = progress_open(NULL);
    be_at(p, "a", 3, 9, false);
    assert_null(progress_take(p));
    progress_close(p);
}

static void where_it_is(void **state)
{
    (void)state;
    setenv("XDG_STATE_HOME", "/tmp/some", 1);
    char *path = progress_path();
    assert_string_equal(path, "/tmp/some/weft/progress.json");
    free(path);
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/tmp", 1);
    path = progress_path();
    assert_string_equal(path, "/tmp/.local/state/weft/progress.json");
    free(path);
    setenv("HOME", "/tmp/no such home", 1);
    assert_null(progress_path());
    unsetenv("HOME");
    unsetenv("XDG_STATE_HOME");
    assert_null(progress_path());
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_is_kept_comes_back),
        IN_FOLDER(nothing_is_taken_away),
        IN_FOLDER(two_at_a_time),
        IN_FOLDER(what_others_wrote_stays),
        IN_FOLDER(bad_files),
        IN_FOLDER(odd_values),
        IN_FOLDER(links_are_followed),
        IN_FOLDER(a_full_disk),
        IN_FOLDER(a_place_that_cannot_be),
        cmocka_unit_test(where_it_is),
    };
    (void)signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
