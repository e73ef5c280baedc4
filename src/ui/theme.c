#include "ui/theme.h"

#include <stddef.h>

static const struct role_row {
    const char *name;
    uint8_t attr;
    enum ui_ink ink;
} ROLES[] = {
#define X(id, name, attr, ink) { name, attr, UI_INK_##ink },
    UI_ROLES(X)
#undef X
};

struct hue {
    int16_t c256;
    uint32_t rgb;
};

static const struct ink_row {
    int16_t on_dark, on_light; /* of the 16 */
    struct hue hue[UI_THEME_MONO];
} INKS[] = { [UI_INK_NONE] = { -1, -1, { { -1, 0 }, { -1, 0 }, { -1, 0 }, { -1, 0 } } },
#define X(id, on_dark, on_light, d, dark, l, light, c, contrast, o, okabe)                         \
    [UI_INK_##                                                                                     \
        id] = { on_dark, on_light, { { d, dark }, { l, light }, { c, contrast }, { o, okabe } } },
             UI_INKS(X)
#undef X
};

static const struct theme_row {
    const char *name;
    uint32_t paper, words, receding;
} THEMES[] = {
#define X(id, name, paper, words, receding) { name, paper, words, receding },
    UI_THEMES(X)
#undef X
};

static const struct role_row *row_of(enum ui_role role)
{
    return &ROLES[(unsigned)role < UI_ROLE_COUNT ? role : UI_ROLE_DEFAULT];
}

static int32_t color_of(enum ui_ink ink, enum ui_theme theme, enum ui_palette palette)
{
    const struct ink_row *row = &INKS[ink];
    if (theme == UI_THEME_MONO || ink == UI_INK_NONE) {
        return -1;
    }
    switch (palette) {
    case UI_PALETTE_MONO:
        break;
    case UI_PALETTE_16:
        return theme == UI_THEME_LIGHT ? row->on_light : row->on_dark;
    case UI_PALETTE_256:
        return row->hue[theme].c256;
    case UI_PALETTE_TRUE:
        return (int32_t)row->hue[theme].rgb;
    }
    return -1;
}

struct ui_style ui_theme_style(enum ui_role role, enum ui_theme theme, enum ui_palette palette)
{
    const struct role_row *row = row_of(role);
    struct ui_style style = { .attr = row->attr, .fg = color_of(row->ink, theme, palette) };
    if (style.fg >= 0 || theme == UI_THEME_CONTRAST) {
        style.attr &= (uint8_t)~UI_DIM;
    }
    return style;
}

uint32_t ui_theme_rgb(enum ui_role role, enum ui_theme theme)
{
    const struct ui_style style = ui_theme_style(role, theme, UI_PALETTE_TRUE);
    return style.fg >= 0                ? (uint32_t)style.fg
           : (style.attr & UI_DIM) != 0 ? THEMES[theme].receding
                                        : THEMES[theme].words;
}

uint32_t ui_theme_paper(enum ui_theme theme)
{
    return THEMES[theme].paper;
}

const char *ui_theme_name(int theme)
{
    return theme >= 0 && theme < UI_THEME_COUNT ? THEMES[theme].name : NULL;
}

const char *ui_role_name(enum ui_role role)
{
    return row_of(role)->name;
}
