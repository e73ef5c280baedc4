/* Lesson files: whatever is in one, loading ends with a lesson, a scenario or a sentence. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lesson/lesson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *data_dir = getenv("WEFT_DATA_DIR");
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/weft-fuzz-%ld.lua", (long)getpid());
    FILE *file = fopen(path, "wb");
    FUZZ_EXPECT(data_dir != NULL && file != NULL && fwrite(data, 1, size, file) == size);
    FUZZ_EXPECT(fclose(file) == 0);

    struct err err = { 0 };
    struct text errors = { 0 };
    struct sim_scenario sc;
    struct lesson *lesson = lesson_load(path, data_dir, &errors, &err);
    FUZZ_EXPECT(lesson != NULL || (err.code != ERR_NONE && err.msg[0] != '\0' && errors.len > 0));
    struct text clean = { 0 }; /* nothing in it that a terminal would obey */
    text_add_clean(&clean, text_str(&errors), errors.len, true);
    FUZZ_EXPECT(clean.len == errors.len && memcmp(clean.s, text_str(&errors), clean.len) == 0);
    text_finish(&clean);
    lesson_destroy(lesson);
    text_finish(&errors);
    if (lesson_load_scenario(path, data_dir, &sc, NULL)) {
        sim_scenario_finish(&sc);
    }
    (void)unlink(path);
    return 0;
}
