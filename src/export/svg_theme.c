/* Inks: what the colours of the theme look like on dark and on white paper. */
#include "export/svg.h"

/* A number of the terminal's 256 colours, near enough to Okabe and Ito's on dark paper, and dark enough
 * to be read on white: 4.5 to 1 for words and marks, less only for what recedes. */
static const struct {
    int16_t c256;
    uint32_t dark, light;
} INKS[] = {
    { 25, 0x3a8ddd, 0x0b5aa8 },  { 36, 0x1db391, 0x00735a },  { 74, 0x62b6e8, 0x0a64a0 },
    { 166, 0xf07a3c, 0xb0440e }, { 175, 0xdd94bd, 0x92457a }, { 214, 0xffb02e, 0x8f5a00 },
    { 220, 0xf5d547, 0x756000 }, { 231, 0xffffff, 0x000000 }, { 241, 0x6b747e, 0x868e97 },
    { 245, 0x8d959e, 0x6c747d }, { 246, 0x959da6, 0x666e77 }, { 247, 0xa3abb3, 0x5f6770 },
};

static const struct {
    uint32_t paper, ink, dim;
} THEMES[EXPORT_SVG_THEMES] = {
    [EXPORT_SVG_DARK] = { 0x14181d, 0xd8dde3, 0x959da6 },
    [EXPORT_SVG_LIGHT] = { 0xffffff, 0x1f2328, 0x666e77 },
    [EXPORT_SVG_MONO] = { 0xffffff, 0x000000, 0x595959 },
};

uint32_t export_svg_paper(enum export_svg_theme theme)
{
    return THEMES[theme].paper;
}

uint32_t export_svg_ink(enum ui_role role, enum export_svg_theme theme)
{
    const enum ui_palette palette = theme == EXPORT_SVG_MONO ? UI_PALETTE_MONO : UI_PALETTE_256;
    const struct ui_style style = ui_theme_style(role, palette);
    for (size_t i = 0; style.fg >= 0 && i < sizeof INKS / sizeof *INKS; i++) {
        if (INKS[i].c256 == style.fg) {
            return theme == EXPORT_SVG_DARK ? INKS[i].dark : INKS[i].light;
        }
    }
    return (style.attr & UI_DIM) != 0 ? THEMES[theme].dim : THEMES[theme].ink;
}
