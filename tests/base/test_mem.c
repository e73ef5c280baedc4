/* Growing arrays, copies, and that running out of memory ends the program with a sentence. */
#include "cmocka_rows.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static void grows_and_keeps(void **state)
{
    (void)state;
    size_t cap = 0;
    int *list = NULL;
    for (int i = 0; i < 1000; i++) {
        list = mem_grow(list, &cap, (size_t)i + 1, sizeof *list);
        assert_true(cap > (size_t)i);
        list[i] = i;
    }
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(list[i], i);
    }
    size_t before = cap;
    assert_ptr_equal(mem_grow(list, &cap, 5, sizeof *list), list);
    assert_int_equal(cap, before);
    free(list);
}

static void copies(void **state)
{
    (void)state;
    char *a = mem_strdup("weft");
    char *b = mem_strndup("weft and warp", 4);
    int three = 3;
    int *c = mem_dup(&three, sizeof three);
    void *nothing = mem_dup(NULL, 0);
    unsigned char *zeroed = mem_alloc(16, 1);
    assert_string_equal(a, "weft");
    assert_string_equal(b, "weft");
    assert_int_equal(*c, 3);
    assert_non_null(nothing);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(zeroed[i], 0);
    }
    free(a);
    free(b);
    free(c);
    free(nothing);
    free(zeroed);
}

/* What a child says on stderr when it asks for more than there can be. */
static void an_overflow_ends_the_program(void **state)
{
    (void)state;
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = { 0, 0 };
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)signal(SIGABRT, SIG_DFL);
        (void)dup2(fds[1], STDERR_FILENO);
        volatile size_t half = (size_t)-1 / 2;
        void *p = mem_resize(NULL, half, 4);
        _exit(p == NULL);
    }
    (void)close(fds[1]);
    char said[200] = { 0 };
    assert_true(read(fds[0], said, sizeof said - 1) > 0);
    (void)close(fds[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_non_null(strstr(said, "weft: out of memory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_keeps),
        cmocka_unit_test(copies),
        cmocka_unit_test(an_overflow_ends_the_program),
    };
    return cmocka_run_group_tests_name("base/mem", tests, NULL, NULL);
}
