/* Foreign text: cleaning leaves nothing dangerous, and clusters cover every byte exactly once. */
#include "fuzz.h"

#include <string.h>

#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data;
    struct text_cluster cluster;
    size_t pos = 0;
    for (size_t before = 0; text_next(s, size, &pos, &cluster); before = pos) {
        FUZZ_EXPECT(pos > before && pos <= size && cluster.cells >= 0 && cluster.cells <= 2);
    }
    FUZZ_EXPECT(pos == size);

    struct text clean = { 0 };
    struct text again = { 0 };
    text_add_clean(&clean, s, size, false);
    for (size_t i = 0; i < clean.len; i++) {
        unsigned char c = (unsigned char)clean.s[i];
        FUZZ_EXPECT(c >= 0x20 && c != 0x7f);
    }
    text_add_clean(&again, text_str(&clean), clean.len, false);
    FUZZ_EXPECT(strcmp(text_str(&clean), text_str(&again)) == 0);

    int cells = text_cells(text_str(&clean));
    FUZZ_EXPECT(cells >= 0);
    for (int room = 0; room <= cells && room < 80; room++) {
        size_t fits = text_fit(text_str(&clean), room);
        FUZZ_EXPECT(fits <= clean.len);
    }
    FUZZ_EXPECT(text_fit(text_str(&clean), cells) == clean.len);
    text_finish(&again);
    text_finish(&clean);
    return 0;
}
