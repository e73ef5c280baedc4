/*
 * A line being typed. Keys in, text out; Backspace takes the last cluster away.
 */
#ifndef WEFT_APP_PROMPT_H
#define WEFT_APP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROMPT_BYTES = 160 };

struct prompt {
    bool on;
    char text[PROMPT_BYTES]; /* UTF-8, terminated */
    size_t len;
};

void prompt_open(struct prompt *prompt);
/* A printable code point, or TERM_KEY_BACKSPACE. False: the line is full, or nothing is left to take. */
bool prompt_key(struct prompt *prompt, uint32_t key);

#endif
