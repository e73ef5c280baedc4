/*
 * Commands: everything a person can do, in one table.
 *
 * A row is a command in one context. The table drives key handling, the ? screen and the footer; a
 * key that is neither in it nor in a file of keys (keymap.h) does not exist. Contexts lie on top of each other (a box over the cursor
 * over a question over the lesson); a key means what the topmost context with such a row says.
 *
 * Digits only ever move switches, letters a to d only ever answer, so neither can be meant wrongly.
 */
#ifndef WEFT_APP_COMMANDS_H
#define WEFT_APP_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/key.h"

/* From the bottom to the top. Several may be active. */
enum command_context {
    CONTEXT_ALL,
    CONTEXT_HOME,
    CONTEXT_LESSON,
    CONTEXT_MANY,     /* with the lesson: many GPUs are looked at, and there is nothing to skip */
    CONTEXT_WHATIF,   /* two runs are side by side, instead of the lesson */
    CONTEXT_TIME,     /* with both of them: the run can be moved in time */
    CONTEXT_CURSOR,   /* the cursor is on */
    CONTEXT_QUESTION, /* a question is open: c answers, also while the cursor is on */
    CONTEXT_TASK,     /* a task is open */
    CONTEXT_SURE,     /* "how sure?" is open */
    CONTEXT_LIST,     /* a list is open: the contents, what might be otherwise */
    CONTEXT_WHY,      /* the tree of causes is open */
    CONTEXT_BOX,      /* help is open, or numbers */
    CONTEXT_MENU,     /* the menu of all that can be set */
    CONTEXT_INSPECT,  /* a packet is open, header by header */
    CONTEXT_PROMPT,   /* a line is being typed */
    CONTEXT_COUNT
};

/* clang-format off */
#define COMMAND_K1(a)    { a }
#define COMMAND_K2(a, b) { a, b }
#define COMMAND_K3(a, b, c) { a, b, c }
#define COMMAND_K4(a, b, c, d) { a, b, c, d }

/*    id            context   keys                                         shown           footer      help */
#define COMMANDS(X)                                                                                                               \
    X(OPEN,         HOME,     COMMAND_K2(TERM_KEY_ENTER, ' '),             "Enter",        "Enter|open", "open the lesson that is marked")    \
    X(HOME_UP,      HOME,     COMMAND_K2(TERM_KEY_UP, 'k'),                "Up",           "Up Down|choose", "the lesson above")                  \
    X(HOME_DOWN,    HOME,     COMMAND_K2(TERM_KEY_DOWN, 'j'),              "Down",         NULL,       "the lesson below")                  \
    X(HOME_PAGE_UP, HOME,     COMMAND_K2(TERM_KEY_PAGEUP, 'K'),            "K PgUp",       NULL,       "ten lines up")                      \
    X(HOME_PAGE_DOWN, HOME,   COMMAND_K2(TERM_KEY_PAGEDOWN, 'J'),          "J PgDn",       NULL,       "ten lines down")                    \
    X(HOME_FIRST,   HOME,     COMMAND_K2(TERM_KEY_HOME, 'g'),              "Home g",       NULL,       "the first line")                    \
    X(HOME_LAST,    HOME,     COMMAND_K2(TERM_KEY_END, 'G'),               "End G",        NULL,       "the last line")                     \
    X(HOME_SEARCH,  HOME,     COMMAND_K1('/'),                             "/",            "/|search", "search: a title, id, year or term; Esc shows all again") \
    X(HOME_LAB,     HOME,     COMMAND_K1('L'),                             "L",            "L|lab", "the lab: free experiment, a network of your own") \
    X(HOME_LEAVE,   HOME,     COMMAND_K1('q'),                             "q",            "q|quit", "leave weft")                        \
    X(PLAY,         TIME,     COMMAND_K1(' '),                             "space",        "space|play",     "play or pause")                     \
    X(TICK_BACK,    TIME,     COMMAND_K2(',', TERM_KEY_LEFT),              ", Left",       ", .|step", "one tick of the gear back: a packet-hop, round, step or timeout") \
    X(TICK_ON,      TIME,     COMMAND_K2('.', TERM_KEY_RIGHT),             ". Right",      NULL,       "one tick of the gear on")           \
    X(EVENT_BACK,   TIME,     COMMAND_K1('<'),                             "<",            NULL,       "back to the event before")          \
    X(EVENT_ON,     TIME,     COMMAND_K1('>'),                             ">",            NULL,       "on to the next event")              \
    X(FILTER,       TIME,     COMMAND_K1('/'),                             "/",            NULL,       "which events are listed, and where < and > stop: type drop, g3, drop leaf1, nothing for all") \
    X(GEAR_UP,      TIME,     COMMAND_K2('+', '='),                        "+",            "+ -|gear",       "a faster gear: packet, round, step, timeout") \
    X(GEAR_DOWN,    TIME,     COMMAND_K2('-', '_'),                        "-",            NULL,       "a slower gear")                     \
    X(BEGIN,        TIME,     COMMAND_K1(TERM_KEY_HOME),                   "Home",         NULL,       "to the beginning of the run")       \
    X(END,          TIME,     COMMAND_K1(TERM_KEY_END),                    "End",          NULL,       "to the end of what this card plays, or was played; of a what-if: of both runs") \
    X(GO,           TIME,     COMMAND_K1(':'),                             ":",            NULL,       "type where to go or what to change: go 61us, go next drop, set ecn on") \
    X(SWITCH,       LESSON,   COMMAND_K1('1'),                             "1 to 9",       NULL,       "move a switch")                     \
    X(SWITCHES,     LESSON,   COMMAND_K1('S'),                             "S",            NULL,       "every switch: those of this card first") \
    X(HONEST,       LESSON,   COMMAND_K1('M'),                             "M",            NULL,       "how true is it? real sizes, what is modelled, what is not, where constants come from") \
    X(LAB,          LESSON,   COMMAND_K1('L'),                             "L",            "L|build", "in the lab (weft lab): build the fabric and its work, start from another preset, save") \
    X(CURSOR,       LESSON,   COMMAND_K1('c'),                             "c",            "c|cursor",   "put the cursor on a packet")        \
    X(DROP,         LESSON,   COMMAND_K1('x'),                             "x",            NULL,       "destroy the packet under the cursor") \
    X(FAULTS,       LESSON,   COMMAND_K1('f'),                             "f",            NULL,       "faults: stop or slow a GPU, cut a cable, kill a host: of what the cursor is on") \
    X(INSPECT,      LESSON,   COMMAND_K1('i'),                             "i",            NULL,       "inspect a packet: open the one under the cursor, header by header")\
    X(WHY,          LESSON,   COMMAND_K1('y'),                             "y",            "y|why",      "why is it waiting? Of what the cursor is on, or else of the worst") \
    X(WHATIF,       LESSON,   COMMAND_K1('w'),                             "w",            "w|what-if",  "what if? the same run, with one change, beside it") \
    X(UNDO,         LESSON,   COMMAND_K1('u'),                             "u",            NULL,       "take back what you did last; the lesson's own stays") \
    X(REDO,         LESSON,   COMMAND_K1('U'),                             "U",            NULL,       "do again what u took back")         \
    X(RESTART,      LESSON,   COMMAND_K1('R'),                             "R",            NULL,       "play this card from its beginning")  \
    X(NEXT,         LESSON,   COMMAND_K2('n', TERM_KEY_ENTER),             "n",            "n|next",     "next card")                         \
    X(PREVIOUS,     LESSON,   COMMAND_K1('p'),                             "p",            NULL,       "previous card")                     \
    X(SKIP,         LESSON,   COMMAND_K1('s'),                             "s",            NULL,       "skip the question, or what plays")  \
    X(HINT,         LESSON,   COMMAND_K1('H'),                             "H",            NULL,       "a hint, where a task has one")       \
    X(VIEW,         LESSON,   COMMAND_K2(TERM_KEY_TAB, TERM_KEY_BACKTAB),  "Tab",          "Tab|view",     "next view: timeline, events, switches, GPUs, plot") \
    X(PLOT,         LESSON,   COMMAND_K1('m'),                             "m",            "m|plot",   "what is plotted over time: queues, bytes held, goodput, pauses") \
    X(SCROLL_UP,    LESSON,   COMMAND_K2(TERM_KEY_PAGEUP, TERM_KEY_UP),    "PgUp",         NULL,       "scroll the text back")              \
    X(SCROLL_DOWN,  LESSON,   COMMAND_K2(TERM_KEY_PAGEDOWN, TERM_KEY_DOWN), "PgDn",        NULL,       "scroll the text on")                \
    X(GPUS_UP,      LESSON,   COMMAND_K1('k'),                             "k",            NULL,       "the GPUs above, where the timeline has not room for all") \
    X(GPUS_DOWN,    LESSON,   COMMAND_K1('j'),                             "j",            NULL,       "the GPUs below")                    \
    X(WORDS,        LESSON,   COMMAND_K1('G'),                             "G",            "G|words",  "glossary: what the underlined words of this card mean; :term explains any word") \
    X(PRESENT,      LESSON,   COMMAND_K1('T'),                             "T",            NULL,       "for a room: one picture, one sentence at a time, answers hidden; again: back") \
    X(REVEAL,       LESSON,   COMMAND_K1('V'),                             "V",            NULL,       "there: show the answer, or hide it again") \
    X(BLANK,        LESSON,   COMMAND_K1('B'),                             "B",            NULL,       "blank the screen, and pause; any key brings it back") \
    X(NOTES,        LESSON,   COMMAND_K1('N'),                             "N",            NULL,       "what the lesson says to who teaches: there, or with --notes") \
    X(CONTENTS,     LESSON,   COMMAND_K1('g'),                             "g",            NULL,       "contents: go to any card")          \
    X(LEAVE,        LESSON,   COMMAND_K1('q'),                             "q",            NULL,       "leave the lesson")                  \
    X(NOTHING_OPEN, LESSON,   COMMAND_K1(TERM_KEY_ESC),                    "Esc",          NULL,       "close what is open; never leaves")  \
    X(SORT,         MANY,     COMMAND_K1('s'),                             "s",            "s|sort",   "slowest first, or as they are numbered") \
    X(MEASURE,      MANY,     COMMAND_K1('m'),                             "m",            "m|measure", "what is shown of each: state, finish, progress, what has arrived, waited, computed") \
    X(DIFFER_BACK,  WHATIF,   COMMAND_K1('['),                             "[",            "[ ]|differences", "back to the difference before") \
    X(DIFFER_ON,    WHATIF,   COMMAND_K1(']'),                             "]",            NULL,       "on to the next difference")         \
    X(SIDE,         WHATIF,   COMMAND_K2(TERM_KEY_TAB, TERM_KEY_BACKTAB),  "Tab",          "Tab|side",   "pick the other side")               \
    X(KEEP,         WHATIF,   COMMAND_K1(TERM_KEY_ENTER),                  "Enter",        "Enter|keep", "keep the side that is picked and go on with the lesson there") \
    X(DROP_WHATIF,  WHATIF,   COMMAND_K2(TERM_KEY_ESC, 'q'),               "Esc",          "Esc|back",   "back to the moment you came from, nothing changed") \
    X(WHATIF_WHY,   WHATIF,   COMMAND_K1('y'),                             "y",            "y|why",         "why is it waiting, on the side that is picked?") \
    X(WHATIF_NUMBERS, WHATIF, COMMAND_K1('m'),                             "m",            "m|all numbers",       "every number that differs")         \
    X(WHATIF_PLOT,  WHATIF,   COMMAND_K1('p'),                             "p",            "p|plot",          "plot the same quantity of both sides, the next one; then the timelines again") \
    X(WHATIF_OTHER, WHATIF,   COMMAND_K1('w'),                             "w",            NULL,       "another change, from the same moment") \
    X(ROWS_UP,      WHATIF,   COMMAND_K3(TERM_KEY_UP, 'k', TERM_KEY_PAGEUP), "Up",         NULL,       "the GPUs above")                    \
    X(ROWS_DOWN,    WHATIF,   COMMAND_K3(TERM_KEY_DOWN, 'j', TERM_KEY_PAGEDOWN), "Down",   NULL,       "the GPUs below")                    \
    X(ANSWER,       QUESTION, COMMAND_K1('a'),                             "a to d",       "a to d|answer",   "answer the question")               \
    X(TRY,          TASK,     COMMAND_K2(TERM_KEY_ENTER, 't'),             "Enter",        "Enter|try it", "run it with the switches as they are, and judge") \
    X(SURE,         SURE,     COMMAND_K3('-', '=', '+'),                   "- = +",        "- = +|how sure", "how sure you are: guess, think, know") \
    X(CURSOR_LEFT,  CURSOR,   COMMAND_K2(TERM_KEY_LEFT, 'h'),              "h Left",       "arrows|move",     "the next frame or thing to the left")\
    X(CURSOR_RIGHT, CURSOR,   COMMAND_K2(TERM_KEY_RIGHT, 'l'),             "l Right",      NULL,       "the next frame or thing to the right")\
    X(CURSOR_UP,    CURSOR,   COMMAND_K2(TERM_KEY_UP, 'k'),                "k Up",         NULL,       "the lane or GPU above")                  \
    X(CURSOR_DOWN,  CURSOR,   COMMAND_K2(TERM_KEY_DOWN, 'j'),              "j Down",       NULL,       "the lane or GPU below")                  \
    X(CURSOR_DROP,  CURSOR,   COMMAND_K1('x'),                             "x",            "x|destroy",  "destroy the frame under the cursor; a lane, a GPU, a switch: list its faults") \
    X(CURSOR_FAULTS, CURSOR,  COMMAND_K1('f'),                             "f",            "f|faults",   "list the faults of what it is on: a frame's cable, too") \
    X(CURSOR_INSPECT, CURSOR,   COMMAND_K1(TERM_KEY_ENTER),                  "Enter",        "Enter|inspect", "open the frame under the cursor: its headers and bytes; on a map, the server of a GPU")\
    X(CURSOR_OFF,   CURSOR,   COMMAND_K2(TERM_KEY_ESC, 'c'),               "Esc",          "Esc|done",     "take the cursor away; on a map, close the server first")              \
    X(LIST_UP,      LIST,     COMMAND_K2(TERM_KEY_UP, 'k'),                "Up",           "Up Down|choose", "the line above")                    \
    X(LIST_DOWN,    LIST,     COMMAND_K2(TERM_KEY_DOWN, 'j'),              "Down",         NULL,       "the line below")                    \
    X(LIST_GO,      LIST,     COMMAND_K1(TERM_KEY_ENTER),                  "Enter",        "Enter|take", "go to that card; try that change")  \
    X(LIST_CLOSE,   LIST,     COMMAND_K4(TERM_KEY_ESC, 'q', 'g', 'w'),     "Esc",          "Esc|close", "close the list")                    \
    X(MENU_UP,      MENU,     COMMAND_K3(TERM_KEY_UP, 'k', TERM_KEY_PAGEUP), "Up",         "Up Down|choose", "the row above")                 \
    X(MENU_DOWN,    MENU,     COMMAND_K3(TERM_KEY_DOWN, 'j', TERM_KEY_PAGEDOWN), "Down",   NULL,       "the row below")                     \
    X(MENU_LESS,    MENU,     COMMAND_K3(TERM_KEY_LEFT, 'h', '-'),         "h Left",       NULL,       "the value before: smaller, or another word") \
    X(MENU_MORE,    MENU,     COMMAND_K4(TERM_KEY_RIGHT, 'l', '+', '='),   "l Right",      NULL,       "the next value: larger, or another word") \
    X(MENU_DO,      MENU,     COMMAND_K1(TERM_KEY_ENTER),                  "Enter",        "Enter|type, take", "type a value; begin with this preset; break, save") \
    X(MENU_PAGE,    MENU,     COMMAND_K2(TERM_KEY_TAB, TERM_KEY_BACKTAB),  "Tab",          "Tab|page", "the next page")                     \
    X(MENU_CLOSE,   MENU,     COMMAND_K2(TERM_KEY_ESC, 'q'),               "Esc",          "Esc|done", "close the menu; what was built runs from its beginning") \
    X(WHY_UP,       WHY,      COMMAND_K3(TERM_KEY_UP, 'k', TERM_KEY_PAGEUP), "Up",         "Up Down|choose", "the cause above")               \
    X(WHY_DOWN,     WHY,      COMMAND_K3(TERM_KEY_DOWN, 'j', TERM_KEY_PAGEDOWN), "Down",   NULL,       "the cause below")                   \
    X(WHY_GO,       WHY,      COMMAND_K1(TERM_KEY_ENTER),                  "Enter",        "Enter|show",   "put the cursor on what that cause is about") \
    X(WHY_CLOSE,    WHY,      COMMAND_K3(TERM_KEY_ESC, 'q', 'y'),          "Esc",          "Esc|close", "close the causes")                   \
    X(BOX_UP,       BOX,      COMMAND_K3(TERM_KEY_UP, 'k', TERM_KEY_PAGEUP), "Up",         NULL,       "scroll back")                       \
    X(BOX_DOWN,     BOX,      COMMAND_K3(TERM_KEY_DOWN, 'j', TERM_KEY_PAGEDOWN), "Down",   "Down|scroll",   "scroll on")                         \
    X(BOX_CLOSE,    BOX,      COMMAND_K4(TERM_KEY_ESC, 'q', 'y', TERM_KEY_ENTER), "Esc",        "Esc|close", "close this")                        \
    X(FIELD_UP,     INSPECT,  COMMAND_K2(TERM_KEY_UP, 'k'),                "k Up",         "j k|field", "the field above")      \
    X(FIELD_DOWN,   INSPECT,  COMMAND_K2(TERM_KEY_DOWN, 'j'),              "j Down",       NULL,       "the field below")       \
    X(LAYER_UP,     INSPECT,  COMMAND_K2(TERM_KEY_PAGEUP, 'K'),            "K PgUp",       NULL,       "the header above")      \
    X(LAYER_DOWN,   INSPECT,  COMMAND_K2(TERM_KEY_PAGEDOWN, 'J'),          "J PgDn",       NULL,       "the header below")      \
    X(FOLD,         INSPECT,  COMMAND_K2(TERM_KEY_ENTER, ' '),             "Enter",        "Enter|open, fold", "open this header, or fold it")\
    X(FRAME_LEFT,   INSPECT,  COMMAND_K2(TERM_KEY_LEFT, 'h'),              "h Left",       "h l|packet", "the next frame to the left on this lane: data, ACK, NAK, CNP, PAUSE, credits")\
    X(FRAME_RIGHT,  INSPECT,  COMMAND_K2(TERM_KEY_RIGHT, 'l'),             "l Right",      NULL,       "the next frame to the right")\
    X(INSPECT_CLOSE, INSPECT,  COMMAND_K3(TERM_KEY_ESC, 'q', 'i'),          "Esc",          "Esc|close", "close the packet")    \
    X(PROMPT_TYPE,  PROMPT,   COMMAND_K2(' ', TERM_KEY_BACKSPACE),         "letters",      NULL,       "type; Backspace takes one away")    \
    X(PROMPT_COMPLETE, PROMPT, COMMAND_K2(TERM_KEY_TAB, TERM_KEY_BACKTAB), "Tab",          "Tab|complete", "complete the word: what all candidates have in common, then one after the other") \
    X(PROMPT_DONE,  PROMPT,   COMMAND_K1(TERM_KEY_ENTER),                  "Enter",        "Enter|do it", "do what is typed")                \
    X(PROMPT_CLOSE, PROMPT,   COMMAND_K1(TERM_KEY_ESC),                    "Esc",          "Esc|close",    "close the line")               \
    X(HELP,         ALL,      COMMAND_K1('?'),                             "?",            "?|keys",     "these keys and marks; again: close") \
    X(REPAINT,      ALL,      COMMAND_K1(TERM_KEY_CTRL('l')),              "Ctrl-L",       NULL,       "paint the screen anew")             \
    X(SUSPEND,      ALL,      COMMAND_K1(TERM_KEY_CTRL('z')),              "Ctrl-Z",       NULL,       "back to the shell; fg returns")     \
    X(QUIT,         ALL,      COMMAND_K1(TERM_KEY_CTRL('c')),              "Ctrl-C",       NULL,       "leave weft from anywhere")
/* clang-format on */

enum command {
    COMMAND_NONE,
#define X(id, context, keys, shown, footer, help) COMMAND_##id,
    COMMANDS(X)
#undef X
        COMMAND_COUNT
};

struct command_info {
    enum command_context context;
    uint32_t keys[4];   /* 0: none. SWITCH stands for 1 to 9, ANSWER for a to d, TYPE for letters */
    const char *shown;  /* the keys, for people */
    const char *footer; /* "keys|word" for the bottom line; NULL: not in it */
    const char *help;
};

const struct command_info *command_info(enum command command);

/* What `key` means while the contexts in `active` (a bit each) are, as the table says: COMMAND_NONE if nothing.
 * With keys of one's own: keymap_command(). */
enum command command_of_key(uint32_t key, unsigned active);

/* "home-up": the name in a file of keys (keymap.h). Returns `buf`. */
const char *command_name(enum command command, char *buf, size_t size);

/* "The lesson": the heading of a context on the ? screen. */
const char *command_context_title(enum command_context context);

#endif
