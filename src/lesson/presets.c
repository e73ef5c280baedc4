#include "lesson/presets.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "lesson/data.h"
#include "lesson/draft.h"
#include "lesson/index.h"

#define FOLDER "assets/lab"

static void add(struct lesson_presets *presets, const char *data_dir, const char *id)
{
    struct lesson_preset *p = &presets->item[presets->count++];
    struct text file = { 0 };
    text_addf(&file, "%s/" FOLDER "/%s.lua", data_dir, id);
    struct lesson_draft *draft = lesson_draft_load(text_str(&file), data_dir, NULL, NULL);
    const char *name = lesson_draft_text(draft, "name");
    *p = (struct lesson_preset){ .id = mem_strdup(id),
                                 .file = file.s,
                                 .name = mem_strdup(*name != '\0' ? name : id),
                                 .year = atoi(lesson_draft_text(draft, "year")) };
    lesson_draft_destroy(draft);
}

bool lesson_presets_read(const char *data_dir, struct lesson_presets *presets, struct err *err)
{
    struct lesson_index *index = mem_alloc(1, sizeof *index);
    const bool ok = lesson_index_read(data_dir, FOLDER, index, err);
    *presets =
        (struct lesson_presets){ .item = mem_alloc(index->count + 1, sizeof *presets->item) };
    for (size_t i = 0; ok && i < index->count; i++) {
        add(presets, data_dir, index->ids[i]);
    }
    lesson_index_finish(index);
    free(index);
    return ok;
}

void lesson_presets_finish(struct lesson_presets *presets)
{
    for (size_t i = 0; i < presets->count; i++) {
        free(presets->item[i].id);
        free(presets->item[i].file);
        free(presets->item[i].name);
    }
    free(presets->item);
    *presets = (struct lesson_presets){ 0 };
}

char *lesson_presets_find(const struct lesson_presets *presets, const char *word, struct err *err)
{
    const size_t len = strlen(word);
    const char *near = "";
    size_t least = SIZE_MAX;
    if (strchr(word, '/') != NULL || (len > 4 && strcmp(word + len - 4, ".lua") == 0)) {
        return mem_strdup(word);
    }
    for (size_t i = 0; i < presets->count; i++) {
        if (strcmp(presets->item[i].id, word) == 0) {
            return mem_strdup(presets->item[i].file);
        }
        const size_t far = text_distance(word, presets->item[i].id);
        if (far < least) {
            least = far;
            near = presets->item[i].id;
        }
    }
    (void)err_set(err, ERR_NAME,
                  "the lab has no preset %.60s; did you mean %s? `weft lab --list` lists them",
                  word, near);
    return NULL;
}
