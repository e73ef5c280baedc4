/*
 * Broken lessons and what is said about them. The expectations are in the files of bad/ themselves:
 *
 *     year = "2014", --> lesson.year wants a whole number      this text, for this line
 *     -->0 this file must end with                             ... for the file as a whole
 *     -->any this runs too long                                ... for any line
 *     -->file common.lua:9: star.hosts must be                 in another file of the folder
 *
 * Each file must produce exactly as many messages as it expects, each with its file and line.
 */
#include "cmocka_rows.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/lesson.h"

#define FOLDER    WEFT_SOURCE "/tests/lesson/bad"
#define FILES_MAX 128

/* Whether `errors` has a message for `path`:`line` (0: none, -1: any) with this text. */
static bool is_said(const char *errors, const char *path, int line, const char *want)
{
    char place[512];
    (void)snprintf(place, sizeof place,
                   line > 0    ? "%s:%d: "
                   : line == 0 ? "%s: "
                               : "%s:",
                   path, line);
    for (const char *at = errors; *at != '\0'; at += strspn(at, "\n")) {
        const size_t n = strcspn(at, "\n");
        char message[2048];
        (void)snprintf(message, sizeof message, "%.*s", (int)n, at);
        if (strncmp(message, place, strlen(place)) == 0 && strstr(message, want) != NULL) {
            return true;
        }
        at += n;
    }
    return false;
}

static int count_lines(const char *s)
{
    int n = 0;
    for (; *s != '\0'; s++) {
        n += *s == '\n';
    }
    return n;
}

/* One "--> text": its line, and the text up to the next one. */
static void check_expectation(const char *errors, const char *path, const char *mark, size_t len,
                              int line)
{
    char want[512];
    if (strncmp(mark, "0 ", 2) == 0) {
        line = 0;
        mark += 2;
        len -= 2;
    } else if (strncmp(mark, "any ", 4) == 0) {
        line = -1;
        mark += 4;
        len -= 4;
    }
    if (strncmp(mark, "file ", 5) == 0) { /* another file: "NAME:LINE: text" */
        (void)snprintf(want, sizeof want, "/%.*s", (int)len - 5, mark + 5);
        if (strstr(errors, want) == NULL) {
            fail_msg("expected \"%s\", said:\n%s", want, errors);
        }
        return;
    }
    for (; *mark == ' ' && len > 0; len--) {
        mark++;
    }
    while (len > 0 && mark[len - 1] == ' ') {
        len--;
    }
    (void)snprintf(want, sizeof want, "%.*s", (int)len, mark);
    if (!is_said(errors, path, line, want)) {
        fail_msg("line %d: expected \"%s\", said:\n%s", line, want, errors);
    }
}

static void run_file(void **state)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", FOLDER, (const char *)*state);
    char *source = NULL;
    size_t size = 0;
    assert_true(file_read(path, 1 << 20, &source, &size, NULL));
    struct text errors = { 0 };
    struct err err = { 0 };
    struct lesson *lesson = lesson_load(path, WEFT_SOURCE, &errors, &err);
    assert_null(lesson);
    assert_true(err.code != ERR_NONE);
    assert_int_equal(strncmp(err.where, FOLDER, strlen(FOLDER)), 0);
    int line = 1, expected = 0;
    for (const char *p = source; *p != '\0'; p++) {
        line += *p == '\n';
        if (strncmp(p, "-->", 3) == 0) {
            const size_t rest = strcspn(p + 3, "\n");
            char text[1024];
            (void)snprintf(text, sizeof text, "%.*s", (int)rest, p + 3);
            const char *next = strstr(text, "-->");
            check_expectation(text_str(&errors), path, text,
                              next != NULL ? (size_t)(next - text) : strlen(text), line);
            expected++;
        }
    }
    if (expected == 0 || count_lines(text_str(&errors)) != expected) {
        fail_msg("expected %d messages:\n%s", expected, text_str(&errors));
    }
    text_finish(&errors);
    free(source);
}

static void bytecode_is_refused(void **state)
{
    (void)state;
    const char *const forms[] = { "\x1bLua", "return 1\0" };
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        const char *path = "test-bytecode.lua";
        struct err err = { 0 };
        assert_true(file_write(path, forms[i], i == 0 ? 4 : 9, true, &err));
        assert_null(lesson_load(path, WEFT_SOURCE, NULL, &err));
        assert_non_null(strstr(err.msg, "not a text file"));
        (void)remove(path);
    }
}

static void a_missing_file(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct text errors = { 0 };
    assert_null(lesson_load("no-such-lesson.lua", WEFT_SOURCE, &errors, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(text_str(&errors), "no-such-lesson.lua: "));
    text_finish(&errors);
    assert_null(lesson_load(FOLDER "/syntax.lua", "/no/such/data", NULL, &err));
    assert_null(lesson_load(FOLDER "/syntax.lua", WEFT_SOURCE, NULL, NULL));
}

static void scenario_files(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    assert_true(lesson_load_scenario(FOLDER "/a-scenario.lua", WEFT_SOURCE, &sc, &err));
    assert_int_equal(sc.training.steps, 4);
    sim_scenario_finish(&sc);
    assert_false(lesson_load_scenario(FOLDER "/unknown-field.lua", WEFT_SOURCE, &sc, &err));
    assert_int_equal(err.code, ERR_STATE);
    assert_false(lesson_load_scenario(FOLDER "/syntax.lua", WEFT_SOURCE, &sc, &err));
    assert_int_equal(err.code, ERR_SCRIPT);
}

static int is_broken_lesson(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".lua") == 0 &&
           strcmp(entry->d_name, "common.lua") != 0;
}

int main(void)
{
    struct CMUnitTest tests[FILES_MAX + 8];
    struct dirent **files = NULL;
    size_t n = 0;
    const int found = scandir(FOLDER, &files, is_broken_lesson, alphasort);
    for (int i = 0; i < found && n < FILES_MAX; i++) {
        char *name = mem_strdup(files[i]->d_name);
        tests[n++] = (struct CMUnitTest){ name, run_file, NULL, NULL, name };
        free(files[i]);
    }
    free(files);
    const size_t broken = n;
    if (n < 30) {
        printf("Bail out! only %zu broken lessons in %s\n", n, FOLDER);
        return 1;
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(bytecode_is_refused);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_missing_file);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(scenario_files);
    const int failed = _cmocka_run_group_tests("lesson/errors", tests, n, NULL, NULL);
    for (size_t i = 0; i < broken; i++) {
        free(tests[i].initial_state);
    }
    return failed;
}
