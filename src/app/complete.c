#include "app/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/events.h"
#include "app/step.h"
#include "app/typed.h"
#include "run/plot.h"
#include "sim/idle.h"

/* ---- forms ----------------------------------------------------------------------------------------- */

struct typed_form typed_form(size_t i)
{
    static const struct typed_form own[] = {
#define X(id, form, help) { form, help },
        TYPED(X)
#undef X
    };
    if (i < TYPED_COUNT) {
        return own[i];
    }
    const struct sim_cmd_form *form = sim_cmd_form(i - TYPED_COUNT);
    return form != NULL ? (struct typed_form){ form->words, form->help }
                        : (struct typed_form){ NULL, NULL };
}

enum typed typed_find(const char *text, const char **rest)
{
    const size_t len = strcspn(text, " ");
    for (size_t i = 0; i < TYPED_COUNT; i++) {
        const char *form = typed_form(i).words;
        if (strcspn(form, " ") == len && strncmp(form, text, len) == 0) {
            if (rest != NULL) {
                *rest = text + len + strspn(text + len, " ");
            }
            return (enum typed)i;
        }
    }
    return TYPED_COUNT;
}

/* ---- words ----------------------------------------------------------------------------------------- */

enum { WORDS_MAX = 12 };

/* A word of a text or form: not terminated. */
struct piece {
    const char *s;
    size_t len;
};

struct line {
    struct piece word[WORDS_MAX]; /* the last one is being typed, and may be empty */
    size_t count;
};

static bool split(const char *text, struct line *line)
{
    *line = (struct line){ 0 };
    for (const char *p = text + strspn(text, " ");; p += strspn(p, " ")) {
        const size_t len = strcspn(p, " ");
        if (line->count == WORDS_MAX) {
            return false;
        }
        line->word[line->count++] = (struct piece){ p, len };
        p += len;
        if (*p == '\0') {
            return true;
        }
    }
}

struct seeker {
    const struct complete_world *world;
    const struct line *line;
    struct complete *out;
    struct piece typed; /* the word that is being typed */
    bool inside;        /* what contains it is taken, too */
};

static bool begins(struct piece typed, const char *word)
{
    return strncmp(word, typed.s, typed.len) == 0;
}

static bool contains(struct piece typed, const char *word)
{
    for (size_t i = 0; word[i] != '\0'; i++) {
        if (strncmp(word + i, typed.s, typed.len) == 0) {
            return true;
        }
    }
    return false;
}

static void offer_marked(struct seeker *k, const char *word, const char *mark)
{
    struct complete *out = k->out;
    if (!(k->inside ? contains(k->typed, word) : begins(k->typed, word)) ||
        strlen(word) >= COMPLETE_WORD) {
        return;
    }
    for (size_t i = 0; i < out->count; i++) {
        if (strcmp(out->word[i].text, word) == 0) {
            out->word[i].mark = out->word[i].mark != NULL ? out->word[i].mark : mark;
            return;
        }
    }
    if (out->count == COMPLETE_MAX) {
        out->more++;
        return;
    }
    snprintf(out->word[out->count].text, COMPLETE_WORD, "%s", word);
    out->word[out->count++].mark = mark;
}

static void offer(struct seeker *k, const char *word)
{
    offer_marked(k, word, NULL);
}

/* ---- places to be filled in -------------------------------------------------------------------------- */

void complete_knobs(const struct lesson *lesson, size_t card, enum sim_knob order[SIM_KNOB_COUNT],
                    size_t *offered, size_t *set)
{
    bool taken[SIM_KNOB_COUNT] = { false };
    size_t n = 0;
    if (lesson != NULL && lesson_card_count(lesson) > card) {
        const struct lesson_card *c = lesson_card(lesson, card);
        for (size_t i = 0; i < c->count; i++) {
            const struct lesson_item *item = lesson_item(lesson, c->first + i);
            if (item->kind == LESSON_SWITCH && !taken[item->knob]) {
                taken[item->knob] = true;
                order[n++] = item->knob;
            }
        }
    }
    if (offered != NULL) {
        *offered = n;
    }
    const size_t before = n;
    const struct lesson_card *c = lesson != NULL ? lesson_card(lesson, card) : NULL;
    if (c != NULL && c->scene >= 0) {
        const struct sim_knobs *knobs = &lesson_scene(lesson, (size_t)c->scene)->scenario.knobs;
        for (int i = 0; i < SIM_KNOB_COUNT; i++) {
            if (!taken[i] && knobs->v[i] != sim_knob_info((enum sim_knob)i)->def) {
                taken[i] = true;
                order[n++] = (enum sim_knob)i;
            }
        }
    }
    if (set != NULL) {
        *set = n - before;
    }
    for (int i = 0; i < SIM_KNOB_COUNT; i++) { /* a group is where its first row is */
        const char *group = sim_knob_info((enum sim_knob)i)->group;
        for (int j = i; j < SIM_KNOB_COUNT; j++) {
            if (!taken[j] && strcmp(group, sim_knob_info((enum sim_knob)j)->group) == 0) {
                taken[j] = true;
                order[n++] = (enum sim_knob)j;
            }
        }
    }
}

void complete_say_knob(const struct sim *sim, enum sim_knob knob, char *out, size_t size)
{
    const struct sim_knob_info *info = sim_knob_info(knob);
    struct text range = { 0 };
    char now[64], def[64], why[160];
    const bool idle = sim != NULL && sim_knob_idle(sim, knob, why, sizeof why);
    sim_knob_say_range(&range, knob);
    sim_knob_format(knob, info->def, false, def, sizeof def);
    if (sim != NULL) {
        sim_knob_format(knob, sim_knob(sim, knob), false, now, sizeof now);
    }
    snprintf(out, size, "%s: %s; default %s%s%s%s%s%s. %s", info->name, text_str(&range), def,
             sim != NULL ? ", now " : "", sim != NULL ? now : "",
             info->when == SIM_RESTART     ? "; begins the run anew"
             : info->when == SIM_NEXT_STEP ? "; from the next step on"
                                           : "",
             idle ? "; no effect now: " : "", idle ? why : "", info->help);
    text_finish(&range);
}

static void offer_knobs(struct seeker *k)
{
    enum sim_knob order[SIM_KNOB_COUNT];
    complete_knobs(k->world->lesson, k->world->card, order, NULL, NULL);
    for (int i = 0; i < SIM_KNOB_COUNT; i++) {
        offer(k, sim_knob_info(order[i])->name);
    }
    offer(k, "pfc"); /* on or off, for flow_control */
}

/* The knob that the word before the one being typed names. */
static enum sim_knob knob_before(const struct seeker *k, bool *shorthand)
{
    char name[COMPLETE_WORD];
    if (k->line->count < 2) {
        return SIM_KNOB_COUNT;
    }
    const struct piece w = k->line->word[k->line->count - 2];
    snprintf(name, sizeof name, "%.*s", (int)w.len, w.s);
    *shorthand = strcmp(name, "pfc") == 0;
    return *shorthand ? SIM_KNOB_FLOW_CONTROL : sim_knob_find(name);
}

/* A value as a person would type it. */
static const char *typed_value(enum sim_knob knob, int64_t value, char *buf, size_t size)
{
    const struct sim_knob_info *info = sim_knob_info(knob);
    return info->type == SIM_KNOB_CHOICE || value == SIM_AUTO || value == SIM_UNLIMITED
               ? sim_knob_format(knob, value, true, buf, size)
               : step_typed(info->unit, value, buf, size);
}

static void offer_values(struct seeker *k)
{
    bool shorthand = false;
    const enum sim_knob knob = knob_before(k, &shorthand);
    char text[64];
    if (knob == SIM_KNOB_COUNT) {
        return;
    }
    const struct sim_knob_info *info = sim_knob_info(knob);
    const int64_t now = k->world->sim != NULL ? sim_knob(k->world->sim, knob) : info->def;
    if (shorthand) {
        offer_marked(k, "on", now == SIM_FC_PFC ? "now" : NULL);
        offer_marked(k, "off", now == SIM_FC_NONE ? "now" : NULL);
        return;
    }
    if (info->type == SIM_KNOB_CHOICE) {
        const char *const *word = sim_knob_choices(knob);
        for (int64_t i = 0; word[i] != NULL; i++) {
            offer_marked(k, word[i], i == now ? "now" : i == info->def ? "default" : NULL);
        }
        return;
    }
    offer_marked(k, typed_value(knob, now, text, sizeof text), "now");
    offer_marked(k, typed_value(knob, info->def, text, sizeof text), "default");
    if ((info->allow & SIM_MAY_AUTO) != 0) {
        offer(k, "auto");
    }
    if ((info->allow & SIM_MAY_UNLIMITED) != 0) {
        offer(k, "unlimited");
    }
}

static void offer_hosts(struct seeker *k)
{
    const struct sim *sim = k->world->sim;
    for (uint32_t i = 0; sim != NULL && i < sim_node_count(sim); i++) {
        const struct sim_node_info node = sim_node(sim, i);
        if (node.kind == SIM_HOST) {
            offer(k, node.name);
        }
    }
}

static void offer_ports(struct seeker *k)
{
    const struct sim *sim = k->world->sim;
    for (uint32_t i = 0; sim != NULL && i < sim_port_count(sim); i++) {
        offer(k, sim_port(sim, i).name);
    }
}

static void offer_flows(struct seeker *k)
{
    const struct sim *sim = k->world->sim;
    for (uint32_t i = 0; sim != NULL && i < sim_flow_count(sim); i++) {
        offer(k, sim_flow(sim, i).name);
    }
}

static void offer_events(struct seeker *k)
{
    for (size_t i = 0; i < event_kind_count(); i++) {
        offer(k, event_kind(i)->one);
    }
}

static void offer_plots(struct seeker *k)
{
    for (int i = 0; i < RUN_PLOT_COUNT; i++) {
        offer(k, run_plot_info((enum run_plot_kind)i)->word);
    }
    offer(k, "none");
}

/* What the quantity named before may be of. */
static void offer_things(struct seeker *k)
{
    const struct piece w = k->line->word[k->line->count - 2];
    for (int i = 0; i < RUN_PLOT_COUNT; i++) {
        const struct run_plot_info *info = run_plot_info((enum run_plot_kind)i);
        if (strlen(info->word) == w.len && strncmp(info->word, w.s, w.len) == 0) {
            (info->of == RUN_PLOT_OF_PORT ? offer_ports : offer_flows)(k);
            if (i == RUN_PLOT_GOODPUT) {
                offer_hosts(k);
            }
        }
    }
}

static void offer_nodes(struct seeker *k)
{
    const struct sim *sim = k->world->sim;
    for (uint32_t i = 0; sim != NULL && i < sim_node_count(sim); i++) {
        offer(k, sim_node(sim, i).name);
    }
}

/* Kinds of events, then every node. */
static void offer_which(struct seeker *k)
{
    offer_events(k);
    offer(k, "all");
    offer_nodes(k);
}

/* What one may ask about. */
static void offer_what(struct seeker *k)
{
    offer_nodes(k);
    offer_ports(k);
    offer_flows(k);
}

/* A word of the glossary is one word here: blanks become hyphens. */
static void offer_terms(struct seeker *k)
{
    const struct lesson_glossary *glossary = k->world->glossary;
    for (size_t i = 0; glossary != NULL && i < lesson_glossary_count(glossary); i++) {
        char word[COMPLETE_WORD];
        snprintf(word, sizeof word, "%s", lesson_glossary_word(glossary, i)->name);
        for (char *c = word; *c != '\0'; c++) {
            *c = *c == ' ' ? '-' : *c;
        }
        offer(k, word);
    }
}

static const struct slot {
    const char *name;
    void (*offer)(struct seeker *k); /* NULL: whatever one types */
    const char *about;               /* NULL: it is said otherwise */
} SLOTS[] = {
    { "KNOB", offer_knobs, "the name of a switch" },
    { "VALUE", offer_values, NULL },
    { "NODE", offer_hosts, "the name of a host" },
    { "PORT", offer_ports, "the port at one end of the cable" },
    { "SRC>DST", offer_flows, "a flow: from whom to whom" },
    { "WHICH", offer_which, "a kind of event, or a node" },
    { "WHAT", offer_what, "a GPU, a switch, a port, a flow, a packet: g3>g4:12" },
    { "PLOT", offer_plots, "what to plot" },
    { "THING", offer_things, "of what" },
    { "TIME", NULL, "a quantity of time like 10us" },
    { "TERM", offer_terms, "a word of the glossary" },
    { "FILE", NULL, "a file's name" },
    { "NAME", NULL, "the lesson's name: small letters, digits and -" },
    { "SHARE", NULL, "a share like 50% or 0.01" },
    { "FACTOR", NULL, "how many times as long, like 1.5" },
    { "K", NULL, "a whole number" },
    { "N", NULL, "a whole number" },
    { "S", NULL, "a training step, from 1" },
    { "A", NULL, "how often in a row" },
};

static const struct slot *slot_of(const char *word)
{
    for (size_t i = 0; i < sizeof SLOTS / sizeof *SLOTS; i++) {
        const size_t n = strlen(SLOTS[i].name);
        if (strncmp(word, SLOTS[i].name, n) == 0 && !isupper((unsigned char)word[n])) {
            return &SLOTS[i];
        }
    }
    return NULL;
}

/* ---- a text against a form --------------------------------------------------------------------------- */

/* A word of a form without the brackets round it. */
static struct piece bare(struct piece word)
{
    if (word.len > 0 && word.s[0] == '[') {
        word.s++;
        word.len--;
    }
    while (word.len > 0 && word.s[word.len - 1] == ']') {
        word.len--;
    }
    return word;
}

/* `word` is one of "a|b", whole. */
static bool is_one_of(struct piece words, struct piece word)
{
    for (size_t at = 0; at < words.len;) {
        size_t n = 0;
        while (at + n < words.len && words.s[at + n] != '|') {
            n++;
        }
        if (n == word.len && strncmp(words.s + at, word.s, n) == 0) {
            return true;
        }
        at += n + 1;
    }
    return false;
}

static void offer_one_of(struct seeker *k, struct piece words)
{
    char word[COMPLETE_WORD];
    for (size_t at = 0; at < words.len;) {
        size_t n = 0;
        while (at + n < words.len && words.s[at + n] != '|') {
            n++;
        }
        snprintf(word, sizeof word, "%.*s", (int)n, words.s + at);
        offer(k, word);
        at += n + 1;
    }
}

static bool is_literal(struct piece word)
{
    return word.len > 0 && islower((unsigned char)word.s[0]);
}

/* What may stand at word `f` of the form. */
static void offer_here(struct seeker *k, const struct line *form, size_t f,
                       const struct slot **slot)
{
    const struct piece want = bare(form->word[f]);
    if (is_literal(want)) {
        offer_one_of(k, want);
        return;
    }
    const struct slot *is = slot_of(want.s);
    if (is != NULL && is->offer != NULL) {
        is->offer(k);
    }
    *slot = is != NULL ? is : *slot;
}

/* Word `w` of the text at word `f` of the form; true: the form reaches the word that is being typed. */
static bool follow(struct seeker *k, const struct line *form, size_t f, size_t w,
                   const struct slot **slot)
{
    if (f >= form->count || form->word[f].len == 0) {
        return false;
    }
    const struct piece raw = form->word[f], want = bare(raw);
    bool found = false;
    if (w + 1 == k->line->count) {
        offer_here(k, form, f, slot);
        found = true;
    } else if (!is_literal(want) || is_one_of(want, k->line->word[w])) {
        found = follow(k, form, f + 1, w + 1, slot);
    }
    if (raw.s[0] == '[') { /* may be left out */
        size_t behind = f;
        while (form->word[behind].s[form->word[behind].len - 1] != ']') {
            behind++;
        }
        found = follow(k, form, behind + 1, w, slot) || found;
    }
    return found;
}

/* ---- all forms --------------------------------------------------------------------------------------- */

/* What is known of the word: in a place what belongs there, of a command what it does. */
static void say_note(struct seeker *k, const struct slot *slot, const char *help)
{
    struct complete *out = k->out;
    bool shorthand = false;
    enum sim_knob knob = SIM_KNOB_COUNT;
    if (slot != NULL && strcmp(slot->name, "VALUE") == 0) {
        knob = knob_before(k, &shorthand);
    } else if (slot != NULL && strcmp(slot->name, "KNOB") == 0 && out->count > 0) {
        knob = out->count == 1 || strlen(out->word[0].text) == k->typed.len
                   ? sim_knob_find(out->word[0].text)
                   : SIM_KNOB_COUNT;
    }
    if (knob != SIM_KNOB_COUNT) {
        complete_say_knob(k->world->sim, knob, out->note, sizeof out->note);
    } else if (slot != NULL && slot->about != NULL && out->count != 1) {
        snprintf(out->note, sizeof out->note, "%s", slot->about);
    } else if (help != NULL) {
        snprintf(out->note, sizeof out->note, "%s", help);
    }
}

static void seek(struct seeker *k)
{
    struct complete *out = k->out;
    struct line form;
    const struct slot *slot = NULL;
    const char *help = NULL;
    size_t forms = 0;
    struct typed_form row;
    for (size_t i = k->world->changes ? TYPED_COUNT : 0; (row = typed_form(i)).words != NULL; i++) {
        const size_t before = out->count + out->more;
        if (split(row.words, &form) && follow(k, &form, 0, 0, &slot) &&
            (k->line->count > 1 || out->count + out->more > before)) {
            help = row.help;
            snprintf(out->form, sizeof out->form, "%s%s", row.words, forms++ > 0 ? " ..." : "");
        }
    }
    if (k->line->count == 1 && forms != 1) { /* of several commands nothing is said */
        out->form[0] = '\0';
        help = NULL;
    }
    say_note(k, slot, forms == 1 || k->line->count > 1 ? help : NULL);
}

void complete(const struct complete_world *world, const char *text, struct complete *out)
{
    struct line line;
    out->from = out->length = out->count = out->more = 0;
    out->inside = false;
    out->form[0] = out->note[0] = '\0';
    if (!split(text, &line)) {
        return;
    }
    struct seeker k = { .world = world, .line = &line, .out = out };
    k.typed = line.word[line.count - 1];
    out->from = (size_t)(k.typed.s - text);
    out->length = k.typed.len;
    seek(&k);
    if (out->count == 0 && k.typed.len > 0) {
        k.inside = out->inside = true;
        seek(&k);
    }
}

size_t complete_common(const struct complete *c)
{
    if (c->count == 0 || c->inside || c->more > 0) {
        return c->length;
    }
    size_t n = strlen(c->word[0].text);
    for (size_t i = 1; i < c->count; i++) {
        size_t same = 0;
        while (same < n && c->word[i].text[same] == c->word[0].text[same]) {
            same++;
        }
        n = same;
    }
    return n;
}
