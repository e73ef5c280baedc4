#include "base/units.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * The units of each kind, largest first. `shown` is how people read it (NULL: read but not
 * written); `exact` marks the units that units_exact() may write.
 */
struct unit {
    const char *name;
    const char *shown;
    int64_t size;
    bool exact;
};

#define KIB INT64_C(1024)

static const struct unit time_units[] = {
    { "s", "s", UNIT_S, true },
    { "ms", "ms", UNIT_MS, true },
    { "us", "us", UNIT_US, true },
    { "\xc2\xb5s", NULL, UNIT_US, false }, /* micro sign */
    { "\xce\xbcs", NULL, UNIT_US, false }, /* Greek mu, which keyboards give for it */
    { "ns", "ns", UNIT_NS, true },
    { "ps", "ps", UNIT_PS, true },
    { NULL, NULL, 0, false },
};

#define RATE(prefix, size, exact)                                                                  \
    { prefix "bps", prefix "b/s", size, exact }, { prefix "b/s", NULL, size, false },              \
    {                                                                                              \
        prefix "bit/s", NULL, size, false                                                          \
    }

static const struct unit rate_units[] = {
    RATE("T", INT64_C(1000000000000), true),
    { "T", NULL, INT64_C(1000000000000), false },
    { "TB/s", NULL, INT64_C(8000000000000), false }, /* as buses inside a box are quoted */
    { "GB/s", NULL, INT64_C(8000000000), false },
    { "MB/s", NULL, INT64_C(8000000), false },
    RATE("G", INT64_C(1000000000), true),
    { "G", NULL, INT64_C(1000000000), false },
    RATE("M", INT64_C(1000000), true),
    { "M", NULL, INT64_C(1000000), false },
    { "kbps", "kb/s", INT64_C(1000), true },
    RATE("K", INT64_C(1000), false),
    { "kb/s", NULL, INT64_C(1000), false },
    { "kbit/s", NULL, INT64_C(1000), false },
    { "K", NULL, INT64_C(1000), false },
    { "k", NULL, INT64_C(1000), false },
    { "bps", "b/s", 1, true },
    { "b/s", NULL, 1, false },
    { "bit/s", NULL, 1, false },
    { NULL, NULL, 0, false },
};

#undef RATE

static const struct unit byte_units[] = {
    { "TB", "TB", INT64_C(1000000000000), false },
    { "GB", "GB", INT64_C(1000000000), false },
    { "MB", "MB", INT64_C(1000000), false },
    { "KB", "KB", INT64_C(1000), false },
    { "kB", NULL, INT64_C(1000), false },
    { "B", "B", 1, true },
    { NULL, NULL, 0, false },
};

static const struct unit binary_units[] = {
    { "TiB", "TiB", KIB *KIB *KIB *KIB, false },
    { "GiB", "GiB", KIB *KIB *KIB, false },
    { "MiB", "MiB", KIB *KIB, false },
    { "KiB", "KiB", KIB, false },
    { NULL, NULL, 0, false },
};

static const struct unit no_units[] = { { NULL, NULL, 0, false } };

static const struct {
    const struct unit *units;
    const struct unit *more; /* a second list to read from */
    const char *what;
    const char *example;
} kinds[] = {
    [UNIT_COUNT] = { no_units, no_units, "number", "a plain number like \"12\"" },
    [UNIT_TIME] = { time_units, no_units, "time", "a quantity of time like \"10us\"" },
    [UNIT_RATE] = { rate_units, no_units, "rate", "a rate like \"100Gbps\"" },
    [UNIT_BYTES] = { byte_units, binary_units, "size", "a size like \"8MiB\"" },
    [UNIT_SHARE] = { no_units, no_units, "share", "a share like \"1%\", \"0.2\" or \"1/256\"" },
};

const char *units_example(enum unit_kind kind)
{
    return kinds[kind].example;
}

static const struct unit *unit_named(enum unit_kind kind, const char *name)
{
    const struct unit *lists[] = { kinds[kind].units, kinds[kind].more };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (const struct unit *u = lists[i]; u->name != NULL; u++) {
            if (strcmp(u->name, name) == 0) {
                return u;
            }
        }
    }
    return NULL;
}

bool units_joined(const char *text, const char *blank)
{
    static const enum unit_kind measured[] = { UNIT_TIME, UNIT_RATE, UNIT_BYTES };
    char word[8];
    size_t len = 0;
    while (len < sizeof word - 1 &&
           (isalpha((unsigned char)blank[1 + len]) || blank[1 + len] == '/')) {
        word[len] = blank[1 + len];
        len++;
    }
    word[len] = '\0';
    if (blank == text || !isdigit((unsigned char)blank[-1]) ||
        isalnum((unsigned char)blank[1 + len])) {
        return false;
    }
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        if (unit_named(measured[i], word) != NULL) {
            return true;
        }
    }
    return false;
}

/* A decimal number, exactly: digits x 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
};

enum { MAX_EXPONENT = 1000 }; /* beyond it everything is too large, or too fine */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Appends a digit; false when it no longer fits. Zeros behind the point wait until they matter. */
static bool push_digit(struct decimal *d, int *zeros, char c, bool fraction)
{
    if (fraction && c == '0') {
        *zeros += *zeros < MAX_EXPONENT ? 1 : 0;
        return true;
    }
    for (; *zeros > 0; --*zeros) {
        if (d->digits > UINT64_MAX / 10) {
            return false;
        }
        d->digits *= 10;
        d->exponent--;
    }
    unsigned digit = (unsigned)(c - '0');
    if (d->digits > (UINT64_MAX - digit) / 10) {
        return false;
    }
    d->digits = d->digits * 10 + digit;
    d->exponent -= fraction ? 1 : 0;
    return true;
}

enum scan { SCAN_OK, SCAN_NONE, SCAN_LARGE, SCAN_FINE };

static enum scan scan_decimal(const char **text, struct decimal *d)
{
    const char *p = *text;
    int zeros = 0;
    bool any = false;
    bool fraction = false;
    *d = (struct decimal){ 0 };
    for (;; p++) {
        if (*p == '.' && !fraction && (any || is_digit(p[1]))) {
            fraction = true;
            continue;
        }
        if (!is_digit(*p)) {
            break;
        }
        any = true;
        if (!push_digit(d, &zeros, *p, fraction)) {
            return fraction ? SCAN_FINE : SCAN_LARGE;
        }
    }
    if (!any) {
        return SCAN_NONE;
    }
    const char *e = p + 1;
    if ((*p == 'e' || *p == 'E') &&
        (is_digit(*e) || ((*e == '+' || *e == '-') && is_digit(e[1])))) {
        bool minus = *e == '-';
        int exponent = 0;
        for (e += is_digit(*e) ? 0 : 1; is_digit(*e); e++) {
            exponent = exponent < MAX_EXPONENT ? exponent * 10 + (*e - '0') : MAX_EXPONENT;
        }
        d->exponent += minus ? -exponent : exponent;
        p = e;
    }
    *text = p;
    return SCAN_OK;
}

/* value = d x unit, exactly or not at all. */
static enum scan scale(struct decimal d, uint64_t unit, int64_t *out)
{
    if (d.digits == 0) {
        *out = 0;
        return SCAN_OK;
    }
    for (; d.exponent < 0; d.exponent++) {
        if (unit % 10 == 0) {
            unit /= 10;
        } else if (d.digits % 10 == 0) {
            d.digits /= 10;
        } else if (unit % 2 == 0 && d.digits % 5 == 0) {
            unit /= 2;
            d.digits /= 5;
        } else if (unit % 5 == 0 && d.digits % 2 == 0) {
            unit /= 5;
            d.digits /= 2;
        } else {
            return SCAN_FINE;
        }
    }
    for (; d.exponent > 0; d.exponent--) {
        if (d.digits > UINT64_MAX / 10) {
            return SCAN_LARGE;
        }
        d.digits *= 10;
    }
    if (d.digits > (uint64_t)INT64_MAX / unit) {
        return SCAN_LARGE;
    }
    *out = (int64_t)(d.digits * unit);
    return SCAN_OK;
}

static const char *smallest(enum unit_kind kind)
{
    switch (kind) {
    case UNIT_COUNT:
        return "1";
    case UNIT_TIME:
        return "1ps";
    case UNIT_RATE:
        return "1bps";
    case UNIT_BYTES:
        return "1B";
    case UNIT_SHARE:
        return "2^-32";
    }
    return "";
}

static bool scan_failed(enum scan why, const char *text, enum unit_kind kind, struct err *err)
{
    switch (why) {
    case SCAN_LARGE:
        return err_set(err, ERR_RANGE, "\"%.60s\" is too large", text);
    case SCAN_FINE:
        return err_set(err, ERR_RANGE, "\"%.60s\" is finer than %s, the smallest %s there is", text,
                       smallest(kind), kinds[kind].what);
    case SCAN_NONE:
        if (text[0] == '-' && (is_digit(text[1]) || text[1] == '.')) {
            return err_set(err, ERR_RANGE, "\"%.60s\" is negative; write %s", text,
                           kinds[kind].example);
        }
        return err_set(err, ERR_SYNTAX, "\"%.60s\" is not %s", text, kinds[kind].example);
    case SCAN_OK:
        break;
    }
    return false;
}

/* A share: a decimal, with % behind it or a divisor. Rounded to the nearest 2^-32. */
static bool parse_share(const char *text, int64_t *out, struct err *err)
{
    const char *p = text;
    struct decimal d;
    enum scan scan = scan_decimal(&p, &d);
    if (scan != SCAN_OK) {
        return scan_failed(scan, text, UNIT_SHARE, err);
    }
    uint64_t below = 1;
    while (*p == ' ') {
        p++;
    }
    if (*p == '%') {
        below = 100;
        p++;
    } else if (*p == '/') {
        struct decimal by;
        p++;
        if (scan_decimal(&p, &by) != SCAN_OK || by.exponent != 0 || by.digits == 0) {
            return scan_failed(SCAN_NONE, text, UNIT_SHARE, err);
        }
        below = by.digits;
    }
    if (*p != '\0') {
        return scan_failed(SCAN_NONE, text, UNIT_SHARE, err);
    }
    for (; d.exponent < 0; d.exponent++) {
        if (below > UINT64_MAX / 10) {
            return scan_failed(SCAN_FINE, text, UNIT_SHARE, err);
        }
        below *= 10;
    }
    for (; d.exponent > 0 && d.digits <= UINT32_MAX; d.exponent--) {
        d.digits *= 10;
    }
    if (d.exponent > 0 || d.digits / below > UINT32_MAX / 2) {
        return scan_failed(SCAN_LARGE, text, UNIT_SHARE, err);
    }
    __extension__ unsigned __int128 scaled = d.digits;
    scaled = ((scaled << 32) + below / 2) / below;
    *out = (int64_t)scaled;
    return true;
}

bool units_parse(const char *text, enum unit_kind kind, int64_t *out, struct err *err)
{
    if (kind == UNIT_SHARE) {
        return parse_share(text, out, err);
    }
    const char *p = text;
    struct decimal d;
    enum scan scan = scan_decimal(&p, &d);
    if (scan != SCAN_OK) {
        return scan_failed(scan, text, kind, err);
    }
    uint64_t unit_size = 1;
    if (kind == UNIT_COUNT) {
        if (*p != '\0') {
            return scan_failed(SCAN_NONE, text, kind, err);
        }
    } else {
        while (*p == ' ') {
            p++;
        }
        if (*p == '\0') {
            return err_set(err, ERR_SYNTAX, "\"%.60s\" has no unit; write %s", text,
                           kinds[kind].example);
        }
        const struct unit *u = unit_named(kind, p);
        if (u == NULL) {
            return err_set(err, ERR_SYNTAX, "\"%.60s\": \"%.20s\" is no unit of %s; write %s", text,
                           p, kinds[kind].what, kinds[kind].example);
        }
        unit_size = (uint64_t)u->size;
    }
    scan = scale(d, unit_size, out);
    return scan == SCAN_OK || scan_failed(scan, text, kind, err);
}

/* The picture of a magnitude in one unit: up to three significant digits. */
struct picture {
    char digits[24];
    bool exact;
};

static struct picture picture_in(uint64_t value, uint64_t unit)
{
    struct picture p = { .exact = true };
    uint64_t whole = value / unit;
    uint64_t rest = value % unit;
    if (rest == 0) {
        (void)snprintf(p.digits, sizeof p.digits, "%" PRIu64, whole);
        return p;
    }
    int places = whole < 10 ? 2 : whole < 100 ? 1 : 0;
    uint64_t power = places == 2 ? 100 : places == 1 ? 10 : 1;
    uint64_t scaled = rest * power; /* rest < 2^40 */
    p.exact = scaled % unit == 0;
    uint64_t frac = (scaled + unit / 2) / unit;
    whole += frac / power;
    frac %= power;
    if (whole >= 100 || (whole >= 10 && places == 2)) {
        places = whole >= 100 ? 0 : 1; /* rounding carried: 9.996 is 10.0 */
        frac = 0;
    }
    if (places == 0) {
        (void)snprintf(p.digits, sizeof p.digits, "%" PRIu64, whole);
        return p;
    }
    (void)snprintf(p.digits, sizeof p.digits, "%" PRIu64 ".%0*" PRIu64, whole, places, frac);
    if (p.exact) {
        /* "1.50" promises more than "1.5" says: an exact value needs no zeros at its end. */
        for (size_t n = strlen(p.digits); n > 0 && p.digits[n - 1] == '0'; n--) {
            p.digits[n - 1] = '\0';
        }
    }
    return p;
}

/* The largest unit in which `value` is at least 1, after rounding. */
static const struct unit *unit_for(const struct unit *list, uint64_t value)
{
    const struct unit *best = NULL;
    const struct unit *above = NULL; /* the next larger one */
    for (const struct unit *u = list; u->name != NULL; u++) {
        if (u->shown == NULL) {
            continue;
        }
        if (value >= (uint64_t)u->size) {
            best = u;
            break;
        }
        above = u;
    }
    if (best == NULL) {
        return above; /* zero, or less than the smallest */
    }
    /* 999.6 us would print as "1000 us": it is "1 ms" then. */
    if (above != NULL && above->size / best->size == 1000) {
        uint64_t unit = (uint64_t)best->size;
        if (value / unit == 999 && value % unit >= unit - unit / 2 && unit > 1) {
            return above;
        }
    }
    return best;
}

/* A share times `scale` with so many places behind the point; never through the C locale. */
static const char *share_digits(char *buf, size_t size, uint64_t share, uint64_t scale, int places)
{
    __extension__ unsigned __int128 v = share;
    uint64_t power = 1;
    for (int i = 0; i < places; i++) {
        power *= 10;
    }
    v = (v * scale * power + (UNIT_ONE / 2)) >> 32;
    uint64_t whole = (uint64_t)(v / power);
    uint64_t rest = (uint64_t)(v % power);
    if (places == 0) {
        (void)snprintf(buf, size, "%" PRIu64, whole);
    } else {
        (void)snprintf(buf, size, "%" PRIu64 ".%0*" PRIu64, whole, places, rest);
    }
    return buf;
}

static void trim_zeros(char *digits)
{
    size_t n = strlen(digits);
    if (strchr(digits, '.') == NULL) {
        return;
    }
    while (digits[n - 1] == '0') {
        digits[--n] = '\0';
    }
    if (digits[n - 1] == '.') {
        digits[n - 1] = '\0';
    }
}

/* Below 1 in percent, else as a factor. */
static const char *format_share(char *buf, size_t size, uint64_t share)
{
    char digits[48];
    bool percent = share < (uint64_t)UNIT_ONE;
    uint64_t hundredth = (uint64_t)UNIT_ONE / 100;
    int places = !percent || share >= 10 * hundredth ? 1 : share >= hundredth ? 2 : 3;
    (void)share_digits(digits, sizeof digits, share, percent ? 100 : 1, places);
    trim_zeros(digits);
    (void)snprintf(buf, size, percent ? "%s %%" : "%s", digits);
    return buf;
}

const char *units_format(char *buf, size_t size, enum unit_kind kind, int64_t value)
{
    const char *sign = value < 0 ? "-" : "";
    uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (kind == UNIT_COUNT) {
        return units_grouped(buf, size, value);
    }
    if (kind == UNIT_SHARE) {
        return format_share(buf, size, v);
    }
    const struct unit *u = unit_for(kinds[kind].units, v);
    struct picture p = picture_in(v, (uint64_t)u->size);
    if (kind == UNIT_BYTES && v >= (uint64_t)KIB) {
        /* Sizes that people chose are round in one of the two systems: show that one. */
        const struct unit *b = unit_for(binary_units, v);
        struct picture q = picture_in(v, (uint64_t)b->size);
        if (q.exact && (!p.exact || strlen(q.digits) <= strlen(p.digits))) {
            u = b;
            p = q;
        }
    }
    (void)snprintf(buf, size, "%s%s %s", sign, p.digits, u->shown);
    return buf;
}

/* The shortest decimal that is read back as this share. */
static const char *exact_share(char *buf, size_t size, int64_t value)
{
    int64_t back = -1;
    for (int places = 0; places <= 10 && back != value; places++) {
        (void)share_digits(buf, size, (uint64_t)value, 1, places);
        if (!units_parse(buf, UNIT_SHARE, &back, NULL)) {
            break;
        }
    }
    return buf;
}

const char *units_exact(char *buf, size_t size, enum unit_kind kind, int64_t value)
{
    if (kind == UNIT_SHARE) {
        return exact_share(buf, size, value);
    }
    const struct unit *best = NULL;
    for (const struct unit *u = kinds[kind].units; u->name != NULL; u++) {
        if (u->exact && value % u->size == 0 && (value != 0 || u[1].name == NULL)) {
            best = u;
            break;
        }
        best = u->exact ? u : best;
    }
    int64_t n = best != NULL ? value / best->size : value;
    (void)snprintf(buf, size, "%" PRId64 "%s", n, best != NULL ? best->name : "");
    return buf;
}

const char *units_grouped(char *buf, size_t size, int64_t value)
{
    char digits[24];
    uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v);
    char out[40];
    size_t len = 0;
    if (value < 0) {
        out[len++] = '-';
    }
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) {
            out[len++] = ',';
        }
        out[len++] = digits[i];
    }
    out[len] = '\0';
    (void)snprintf(buf, size, "%s", out);
    return buf;
}

const char *units_counted(char *buf, size_t size, int64_t n, const char *one, const char *many)
{
    char number[40];
    (void)snprintf(buf, size, "%s %s", units_grouped(number, sizeof number, n),
                   n == 1 ? one : many);
    return buf;
}

const char *units_part(char *buf, size_t size, int64_t part, int64_t whole)
{
    char some[32], all[32];
    (void)snprintf(buf, size, "%s of %s", units_grouped(some, sizeof some, part),
                   units_grouped(all, sizeof all, whole));
    return buf;
}
