#include "golden.h"

#include "cmocka_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* The first line that differs, with its neighbours, so that a failure can be read. */
static void explain(const char *want, const char *got)
{
    for (int line = 1; *want != '\0' || *got != '\0'; line++) {
        const size_t w = strcspn(want, "\n");
        const size_t g = strcspn(got, "\n");
        if (w != g || strncmp(want, got, w) != 0) {
            print_message("# line %d\n# want |%.*s|\n# got  |%.*s|\n", line, (int)w, want, (int)g,
                          got);
        }
        want += want[w] == '\n' ? w + 1 : w;
        got += got[g] == '\n' ? g + 1 : g;
    }
}

bool golden_matches(const char *path, const char *got)
{
    struct err err = { 0 };
    char *want = NULL;
    size_t size = 0;
    if (getenv("UPDATE_GOLDEN") != NULL && !file_write(path, got, strlen(got), true, &err)) {
        print_message("# %s\n", err.msg);
        return false;
    }
    if (!file_read(path, 1 << 20, &want, &size, &err)) {
        print_message("# %s (UPDATE_GOLDEN=1 makes it)\n", err.msg);
        return false;
    }
    const bool same = strcmp(want, got) == 0;
    if (!same) {
        explain(want, got);
    }
    free(want);
    return same;
}
