#include "app/keep.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "run/replay.h"

/* The name with its ending. */
static void add_ending(const char *name, const char *ending, char *out, size_t size)
{
    const size_t n = strlen(name), m = strlen(ending);
    const bool has = n > m && strcmp(name + n - m, ending) == 0;
    snprintf(out, size, "%s%s", name, has ? "" : ending);
}

static bool write(char *file, const struct text *text, bool replace, struct err *err)
{
    if (!replace && file_exists(file)) {
        return err_set(err, ERR_STATE, "%.120s is there already; Enter again replaces it", file);
    }
    if (!file_write(file, text_str(text), text->len, replace, err)) {
        file[0] = '\0';
        return false;
    }
    return true;
}

bool keep_run(const struct keep_wish *wish, bool replace, char *file, size_t size, struct err *err)
{
    char from[96];
    struct replay replay;
    struct text text = { 0 };
    struct run *run = player_run(wish->player);
    const struct lesson_card *card = lesson_card(wish->lesson, player_card(wish->player));
    file[0] = '\0';
    if (*wish->name == '\0') {
        return err_set(err, ERR_SYNTAX, "save it as what? a file's name: save mine.weft");
    }
    if (!run_journal_ok(run, err)) {
        return false;
    }
    add_ending(wish->name, REPLAY_SUFFIX, file, size);
    snprintf(from, sizeof from, "%.60s %.30s", lesson_info(wish->lesson).id,
             card->scene >= 0 ? lesson_scene(wish->lesson, (size_t)card->scene)->name : "");
    replay_take(&replay, run, WEFT_VERSION, wish->lab != NULL || wish->saved ? NULL : from);
    replay_write(&text, &replay);
    const bool ok = write(file, &text, replace, err);
    text_finish(&text);
    replay_finish(&replay);
    return ok;
}

bool keep_lesson(const struct keep_wish *wish, bool replace, char *file, size_t size,
                 struct err *err)
{
    char id[64];
    struct text text = { 0 };
    file[0] = '\0';
    if (wish->lab == NULL) {
        return err_set(err, ERR_NAME,
                       "a lesson is made of what the lab has; here the run can be "
                       "saved: save FILE.weft");
    }
    add_ending(wish->name, ".lua", file, size);
    const char *slash = strrchr(file, '/');
    const char *base = slash != NULL ? slash + 1 : file;
    snprintf(id, sizeof id, "%.*s", (int)(strlen(base) > 4 ? strlen(base) - 4 : 0), base);
    if (!lesson_is_id(id)) {
        file[0] = '\0';
        return err_set(err, ERR_NAME,
                       "\"%.40s\" is no name for a lesson: small letters, digits and -, like "
                       "my-lesson",
                       id);
    }
    lab_write_lesson(wish->lab, player_run(wish->player), id, &text);
    const bool ok = write(file, &text, replace, err);
    text_finish(&text);
    return ok;
}
