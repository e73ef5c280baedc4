#include "cli/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "sim/knobs.h"

/* One "K=V" behind the others, for which there must be room. */
static bool read_set(struct cli_settings *s, const char *word, const char *flag, struct err *err)
{
    size_t len = strcspn(word, "=");
    char *name = mem_strndup(word, len);
    const char *value = word + len + 1;
    struct sim_cmd cmd = { .kind = SIM_CMD_SET };
    bool ok;
    if (strcmp(name, "seed") == 0) {
        ok = cli_seed_parse(value, &s->seed, err);
        s->has_seed = true;
    } else {
        ok = sim_knob_parse(name, value, &cmd.knob, &cmd.value, err);
        s->sets[s->set_count] = cmd;
        s->set_count += ok ? 1 : 0;
    }
    free(name);
    if (!ok && err != NULL) {
        (void)err_note(err, "--%s %.60s", flag, word);
        err->code = ERR_USAGE;
    }
    return ok;
}

static bool read_deed(struct cli_settings *s, const char *word, struct err *err)
{
    struct cli_deed *deed = &s->deeds[s->deed_count];
    size_t len = strcspn(word, " ");
    char *when = mem_strndup(word, len);
    const char *what = word + len + strspn(word + len, " ");
    struct err why = { 0 };
    bool ok =
        units_parse(when, UNIT_TIME, &deed->at, &why) && sim_cmd_parse(what, &deed->cmd, &why);
    free(when);
    s->deed_count += ok ? 1 : 0;
    return ok || err_set(err, ERR_USAGE, "--do '%.80s': %s", word, why.msg);
}

bool cli_settings_read(struct cli_settings *s, const struct cli_options *o, struct err *err)
{
    *s = (struct cli_settings){
        .seed = o->seed, .until = o->until_ps, .has_seed = o->has_seed, .has_until = o->has_until
    };
    s->sets = mem_alloc(o->sets.count, sizeof *s->sets);
    s->deeds = mem_alloc(o->deeds.count, sizeof *s->deeds);
    for (size_t i = 0; i < o->sets.count; i++) {
        if (!read_set(s, o->sets.item[i], "set", err)) {
            return false;
        }
    }
    for (size_t i = 0; i < o->deeds.count; i++) {
        if (!read_deed(s, o->deeds.item[i], err)) {
            return false;
        }
    }
    return true;
}

bool cli_settings_add(struct cli_settings *s, const struct cli_settings *from,
                      const struct cli_words *words, const char *flag, struct err *err)
{
    *s = *from;
    s->sets = mem_alloc(from->set_count + words->count, sizeof *s->sets);
    s->deeds = mem_dup(from->deeds, from->deed_count * sizeof *s->deeds);
    if (from->set_count > 0) {
        memcpy(s->sets, from->sets, from->set_count * sizeof *s->sets);
    }
    for (size_t i = 0; i < words->count; i++) {
        if (!read_set(s, words->item[i], flag, err)) {
            return false;
        }
    }
    return true;
}

void cli_settings_finish(struct cli_settings *s)
{
    free(s->sets);
    free(s->deeds);
    *s = (struct cli_settings){ 0 };
}
