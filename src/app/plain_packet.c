/*
 * Plain mode: a packet as sentences, one for each header.
 */
#include <stdio.h>

#include "app/inspect.h"
#include "app/plain_parts.h"

static void say_header(const struct plain *p, const struct inspect *in, size_t from, size_t to)
{
    struct text out = { 0 };
    text_addf(&out, "%s:", frame_layer_name(in->line[from].layer));
    for (size_t i = from; i < to; i++) {
        text_addf(&out, "%s %s %s", i > from ? "," : "", in->line[i].name, in->line[i].text);
    }
    text_add(&out, ".");
    plain_say(p, text_str(&out));
    text_finish(&out);
}

static void say_packet(const struct plain *p, const struct inspect *in)
{
    char name[200];
    const struct sim *sim = plain_sim(p);
    const struct sim_port_info port = sim_port(sim, in->frame.port);
    printf("%s, %s %s to %s, %zu bytes:\n", inspect_name(sim, &in->frame, name, sizeof name),
           in->frame.end == SIM_NEVER ? "waiting in" : "on", port.name,
           sim_node(sim, sim_port(sim, port.peer).node).name, in->size);
    for (size_t from = 0, to; from < in->line_count; from = to) {
        for (to = from + 1; to < in->line_count && in->line[to].layer == in->line[from].layer;) {
            to++;
        }
        say_header(p, in, from, to);
    }
}

void plain_say_packet(const struct plain *p)
{
    struct cursor cursor = { 0 };
    struct err err = { 0 };
    const struct run *run = player_run(p->player);
    struct inspect *in = inspect_create();
    if (!cursor_snap(&cursor, plain_sim(p))) {
        printf("No packet is on its way just now: go to another moment first.\n");
    } else if (!inspect_open(in, run, &cursor, &err)) {
        printf("%s\n", err.msg);
    } else {
        (void)inspect_work(in, run, true);
        say_packet(p, in);
    }
    inspect_destroy(in);
}
