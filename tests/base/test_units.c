/* Quantities: what is read, what is refused and how, what is written. */
#include "cmocka_rows.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

struct parse_case {
    const char *name;
    const char *text;
    enum unit_kind kind;
    int64_t want; /* -1: an error whose message holds `message` */
    const char *message;
};

static struct parse_case parse_cases[] = {
    { "parse: a count", "12", UNIT_COUNT, 12, NULL },
    { "parse: zero", "0", UNIT_COUNT, 0, NULL },
    { "parse: a count with an exponent", "1e6", UNIT_COUNT, 1000000, NULL },
    { "parse: a fraction that is whole", "1.5e3", UNIT_COUNT, 1500, NULL },
    { "parse: zeros behind the point mean nothing", "7.000000000000000000000000", UNIT_COUNT, 7,
      NULL },
    { "parse: zeros in front mean nothing", "007", UNIT_COUNT, 7, NULL },
    { "parse: a trailing point", "12.", UNIT_COUNT, 12, NULL },
    { "parse: the largest count", "9223372036854775807", UNIT_COUNT, INT64_MAX, NULL },
    { "parse: one more is too large", "9223372036854775808", UNIT_COUNT, -1, "too large" },
    { "parse: 1e999", "1e999", UNIT_COUNT, -1, "too large" },
    { "parse: 1e99999999999", "1e99999999999", UNIT_COUNT, -1, "too large" },
    { "parse: zero times anything is zero", "0e999", UNIT_COUNT, 0, NULL },
    { "parse: half a count", "0.5", UNIT_COUNT, -1, "finer" },
    { "parse: 1e-999", "1e-999", UNIT_COUNT, -1, "finer" },
    { "parse: a negative count", "-3", UNIT_COUNT, -1, "negative" },
    { "parse: nothing", "", UNIT_COUNT, -1, "not a plain number" },
    { "parse: nan", "nan", UNIT_COUNT, -1, "not a plain number" },
    { "parse: inf", "inf", UNIT_COUNT, -1, "not a plain number" },
    { "parse: hexadecimal is not read", "0x10", UNIT_COUNT, -1, "not a plain number" },
    { "parse: a count has no unit", "12us", UNIT_COUNT, -1, "not a plain number" },
    { "parse: two points", "1.2.3", UNIT_COUNT, -1, "not a plain number" },
    { "parse: foreign digits", "\xd9\xa3\xd9\xa7", UNIT_COUNT, -1, "not a plain number" },

    { "parse: a share", "0.25", UNIT_SHARE, UNIT_NTH(4), NULL },
    { "parse: percent", "1%", UNIT_SHARE, 42949673, NULL },
    { "parse: percent with a blank", "12.5 %", UNIT_SHARE, UNIT_NTH(8), NULL },
    { "parse: one part of", "1/256", UNIT_SHARE, UNIT_NTH(256), NULL },
    { "parse: more than all", "8", UNIT_SHARE, 8 * UNIT_ONE, NULL },
    { "parse: nothing of it", "0", UNIT_SHARE, 0, NULL },
    { "parse: a part of nothing", "1/0", UNIT_SHARE, -1, "share" },
    { "parse: a share has no unit", "1KB", UNIT_SHARE, -1, "share" },
    { "parse: a huge share", "1e12", UNIT_SHARE, -1, "too large" },

    { "parse: 500ns", "500ns", UNIT_TIME, 500 * UNIT_NS, NULL },
    { "parse: 1.5us is exact", "1.5us", UNIT_TIME, 1500000, NULL },
    { "parse: a blank before the unit", "16.8 ms", UNIT_TIME, INT64_C(16800000000), NULL },
    { "parse: 2s", "2s", UNIT_TIME, 2 * UNIT_S, NULL },
    { "parse: 10ps", "10ps", UNIT_TIME, 10, NULL },
    { "parse: no digit before the point", ".5us", UNIT_TIME, 500000, NULL },
    { "parse: micro sign", "3\xc2\xb5s", UNIT_TIME, 3 * UNIT_US, NULL },
    { "parse: Greek mu", "3\xce\xbcs", UNIT_TIME, 3 * UNIT_US, NULL },
    { "parse: an eighth of a nanosecond", "0.125ns", UNIT_TIME, 125, NULL },
    { "parse: 2^-3 of a microsecond by exponent", "12500e-5us", UNIT_TIME, 125000, NULL },
    { "parse: 0.5ps is too fine", "0.5ps", UNIT_TIME, -1, "finer than 1ps" },
    { "parse: a third of a nanosecond is too fine", "0.3333ns", UNIT_TIME, -1, "finer than 1ps" },
    { "parse: time without a unit", "10", UNIT_TIME, -1, "no unit" },
    { "parse: time in minutes", "10min", UNIT_TIME, -1, "\"min\" is no unit of time" },
    { "parse: 107 days overflow", "9223373s", UNIT_TIME, -1, "too large" },
    { "parse: 106 days do not", "9223372s", UNIT_TIME, INT64_C(9223372) * UNIT_S, NULL },
    { "parse: trailing text", "10us!", UNIT_TIME, -1, "no unit of time" },
    { "parse: trailing blank", "10us ", UNIT_TIME, -1, "no unit of time" },
    { "parse: decimal comma", "37,5us", UNIT_TIME, -1, "no unit of time" },

    { "parse: 100Gbps", "100Gbps", UNIT_RATE, INT64_C(100000000000), NULL },
    { "parse: 40 Gb/s", "40 Gb/s", UNIT_RATE, INT64_C(40000000000), NULL },
    { "parse: 400G", "400G", UNIT_RATE, INT64_C(400000000000), NULL },
    { "parse: 1.5Tbps", "1.5Tbps", UNIT_RATE, INT64_C(1500000000000), NULL },
    { "parse: 10 Mbit/s", "10 Mbit/s", UNIT_RATE, 10000000, NULL },
    { "parse: 9600bps", "9600bps", UNIT_RATE, 9600, NULL },
    { "parse: 64kbps", "64kbps", UNIT_RATE, 64000, NULL },
    { "parse: bytes a second", "450GB/s", UNIT_RATE, INT64_C(3600000000000), NULL },
    { "parse: a fraction of bytes a second", "15.754 GB/s", UNIT_RATE, INT64_C(126032000000),
      NULL },
    { "parse: bytes are no rate", "10GB", UNIT_RATE, -1, "no unit of rate" },

    { "parse: 8MiB", "8MiB", UNIT_BYTES, 8388608, NULL },
    { "parse: 100KB is decimal", "100KB", UNIT_BYTES, 100000, NULL },
    { "parse: 1024B", "1024B", UNIT_BYTES, 1024, NULL },
    { "parse: 64 KiB", "64 KiB", UNIT_BYTES, 65536, NULL },
    { "parse: 1.5MiB", "1.5MiB", UNIT_BYTES, 1572864, NULL },
    { "parse: a seventh of a KiB", "0.142857KiB", UNIT_BYTES, -1, "finer than 1B" },
    { "parse: a 512th of a KiB", "0.001953125KiB", UNIT_BYTES, 2, NULL },
    { "parse: bits are no bytes", "8Mb", UNIT_BYTES, -1, "no unit of size" },
};

static void parse_case(void **state)
{
    const struct parse_case *c = *state;
    int64_t got = -7;
    struct err err = { 0 };
    bool ok = units_parse(c->text, c->kind, &got, &err);
    if (c->want < 0) {
        assert_false(ok);
        assert_int_not_equal(err.code, ERR_NONE);
        assert_non_null(strstr(err.msg, c->message));
        assert_false(units_parse(c->text, c->kind, &got, NULL));
        assert_int_equal(got, -7);
    } else {
        assert_true(ok);
        assert_int_equal(got, c->want);
    }
}

struct format_case {
    const char *name;
    enum unit_kind kind;
    int64_t value;
    const char *shown;
    const char *exact;
};

static struct format_case format_cases[] = {
    { "format: a share", UNIT_SHARE, UNIT_NTH(5), "20 %", "0.2" },
    { "format: a small share", UNIT_SHARE, UNIT_NTH(256), "0.391 %", "0.00390625" },
    { "format: one percent", UNIT_SHARE, 42949673, "1 %", "0.01" },
    { "format: a factor", UNIT_SHARE, 8 * UNIT_ONE, "8", "8" },
    { "format: 16777216 ns", UNIT_TIME, 16777216 * UNIT_NS, "16.8 ms", "16777216ns" },
    { "format: 73.9 us", UNIT_TIME, INT64_C(73912345), "73.9 us", "73912345ps" },
    { "format: an exact half", UNIT_TIME, 1500 * UNIT_NS, "1.5 us", "1500ns" },
    { "format: nearly an exact half", UNIT_TIME, 1500 * UNIT_NS + 1, "1.50 us", "1500001ps" },
    { "format: whole", UNIT_TIME, 2 * UNIT_S, "2 s", "2s" },
    { "format: 10.0 is not 10", UNIT_TIME, 9996 * UNIT_NS, "10.0 us", "9996ns" },
    { "format: 99.96 rounds to 100", UNIT_TIME, 99960 * UNIT_NS, "100 us", "99960ns" },
    { "format: 999.6 us rounds into the next unit", UNIT_TIME, 999600 * UNIT_NS, "1.00 ms",
      "999600ns" },
    { "format: 999.4 us does not", UNIT_TIME, 999400 * UNIT_NS, "999 us", "999400ns" },
    { "format: whole above three digits stays exact", UNIT_TIME, 3600 * UNIT_S, "3600 s", "3600s" },
    { "format: no time", UNIT_TIME, 0, "0 ps", "0ps" },
    { "format: a difference may be negative", UNIT_TIME, -4100 * UNIT_NS, "-4.1 us", "-4100ns" },
    { "format: the smallest number", UNIT_TIME, INT64_MIN, "-9223372 s", "-9223372036854775808ps" },
    { "format: 100 Gb/s", UNIT_RATE, INT64_C(100000000000), "100 Gb/s", "100Gbps" },
    { "format: 1.5 Tb/s", UNIT_RATE, INT64_C(1500000000000), "1.5 Tb/s", "1500Gbps" },
    { "format: 9.6 kb/s", UNIT_RATE, 9600, "9.6 kb/s", "9600bps" },
    { "format: no rate", UNIT_RATE, 0, "0 b/s", "0bps" },
    { "format: 256 KiB", UNIT_BYTES, 262144, "256 KiB", "262144B" },
    { "format: 25 MiB", UNIT_BYTES, 26214400, "25 MiB", "26214400B" },
    { "format: 50.3 KB", UNIT_BYTES, 50304, "50.3 KB", "50304B" },
    { "format: 100 KB", UNIT_BYTES, 100000, "100 KB", "100000B" },
    { "format: 64 KB is 62.5 KiB", UNIT_BYTES, 64000, "64 KB", "64000B" },
    { "format: 1000 B is 1 KB", UNIT_BYTES, 1000, "1 KB", "1000B" },
    { "format: 42 B", UNIT_BYTES, 42, "42 B", "42B" },
    { "format: a count", UNIT_COUNT, 63500, "63,500", "63500" },
};

static void format_case(void **state)
{
    const struct format_case *c = *state;
    char buf[64];
    assert_string_equal(units_format(buf, sizeof buf, c->kind, c->value), c->shown);
    assert_string_equal(units_exact(buf, sizeof buf, c->kind, c->value), c->exact);
    if (c->value >= 0) {
        int64_t back = -1;
        assert_true(units_parse(buf, c->kind, &back, NULL));
        assert_int_equal(back, c->value);
    }
}

static void exact_round_trip(void **state)
{
    (void)state;
    char buf[64];
    const enum unit_kind kinds[] = { UNIT_COUNT, UNIT_TIME, UNIT_RATE, UNIT_BYTES };
    for (int64_t v = 1; v < INT64_MAX / 7; v = v * 7 + 3) {
        for (size_t k = 0; k < COUNT_OF(kinds); k++) {
            int64_t back = -1;
            assert_true(
                units_parse(units_exact(buf, sizeof buf, kinds[k], v), kinds[k], &back, NULL));
            assert_int_equal(back, v);
        }
    }
}

static void grouped(void **state)
{
    (void)state;
    char buf[64];
    assert_string_equal(units_grouped(buf, sizeof buf, 0), "0");
    assert_string_equal(units_grouped(buf, sizeof buf, 999), "999");
    assert_string_equal(units_grouped(buf, sizeof buf, 1000), "1,000");
    assert_string_equal(units_grouped(buf, sizeof buf, 12345678), "12,345,678");
    assert_string_equal(units_grouped(buf, sizeof buf, -100000), "-100,000");
    assert_string_equal(units_grouped(buf, sizeof buf, INT64_MIN), "-9,223,372,036,854,775,808");
    assert_string_equal(units_grouped(buf, 4, 12345678), "12,");
    assert_string_equal(units_part(buf, sizeof buf, 870, 1024), "870 of 1,024");
    assert_string_equal(units_counted(buf, sizeof buf, 0, "NAK", "NAKs"), "0 NAKs");
    assert_string_equal(units_counted(buf, sizeof buf, 1, "NAK", "NAKs"), "1 NAK");
    assert_string_equal(units_counted(buf, sizeof buf, 1000, "NAK", "NAKs"), "1,000 NAKs");
}

static void examples_parse(void **state)
{
    (void)state;
    const enum unit_kind kinds[] = { UNIT_COUNT, UNIT_TIME, UNIT_RATE, UNIT_BYTES, UNIT_SHARE };
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        char example[32];
        int64_t v = 0;
        assert_int_equal(sscanf(units_example(kinds[k]), "%*[^\"]\"%31[^\"]\"", example), 1);
        assert_true(units_parse(example, kinds[k], &v, NULL));
    }
}

int main(void)
{
    static struct CMUnitTest tests[128];
    size_t n = 0;
    ROWS(tests, n, parse_cases, parse_case);
    ROWS(tests, n, format_cases, format_case);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(exact_round_trip);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(grouped);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(examples_parse);
    return _cmocka_run_group_tests("base/units", tests, n, NULL, NULL);
}
