#include "app/route.h"

#include <string.h>

bool route_find(const struct lesson_list *list, const char *name, size_t *which, struct err *err)
{
    struct text names = { 0 };
    for (size_t i = 0; i < list->route_count; i++) {
        if (strcmp(list->routes[i].name, name) == 0) {
            text_finish(&names);
            *which = i;
            return true;
        }
        text_addf(&names, "%s%s", i > 0 ? ", " : "", list->routes[i].name);
    }
    (void)err_set(err, ERR_NAME, "there is no route \"%.40s\"; there %s%s", name,
                  names.len > 0 ? "are: " : "is none in this course", text_str(&names));
    text_finish(&names);
    return false;
}

static const struct lesson_info *lesson_named(const struct lesson_list *list, const char *id,
                                              size_t len)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strlen(list->items[i].id) == len && strncmp(list->items[i].id, id, len) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

const struct lesson_info *route_lesson(const struct lesson_list *list,
                                       const struct lesson_stop *stop)
{
    return lesson_named(list, stop->lesson, strlen(stop->lesson));
}

void route_add_titles(const struct lesson_list *list, const char *ids, const char *between,
                      struct text *out)
{
    for (const char *id = ids; *id != '\0'; id += strspn(id, ", ")) {
        const size_t len = strcspn(id, ",");
        const struct lesson_info *info = lesson_named(list, id, len);
        text_add(out, id == ids ? "" : between);
        text_add_n(out, info != NULL ? info->title : id, info != NULL ? strlen(info->title) : len);
        id += len;
    }
}
