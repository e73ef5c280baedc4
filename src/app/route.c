#include "app/route.h"

#include <string.h>

#include "base/text.h"

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

const struct lesson_info *route_lesson(const struct lesson_list *list,
                                       const struct lesson_stop *stop)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].id, stop->lesson) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}
