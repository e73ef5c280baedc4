/*
 * The environment that weft reads, in one table: for `weft doctor` and the manual. As the XDG base
 * directory specification has it, a folder that is empty or not absolute counts as not set.
 */
#ifndef WEFT_CLI_ENVIRONMENT_H
#define WEFT_CLI_ENVIRONMENT_H

/* clang-format off */
/* name, what it does */
#define CLI_ENVIRONMENT(X)                                                                         \
    X("TERM",           "the terminal's name in terminfo; unset, empty or dumb: lines of text, no screen") \
    X("LC_ALL",         "the locale; drawing needs one that is UTF-8, else ASCII is drawn. Before LC_CTYPE and LANG") \
    X("LC_CTYPE",       "the same, where LC_ALL is not set")                                       \
    X("LANG",           "the same, where neither is set")                                          \
    X("NO_COLOR",       "not empty: no colours, unless --color says otherwise")                    \
    X("COLORTERM",      "truecolor or 24bit: colours in full, where terminfo has the entry for that (xterm-direct)") \
    X("COLORFGBG",      "ends with ;7 or ;15: the theme is light, unless --theme says otherwise")     \
    X("ACCESSIBLE",     "not empty: lines of text, no screen, as with --plain")                    \
    X("WEFT_DATA_DIR",  "the folder that holds lessons, lua-scripts and assets")                   \
    X("XDG_STATE_HOME", "weft/progress.json in it keeps how far you have come; ~/.local/state, unless set") \
    X("XDG_CONFIG_HOME", "weft/keys in it gives commands other keys (see weft keys); ~/.config, unless set") \
    X("XDG_DATA_HOME",  "weft/lessons in it are lessons of your own; ~/.local/share, unless set")  \
    X("XDG_DATA_DIRS",  "the same for everybody on this machine; /usr/local/share:/usr/share, unless set")
/* clang-format on */

#endif
