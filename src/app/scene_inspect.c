/*
 * The packet inspector as a scene.
 */
#include <stdio.h>

#include "app/inspect.h"
#include "base/units.h"

enum { SUMMARY = 2 };

/* What a folded header says of itself: its fields that matter most. */
static const struct {
    enum frame_layer layer;
    enum frame_field field[SUMMARY]; /* the first one: none, where it comes twice */
} summaries[] = {
    { FRAME_LAYER_ETH, { FRAME_ETH_SRC, FRAME_ETH_DST } },
    { FRAME_LAYER_VLAN, { FRAME_VLAN_PRIO, FRAME_VLAN_PRIO } },
    { FRAME_LAYER_MACC, { FRAME_MACC_OPCODE, FRAME_MACC_OPCODE } },
    { FRAME_LAYER_LRH, { FRAME_LRH_SLID, FRAME_LRH_DLID } },
    { FRAME_LAYER_IB_LINK, { FRAME_IB_LINK_VL, FRAME_IB_LINK_FCCL } },
    { FRAME_LAYER_IP4, { FRAME_IP4_SRC, FRAME_IP4_DST } },
    { FRAME_LAYER_IP6, { FRAME_IP6_SRC, FRAME_IP6_DST } },
    { FRAME_LAYER_UDP, { FRAME_UDP_SRC, FRAME_UDP_DST } },
    { FRAME_LAYER_TCP, { FRAME_TCP_SRC, FRAME_TCP_DST } },
    { FRAME_LAYER_BTH, { FRAME_BTH_OPCODE, FRAME_BTH_PSN } },
    { FRAME_LAYER_RETH, { FRAME_RETH_LEN, FRAME_RETH_LEN } },
    { FRAME_LAYER_AETH, { FRAME_AETH_SYNDROME, FRAME_AETH_MSN } },
    { FRAME_LAYER_PAYLOAD, { FRAME_PAYLOAD, FRAME_PAYLOAD } },
    { FRAME_LAYER_ICRC, { FRAME_ICRC, FRAME_ICRC } },
    { FRAME_LAYER_VCRC, { FRAME_VCRC, FRAME_VCRC } },
    { FRAME_LAYER_PAD, { FRAME_PAD, FRAME_PAD } },
};

static const char *value_of(const struct inspect *in, enum frame_field field)
{
    for (size_t i = 0; i < in->line_count; i++) {
        if (in->line[i].field == field) {
            return in->line[i].text;
        }
    }
    return "";
}

static const char *summary_of(const struct inspect *in, enum frame_layer layer,
                              struct scene_mem *mem)
{
    for (size_t i = 0; i < sizeof summaries / sizeof *summaries; i++) {
        const enum frame_field *f = summaries[i].field;
        if (summaries[i].layer == layer) {
            return f[0] == f[1]
                       ? value_of(in, f[0])
                       : scene_mem_textf(mem, "%s, %s", value_of(in, f[0]), value_of(in, f[1]));
        }
    }
    return NULL;
}

static struct scene_field header_of(const struct inspect *in, enum frame_layer layer,
                                    struct scene_mem *mem)
{
    struct scene_field out = { .name = frame_layer_name(layer),
                               .header = true,
                               .folded = (in->folded >> layer & 1u) != 0 };
    for (size_t i = 0; i < in->line_count; i++) {
        const struct frame_line *line = &in->line[i];
        if (line->layer == layer) {
            out.offset = out.length == 0 ? line->offset : out.offset;
            out.length = line->offset + line->length - out.offset;
        }
    }
    out.value = out.folded ? summary_of(in, layer, mem) : NULL;
    return out;
}

static struct scene_field field_of(const struct frame_line *line)
{
    return (struct scene_field){
        .name = line->name, .value = line->text, .offset = line->offset, .length = line->length
    };
}

/* "byte 15, bits 7 to 8: ip.dsfield.ecn", counted from 0 and from 1 as dissectors and standards do. */
static const char *place_of(const struct inspect *in, const struct scene_field *field,
                            const struct inspect_row *row, struct scene_mem *mem)
{
    char bytes[64], bits[48] = "";
    const struct frame_line *line = row->line != SIZE_MAX ? &in->line[row->line] : NULL;
    if (field->length == 1) {
        (void)snprintf(bytes, sizeof bytes, "byte %zu", field->offset);
    } else {
        (void)snprintf(bytes, sizeof bytes, "bytes %zu to %zu", field->offset,
                       field->offset + field->length - 1);
    }
    if (line != NULL && line->bits == 1) {
        (void)snprintf(bits, sizeof bits, ", bit %u", line->bit + 1);
    } else if (line != NULL && line->bits > 1) {
        (void)snprintf(bits, sizeof bits, ", bits %u to %u", line->bit + 1, line->bit + line->bits);
    }
    const char *filter = line != NULL ? line->filter : "";
    return scene_mem_textf(mem, "%s%s%s%s", bytes, bits, filter[0] != '\0' ? "; " : "", filter);
}

static const char *title_of(const struct inspect *in, const struct sim *sim, struct scene_mem *mem)
{
    char name[240];
    const struct sim_frame *f = &in->frame;
    const struct sim_port_info port = sim_port(sim, f->port);
    return scene_mem_textf(mem, "%s%s%s, %s %s to %s", inspect_name(sim, f, name, sizeof name),
                           (f->flags & SIM_FRAME_CE) != 0 ? ", marked" : "",
                           (f->flags & SIM_FRAME_LOST) != 0 ? ", lost" : "",
                           f->end == SIM_NEVER ? "waits in" : "on", port.name,
                           sim_node(sim, sim_port(sim, port.peer).node).name);
}

void inspect_fill(const struct inspect *in, const struct sim *sim, struct scene_mem *mem,
                  struct scene *scene)
{
    struct scene_inspector *out = &scene->inspector;
    *out = (struct scene_inspector){ .shown = true, .title = title_of(in, sim, mem) };
    if (in->size == 0) {
        char at[40];
        const sim_ps known = in->reader != NULL ? run_now(in->reader) : 0;
        out->note = scene_mem_textf(mem, "reading what was before: %s",
                                    units_format(at, sizeof at, UNIT_TIME, known));
        return;
    }
    struct scene_field *row = scene_mem_take(mem, in->row_count, sizeof *row);
    for (size_t i = 0; i < in->row_count; i++) {
        row[i] = in->row[i].line == SIZE_MAX ? header_of(in, in->row[i].layer, mem)
                                             : field_of(&in->line[in->row[i].line]);
    }
    const struct inspect_row *here = &in->row[in->selected];
    out->row = row;
    out->row_count = in->row_count;
    out->selected = in->selected;
    out->byte = in->bytes;
    out->byte_count = in->size;
    out->place = place_of(in, &row[in->selected], here, mem);
    out->about = here->line == SIZE_MAX ? inspect_about_layer(here->layer)
                                        : inspect_about(in->line[here->line].field);
}
