/* Saved runs: what is read is written and read back to the same, and can be started. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "run/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct replay replay, back;
    struct text once = { 0 }, twice = { 0 };
    struct err err = { 0 };
    if (!replay_read(&replay, (const char *)data, size, "fuzz", &err)) {
        FUZZ_EXPECT(err.code != ERR_NONE && err.msg[0] != '\0' && err.where[0] != '\0');
        return 0;
    }
    replay_write(&once, &replay);
    FUZZ_EXPECT(replay_read(&back, text_str(&once), once.len, "back", &err));
    replay_write(&twice, &back);
    FUZZ_EXPECT(once.len == twice.len && strcmp(text_str(&once), text_str(&twice)) == 0);
    if (replay.scenario.node_count < 64 && replay.scenario.flow_count < 64) {
        struct run *run = replay_start(&replay, &err);
        FUZZ_EXPECT(run != NULL || err.msg[0] != '\0');
        if (run != NULL) { /* what has been checked can be run */
            (void)run_until(run, UNIT_US, 0);
        }
        run_destroy(run);
    }
    replay_finish(&replay);
    replay_finish(&back);
    text_finish(&once);
    text_finish(&twice);
    return 0;
}
