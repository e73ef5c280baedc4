#include "app/prompt.h"

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
