/* NAME=VALUE as --set takes it: what is read is in range and is written back to the same. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/knobs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_strndup((const char *)data, size);
    char *equals = strchr(text, '=');
    if (equals != NULL) {
        struct err err = { 0 };
        enum sim_knob knob;
        enum sim_knob knob_back;
        int64_t value = 0;
        int64_t back = 0;
        char buf[64];
        *equals = '\0';
        if (sim_knob_parse(text, equals + 1, &knob, &value, &err)) {
            FUZZ_EXPECT(sim_knob_check(knob, value, &err));
            (void)sim_knob_format(knob, value, true, buf, sizeof buf);
            FUZZ_EXPECT(sim_knob_parse(sim_knob_info(knob)->name, buf, &knob_back, &back, &err));
            FUZZ_EXPECT(knob_back == knob && back == value);
        } else {
            FUZZ_EXPECT(err.code != ERR_NONE && err.msg[0] != '\0');
        }
    }
    free(text);
    return 0;
}
