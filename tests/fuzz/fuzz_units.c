/* Quantities: whatever is read can be written and read back. */
#include "fuzz.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum unit_kind kinds[] = { UNIT_COUNT, UNIT_TIME, UNIT_RATE, UNIT_BYTES };
    char *text = mem_strndup((const char *)data, size);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct err err = { 0 };
        int64_t value = 0;
        int64_t back = 0;
        char buf[64];
        if (units_parse(text, kinds[k], &value, &err)) {
            FUZZ_EXPECT(value >= 0);
            (void)units_format(buf, sizeof buf, kinds[k], value);
            (void)units_exact(buf, sizeof buf, kinds[k], value);
            FUZZ_EXPECT(units_parse(buf, kinds[k], &back, &err) && back == value);
        } else {
            FUZZ_EXPECT(err.code != ERR_NONE && err.msg[0] != '\0');
        }
    }
    free(text);
    return 0;
}
