#include "sim/inside.h"

#include <stddef.h>

/*
 * Payload goes in pieces of `unit` bytes with a header each, padded to `word`; what has none takes
 * `least`.
 *
 *   PCIe      TLPs of at most 256 bytes; 24 more each: header 12 to 16, sequence number 2, LCRC 4,
 *             framing 2 to 4. Credits: an UpdateFC DLLP of 8 bytes
 *   NVLink    packets of at most 256 bytes in flits of 16, and one flit of header; address extensions
 *             and byte enables, a flit each, are left out. Credits ride in headers. General knowledge:
 *             there is no public specification
 *   memory    lines of 64 bytes
 */
static const struct {
    const char *name;
    uint32_t unit, header, word, least, credit;
} sizes[SIM_LINK_KIND_COUNT] = {
    [SIM_LINK_FABRIC] = { .name = "fabric", .unit = 1, .word = 1 },
    [SIM_LINK_PCIE] = { "pcie", .unit = 256, .header = 24, .word = 4, .least = 24, .credit = 8 },
    [SIM_LINK_NVLINK] = { "nvlink", .unit = 256, .header = 16, .word = 16, .least = 16 },
    [SIM_LINK_MEMORY] = { "memory", .unit = 64, .word = 64, .least = 64 },
};

uint32_t sim_inside_bytes(enum sim_link_kind kind, uint32_t payload)
{
    uint32_t word = sizes[kind].word;
    uint32_t unit = sizes[kind].unit;
    if (payload == 0) {
        return sizes[kind].least;
    }
    return (payload + word - 1) / word * word + (payload + unit - 1) / unit * sizes[kind].header;
}

uint32_t sim_inside_credit(enum sim_link_kind kind)
{
    return sizes[kind].credit;
}

const char *sim_link_kind_word(enum sim_link_kind kind)
{
    return sizes[kind].name;
}

/* One lane: gigatransfers a second, times what the code leaves: 8b/10b, 128b/130b, 242 of 256 bytes
 * of a flit. */
static const struct {
    int64_t transfers, code_num, code_den;
} pcie[] = {
    { 2500000000, 8, 10 },     { 5000000000, 8, 10 },     { 8000000000, 128, 130 },
    { 16000000000, 128, 130 }, { 32000000000, 128, 130 }, { 64000000000, 242, 256 },
};

/* Links of one GPU (P100, V100, A100, H100, B200), and bit/s of each. */
static const struct {
    int links;
    int64_t rate_bps;
} nvlink[] = {
    { 4, 160000000000 },  { 6, 200000000000 },  { 12, 200000000000 },
    { 18, 200000000000 }, { 18, 400000000000 },
};

static bool in_range(const char *what, int gen, size_t count, struct err *err)
{
    return (gen >= 1 && (size_t)gen <= count) ||
           err_set(err, ERR_RANGE, "%s generation %d, it must be from 1 to %d", what, gen,
                   (int)count);
}

bool sim_inside_rate(enum sim_link_kind kind, int gen, int lanes, int64_t *rate_bps,
                     struct err *err)
{
    switch (kind) {
    case SIM_LINK_PCIE:
        if (!in_range("PCIe", gen, sizeof pcie / sizeof *pcie, err)) {
            return false;
        }
        if (lanes < 1 || lanes > 16 || (lanes & (lanes - 1)) != 0) {
            return err_set(err, ERR_RANGE, "PCIe x%d: there are 1, 2, 4, 8 and 16 lanes", lanes);
        }
        /* to the nearest bit/s */
        *rate_bps = (2 * pcie[gen - 1].transfers * lanes * pcie[gen - 1].code_num +
                     pcie[gen - 1].code_den) /
                    (2 * pcie[gen - 1].code_den);
        return true;
    case SIM_LINK_NVLINK:
        if (!in_range("NVLink", gen, sizeof nvlink / sizeof *nvlink, err)) {
            return false;
        }
        if (lanes < 0 || lanes > nvlink[gen - 1].links) {
            return err_set(err, ERR_RANGE, "NVLink %d has up to %d links a GPU, not %d", gen,
                           nvlink[gen - 1].links, lanes);
        }
        *rate_bps = nvlink[gen - 1].rate_bps * (lanes == 0 ? nvlink[gen - 1].links : lanes);
        return true;
    case SIM_LINK_FABRIC:
    case SIM_LINK_MEMORY:
    case SIM_LINK_KIND_COUNT:
        break;
    }
    return err_set(err, ERR_STATE, "only PCIe and NVLink have generations: give a rate");
}
