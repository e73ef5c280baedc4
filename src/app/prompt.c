#include "app/prompt.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "term/key.h"

void prompt_open(struct prompt *prompt)
{
    *prompt = (struct prompt){ .on = true };
}

/* The code point as UTF-8: how many bytes. */
static size_t encode(uint32_t point, char out[4])
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    const size_t n = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned lead[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    for (size_t i = n; i-- > 1;) {
        out[i] = (char)(0x80 | (point & 0x3F));
        point >>= 6;
    }
    out[0] = (char)(lead[n] | point);
    return n;
}

static bool take_back(struct prompt *prompt)
{
    size_t last = 0;
    struct text_cluster cluster;
    for (size_t pos = 0; pos < prompt->len;) {
        last = pos;
        if (!text_next(prompt->text, prompt->len, &pos, &cluster)) {
            break;
        }
    }
    const bool any = prompt->len > 0;
    prompt->len = last;
    prompt->text[last] = '\0';
    return any;
}

void prompt_put(struct prompt *prompt, const char *text)
{
    prompt->len = strlen(text) < sizeof prompt->text ? strlen(text) : 0;
    snprintf(prompt->text, sizeof prompt->text, "%s", prompt->len > 0 ? text : "");
}

void prompt_look(struct prompt *prompt, const struct complete_world *world)
{
    prompt->at = 0;
    prompt->error[0] = '\0';
    complete(world, prompt->text, &prompt->complete);
}

/* `bytes` of `word` in the place of the word that is being typed. */
static void put_word(struct prompt *prompt, const char *word, size_t bytes)
{
    const size_t from = prompt->complete.from;
    if (from + bytes < sizeof prompt->text) {
        memcpy(prompt->text + from, word, bytes);
        prompt->len = from + bytes;
        prompt->text[prompt->len] = '\0';
    }
}

bool prompt_complete(struct prompt *prompt, const struct complete_world *world, bool back)
{
    const struct complete *c = &prompt->complete;
    const size_t common = complete_common(c);
    if (c->count == 0) {
        return false;
    }
    if (c->count == 1) {
        put_word(prompt, c->word[0].text, strlen(c->word[0].text));
        prompt_key(prompt, ' ');
        prompt_look(prompt, world);
    } else if (common > c->length && !back) {
        put_word(prompt, c->word[0].text, common);
        prompt_look(prompt, world);
    } else {
        const size_t n = c->count;
        prompt->at = !back ? prompt->at % n + 1 : prompt->at > 1 ? prompt->at - 1 : n;
        const char *word = c->word[prompt->at - 1].text;
        put_word(prompt, word, strlen(word));
        struct complete there;
        complete(world, prompt->text, &there); /* what is known of this one */
        memcpy(prompt->complete.note, there.note, sizeof there.note);
    }
    return true;
}

bool prompt_key(struct prompt *prompt, uint32_t key)
{
    if (key == TERM_KEY_BACKSPACE) {
        return take_back(prompt);
    }
    char bytes[4];
    const size_t n = encode(key, bytes);
    if (key < ' ' || key >= TERM_KEY_FIRST || prompt->len + n >= sizeof prompt->text) {
        return false;
    }
    memcpy(prompt->text + prompt->len, bytes, n);
    prompt->len += n;
    prompt->text[prompt->len] = '\0';
    return true;
}
