#include "ui/glyph.h"

#include <string.h>

struct glyph_row {
    const char *text[2]; /* Unicode, ASCII */
    enum ui_role role;
    const char *word;
};

static const struct glyph_row GLYPHS[] = {
#define X(id, uni, asc, role, word) { { uni, asc }, UI_ROLE_##role, word },
    UI_GLYPHS(X)
#undef X
};

static const char *const GPU_WORDS[] = {
    [SCENE_GPU_IDLE] = "idle",          [SCENE_GPU_COMPUTE] = "computes",
    [SCENE_GPU_EXCHANGE] = "exchanges", [SCENE_GPU_STARVED] = "waits",
    [SCENE_GPU_PAUSED] = "paused",      [SCENE_GPU_VAIN] = "in vain",
    [SCENE_GPU_TIMER] = "timer",        [SCENE_GPU_BARRIER] = "barrier",
    [SCENE_GPU_DEAD] = "dead",
};

const char *ui_glyph_text(enum ui_glyph glyph, bool ascii)
{
    return GLYPHS[glyph].text[ascii ? 1 : 0];
}

enum ui_role ui_glyph_role(enum ui_glyph glyph)
{
    return GLYPHS[glyph].role;
}

const char *ui_glyph_word(enum ui_glyph glyph)
{
    return GLYPHS[glyph].word;
}

const char *ui_glyph_to_ascii(const char *text, size_t bytes)
{
    for (size_t i = 0; i < UI_GLYPH_COUNT; i++) {
        const char *uni = GLYPHS[i].text[0];
        if (strlen(uni) == bytes && memcmp(uni, text, bytes) == 0) {
            return GLYPHS[i].text[1];
        }
    }
    return NULL;
}

enum ui_glyph ui_glyph_of_gpu(enum scene_gpu_state state)
{
    return (unsigned)state < SCENE_GPU_STATES ? (enum ui_glyph)(UI_GLYPH_GPU_IDLE + (int)state)
                                              : UI_GLYPH_GPU_IDLE;
}

enum ui_glyph ui_glyph_of_lane(enum scene_lane_state state)
{
    switch (state) {
    case SCENE_LANE_PAUSED:
        return UI_GLYPH_LANE_PAUSED;
    case SCENE_LANE_NOCREDIT:
        return UI_GLYPH_LANE_NOCREDIT;
    case SCENE_LANE_DOWN:
        return UI_GLYPH_LANE_DOWN;
    case SCENE_LANE_OPEN:
    case SCENE_LANE_STATES:
        break;
    }
    return UI_GLYPH_LANE_OPEN;
}

enum ui_glyph ui_glyph_of_tick(enum scene_tick_kind kind)
{
    switch (kind) {
    case SCENE_TICK_DROP:
        return UI_GLYPH_DROP;
    case SCENE_TICK_PAUSE:
        return UI_GLYPH_PAUSE;
    case SCENE_TICK_TIMEOUT:
        return UI_GLYPH_TIMEOUT;
    case SCENE_TICK_BARRIER:
    case SCENE_TICK_KINDS:
        break;
    }
    return UI_GLYPH_BARRIER;
}

/* Data says the most special thing about itself: sent again, then ECN, then whose, then last. */
static enum ui_glyph glyph_of_data(const struct scene_mark *mark, bool right)
{
    if (mark->resend) {
        return mark->last ? UI_GLYPH_RESEND_LAST : UI_GLYPH_RESEND;
    }
    if (mark->ecn) {
        return UI_GLYPH_ECN;
    }
    if (mark->other_job) {
        return UI_GLYPH_OTHER;
    }
    if (mark->last) {
        return right ? UI_GLYPH_LAST_RIGHT : UI_GLYPH_LAST_LEFT;
    }
    return right ? UI_GLYPH_DATA_RIGHT : UI_GLYPH_DATA_LEFT;
}

enum ui_glyph ui_glyph_of_mark(const struct scene_mark *mark, bool right)
{
    switch (mark->kind) {
    case SCENE_MARK_ACK:
        return UI_GLYPH_ACK;
    case SCENE_MARK_NAK:
        return UI_GLYPH_NAK;
    case SCENE_MARK_CNP:
        return UI_GLYPH_CNP;
    case SCENE_MARK_PAUSE:
        return UI_GLYPH_PAUSE;
    case SCENE_MARK_GO:
        return UI_GLYPH_GO;
    case SCENE_MARK_CREDIT:
        return UI_GLYPH_CREDIT;
    case SCENE_MARK_REFUSED:
        return UI_GLYPH_REFUSED;
    case SCENE_MARK_DROP:
        return UI_GLYPH_DROP;
    case SCENE_MARK_DATA:
    case SCENE_MARK_KINDS:
        break;
    }
    return glyph_of_data(mark, right);
}

enum ui_glyph ui_glyph_of_busy(int permille)
{
    if (permille < 20) {
        return UI_GLYPH_LANE_OPEN;
    }
    if (permille < 400) {
        return UI_GLYPH_BUSY_1;
    }
    return permille < 800 ? UI_GLYPH_BUSY_2 : UI_GLYPH_BUSY_3;
}

const char *ui_word_of_gpu(enum scene_gpu_state state, bool flows)
{
    if (flows && state == SCENE_GPU_EXCHANGE) {
        return "sends";
    }
    if (flows && state == SCENE_GPU_BARRIER) {
        return "arrived";
    }
    return GPU_WORDS[(unsigned)state < SCENE_GPU_STATES ? state : SCENE_GPU_IDLE];
}
