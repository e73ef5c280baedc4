/* Where lessons, Lua files and assets are. */
#include "cli/cli.h"

#include <limits.h>
#include <stdint.h>
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

/* The folder that lies `up` folders above this program's own; false where that cannot be known. */
static bool above_program(char folder[PATH_MAX], int up)
{
    ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (n <= 0) {
        return false;
    }
    folder[n] = '\0';
    for (int cut = 0; cut <= up; cut++) {
        char *slash = strrchr(folder, '/');
        if (slash == NULL || slash == folder) {
            return false;
        }
        *slash = '\0';
    }
    return true;
}

/* .../ROOT/BUILD/src/cli/weft: ROOT, when it looks like ours; else NULL. */
static char *source_root(void)
{
    char root[PATH_MAX];
    const bool ours = above_program(root, 3) && is_folder(root, "lessons") &&
                      is_folder(root, "lua-scripts") && is_folder(root, "src");
    return ours ? mem_strdup(root) : NULL;
}

/* .../PREFIX/bin/weft: PREFIX/share/weft, so that what was installed can be moved. */
static char *beside_program(void)
{
    char prefix[PATH_MAX];
    struct text dir = { 0 };
    char *found = NULL;
    if (above_program(prefix, 1)) {
        text_addf(&dir, "%s/" WEFT_DATA_BELOW_PREFIX, prefix);
        found = is_folder(text_str(&dir), "lua-scripts") ? mem_strdup(text_str(&dir)) : NULL;
    }
    text_finish(&dir);
    return found;
}

static char *find_data_dir(void)
{
    const char *told = getenv("WEFT_DATA_DIR");
    if (told != NULL && told[0] != '\0') {
        return mem_strdup(told);
    }
    char *dir = source_root();
    if (dir == NULL) {
        dir = beside_program();
    }
    return dir != NULL ? dir : mem_strdup(WEFT_INSTALLED_DATA_DIR);
}

char *cli_data_dir(void)
{
    char *dir = find_data_dir();
    if (!is_folder(dir, "lua-scripts")) {
        (void)fprintf(stderr, "weft: its lessons are not in %s; WEFT_DATA_DIR says where\n", dir);
    }
    return dir;
}

/* ---- lessons of one's own -------------------------------------------------------------------- */

/* ROOT/weft/lessons, if it is there and belongs to no other weft. */
static void add_place(struct lesson_places *places, const char *root, size_t len)
{
    struct text path = { 0 };
    if (len == 0 || root[0] != '/') {
        return;
    }
    text_add_n(&path, root, len);
    text_add(&path, "/weft");
    if (is_folder(text_str(&path), "lessons") && !is_folder(text_str(&path), "lua-scripts")) {
        const char **own = mem_alloc(places->own_count + 1, sizeof *own);
        for (size_t i = 0; i < places->own_count; i++) {
            own[i] = places->own[i];
        }
        text_add(&path, "/lessons");
        own[places->own_count] = mem_strdup(text_str(&path));
        free((void *)(uintptr_t)places->own);
        places->own = own;
        places->own_count++;
    }
    text_finish(&path);
}

static void free_own(struct lesson_places *places)
{
    for (size_t i = 0; i < places->own_count; i++) {
        free((char *)(uintptr_t)places->own[i]); /* ours; const for the readers */
    }
    free((void *)(uintptr_t)places->own);
    places->own = NULL;
    places->own_count = 0;
}

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

struct lesson_places *cli_places(void)
{
    struct lesson_places *places = mem_alloc(1, sizeof *places);
    places->data_dir = cli_data_dir();
    struct text home = { 0 };
    text_addf(&home, "%s/.local/share", environment("HOME", ""));
    const char *mine = environment("XDG_DATA_HOME", text_str(&home));
    add_place(places, mine, strlen(mine));
    text_finish(&home);
    for (const char *at = environment("XDG_DATA_DIRS", "/usr/local/share:/usr/share");
         *at != '\0';) {
        const size_t len = strcspn(at, ":");
        add_place(places, at, len);
        at += len + (at[len] == ':');
    }
    return places;
}

void cli_places_free(struct lesson_places *places)
{
    free_own(places);
    free((char *)(uintptr_t)places->data_dir);
    free(places);
}

static bool names_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool cli_places_means_folder(const struct lesson_places *places, const char *word)
{
    if (!names_folder(word)) {
        return false;
    }
    struct err err = { 0 };
    char *lesson = strchr(word, '/') == NULL ? lesson_find(places, word, &err) : NULL;
    free(lesson);
    return lesson == NULL;
}

bool cli_places_only(struct lesson_places *places, const char *folder)
{
    if (!names_folder(folder)) {
        return false;
    }
    free_own(places);
    const char **own = mem_alloc(1, sizeof *own);
    own[0] = mem_strdup(folder);
    places->own = own;
    places->own_count = 1;
    places->alone = true;
    return true;
}
