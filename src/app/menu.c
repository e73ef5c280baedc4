#include "app/menu.h"

#include <stdio.h>
#include <string.h>

#include "app/complete.h"
#include "app/honest.h"
#include "sim/idle.h"

static const char *const PAGES[] = { [MENU_PRESETS] = "start from", [MENU_BUILD] = "build",
                                     [MENU_SWITCHES] = "switches",  [MENU_FAULTS] = "break",
                                     [MENU_KEEP] = "keep",          [MENU_TRUE] = "true size",
                                     [MENU_MODELLED] = "modelled",  [MENU_MISSING] = "not modelled",
                                     [MENU_CONSTANTS] = "constants" };

static bool is_honest(enum menu_page page)
{
    return page >= MENU_TRUE;
}

bool menu_has(const struct menu_world *world, enum menu_page page)
{
    return is_honest(page) ? world->honesty != NULL
                           : world->lab != NULL || (page != MENU_PRESETS && page != MENU_BUILD);
}

static struct menu_row *add(struct menu *menu)
{
    struct menu_row *row =
        &menu->row[menu->count < MENU_ROWS_MAX ? menu->count : MENU_ROWS_MAX - 1];
    menu->count += menu->count < MENU_ROWS_MAX;
    *row = (struct menu_row){ .knob = SIM_KNOB_COUNT };
    return row;
}

static void add_heading(struct menu *menu, const char *name)
{
    struct menu_row *row = add(menu);
    row->heading = true;
    snprintf(row->name, sizeof row->name, "%s", name);
}

/* ---- pages ------------------------------------------------------------------------------------------- */

static void add_presets(struct menu *menu, const struct menu_world *w)
{
    for (size_t i = 0; i < w->lab->presets.count; i++) {
        const struct lesson_preset *p = &w->lab->presets.item[i];
        struct menu_row *row = add(menu);
        row->index = i;
        if (p->year > 0) {
            snprintf(row->name, sizeof row->name, "%d  %.80s", p->year, p->name);
        } else {
            snprintf(row->name, sizeof row->name, "%.90s", p->name);
        }
        row->about = p->id;
    }
}

static void add_fields(struct menu *menu, const struct menu_world *w)
{
    struct lesson_draft_row rows[LAB_ROWS_MAX];
    size_t fabric = 0;
    const size_t n = lab_rows(w->lab, rows, &fabric);
    for (size_t i = 0; i < n; i++) {
        const struct lesson_field_info *info = lesson_field_info(rows[i].field);
        struct menu_row *row = add(menu);
        row->draft = rows[i];
        row->depth = rows[i].depth;
        row->dim = rows[i].value == NULL;
        row->about = rows[i].value != NULL && rows[i].value->type == LESSON_DRAFT_TABLE &&
                             rows[i].value->kind != LESSON_KIND_COUNT
                         ? lesson_kind_info(rows[i].value->kind)->help
                         : info->help;
        snprintf(row->name, sizeof row->name, "%s", info->name);
        lab_row_value(&rows[i], row->value, sizeof row->value);
        lab_row_range(&rows[i], row->range, sizeof row->range);
    }
}

static void add_knob(struct menu *menu, const struct menu_world *w, enum sim_knob knob)
{
    const struct sim_knob_info *info = sim_knob_info(knob);
    const struct lesson_card *card = lesson_card(w->lesson, w->card);
    const int64_t now = sim_knob(w->sim, knob);
    const int64_t before =
        card->scene >= 0 ? lesson_scene(w->lesson, (size_t)card->scene)->scenario.knobs.v[knob]
                         : info->def;
    struct text range = { 0 };
    char def[64], why[160];
    struct menu_row *row = add(menu);
    row->knob = knob;
    row->changed = now != before;
    row->about = info->help;
    snprintf(row->name, sizeof row->name, "%s", info->name);
    sim_knob_format(knob, now, false, row->value, sizeof row->value);
    sim_knob_say_range(&range, knob);
    if (now != info->def) {
        text_addf(&range, "; default %s", sim_knob_format(knob, info->def, false, def, sizeof def));
    }
    snprintf(row->range, sizeof row->range, "%s", text_str(&range));
    text_finish(&range);
    if (sim_knob_idle(w->sim, knob, why, sizeof why)) {
        row->dim = true;
        snprintf(row->note, sizeof row->note, "no effect: %s", why);
    }
}

static void add_knobs(struct menu *menu, const struct menu_world *w)
{
    enum sim_knob order[SIM_KNOB_COUNT];
    size_t offered = 0, set = 0;
    const char *group = NULL;
    complete_knobs(w->lesson, w->card, order, &offered, &set);
    for (size_t i = 0; i < SIM_KNOB_COUNT; i++) {
        const char *is = i < offered         ? "of this card"
                         : i < offered + set ? "set by the scene"
                                             : sim_knob_info(order[i])->group;
        if (group == NULL || strcmp(group, is) != 0) {
            add_heading(menu, group = is);
        }
        add_knob(menu, w, order[i]);
    }
}

static void add_faults(struct menu *menu)
{
    const struct sim_cmd_form *form;
    for (size_t i = 0; (form = sim_cmd_form(i)) != NULL; i++) {
        if (strncmp(form->words, "set ", 4) != 0) {
            struct menu_row *row = add(menu);
            row->index = i;
            row->about = form->help;
            snprintf(row->name, sizeof row->name, "%s", form->words);
        }
    }
}

static void add_keeps(struct menu *menu, const struct menu_world *w)
{
    static const char *const names[] = { [MENU_KEEP_RUN] = "save the run: FILE.weft",
                                         [MENU_KEEP_LESSON] = "save as a lesson: NAME.lua" };
    static const char *const about[] = {
        [MENU_KEEP_RUN] =
            "scenario, seed and all that was done: weft open FILE.weft plays it again, "
            "the same on every machine",
        [MENU_KEEP_LESSON] = "a lesson to go on from, with what was done here as its path; weft "
                             "check judges it",
    };
    for (size_t i = 0; i < MENU_KEEP_COUNT; i++) {
        if (i == MENU_KEEP_RUN || w->lab != NULL) {
            struct menu_row *row = add(menu);
            row->index = i;
            row->about = about[i];
            snprintf(row->name, sizeof row->name, "%s", names[i]);
        }
    }
}

/* ---- the honesty page ---------------------------------------------------------------------------------- */

/* A row leads to a switch, and says when that does nothing here. */
static void lead_to(struct menu_row *row, const struct menu_world *w, enum sim_knob knob)
{
    char why[160];
    row->knob = knob;
    if (knob != SIM_KNOB_COUNT && sim_knob_idle(w->sim, knob, why, sizeof why)) {
        row->dim = true;
        snprintf(row->note, sizeof row->note, "not in this scene: %s", why);
    }
}

static void add_honest(struct menu *menu, const struct menu_world *w, enum lesson_honest kind)
{
    for (size_t i = 0; i < w->honesty->count; i++) {
        const struct lesson_honesty_row *from = &w->honesty->row[i];
        if (from->kind != kind) {
            continue;
        }
        struct menu_row *row = add(menu);
        snprintf(row->name, sizeof row->name, "%s", from->name);
        snprintf(row->said, sizeof row->said, "%s%s%s", from->text,
                 from->checks[0] != '\0' ? "; checked by weft validate " : "", from->checks);
        row->about = row->said;
        lead_to(row, w, from->knob);
    }
}

static void add_facts(struct menu *menu, const struct menu_world *w)
{
    struct honest_fact facts[HONEST_FACTS_MAX];
    const size_t n = honest_facts(w->sim, w->rate, facts);
    const struct lesson_card *card = lesson_card(w->lesson, w->card);
    const char *scale =
        card->scene >= 0 ? lesson_scene(w->lesson, (size_t)card->scene)->scale : NULL;
    add_heading(menu, "of this scene");
    if (scale != NULL) {
        struct menu_row *row = add(menu);
        snprintf(row->name, sizeof row->name, "what its author says");
        snprintf(row->said, sizeof row->said, "%.390s", scale);
        row->about = row->said;
    }
    for (size_t i = 0; i < n; i++) {
        struct menu_row *row = add(menu);
        snprintf(row->name, sizeof row->name, "%s", facts[i].name);
        snprintf(row->value, sizeof row->value, "%s", facts[i].value);
        snprintf(row->said, sizeof row->said, "%s", facts[i].about);
        row->about = row->said;
        row->knob = facts[i].knob;
    }
    add_heading(menu, "of the picture");
    add_honest(menu, w, LESSON_HONEST_PICTURE);
}

static void add_constants(struct menu *menu, const struct menu_world *w)
{
    enum sim_knob order[SIM_KNOB_COUNT];
    complete_knobs(NULL, 0, order, NULL, NULL);
    const char *group = NULL;
    for (size_t i = 0; i < SIM_KNOB_COUNT; i++) {
        const struct sim_knob_info *info = sim_knob_info(order[i]);
        const char *source = lesson_honesty_source(w->honesty, order[i]);
        const int64_t now = sim_knob(w->sim, order[i]);
        char def[64];
        if (group == NULL || strcmp(group, info->group) != 0) {
            add_heading(menu, group = info->group);
        }
        struct menu_row *row = add(menu);
        row->knob = order[i];
        row->changed = now != info->def;
        sim_knob_format(order[i], info->def, false, def, sizeof def);
        sim_knob_format(order[i], now, false, row->value, sizeof row->value);
        snprintf(row->name, sizeof row->name, "%s", info->name);
        snprintf(row->range, sizeof row->range, "%s%s%s%s",
                 row->changed ? "the scene's; else " : "", row->changed ? def : "",
                 row->changed ? ": " : "", source != NULL ? source : "");
        row->about = info->help;
    }
}

void menu_go_to_knob(struct menu *menu, const struct menu_world *world, enum sim_knob knob)
{
    menu_open(menu, world, MENU_SWITCHES);
    for (size_t i = 0; i < menu->count; i++) {
        if (!menu->row[i].heading && menu->row[i].knob == knob) {
            menu->selected[MENU_SWITCHES] = i;
        }
    }
}

void menu_refresh(struct menu *menu, const struct menu_world *world)
{
    menu->count = 0;
    switch (menu->page) {
    case MENU_PRESETS:
        add_presets(menu, world);
        break;
    case MENU_BUILD:
        add_fields(menu, world);
        break;
    case MENU_SWITCHES:
        add_knobs(menu, world);
        break;
    case MENU_FAULTS:
        add_faults(menu);
        break;
    case MENU_KEEP:
        add_keeps(menu, world);
        break;
    case MENU_TRUE:
        add_facts(menu, world);
        break;
    case MENU_MODELLED:
        add_honest(menu, world, LESSON_HONEST_MODELLED);
        break;
    case MENU_MISSING:
        add_honest(menu, world, LESSON_HONEST_MISSING);
        break;
    case MENU_CONSTANTS:
        add_constants(menu, world);
        break;
    case MENU_PAGES:
        break;
    }
    menu_move(menu, 0);
}

void menu_open(struct menu *menu, const struct menu_world *world, enum menu_page page)
{
    menu->page = page;
    menu->error[0] = '\0';
    menu_refresh(menu, world);
}

void menu_turn(struct menu *menu, const struct menu_world *world, bool back)
{
    int page = (int)menu->page;
    do {
        page = (page + (back ? MENU_PAGES - 1 : 1)) % MENU_PAGES;
    } while (!menu_has(world, (enum menu_page)page) ||
             is_honest((enum menu_page)page) != is_honest(menu->page));
    menu_open(menu, world, (enum menu_page)page);
}

void menu_move(struct menu *menu, int by)
{
    size_t *at = &menu->selected[menu->page];
    if (menu->count == 0) {
        *at = 0;
        return;
    }
    long to = (long)(*at < menu->count ? *at : menu->count - 1) + by;
    const long last = (long)menu->count - 1;
    to = to < 0 ? 0 : to > last ? last : to;
    while (to >= 0 && to <= last && menu->row[to].heading) { /* no row of its own */
        to += by < 0 ? -1 : 1;
    }
    if (to >= 0 && to <= last) {
        *at = (size_t)to;
    } else if (menu->row[*at < menu->count ? *at : 0].heading) {
        *at = menu->count > 1 ? 1 : 0;
    }
    menu->error[0] = by != 0 ? '\0' : menu->error[0];
}

const struct menu_row *menu_chosen(const struct menu *menu)
{
    return menu->selected[menu->page] < menu->count ? &menu->row[menu->selected[menu->page]] : NULL;
}

/* ---- what is shown ----------------------------------------------------------------------------------- */

static const char *or_null(const char *s)
{
    return s != NULL && s[0] != '\0' ? s : NULL;
}

static const char *about_of(const struct menu *menu, const struct menu_row *row,
                            struct scene_mem *mem)
{
    if (menu->page == MENU_PRESETS) {
        return scene_mem_textf(mem, "Enter begins with it. On the command line: weft lab %s",
                               row->about);
    }
    if (menu->page == MENU_SWITCHES) {
        const enum sim_when when = sim_knob_info(row->knob)->when;
        return scene_mem_textf(mem, "%s%s", row->about,
                               when == SIM_RESTART     ? "; begins the run anew"
                               : when == SIM_NEXT_STEP ? "; from the next step on"
                                                       : "");
    }
    if (is_honest(menu->page) && row->knob != SIM_KNOB_COUNT) {
        return scene_mem_textf(mem, "%s. Enter: the switch %s", row->about,
                               sim_knob_info(row->knob)->name);
    }
    return row->about;
}

void menu_fill(const struct menu *menu, const struct menu_world *world, struct scene_mem *mem,
               struct scene *scene)
{
    struct scene_menu_row *row = scene_mem_take(mem, menu->count, sizeof *row);
    const char **page = scene_mem_take(mem, MENU_PAGES, sizeof *page);
    size_t pages = 0, at = 0;
    for (int p = 0; p < MENU_PAGES; p++) {
        if (menu_has(world, (enum menu_page)p) &&
            is_honest((enum menu_page)p) == is_honest(menu->page)) {
            at = p == (int)menu->page ? pages : at;
            page[pages++] = PAGES[p];
        }
    }
    for (size_t i = 0; i < menu->count; i++) {
        const struct menu_row *r = &menu->row[i];
        row[i] = (struct scene_menu_row){ .name = r->name,
                                          .value = or_null(r->value),
                                          .range = or_null(r->range),
                                          .note = or_null(r->note),
                                          .heading = r->heading,
                                          .changed = r->changed,
                                          .dim = r->dim,
                                          .depth = r->depth };
    }
    const struct menu_row *chosen = menu_chosen(menu);
    scene->menu =
        (struct scene_menu){ .shown = true,
                             .page = page,
                             .page_count = pages,
                             .page_at = at,
                             .row = row,
                             .row_count = menu->count,
                             .selected = menu->selected[menu->page],
                             .about = chosen != NULL ? about_of(menu, chosen, mem) : NULL,
                             .error = or_null(menu->error),
                             .foot =
                                 menu->page == MENU_BUILD ? or_null(world->lab->counts) : NULL };
}
