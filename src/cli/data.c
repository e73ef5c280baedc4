/* Where lessons, Lua files and assets are. */
#include "cli/cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

static bool is_folder(const char *root, const char *name)
{
    struct text path = { 0 };
    text_addf(&path, "%s/%s", root, name);
    struct stat st;
    bool yes = stat(text_str(&path), &st) == 0 && S_ISDIR(st.st_mode);
    text_finish(&path);
    return yes;
}

/* .../ROOT/build*?/src/cli/weft: ROOT, when it looks like ours; else NULL. */
static char *source_root(void)
{
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0) {
        return NULL;
    }
    exe[n] = '\0';
    for (int up = 0; up < 4; up++) {
        char *slash = strrchr(exe, '/');
        if (slash == NULL || slash == exe) {
            return NULL;
        }
        *slash = '\0';
    }
    bool ours = is_folder(exe, "lessons") && is_folder(exe, "lua-scripts") && is_folder(exe, "src");
    return ours ? mem_strdup(exe) : NULL;
}

static char *find_data_dir(void)
{
    const char *told = getenv("WEFT_DATA_DIR");
    if (told != NULL && told[0] != '\0') {
        return mem_strdup(told);
    }
    char *root = source_root();
    return root != NULL ? root : mem_strdup(WEFT_INSTALLED_DATA_DIR);
}

char *cli_data_dir(void)
{
    char *dir = find_data_dir();
    if (!is_folder(dir, "lua-scripts")) {
        (void)fprintf(stderr, "weft: its lessons are not in %s; WEFT_DATA_DIR says where\n", dir);
    }
    return dir;
}
