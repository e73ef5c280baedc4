#include "ui/theme.h"

struct role_row {
    const char *name;
    uint8_t attr;
    int16_t c256, c16;
};

static const struct role_row ROLES[] = {
#define X(id, name, attr, c256, c16) { name, attr, c256, c16 },
    UI_ROLES(X)
#undef X
};

static const struct role_row *row_of(enum ui_role role)
{
    return &ROLES[(unsigned)role < UI_ROLE_COUNT ? role : UI_ROLE_DEFAULT];
}

struct ui_style ui_theme_style(enum ui_role role, enum ui_palette palette)
{
    const struct role_row *row = row_of(role);
    struct ui_style style = { .attr = row->attr, .fg = -1 };
    switch (palette) {
    case UI_PALETTE_MONO:
        break;
    case UI_PALETTE_16:
        style.fg = row->c16;
        break;
    case UI_PALETTE_256:
        style.fg = row->c256;
        break;
    }
    if (style.fg >= 0) {
        style.attr &= (uint8_t)~UI_DIM;
    }
    return style;
}

const char *ui_role_name(enum ui_role role)
{
    return row_of(role)->name;
}
