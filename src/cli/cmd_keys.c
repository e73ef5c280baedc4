/* `weft keys`: every command with its keys, as the file of keys has them: `weft keys >FILE` is one to start from. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "app/keymap.h"

static void add_json(struct text *out, const struct keymap *map)
{
    json_t *commands = json_array();
    for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++) {
        const enum command command = (enum command)c;
        char name[40];
        json_t *row = json_object(), *keys = json_array();
        for (size_t i = 0; i < KEYMAP_KEYS; i++) {
            char key[40];
            if (map->key[c][i] != 0) {
                json_array_append_new(keys,
                                      json_string(term_key_text(map->key[c][i], key, sizeof key)));
            }
        }
        json_object_set_new(row, "name", json_string(command_name(command, name, sizeof name)));
        json_object_set_new(row, "where",
                            json_string(command_context_title(command_info(command)->context)));
        json_object_set_new(row, "keys", keys);
        json_object_set_new(row, "own", json_boolean(map->line[c] > 0));
        json_object_set_new(row, "help", json_string(command_info(command)->help));
        json_array_append_new(commands, row);
    }
    json_t *root = json_object();
    json_object_set_new(root, "schema", json_integer(1));
    json_object_set_new(root, "commands", commands);
    char *s = json_dumps(root, JSON_INDENT(2));
    text_addf(out, "%s\n", s);
    free(s);
    json_decref(root);
}

int cli_cmd_keys(const struct cli_options *options)
{
    struct text out = { 0 };
    struct keymap map;
    keymap_load(&map);
    if (options->format == CLI_JSON) {
        add_json(&out, &map);
    } else {
        keymap_list(&map, &out);
    }
    (void)fputs(text_str(&map.problems), stderr);
    const bool printed = cli_print(&out);
    const bool well = map.problem_count == 0;
    keymap_finish(&map);
    text_finish(&out);
    return printed && well ? CLI_OK : CLI_FAILED;
}
