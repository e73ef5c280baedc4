/*
 * Quantities with units: one parser, one printer, integers inside.
 *
 *   kind         inside                    written
 *   UNIT_COUNT   a plain number            "12", "1e6"
 *   UNIT_TIME    picoseconds               "500ns" "1.5us" "16.8 ms" "2s" "10ps"
 *   UNIT_RATE    bit/s                     "100Gbps" "40 Gb/s" "400G" "1.5Tbps" "450GB/s" (B: bytes)
 *   UNIT_BYTES   bytes                     "8MiB" "100KB" "1024B" "64 KiB" (KB = 1000, KiB = 1024)
 *   UNIT_SHARE   2^-32                     "0.2" "1%" "1/256" "8": a ratio
 *
 * A fraction is taken exactly ("1.5us" is 1,500,000 ps); what is finer than the unit inside is an
 * error, never rounded in silence; only a share is taken to the nearest 2^-32. A number without a
 * unit is an error for every kind but UNIT_COUNT and UNIT_SHARE. A micro sign is accepted for u.
 */
#ifndef WEFT_BASE_UNITS_H
#define WEFT_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum unit_kind { UNIT_COUNT, UNIT_TIME, UNIT_RATE, UNIT_BYTES, UNIT_SHARE };

/* A share of 1, and 1/n. */
#define UNIT_ONE    (INT64_C(1) << 32)
#define UNIT_NTH(n) (UNIT_ONE / (n))

#define UNIT_PS INT64_C(1)
#define UNIT_NS INT64_C(1000)
#define UNIT_US INT64_C(1000000)
#define UNIT_MS INT64_C(1000000000)
#define UNIT_S  INT64_C(1000000000000)

/* Parses all of `text`. Negative values, overflow, trailing characters and unknown units fail. */
bool units_parse(const char *text, enum unit_kind kind, int64_t *out, struct err *err);

/*
 * For people: three significant digits or an exact whole, largest unit that keeps it at 1 or more:
 * "16.8 ms", "73.9 us", "100 Gb/s", "256 KiB", "50.3 KB". Returns `buf`.
 */
const char *units_format(char *buf, size_t size, enum unit_kind kind, int64_t value);

/* Exact, and read back by units_parse to the same value: "16777216ns", "100000B", "100Gbps". */
const char *units_exact(char *buf, size_t size, enum unit_kind kind, int64_t value);

/* 12345678 as "12,345,678". Returns `buf`. */
const char *units_grouped(char *buf, size_t size, int64_t value);

/* Whether `blank`, a place in the text that begins at `text`, stands between a number and its unit ("17.3 Gb/s"):
 * then no line is broken there. */
bool units_joined(const char *text, const char *blank);

/* "1 packet", "12,345 packets". Returns `buf`. */
const char *units_counted(char *buf, size_t size, int64_t n, const char *one, const char *many);

/* "870 of 1,024". Returns `buf`. */
const char *units_part(char *buf, size_t size, int64_t part, int64_t whole);

/* "a quantity of time like \"10us\"": for messages. */
const char *units_example(enum unit_kind kind);

#endif
