/*
 * Roles and what a theme makes of them.
 *
 * A view never names a colour. It names a *role* ("paused", "nak"); the theme says what a role looks
 * like with 256 colours, 16, or none. Colour only repeats what glyph and word say already, so the
 * column "attributes" alone must be enough to read the picture. Nothing ever blinks.
 *
 * Colours are those of Okabe and Ito (2008), chosen to be told apart with any colour vision. Each is
 * given as its nearest of the 256 (xterm) and the 16 (ANSI) palette; -1 is the terminal's default.
 */
#ifndef WEFT_UI_THEME_H
#define WEFT_UI_THEME_H

#include <stdint.h>

enum ui_attr { UI_BOLD = 1, UI_DIM = 2, UI_UNDERLINE = 4, UI_REVERSE = 8 };

/* clang-format off */
#define UI_ROLES(X)                                                                          \
    /* id        name         attributes             256  16   what for */                   \
    X(DEFAULT,   "default",   0,                      -1,  -1) /* text, data packets */      \
    X(TITLE,     "title",     UI_BOLD,                -1,  -1) /* names, headings */         \
    X(EMPH,      "emph",      UI_BOLD,                -1,  -1) /* emphasis in prose */       \
    X(CODE,      "code",      UI_UNDERLINE,           -1,  -1) /* code in prose */           \
    X(DIM,       "dim",       UI_DIM,                246,  -1) /* what recedes: rules */     \
    X(BOX,       "box",       0,                     245,  -1) /* frames of switches */      \
    X(KEY,       "key",       UI_BOLD,                74,   6) /* a key one can press */     \
    X(VALUE,     "value",     UI_BOLD,                -1,  -1) /* the value of a switch */   \
    X(SELECTED,  "selected",  UI_REVERSE,             -1,  -1) /* the chosen list entry */   \
    X(STATUS,    "status",    UI_BOLD,                -1,  -1) /* the answer to a key */     \
    X(QUIET,     "quiet",     UI_BOLD,               214,   3) /* "nothing moved for ..." */ \
    X(RIGHT,     "right",     UI_BOLD,                36,   2) /* so it was */               \
    X(WRONG,     "wrong",     UI_UNDERLINE,          166,   1) /* it was not so */           \
    X(LAST,      "last",      UI_BOLD,               231,  15) /* last packet of a message */\
    X(RESEND,    "resend",    UI_UNDERLINE,          220,   3) /* sent again */              \
    X(ECN,       "ecn",       UI_UNDERLINE,          175,   5) /* carries an ECN mark */     \
    X(OTHER,     "other",     UI_DIM,                245,  -1) /* another job's data */      \
    X(ACK,       "ack",       UI_DIM,                 -1,  -1)                               \
    X(NAK,       "nak",       UI_REVERSE,            166,   1)                               \
    X(CNP,       "cnp",       UI_REVERSE,            175,   5)                               \
    X(PAUSE,     "pause",     UI_REVERSE,            214,   3)                               \
    X(GO,        "go",        UI_REVERSE,             36,   2)                               \
    X(CREDIT,    "credit",    UI_DIM,                 36,   2)                               \
    X(DROPPED,   "dropped",   UI_REVERSE | UI_BOLD,  166,   1)                               \
    X(REFUSED,   "refused",   UI_BOLD,               220,   3)                               \
    X(LANE,      "lane",      UI_DIM,                241,  -1) /* open lane */               \
    X(BUSY,      "busy",      0,                     247,  -1) /* lane, too fast to tell */   \
    X(PAUSED,    "paused",    0,                     214,   3) /* lane or GPU that waits */  \
    X(NOCREDIT,  "nocredit",  0,                      36,   2)                               \
    X(DOWN,      "down",      0,                     166,   1)                               \
    X(HELD,      "held",      0,                      74,   6) /* bytes in a meter */        \
    X(OVER,      "over",      UI_BOLD,               214,   3) /* bytes in the headroom */   \
    X(FREE,      "free",      UI_DIM,                241,  -1)                               \
    X(COMPUTE,   "compute",   0,                      25,   4)                               \
    X(EXCHANGE,  "exchange",  0,                      36,   2)                               \
    X(STARVED,   "starved",   0,                     245,  -1)                               \
    X(VAIN,      "vain",      UI_BOLD,               220,   3)                               \
    X(TIMER,     "timer",     UI_BOLD,               166,   1)                               \
    X(ATBARRIER, "atbarrier", 0,                      -1,  -1)                               \
    X(BARRIER,   "barrier",   UI_BOLD,                -1,  -1)                               \
    X(DIFFERS,   "differs",   UI_BOLD,                74,   6) /* what-if: not as on the other side */ \
    X(BROKEN,    "broken",    UI_REVERSE | UI_BOLD,  166,   1) /* the file that was saved */
/* clang-format on */

enum ui_role {
#define X(id, name, attr, c256, c16) UI_ROLE_##id,
    UI_ROLES(X)
#undef X
        UI_ROLE_COUNT
};

enum ui_palette { UI_PALETTE_MONO, UI_PALETTE_16, UI_PALETTE_256 };

struct ui_style {
    uint8_t attr; /* enum ui_attr, or-ed */
    int16_t fg;   /* colour number in the palette, -1: the terminal's default */
};

/* What `role` looks like: a role that has a colour of its own is not dimmed as well, that would make it
 * unreadable on some terminals. Anything outside the enum looks like the default. */
struct ui_style ui_theme_style(enum ui_role role, enum ui_palette palette);

/* "paused": for dumps and tests. */
const char *ui_role_name(enum ui_role role);

#endif
