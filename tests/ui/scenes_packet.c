/*
 * Scenes with a packet open, for golden frames.
 */
#include "scenes.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static const struct scene_hint hints[] = {
    { "j k", "field", true, false, 0 },
    { "Enter", "open, fold", true, false, 0 },
    { "h l", "packet", true, false, 0 },
    { "Esc", "close", true, true, 0 },
};

/* A first packet of a SEND with 16 bytes of payload, marked on its way. */
static const uint8_t bytes[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x06, 0x02, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x08, 0x00, 0x45,
    0x6b, 0x00, 0x3c, 0x00, 0x79, 0x40, 0x00, 0x3f, 0x11, 0x25, 0xca, 0x0a, 0x00, 0x00, 0x02,
    0x0a, 0x00, 0x00, 0x03, 0xef, 0x03, 0x12, 0xb7, 0x00, 0x28, 0x00, 0x00, 0x00, 0x40, 0xff,
    0xff, 0x00, 0x00, 0x00, 0x13, 0x00, 0x00, 0x00, 0x78, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05,
    0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x9c, 0x76, 0xfc, 0xa1,
};

static const struct scene_field rows[] = {
    { "Ethernet II", "02:00:00:00:00:0c, 02:00:00:00:00:06", true, true, 0, 14 },
    { "Internet Protocol Version 4", NULL, true, false, 14, 20 },
    { "Version", "4", false, false, 14, 1 },
    { "Header Length", "20 bytes (5)", false, false, 14, 1 },
    { "Differentiated Services Codepoint", "26", false, false, 15, 1 },
    { "Explicit Congestion Notification", "Congestion Experienced (3)", false, false, 15, 1 },
    { "Total Length", "60", false, false, 16, 2 },
    { "Source Address", "10.0.0.2", false, false, 26, 4 },
    { "Destination Address", "10.0.0.3", false, false, 30, 4 },
    { "User Datagram Protocol", "61187, 4791", true, true, 34, 8 },
    { "Base Transport Header", "RC - SEND First (0), 120", true, true, 42, 12 },
    { "Payload", "16 bytes", true, true, 54, 16 },
    { "Invariant CRC", "0x9c76fca1", true, true, 70, 4 },
};

struct scene scene_packet(struct scene_mem *mem, size_t selected)
{
    struct scene s = scene_paused(mem);
    s.hint = hints;
    s.hint_count = COUNT_OF(hints);
    s.follow = "packet 9 of the step's 112 (g2>g3:120#1)";
    s.inspector = (struct scene_inspector){
        .shown = true,
        .title = "packet g2>g3:120#1, marked, on leaf1:6 to spine1",
        .row = rows,
        .row_count = COUNT_OF(rows),
        .selected = selected,
        .byte = bytes,
        .byte_count = COUNT_OF(bytes),
        .place = selected == 5 ? "byte 15, bits 7 to 8; ip.dsfield.ecn" : "bytes 14 to 33",
        .about = selected == 5 ? "Whether a switch has marked it: it waited in a long queue."
                               : "From host to host, across any number of switches.",
    };
    return s;
}

struct scene scene_packet_unread(struct scene_mem *mem)
{
    struct scene s = scene_packet(mem, 0);
    s.inspector.row_count = 0;
    s.inspector.note = "reading what was before: 3.2 ms";
    return s;
}
