/*
 * Which keys there are: the bottom line and the ? screen, from the commands table and keys of one's own.
 */
#ifndef WEFT_APP_HINTS_H
#define WEFT_APP_HINTS_H

#include "app/keymap.h"
#include "app/session.h"
#include "ui/scene.h"

enum hints_where { HINTS_HOME, HINTS_LESSON, HINTS_WHATIF };

/* scene->hint: what goes on from here, then the topmost of the `active` contexts, and what always helps
 * last. `keys` NULL: those of the table; `session` NULL: the home screen. */
void hints_footer(struct scene *scene, struct scene_mem *mem, const struct keymap *keys,
                  unsigned active, const struct session *session);

/* scene->help, which becomes the screen: first what can be done here and now. `active`: without what lies over it,
 * see session_contexts_beneath(). A key that means something else while these are says so. */
void hints_help(struct scene *scene, struct scene_mem *mem, const struct keymap *keys,
                enum hints_where where, unsigned active, size_t scroll);

#endif
