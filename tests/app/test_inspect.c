/*
 * The packet inspector: whatever frame is opened at whatever moment, it shows the bytes that the capture of
 * the same run has for it (which tshark judges, tests/export/tshark.sh), and the keys do what they say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "export/capture.h"
#include "random_run.h"
#include "stage.h"

/* ---- a capture, as far as it is needed here ----------------------------------------------------- */

enum { INTERFACE = 1, PACKET = 6, INTERFACES_MAX = 4096, IF_NAME = 2 };

struct pcap {
    char *bytes;
    size_t size;
    const char *name[INTERFACES_MAX]; /* of an interface; not terminated */
    uint32_t interfaces;
};

static uint32_t word(const struct pcap *p, size_t at)
{
    uint32_t w = 0;
    assert_true(at + 4 <= p->size);
    memcpy(&w, p->bytes + at, sizeof w);
    return w;
}

static void read_interface(struct pcap *p, size_t at)
{
    assert_true(p->interfaces < INTERFACES_MAX);
    size_t option = at + 16;
    while ((word(p, option) & 0xffff) != IF_NAME) {
        option += 4 + ((word(p, option) >> 16) + 3) / 4 * 4;
    }
    p->name[p->interfaces++] = p->bytes + option + 4;
}

static struct pcap capture(const struct run *run)
{
    char path[] = "/tmp/weft-inspect-XXXXXX";
    struct err err = { 0 };
    struct pcap p = { 0 };
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    struct run *fork = run_fork(run);
    assert_true(run_seek(fork, 0, &err));
    const struct export_source source = {
        .run = fork, .until = run_now(run), .past_done = true, .name = "test", .version = "0"
    };
    struct sink *sink =
        sink_open(path, &(struct sink_options){ .replace = true, .binary = true }, &err);
    assert_non_null(sink);
    export_capture(&source, &(struct capture_options){ 0 }, sink);
    if (!sink_close(sink, &err)) {
        fail_msg("%s", err.msg);
    }
    sink_destroy(sink);
    run_destroy(fork);
    assert_true(file_read(path, 1 << 30, &p.bytes, &p.size, &err));
    (void)unlink(path);
    for (size_t at = 0; at < p.size; at += word(&p, at + 4)) {
        if (word(&p, at) == INTERFACE) {
            read_interface(&p, at);
        }
    }
    return p;
}

/* The capture holds these bytes, sent by `port` at `start`, at the end of a packet. */
static bool has(const struct pcap *p, const char *port, sim_ps start, const uint8_t *bytes,
                size_t size)
{
    char lead[128];
    (void)snprintf(lead, sizeof lead, "%s -> ", port);
    for (size_t at = 0; at < p->size; at += word(p, at + 4)) {
        if (word(p, at) != PACKET || strncmp(p->name[word(p, at + 8)], lead, strlen(lead)) != 0 ||
            ((uint64_t)word(p, at + 12) << 32 | word(p, at + 16)) != (uint64_t)(start / UNIT_NS)) {
            continue;
        }
        const size_t kept = word(p, at + 20);
        if (kept >= size && memcmp(p->bytes + at + 28 + kept - size, bytes, size) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- every frame of a moment --------------------------------------------------------------------- */

enum { LOOKED_AT = 300, KINDS = SIM_FRAME_CREDIT + 1 };

static size_t seen[KINDS], waited;

static void look(struct inspect *in, const struct run *run, const struct sim_frame *frame)
{
    struct err err = { 0 };
    struct cursor cursor = { .on = true, .port = frame->port };
    /* where a walk along the lane leads to it */
    bool found = inspect_open(in, run, &cursor, &err);
    while (found && (in->frame.kind != frame->kind || in->frame.flow != frame->flow ||
                     in->frame.psn != frame->psn || in->frame.attempt != frame->attempt ||
                     in->frame.start != frame->start)) {
        found = inspect_walk(in, run, &cursor, false); /* back to those that left later */
    }
    assert_true(found);
    assert_false(inspect_work(in, run, true));
    assert_true(in->on && in->size > 0);
}

/* One that waits is, when it leaves, what it was said to be; a mark may come on it until then. */
static void must_leave_like_that(struct inspect *in, const struct run *run,
                                 const struct sim_frame *frame)
{
    struct run *later = run_fork(run);
    struct sim_frame now = *frame;
    look(in, run, frame);
    for (int i = 0; i < 2000 && now.end == SIM_NEVER; i++) {
        (void)run_until(later, run_next_moment(later), 0);
        if (!sim_find_packet(run_sim(later), frame->flow, frame->psn, frame->attempt, &now)) {
            break;
        }
    }
    if (now.end != SIM_NEVER && now.port == frame->port &&
        ((now.flags ^ frame->flags) & SIM_FRAME_CE) == 0) {
        struct pcap p = capture(later);
        assert_true(
            has(&p, sim_port(run_sim(run), frame->port).name, now.start, in->bytes, in->size));
        free(p.bytes);
        waited++;
    }
    run_destroy(later);
}

static void must_be_as_captured(struct inspect *in, const struct run *run, bool queues)
{
    const struct sim *sim = run_sim(run);
    struct sim_frame *frames = mem_alloc(LOOKED_AT, sizeof *frames);
    struct pcap p = capture(run);
    for (uint32_t port = 0; port < sim_port_count(sim); port++) {
        if (sim_port(sim, port).kind != SIM_LINK_FABRIC) {
            continue;
        }
        size_t n = sim_port_wire(sim, port, frames, LOOKED_AT);
        for (size_t i = 0; i < n && i < LOOKED_AT; i++) {
            look(in, run, &frames[i]);
            seen[frames[i].kind]++;
            if (!has(&p, sim_port(sim, port).name, frames[i].start, in->bytes, in->size)) {
                char name[160];
                fail_msg("%s on %s is not what was captured",
                         inspect_name(sim, &frames[i], name, sizeof name),
                         sim_port(sim, port).name);
            }
        }
        n = queues ? sim_port_waiting(sim, port, frames, 1) : 0;
        if (n > 0) {
            must_leave_like_that(in, run, &frames[0]);
        }
    }
    free(p.bytes);
    free(frames);
}

/* At several moments, and back to the first one: the reader is kept. */
static void every_frame_is_as_captured(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct run *run = random_run(seed);
        const struct export_source source = { .run = run };
        if (run == NULL || !export_capture_check(&source, &(struct capture_options){ 0 }, NULL)) {
            run_destroy(run);
            continue;
        }
        struct inspect *in = inspect_create();
        const sim_ps moments[] = { 3 * UNIT_US, 15 * UNIT_US, 40 * UNIT_US, 15 * UNIT_US };
        for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
            assert_true(run_seek(run, moments[i], NULL));
            must_be_as_captured(in, run, i == 1 && seed % 4 == 0);
        }
        inspect_destroy(in);
        run_destroy(run);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        print_message("# %zu frames of kind %d\n", seen[kind], kind);
        assert_true(seen[kind] > 0);
    }
    print_message("# %zu that waited\n", waited);
    assert_true(waited > 0);
}

/* ---- keys ------------------------------------------------------------------------------------------ */

static void must_see(struct stage *s, const char *text)
{
    stage_frame(s);
    if (!stage_sees(s, text)) {
        struct text frame = { 0 };
        canvas_dump(&s->picture.canvas, &frame);
        fail_msg("no \"%s\" in\n%s", text, text_str(&frame));
    }
}

static void a_packet_is_opened(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, 'c');
    stage_key(&s, TERM_KEY_ENTER);
    stage_settle(&s);
    assert_true(session_inspects(s.session));
    must_see(&s, "- Base Transport Header");
    must_see(&s, "Opcode: RC - SEND");
    must_see(&s, "+ Internet Protocol Ve");
    must_see(&s, "From queue pair to queue pair");
    stage_key(&s, 'j');
    must_see(&s, ">   Opcode: RC - SEND");
    must_see(&s, "infiniband.bth.opcode");
    must_see(&s, "What the packet does");
    stage_key(&s, ' ');
    must_see(&s, ">+ Base Transport H");
    must_see(&s, "RC - SEND");
    stage_key(&s, 'K');
    stage_key(&s, 'K');
    stage_key(&s, TERM_KEY_ENTER);
    must_see(&s, ">- Internet Protocol Version 4");
    must_see(&s, "Time to Live: ");
    stage_key(&s, TERM_KEY_ESC);
    stage_frame(&s);
    assert_false(session_inspects(s.session));
    assert_true(s.session->cursor.on);
    stage_end(&s);
}

/* Its row stays chosen from frame to frame, where the other frame has it; the cursor goes along. */
static void one_walks_from_frame_to_frame(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, 'i');
    stage_settle(&s);
    stage_key(&s, 'j');
    stage_frame(&s);
    const struct inspect *in = s.session->inspect;
    const struct sim_frame first = in->frame;
    stage_key(&s, 'h');
    if (memcmp(&in->frame, &first, sizeof first) == 0) {
        stage_key(&s, 'l');
    }
    stage_settle(&s);
    assert_true(in->frame.psn != first.psn || in->frame.kind != first.kind);
    assert_int_equal(s.session->cursor.port, first.port);
    assert_true(in->frame.kind != SIM_FRAME_DATA || s.session->cursor.psn == in->frame.psn);
    must_see(&s, ">   Opcode: ");
    for (int i = 0; i < 200; i++) {
        stage_key(&s, 'h');
    }
    must_see(&s, "nothing more to the left");
    stage_key(&s, '?');
    stage_frame(&s);
    assert_false(session_inspects(s.session));
    stage_end(&s);
}

/* The past is read in slices; meanwhile the box says so, and keys are answered. */
static void the_past_is_read_in_slices(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 3);
    stage_settle(&s);
    stage_key(&s, 'i');
    if (!session_inspects(s.session)) { /* nothing is on its way just now */
        stage_key(&s, ':');
        stage_type(&s, "go 40us");
        stage_key(&s, TERM_KEY_ENTER);
        stage_settle(&s);
        s.session->cursor.on = false;
        stage_key(&s, 'i');
    }
    assert_true(session_inspects(s.session));
    stage_key(&s, 'j'); /* no row yet, or one: no harm */
    stage_settle(&s);
    must_see(&s, "Base Transport Header");
    struct run *reader = s.session->inspect->reader;
    stage_key(&s, TERM_KEY_ESC);
    stage_key(&s, 'i');
    assert_ptr_equal(s.session->inspect->reader, reader); /* kept */
    stage_key(&s, TERM_KEY_ESC);
    stage_key(&s, 'R'); /* another past */
    stage_settle(&s);
    assert_false(session_moving(s.session));
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_is_as_captured),
        cmocka_unit_test(a_packet_is_opened),
        cmocka_unit_test(one_walks_from_frame_to_frame),
        cmocka_unit_test(the_past_is_read_in_slices),
    };
    return cmocka_run_group_tests_name("app/inspect", tests, NULL, NULL);
}
