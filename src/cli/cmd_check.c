/* `weft check`: lessons are tests. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/units.h"
#include "lesson/check.h"
#include "lesson/lesson.h"

/* One file: its lines, then a line that sums them up. False when anything is wrong with it. */
static bool check_file(const struct lesson_places *places, const char *target, struct text *out)
{
    struct err err = { 0 };
    char *path = lesson_find(places, target, &err);
    if (path == NULL) {
        (void)cli_complain(&err);
        return false;
    }
    struct lesson_check result = { 0 };
    bool ok = lesson_check(path, places, &result, out, &err);
    text_add_clean(out, path, strlen(path), false);
    char claims[64], complaints[64];
    text_addf(
        out, ": %s, %d true, %d false or not checked, %s\n",
        units_counted(claims, sizeof claims, result.claims, "claim", "claims"), result.held,
        result.failed,
        units_counted(complaints, sizeof complaints, result.complaints, "complaint", "complaints"));
    if (!ok) {
        (void)cli_complain(&err);
    }
    free(path);
    return ok;
}

/* Checks and prints what came of it; lesson after lesson, for who waits. */
static bool check_word(const struct lesson_places *places, const char *word)
{
    struct text out = { 0 };
    bool ok = check_file(places, word, &out);
    ok = cli_print(&out) && ok;
    text_finish(&out);
    return ok;
}

/* A course of one's own: all that its index lists. */
static bool check_folder(const char *data_dir, const char *folder)
{
    struct err err = { 0 };
    struct text errors = { 0 };
    struct lesson_list list = { 0 };
    const struct lesson_places only = {
        .data_dir = data_dir, .own = &folder, .own_count = 1, .alone = true
    };
    bool ok = lesson_list(&only, &list, &errors, &err);
    if (!ok) {
        (void)cli_complain(&err);
    } else if (errors.len > 0) { /* what does not load is not in the list */
        (void)fputs(text_str(&errors), stderr);
        ok = false;
    }
    struct lesson_places places = only; /* its lessons may speak of those of the course */
    places.alone = false;
    for (size_t i = 0; i < list.count; i++) {
        ok = check_word(&places, list.items[i].file) && ok;
    }
    lesson_list_finish(&list);
    text_finish(&errors);
    return ok;
}

int cli_cmd_check(const struct cli_options *options)
{
    struct lesson_places *places = cli_places();
    int status = CLI_OK;
    for (size_t i = 0; i < options->operands.count; i++) {
        const char *word = options->operands.item[i];
        struct stat st;
        const bool folder =
            strchr(word, '/') != NULL && stat(word, &st) == 0 && S_ISDIR(st.st_mode);
        if (!(folder ? check_folder(places->data_dir, word) : check_word(places, word))) {
            status = CLI_FAILED;
        }
    }
    cli_places_free(places);
    return status;
}
