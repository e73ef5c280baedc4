/* The menu over a picture: what is built, every switch, what cannot be. */
#include "scenes.h"

static const char *const pages[] = { "start from", "build", "switches", "break", "keep" };

static const struct scene_menu_row build[] = {
    { .name = "fabric",
      .value = "leaf_spine",
      .range = "leaf_spine | fat_tree | star | rail | ring" },
    { .name = "leaves", .value = "2", .range = "1 to 1024", .depth = 1 },
    { .name = "hosts", .value = "4", .range = "1 to 1024", .depth = 1 },
    { .name = "uplink_rate",
      .value = "-",
      .range = "Mbps, Gbps | -: not given",
      .dim = true,
      .depth = 1 },
    { .name = "workload", .value = "training", .range = "training | incast | permutation" },
    { .name = "bytes", .value = "1MiB", .range = "B, KB, KiB, MB, MiB", .depth = 2 },
};

static const struct scene_menu_row switches[] = {
    { .name = "of this card", .heading = true },
    { .name = "flow_control", .value = "pfc", .range = "none | pfc | credits" },
    { .name = "xoff", .value = "20 KB", .range = "1 B to 1 TiB; default 100 KB", .changed = true },
    { .name = "lossless", .heading = true },
    { .name = "vl_buffer",
      .value = "128 KiB",
      .range = "64 B to 128 KiB",
      .note = "no effect: flow_control is pfc",
      .dim = true },
    { .name = "watchdog_detect",
      .value = "200 ms",
      .range = "1 ps to 1000 s",
      .note = "no effect: watchdog is off",
      .dim = true },
    { .name = "ecn", .heading = true },
    { .name = "ecn", .value = "off", .range = "off | on" },
    { .name = "kmin", .value = "100 KB", .note = "no effect: ecn is off", .dim = true },
    { .name = "kmax", .value = "400 KB", .note = "no effect: ecn is off", .dim = true },
    { .name = "pmax", .value = "20 %", .note = "no effect: ecn is off", .dim = true },
    { .name = "cc", .value = "none", .note = "no effect: ecn is off", .dim = true },
};

struct scene scene_menu_build(struct scene_mem *mem)
{
    struct scene s = scene_paused(mem);
    s.menu = (struct scene_menu){ .shown = true,
                                  .page = pages,
                                  .page_count = 5,
                                  .page_at = 1,
                                  .row = build,
                                  .row_count = sizeof build / sizeof *build,
                                  .selected = 2,
                                  .about = "hosts under each leaf",
                                  .foot = "8 hosts, 4 switches, 12 cables" };
    return s;
}

struct scene scene_menu_refused(struct scene_mem *mem)
{
    struct scene s = scene_menu_build(mem);
    s.menu.error = "hosts is 2000, it must be from 1 to 1024";
    return s;
}

struct scene scene_menu_switches(struct scene_mem *mem)
{
    struct scene s = scene_paused(mem);
    s.menu = (struct scene_menu){ .shown = true,
                                  .page = pages + 2,
                                  .page_count = 3,
                                  .row = switches,
                                  .row_count = sizeof switches / sizeof *switches,
                                  .selected = 4,
                                  .about = "room a port keeps for each virtual lane" };
    return s;
}
