/* Slices of a sweep, joined: the input is two files, with a line of === between them. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sweep_table table = { 0 };
    struct text out = { 0 };
    struct err err = { 0 };
    char *first = mem_strndup((const char *)data, size);
    char *cut = strstr(first, "===\n");
    char *second = mem_strdup(cut != NULL ? cut + 4 : "");
    if (cut != NULL) {
        *cut = '\0';
    }
    if (sweep_table_join(&table, "a", first, strlen(first), &err) &&
        sweep_table_join(&table, "b", second, strlen(second), &err) &&
        sweep_table_whole(&table, &err)) {
        sweep_table_write(&out, &table);
        FUZZ_EXPECT(out.len > 0);
    } else {
        FUZZ_EXPECT(err.code != ERR_NONE && err.msg[0] != '\0');
    }
    sweep_table_finish(&table);
    text_finish(&out);
    free(first);
    free(second);
    return 0;
}
