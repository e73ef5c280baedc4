/* `weft new NAME`: a lesson to start from, assets/new-lesson.lua under another name. */
#include "cli/cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "lesson/lesson.h"

#define TEMPLATE_ID    "new-lesson"
#define TEMPLATE_TITLE "New lesson"
#define TEMPLATE_MAX   100000 /* bytes */

/* "slow-gpu": "Slow gpu". */
static void add_title(struct text *out, const char *id)
{
    for (const char *c = id; *c != '\0'; c++) {
        const char letter = (char)(c == id ? toupper((unsigned char)*c) : *c == '-' ? ' ' : *c);
        text_add_n(out, &letter, 1);
    }
}

/* The template with its name and title replaced wherever they stand. */
static void fill(struct text *out, const char *template, const char *id)
{
    for (const char *at = template; *at != '\0';) {
        if (strncmp(at, TEMPLATE_ID, strlen(TEMPLATE_ID)) == 0) {
            text_add(out, id);
            at += strlen(TEMPLATE_ID);
        } else if (strncmp(at, TEMPLATE_TITLE, strlen(TEMPLATE_TITLE)) == 0) {
            add_title(out, id);
            at += strlen(TEMPLATE_TITLE);
        } else {
            text_add_n(out, at++, 1);
        }
    }
}

/* Where it goes: NAME.lua here, in the folder --out, or the file --out. */
static void add_path(struct text *path, const struct cli_options *options, const char *id)
{
    struct stat st;
    const bool folder = options->out != NULL && stat(options->out, &st) == 0 && S_ISDIR(st.st_mode);
    if (options->out != NULL && !folder) {
        text_add(path, options->out);
        return;
    }
    const size_t n = folder ? strlen(options->out) : 0;
    const bool slash = n > 0 && options->out[n - 1] != '/';
    text_addf(path, "%s%s%s.lua", folder ? options->out : "", slash ? "/" : "", id);
}

static bool write_lesson(const struct cli_options *options, const char *data_dir, struct text *said,
                         struct err *err)
{
    const char *id = options->operands.item[0];
    if (!lesson_is_id(id)) {
        return err_set(err, ERR_USAGE,
                       "'%.60s' is no name for a lesson: it has small letters, digits and - only; "
                       "--out says where the file goes",
                       id);
    }
    if (strcmp(id, "index") == 0 || id[strspn(id, "0123456789")] == '\0') {
        return err_set(err, ERR_USAGE, "'%.60s' is no name for a lesson: %s", id,
                       strcmp(id, "index") == 0
                           ? "index.lua is the list of a folder's lessons"
                           : "a number stands for a lesson's place in the list");
    }
    struct text from = { 0 }, lesson = { 0 }, path = { 0 };
    char *template = NULL;
    size_t size = 0;
    text_addf(&from, "%s/assets/%s.lua", data_dir, TEMPLATE_ID);
    bool ok = file_read(text_str(&from), TEMPLATE_MAX, &template, &size, err);
    if (ok) {
        fill(&lesson, template, id);
    }
    if (ok && options->out != NULL && strcmp(options->out, "-") == 0) {
        text_add(said, text_str(&lesson));
    } else if (ok) {
        add_path(&path, options, id);
        const char *to = text_str(&path);
        ok = cli_out_is_free(to, options->force, err) &&
             file_write(to, text_str(&lesson), lesson.len, options->force, err);
        text_addf(said, "%s is there. Change it, then:\n  weft check %s\n  weft %s\n", to, to, to);
    }
    free(template);
    text_finish(&from);
    text_finish(&lesson);
    text_finish(&path);
    return ok;
}

int cli_cmd_new(const struct cli_options *options)
{
    struct err err = { 0 };
    struct text said = { 0 };
    char *data_dir = cli_data_dir();
    int status = write_lesson(options, data_dir, &said, &err) ? CLI_OK : cli_complain(&err);
    if (status == CLI_OK && !cli_print(&said)) {
        status = CLI_FAILED;
    }
    text_finish(&said);
    free(data_dir);
    return status;
}
