/*
 * A line being typed. Keys in, text out; Backspace takes the last cluster away.
 *
 * Tab completes (complete.h): as far as all candidates agree, then through them one by one, Shift-Tab the
 * other way. What may stand there is offered all the time. A line that cannot be done stays, with what is
 * wrong with it, until the next key.
 */
#ifndef WEFT_APP_PROMPT_H
#define WEFT_APP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/complete.h"

enum { PROMPT_BYTES = 160 };

struct prompt {
    bool on;
    char text[PROMPT_BYTES]; /* UTF-8, terminated */
    size_t len;
    struct complete complete; /* of the text as it was typed, before Tab went through candidates */
    size_t at;                /* the candidate that Tab has put there, from 1; 0: none */
    char error[300];          /* why the line cannot be done, or empty */
};

void prompt_open(struct prompt *prompt);
/* With this text, as if it had been typed. */
void prompt_put(struct prompt *prompt, const char *text);
/* After a key and when it is opened: what may stand there. */
void prompt_look(struct prompt *prompt, const struct complete_world *world);
/* Tab, or Shift-Tab. False: there is nothing to complete. */
bool prompt_complete(struct prompt *prompt, const struct complete_world *world, bool back);
/* A printable code point, or TERM_KEY_BACKSPACE. False: the line is full, or nothing is left to take. */
bool prompt_key(struct prompt *prompt, uint32_t key);

#endif
