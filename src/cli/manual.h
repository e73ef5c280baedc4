/*
 * weft(1) and the completions of shells, printed from the tables that the program itself reads its
 * command line, its keys and its switches by. Append to `out`; equal programs print equal bytes.
 */
#ifndef WEFT_CLI_MANUAL_H
#define WEFT_CLI_MANUAL_H

#include "base/text.h"

/* weft(1), as roff. weft-lesson(5) is lesson_reference_roff(). */
void cli_manual(struct text *out);

void cli_complete_bash(struct text *out);
void cli_complete_zsh(struct text *out);
void cli_complete_fish(struct text *out);

/* What `weft manual` prints: name, function */
#define CLI_PAGES(X)                                                                               \
    X("weft", cli_manual)                                                                          \
    X("weft-lesson", lesson_reference_roff)                                                        \
    X("bash", cli_complete_bash)                                                                   \
    X("zsh", cli_complete_zsh)                                                                     \
    X("fish", cli_complete_fish)

#endif
