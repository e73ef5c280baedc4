/* Commands as text, as journals and --do hold them: what is read is written back to the same. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_strndup((const char *)data, size);
    struct err err = { 0 };
    struct sim_cmd cmd = { 0 };
    if (sim_cmd_parse(text, &cmd, &err)) {
        char once[512];
        char twice[512];
        struct sim_cmd back = { 0 };
        (void)sim_cmd_format(&cmd, once, sizeof once);
        FUZZ_EXPECT(sim_cmd_parse(once, &back, &err));
        (void)sim_cmd_format(&back, twice, sizeof twice);
        FUZZ_EXPECT(strcmp(once, twice) == 0);
    } else {
        FUZZ_EXPECT(err.code != ERR_NONE && err.msg[0] != '\0');
    }
    free(text);
    return 0;
}
