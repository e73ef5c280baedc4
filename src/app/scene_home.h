/*
 * The home screen as a scene: its lines, and what is said of the one that is selected.
 */
#ifndef WEFT_APP_SCENE_HOME_H
#define WEFT_APP_SCENE_HOME_H

#include "app/home.h"
#include "ui/scene.h"

struct progress;

/* Fills scene->home but for the ring (scene_fill_ring), and title and prompt. `progress` may be NULL. */
void scene_fill_home(const struct home *home, const struct progress *progress,
                     struct scene_mem *mem, struct scene *scene);

#endif
