/*
 * A run as a capture (pcapng): every frame that a port of the fabric sent, as Wireshark reads it.
 *
 * One interface for each end of a cable, called "leaf1:3 -> g3", holds what that end sent, at the
 * time of its first bit. Ethernet frames are without FCS. InfiniBand packets are ERF records, from the
 * local route header to the VCRC: Wireshark does not know their own link type, 247. Credit packets, on
 * interfaces of their own, are shown as bytes with a comment that says what they mean: what Wireshark has
 * for them takes most of them for malformed. Cables inside boxes carry no frames.
 *
 * With a snaplen Wireshark calls RoCEv2 frames malformed: it looks for the ICRC at the end of what is
 * there.
 *
 * Comments on packets say what their bytes do not: that it was lost behind this cable, where and why; that
 * it is a retransmission; that this port has marked it; the card of the lesson that begins here.
 */
#ifndef WEFT_EXPORT_CAPTURE_H
#define WEFT_EXPORT_CAPTURE_H

#include "export/source.h"

/* Something to be said at a time, on the first packet from then on. */
struct capture_note {
    sim_ps at;
    const char *text;
};

struct capture_options {
    uint32_t snaplen; /* bytes kept of a frame; 0: all */
    const char *const
        *places;        /* names of nodes ("leaf1") and ports ("leaf1:3"): only cables that */
    size_t place_count; /* end there, both ways; 0: all of the fabric */
    const struct capture_note *notes; /* in order of time */
    size_t note_count;
};

/* Whether there can be a capture: no, when no real link carries frames as long as this fabric's, or when
 * there is no such place. */
bool export_capture_check(const struct export_source *source, const struct capture_options *options,
                          struct err *err);

/* Watches the source to its end, or until the sink takes no more. For what has been checked. */
void export_capture(const struct export_source *source, const struct capture_options *options,
                    struct sink *sink);

#endif
