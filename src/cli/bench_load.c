/*
 * Counting instructions; what loading a lesson costs: its Lua run, and all that is declared checked.
 */
#define _DEFAULT_SOURCE /* syscall */

#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

#include "cli/cli.h"
#include "export/json.h"
#include "lesson/lesson.h"

/* The least of so many times: machines are noisy. */
enum { LOADS = 20 };

/* ---- instructions ---------------------------------------------------------------------------- */

int bench_counter_open(void)
{
#ifdef __linux__
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
#else
    return -1;
#endif
}

uint64_t bench_counter_read(int fd)
{
    uint64_t count = 0;
    return fd >= 0 && read(fd, &count, sizeof count) == (ssize_t)sizeof count ? count : 0;
}

/* ---- loading --------------------------------------------------------------------------------- */

struct load {
    const char *name;
    size_t cards;
    double cpu_s;
    uint64_t instructions;
};

static bool load_once(struct load *load, const char *path, const char *data_dir, int counter,
                      struct err *err)
{
    const uint64_t from = bench_counter_read(counter);
    const double begin = bench_cpu_seconds();
    struct lesson *lesson = lesson_load(path, data_dir, NULL, err);
    const double took = bench_cpu_seconds() - begin;
    load->instructions = bench_counter_read(counter) - from;
    load->cpu_s = took < load->cpu_s ? took : load->cpu_s;
    if (lesson != NULL) {
        load->cards = lesson_card_count(lesson);
    }
    lesson_destroy(lesson);
    return lesson != NULL;
}

static void add_json(struct text *out, const struct load *load)
{
    json_t *row = json_object();
    json_object_set_new(row, "lesson", export_json_text(load->name));
    json_object_set_new(row, "cards", json_integer((json_int_t)load->cards));
    json_object_set_new(row, "cpu_ms", json_real(load->cpu_s * 1e3));
    json_object_set_new(row, "instructions",
                        load->instructions > 0 ? json_integer((json_int_t)load->instructions)
                                               : json_null());
    char *s = json_dumps(row, JSON_REAL_PRECISION(4));
    text_add(out, s);
    free(s);
    json_decref(row);
}

static void add_text(struct text *out, const struct load *load)
{
    char count[32];
    text_addf(out, "%s, %zu cards: loaded and checked in %.2f ms CPU", load->name, load->cards,
              load->cpu_s * 1e3);
    if (load->instructions > 0) {
        text_addf(out, ", %s instructions",
                  units_grouped(count, sizeof count, (int64_t)load->instructions));
    }
    text_add(out, "\n");
}

static bool measure_load(const struct cli_options *options, const char *name, const char *path,
                         int counter, bool *first, struct text *out, struct err *err)
{
    struct load load = { .name = name, .cpu_s = 1e9 };
    char *data_dir = cli_data_dir();
    bool ok = true;
    for (int i = 0; i < LOADS && ok; i++) {
        ok = load_once(&load, path, data_dir, counter, err);
    }
    if (ok && options->format == CLI_JSON) {
        text_add(out, *first ? "\n    " : ",\n    ");
        add_json(out, &load);
    } else if (ok) {
        add_text(out, &load);
    }
    *first = false;
    free(data_dir);
    return ok;
}

bool bench_loads(const struct cli_options *options, int counter, struct text *out, struct err *err)
{
    struct lesson_list list = { 0 };
    char *data_dir = cli_data_dir();
    const struct lesson_places course = { .data_dir = data_dir };
    bool first = true, ok = lesson_list(&course, &list, NULL, err);
    for (size_t i = 0; i < list.count && ok; i++) {
        if (bench_is_wished(options, list.items[i].id)) {
            ok = measure_load(options, list.items[i].id, list.items[i].file, counter, &first, out,
                              err);
        }
    }
    for (size_t i = 0; i < options->operands.count && ok; i++) {
        const char *path = options->operands.item[i];
        if (strchr(path, '/') != NULL) {
            ok = measure_load(options, strrchr(path, '/') + 1, path, counter, &first, out, err);
        }
    }
    lesson_list_finish(&list);
    free(data_dir);
    return ok;
}
