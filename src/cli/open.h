/*
 * What commands have in common that open something in front of a person.
 */
#ifndef WEFT_CLI_OPEN_H
#define WEFT_CLI_OPEN_H

#include <stdbool.h>

#include "app/app.h"
#include "cli/options.h"
#include "cli/settings.h"

struct lesson_places;

/* Sentences instead of a screen: asked for, or there is nothing to draw on. */
bool cli_wants_plain(const struct cli_options *options);

/* What the app is to know; borrows all of it. */
struct app_options cli_app_options(const struct cli_options *options,
                                   const struct cli_settings *settings,
                                   const struct lesson_places *places);

#endif
