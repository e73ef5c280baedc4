/*
 * Roles and what a theme makes of them.
 *
 * A view never names a colour. It names a *role* ("paused", "nak"); a role has an *ink* ("orange"); and a
 * theme says what an ink looks like, in as many colours as there are:
 *
 *     role --UI_ROLES--> attributes, ink --theme, palette--> 0xrrggbb | one of 256 | one of 16 | none
 *
 * Colour only repeats what glyph and word say already, so the column "attributes" alone must be enough to
 * read the picture. Nothing ever blinks.
 *
 * The hues are those of Okabe and Ito (2008), chosen to be told apart with any colour vision. Themes differ
 * in how light they are: dark and light so that words can be read on black and on white, contrast more than
 * that, okabe-ito as published.
 */
#ifndef WEFT_UI_THEME_H
#define WEFT_UI_THEME_H

#include <stdint.h>

enum ui_attr { UI_BOLD = 1, UI_DIM = 2, UI_UNDERLINE = 4, UI_REVERSE = 8 };

/* clang-format off */
#define UI_ROLES(X)                                                                          \
    /* id          name         attributes             ink           what for */             \
    X(DEFAULT,     "default",   0,                     NONE)       /* text, data packets */  \
    X(TITLE,       "title",     UI_BOLD,               NONE)       /* names, headings */     \
    X(EMPH,        "emph",      UI_BOLD,               NONE)       /* emphasis in prose */   \
    X(CODE,        "code",      UI_UNDERLINE,          NONE)       /* code in prose */       \
    X(TERM,        "term",      UI_UNDERLINE,          NONE)       /* a word of the glossary */ \
    X(DIM,         "dim",       UI_DIM,                DIM)        /* what recedes: rules */ \
    X(BOX,         "box",       0,                     GREY)       /* frames of switches */  \
    X(KEY,         "key",       UI_BOLD,               SKY)        /* a key one can press */ \
    X(VALUE,       "value",     UI_BOLD,               NONE)       /* the value of a switch */\
    X(SELECTED,    "selected",  UI_REVERSE,            NONE)       /* the chosen list entry */\
    X(STATUS,      "status",    UI_BOLD,               NONE)       /* the answer to a key */ \
    X(QUIET,       "quiet",     UI_BOLD,               ORANGE)     /* "nothing moved for ..." */\
    X(RIGHT,       "right",     UI_BOLD,               GREEN)      /* so it was */           \
    X(WRONG,       "wrong",     UI_UNDERLINE,          VERMILION)  /* it was not so */       \
    X(LAST,        "last",      UI_BOLD,               STRONG)     /* last packet of a message */\
    X(RESEND,      "resend",    UI_UNDERLINE,          YELLOW)     /* sent again */          \
    X(ECN,         "ecn",       UI_UNDERLINE,          PURPLE)     /* carries an ECN mark */ \
    X(OTHER,       "other",     UI_DIM,                GREY)       /* another job's data */  \
    X(ACK,         "ack",       UI_DIM,                NONE)                                 \
    X(NAK,         "nak",       UI_REVERSE,            VERMILION)                            \
    X(CNP,         "cnp",       UI_REVERSE,            PURPLE)                               \
    X(PAUSE,       "pause",     UI_REVERSE,            ORANGE)                               \
    X(GO,          "go",        UI_REVERSE,            GREEN)                                \
    X(CREDIT,      "credit",    UI_DIM,                GREEN)                                \
    X(DROPPED,     "dropped",   UI_REVERSE | UI_BOLD,  VERMILION)                            \
    X(REFUSED,     "refused",   UI_BOLD,               YELLOW)                               \
    X(LANE,        "lane",      UI_DIM,                FAINT)      /* open lane */           \
    X(BUSY,        "busy",      0,                     BUSY)       /* lane, too fast to tell */\
    X(PAUSED,      "paused",    0,                     ORANGE)     /* lane or GPU that waits */\
    X(NOCREDIT,    "nocredit",  0,                     GREEN)                                \
    X(DOWN,        "down",      0,                     VERMILION)                            \
    X(HELD,        "held",      0,                     SKY)        /* bytes in a meter */    \
    X(OVER,        "over",      UI_BOLD,               ORANGE)     /* bytes in the headroom */\
    X(FREE,        "free",      UI_DIM,                FAINT)                                \
    X(COMPUTE,     "compute",   0,                     BLUE)                                 \
    X(EXCHANGE,    "exchange",  0,                     GREEN)                                \
    X(STARVED,     "starved",   0,                     GREY)                                 \
    X(VAIN,        "vain",      UI_BOLD,               YELLOW)                               \
    X(TIMER,       "timer",     UI_BOLD,               VERMILION)                            \
    X(ATBARRIER,   "atbarrier", 0,                     NONE)                                 \
    X(BARRIER,     "barrier",   UI_BOLD,               NONE)                                 \
    X(DIFFERS,     "differs",   UI_BOLD,               SKY)        /* what-if: not as on the other side */\
    X(BROKEN,      "broken",    UI_REVERSE | UI_BOLD,  VERMILION)  /* the file that was saved */
/* clang-format on */

enum ui_role {
#define X(id, name, attr, ink) UI_ROLE_##id,
    UI_ROLES(X)
#undef X
        UI_ROLE_COUNT
};

/* clang-format off */
/*    id         16, on dark, light   dark           light          contrast       okabe-ito: of 256, and in full */
#define UI_INKS(X)                                                                                  \
    X(BLUE,       4,  4,   32, 0x3a8ddd,   25, 0x0b5aa8,   81, 0x5fd7ff,   25, 0x0072b2)             \
    X(GREEN,      2,  2,   36, 0x1db391,   29, 0x00735a,   48, 0x3dffb0,   36, 0x009e73)             \
    X(SKY,        6,  4,   74, 0x62b6e8,   24, 0x0a64a0,  123, 0x9fe3ff,   74, 0x56b4e9)             \
    X(VERMILION,  1,  1,  209, 0xf07a3c,  130, 0xb0440e,  209, 0xff9a66,  166, 0xd55e00)             \
    X(PURPLE,     5,  5,  175, 0xdd94bd,   96, 0x92457a,  219, 0xffb8e0,  175, 0xcc79a7)             \
    X(ORANGE,     3,  3,  214, 0xffb02e,   94, 0x8f5a00,  221, 0xffc24d,  178, 0xe69f00)             \
    X(YELLOW,     3,  3,  221, 0xf5d547,   58, 0x756000,  227, 0xfff27a,  227, 0xf0e442)             \
    X(STRONG,    15,  0,  231, 0xffffff,   16, 0x000000,  231, 0xffffff,  231, 0xffffff)             \
    X(FAINT,     -1, -1,  242, 0x6b747e,  245, 0x868e97,  250, 0xb8bec4,  242, 0x707070)             \
    X(GREY,      -1, -1,  245, 0x8d959e,  242, 0x6c747d,  252, 0xcfd4d9,  246, 0x949494)             \
    X(DIM,       -1, -1,  246, 0x959da6,  242, 0x666e77,  252, 0xd3d8dd,  247, 0x9e9e9e)             \
    X(BUSY,      -1, -1,  247, 0xa3abb3,  241, 0x5f6770,  254, 0xe4e8ec,  248, 0xa8a8a8)

/*    id          name           paper     words     words that recede */
#define UI_THEMES(X)                                          \
    X(DARK,      "dark",        0x14181d, 0xd8dde3, 0x959da6) \
    X(LIGHT,     "light",       0xffffff, 0x1f2328, 0x666e77) \
    X(CONTRAST,  "contrast",    0x000000, 0xffffff, 0xd3d8dd) \
    X(OKABE_ITO, "okabe-ito",   0x000000, 0xdedede, 0x9e9e9e) \
    X(MONO,      "mono",        0xffffff, 0x000000, 0x595959)
/* clang-format on */

enum ui_ink {
    UI_INK_NONE,
#define X(id, ...) UI_INK_##id,
    UI_INKS(X)
#undef X
        UI_INK_COUNT
};

enum ui_theme {
#define X(id, ...) UI_THEME_##id,
    UI_THEMES(X)
#undef X
        UI_THEME_COUNT
};

enum ui_palette { UI_PALETTE_MONO, UI_PALETTE_16, UI_PALETTE_256, UI_PALETTE_TRUE };

struct ui_style {
    uint8_t attr; /* enum ui_attr, or-ed */
    int32_t fg;   /* colour number in the palette, TRUE: 0xrrggbb; -1: the terminal's default */
};

/* What `role` looks like: a role that has a colour of its own is not dimmed as well, that would make it
 * unreadable on some terminals; in the theme `contrast` nothing is. `mono` has no colours in any palette.
 * Anything outside the enum looks like the default. */
struct ui_style ui_theme_style(enum ui_role role, enum ui_theme theme, enum ui_palette palette);

/* Where we choose what is behind, too: 0xrrggbb of a role's glyphs, and of the paper. */
uint32_t ui_theme_rgb(enum ui_role role, enum ui_theme theme);
uint32_t ui_theme_paper(enum ui_theme theme);

/* "okabe-ito"; NULL behind the last. */
const char *ui_theme_name(int theme);

/* "paused": for dumps and tests. */
const char *ui_role_name(enum ui_role role);

#endif
