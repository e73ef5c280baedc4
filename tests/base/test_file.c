/* Whole files: what is read, what is refused, and that a failed write leaves the old file alone. */
#include "cmocka_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char folder[64];
static char path_buf[2][128];

static const char *in_folder(int which, const char *name)
{
    (void)snprintf(path_buf[which], sizeof path_buf[which], "%s/%s", folder, name);
    return path_buf[which];
}

static void assert_holds(const char *path, const char *want)
{
    char *data = NULL;
    size_t size = 0;
    struct err err = { 0 };
    assert_true(file_read(path, 1000, &data, &size, &err));
    assert_int_equal(size, strlen(want));
    assert_string_equal(data, want);
    free(data);
}

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/weft-test-file.XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void writes_and_reads(void **state)
{
    (void)state;
    const char *a = in_folder(0, "a");
    struct err err = { 0 };
    assert_false(file_exists(a));
    assert_true(file_write(a, "one", 3, false, &err));
    assert_true(file_exists(a));
    assert_holds(a, "one");
    assert_true(file_write(a, "", 0, true, &err));
    assert_holds(a, "");
}

static void does_not_overwrite_unasked(void **state)
{
    (void)state;
    const char *a = in_folder(0, "b");
    struct err err = { 0 };
    assert_true(file_write(a, "one", 3, false, &err));
    assert_false(file_write(a, "two", 3, false, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.msg, "--force"));
    assert_holds(a, "one");
    assert_true(file_write(a, "two", 3, true, &err));
    assert_holds(a, "two");
}

static void keeps_permissions(void **state)
{
    (void)state;
    const char *a = in_folder(0, "mode");
    struct stat st;
    assert_true(file_write(a, "one", 3, false, NULL));
    assert_int_equal(chmod(a, 0640), 0);
    assert_true(file_write(a, "two", 3, true, NULL));
    assert_int_equal(stat(a, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
}

static void follows_a_link(void **state)
{
    (void)state;
    const char *real = in_folder(0, "real");
    const char *link = in_folder(1, "link");
    struct stat st;
    assert_true(file_write(real, "one", 3, false, NULL));
    assert_int_equal(symlink("real", link), 0);
    assert_true(file_write(link, "two", 3, true, NULL));
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds(real, "two");
}

static void a_dangling_link_is_an_error(void **state)
{
    (void)state;
    const char *link = in_folder(1, "dangling");
    struct err err = { 0 };
    assert_int_equal(symlink("nowhere", link), 0);
    assert_false(file_write(link, "two", 3, true, &err));
    assert_non_null(strstr(err.msg, "leads nowhere"));
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    struct err err = { 0 };
    assert_false(file_write("/dev/full", "two", 3, true, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_string_equal(err.where, "/dev/full");
}

static void an_absent_folder_is_an_error(void **state)
{
    (void)state;
    struct err err = { 0 };
    assert_false(file_write(in_folder(0, "no/such"), "two", 3, true, &err));
    assert_int_equal(err.code, ERR_IO);
}

static void refuses_to_read(void **state)
{
    (void)state;
    char *data = NULL;
    size_t size = 0;
    struct err err = { 0 };
    assert_false(file_read(in_folder(0, "absent"), 10, &data, &size, &err));
    assert_non_null(strstr(err.msg, "No such file"));
    assert_false(file_read(folder, 10, &data, &size, &err));
    assert_string_equal(err.msg, "not a regular file");
    assert_int_equal(mkfifo(in_folder(0, "fifo"), 0600), 0);
    assert_false(file_read(in_folder(0, "fifo"), 10, &data, &size, &err)); /* and does not hang */
    assert_true(file_write(in_folder(0, "large"), "12345678901", 11, false, NULL));
    assert_false(file_read(in_folder(0, "large"), 10, &data, &size, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_null(data);
    assert_true(file_read(in_folder(0, "large"), 11, &data, &size, &err));
    free(data);
}

static void reads_large_files(void **state)
{
    (void)state;
    static char big[100000];
    memset(big, 'x', sizeof big);
    char *data = NULL;
    size_t size = 0;
    assert_true(file_write(in_folder(0, "big"), big, sizeof big, false, NULL));
    assert_true(file_read(in_folder(0, "big"), 1 << 20, &data, &size, NULL));
    assert_int_equal(size, sizeof big);
    assert_memory_equal(data, big, sizeof big);
    assert_int_equal(data[size], '\0');
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_reads),
        cmocka_unit_test(does_not_overwrite_unasked),
        cmocka_unit_test(keeps_permissions),
        cmocka_unit_test(follows_a_link),
        cmocka_unit_test(a_dangling_link_is_an_error),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(an_absent_folder_is_an_error),
        cmocka_unit_test(refuses_to_read),
        cmocka_unit_test(reads_large_files),
    };
    return cmocka_run_group_tests_name("base/file", tests, make_folder, remove_folder);
}
