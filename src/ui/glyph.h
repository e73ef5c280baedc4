/*
 * The vocabulary: every glyph the program draws, in Unicode and in ASCII.
 *
 * Letters are the same in both sets. A glyph is always one cell. Which set is used is a flag of the
 * canvas; a view asks for a glyph by name and never writes one itself. The words are those of the
 * legend on the help screen.
 *
 * The marks on lanes and meters are of unambiguous width; box drawing, █ and ▒ are not, so term/
 * measures once at start-up and asks for the ASCII set where they take two columns.
 */
#ifndef WEFT_UI_GLYPH_H
#define WEFT_UI_GLYPH_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/scene.h"
#include "ui/theme.h"

/* clang-format off */
#define UI_GLYPHS(X)                                                                              \
    /* id           Unicode  ASCII  role       word for the legend, NULL: not in it */            \
    /* on a lane */                                                                               \
    X(DATA_RIGHT,   "▸",     ">",   DEFAULT,   "a data packet on its way")                        \
    X(DATA_LEFT,    "◂",     "<",   DEFAULT,   NULL)                                              \
    X(DATA_DOWN,    "▾",     "v",   DEFAULT,   NULL)                                              \
    X(DATA_UP,      "▴",     "^",   DEFAULT,   NULL)                                              \
    X(LAST_RIGHT,   "»",     "}",   LAST,      "the last packet of a message")                    \
    X(LAST_LEFT,    "«",     "{",   LAST,      NULL)                                              \
    X(RESEND,       "r",     "r",   RESEND,    "data sent again (R: the last of a message)")      \
    X(RESEND_LAST,  "R",     "R",   RESEND,    NULL)                                              \
    X(ECN,          "e",     "e",   ECN,       "data that carries an ECN mark")                   \
    X(OTHER,        "◦",     "o",   OTHER,     "another job's data")                              \
    X(ACK,          "a",     "a",   ACK,       "ACK: received up to here")                        \
    X(NAK,          "N",     "N",   NAK,       "NAK: something is missing, send again")           \
    X(CNP,          "C",     "C",   CNP,       "CNP: slow down")                                  \
    X(PAUSE,        "P",     "P",   PAUSE,     "PAUSE (XOFF): stop sending to me")                \
    X(GO,           "G",     "G",   GO,        "go (XON): send again")                            \
    X(CREDIT,       "$",     "$",   CREDIT,    "credit: room for more")                            \
    X(DROP,         "✗",     "X",   DROPPED,   "lost here, with the reason")                      \
    X(REFUSED,      "~",     "~",   REFUSED,   "arrived, but refused: out of order, or twice")    \
    X(LANE_OPEN,    "─",     "-",   LANE,      "lane, idle")                                      \
    X(LANE_PAUSED,  "═",     "%",   PAUSED,    "lane, its sender is paused")                      \
    X(LANE_NOCREDIT,"╌",     ":",   NOCREDIT,  "lane, its sender has no credit")                  \
    X(LANE_DOWN,    "╱",     "/",   DOWN,      "lane, the cable is down")                         \
    X(BUSY_1,       "░",     ".",   BUSY,      NULL)                                              \
    X(BUSY_2,       "▒",     "+",   BUSY,      "too fast for single packets: how busy")           \
    X(BUSY_3,       "▓",     "#",   BUSY,      NULL)                                              \
    /* meters */                                                                                  \
    X(HELD,         "▮",     "#",   HELD,      "bytes held from a neighbour, or queued for one")  \
    X(FREE,         "▯",     ".",   FREE,      "room that is free")                               \
    X(XOFF,         "╎",     "|",   OVER,      "the XOFF mark; right of it is headroom")          \
    X(KMIN,         ":",     ":",   ECN,       NULL)                                              \
    /* GPUs and timeline, in the order of enum scene_gpu_state */                                 \
    X(GPU_IDLE,     " ",     " ",   DEFAULT,   NULL)                                              \
    X(GPU_COMPUTE,  "█",     "#",   COMPUTE,   "GPU computes")                                    \
    X(GPU_EXCHANGE, "▒",     "=",   EXCHANGE,  "GPU exchanges")                                   \
    X(GPU_STARVED,  "░",     ".",   STARVED,   "GPU waits for data from its neighbour")           \
    X(GPU_PAUSED,   "%",     "%",   PAUSED,    "GPU has work, but its NIC is paused")             \
    X(GPU_VAIN,     "~",     "~",   VAIN,      "GPU sends in vain: all after the gap is refused") \
    X(GPU_TIMER,    "t",     "t",   TIMER,     "only its ACK timer can help this GPU")            \
    X(GPU_BARRIER,  "─",     "-",   ATBARRIER, "GPU is done, at the barrier")                     \
    X(GPU_DEAD,     "✗",     "X",   DROPPED,   "GPU stopped, dead")                               \
    X(BARRIER,      "┃",     "|",   BARRIER,   "the barrier opens: all go on")                    \
    /* plots */                                                                                   \
    X(PLOT_1,       "▁",     ".",   HELD,      NULL)                                              \
    X(PLOT_2,       "▂",     ".",   HELD,      NULL)                                              \
    X(PLOT_3,       "▃",     ".",   HELD,      NULL)                                              \
    X(PLOT_4,       "▄",     "#",   HELD,      NULL)                                              \
    X(PLOT_5,       "▅",     "#",   HELD,      NULL)                                              \
    X(PLOT_6,       "▆",     "#",   HELD,      NULL)                                              \
    X(PLOT_7,       "▇",     "#",   HELD,      NULL)                                              \
    X(PLOT_8,       "█",     "#",   HELD,      "plot: so much all the time")                      \
    X(PLOT_PEAK,    "▒",     ":",   BUSY,      "plot: so much for a moment")                      \
    X(PLOT_LINE,    "╌",     "-",   OVER,      "plot: a mark, named at its left: XOFF, Kmin")     \
    X(PLOT_BOTH,    "*",     "*",   DEFAULT,   NULL)                                              \
    /* many GPUs: how much, from the least to the most that any of them has */                    \
    X(HEAT_1,       "▁",     "1",   STARVED,   NULL)                                              \
    X(HEAT_2,       "▂",     "2",   STARVED,   NULL)                                              \
    X(HEAT_3,       "▃",     "3",   EXCHANGE,  NULL)                                              \
    X(HEAT_4,       "▄",     "4",   EXCHANGE,  NULL)                                              \
    X(HEAT_5,       "▅",     "5",   PAUSED,    NULL)                                              \
    X(HEAT_6,       "▆",     "6",   PAUSED,    NULL)                                              \
    X(HEAT_7,       "▇",     "7",   TIMER,     NULL)                                              \
    X(HEAT_8,       "█",     "8",   TIMER,     NULL)                                              \
    X(HEAT_NONE,    ".",     ".",   DIM,       NULL)                                              \
    X(TIMEOUT,      "t",     "t",   TIMER,     NULL)                                              \
    X(CUT,          "/",     "/",   TITLE,     "(twice) a long silence, cut out of the axis")     \
    X(NOW,          "●",     "o",   TITLE,     NULL)                                              \
    X(FORK,         "^",     "^",   TITLE,     "what-if: here both sides part")                   \
    X(DIFFERS,      "!",     "!",   DIFFERS,   "what-if: here both sides differ")                 \
    /* frames and signs */                                                                        \
    X(H,            "─",     "-",   DIM,       NULL)                                              \
    X(V,            "│",     "|",   DIM,       NULL)                                              \
    X(TL,           "┌",     "+",   DIM,       NULL)                                              \
    X(TR,           "┐",     "+",   DIM,       NULL)                                              \
    X(BL,           "└",     "+",   DIM,       NULL)                                              \
    X(BR,           "┘",     "+",   DIM,       NULL)                                              \
    X(T_DOWN,       "┬",     "+",   DIM,       NULL)                                              \
    X(T_UP,         "┴",     "+",   DIM,       NULL)                                              \
    X(T_LEFT,       "┤",     "|",   DIM,       NULL)                                              \
    X(T_RIGHT,      "├",     "|",   DIM,       NULL)                                              \
    X(CROSS,        "┼",     "+",   DIM,       NULL)                                              \
    X(H_DOUBLE,     "═",     "=",   DIM,       NULL)                                              \
    X(ELLIPSIS,     "…",     ".",   DIM,       NULL)                                              \
    X(DONE,         "✓",     "v",   RIGHT,     NULL)                                              \
    X(SELECT,       "▸",     ">",   TITLE,     NULL)                                              \
    X(BULLET,       "•",     "*",   DIM,       NULL)                                              \
    X(UNKNOWN,      "\xEF\xBF\xBD", "?", DIM,  NULL)
/* clang-format on */

enum ui_glyph {
#define X(id, uni, asc, role, word) UI_GLYPH_##id,
    UI_GLYPHS(X)
#undef X
        UI_GLYPH_COUNT
};

const char *ui_glyph_text(enum ui_glyph glyph, bool ascii);
enum ui_role ui_glyph_role(enum ui_glyph glyph);
/* NULL: not part of the legend. */
const char *ui_glyph_word(enum ui_glyph glyph);

/* The ASCII glyph that stands for a Unicode one, or NULL when it is not of the vocabulary: so that
 * "that line ┃ is the barrier" in a lesson's prose reads right in both sets. */
const char *ui_glyph_to_ascii(const char *text, size_t bytes);

/* What the enums of a scene look like. */
enum ui_glyph ui_glyph_of_gpu(enum scene_gpu_state state);
enum ui_glyph ui_glyph_of_lane(enum scene_lane_state state);
enum ui_glyph ui_glyph_of_tick(enum scene_tick_kind kind);
/* `right`: the mark travels to the right of the screen. */
enum ui_glyph ui_glyph_of_mark(const struct scene_mark *mark, bool right);
/* How busy a blurred lane was. */
enum ui_glyph ui_glyph_of_busy(int permille);

/* The plain word of a state, where the scene gives none: "computes", "barrier"; of what only sends
 * (`flows`): "sends", "arrived". */
const char *ui_word_of_gpu(enum scene_gpu_state state, bool flows);

#endif
