#include "app/session_box.h"

#include "app/session_parts.h"

static void open_box(struct session *s, enum session_box box)
{
    playback_play(&s->playback, false); /* nobody should miss what happens behind it */
    s->wants_packet = false;
    s->box = box;
    s->box_scroll = 0;
}

void session_box_why_of(struct session *s, const struct sim *sim, struct why_about about)
{
    why_grow(&s->why, sim, about);
    s->why_of = sim;
    open_box(s, SESSION_BOX_WHY);
    s->box_selected = 0;
}

/* Of what is under the cursor; else the one that holds the others up. */
static struct why_about asked_about(const struct session *s)
{
    const struct sim *sim = session_sim(s);
    return s->cursor.on ? why_of_cursor(&s->cursor) : why_of_worst(sim);
}

void session_box_why(struct session *s)
{
    session_box_why_of(s, session_sim(s), asked_about(s));
}

void session_box_reasons(const struct session *s, struct why_tree *out)
{
    why_grow(out, session_sim(s), asked_about(s));
}

void session_why_go(struct session *s)
{
    const struct sim *sim = session_sim(s);
    if (s->box_selected >= s->why.count) {
        return;
    }
    const struct why_node *node = &s->why.node[s->box_selected];
    if (session_in_whatif(s) || s->why_of != sim) {
        session_say(s, "the cursor walks in the lesson: Esc leads back to it");
    } else if (why_point(&node->about, sim, &s->cursor)) {
        s->box = SESSION_BOX_NONE;
    } else {
        session_say(s, "there is nothing to point at");
    }
}

static size_t line_count(const struct session *s)
{
    return s->box == SESSION_BOX_WHATIF   ? s->choice_count + 1
           : s->box == SESSION_BOX_TERMS  ? s->listed.count
           : s->box == SESSION_BOX_FAULTS ? s->fault_count
           : s->box == SESSION_BOX_WHY    ? s->why.count
           : s->box == SESSION_BOX_PLOT   ? s->plot_choice_count
                                          : player_path_length(s->player);
}

static void list_choices(struct session *s)
{
    for (size_t i = 0; i < line_count(s); i++) {
        text_addf(&s->box_text, "%s%s\n", i == s->box_selected ? "> " : "  ",
                  i < s->choice_count ? s->choice[i].text : "something else: type it");
    }
}

/* Each with what will happen, below the one that is marked. */
static void list_faults(struct session *s)
{
    for (size_t i = 0; i < s->fault_count; i++) {
        const bool marked = i == s->box_selected;
        text_addf(&s->box_text, "%s%s\n", marked ? "> " : "  ", s->fault[i].text);
        if (marked) {
            text_addf(&s->box_text, "    %s\n", s->fault[i].about);
        }
    }
}

static void list_plots(struct session *s)
{
    char name[160];
    for (size_t i = 0; i < s->plot_choice_count; i++) {
        text_addf(&s->box_text, "%s%s %s\n", i == s->box_selected ? "> " : "  ",
                  plots_has(&s->plots, s->plot_choice[i]) ? "*" : " ",
                  plots_name(session_sim(s), s->plot_choice[i], name, sizeof name));
    }
}

static void list_cards(struct session *s)
{
    for (size_t i = 0; i < player_path_length(s->player); i++) {
        text_addf(&s->box_text, "%s%2zu  %s\n", i == s->box_selected ? "> " : "  ", i + 1,
                  lesson_card(s->lesson, player_path_card(s->player, i))->title);
    }
    text_add(&s->box_text, "\n");
    lesson_say_words(s->lesson, &s->box_text);
}

static void show_selected(struct session *s)
{
    enum { ABOVE = 4 }; /* lines kept in sight above the selection */
    s->box_scroll = s->box_selected > ABOVE ? s->box_selected - ABOVE : 0;
    text_clear(&s->box_text);
    if (s->box == SESSION_BOX_WHATIF) {
        list_choices(s);
    } else if (s->box == SESSION_BOX_FAULTS) {
        list_faults(s);
    } else if (s->box == SESSION_BOX_TERMS) {
        session_terms_list(s);
    } else if (s->box == SESSION_BOX_PLOT) {
        list_plots(s);
    } else {
        list_cards(s);
    }
}

void session_box_whatif(struct session *s)
{
    open_box(s, SESSION_BOX_WHATIF);
    s->box_selected = 0;
    show_selected(s);
}

void session_box_faults(struct session *s)
{
    open_box(s, SESSION_BOX_FAULTS);
    s->box_selected = 0;
    show_selected(s);
}

void session_box_plot(struct session *s)
{
    const size_t selected = s->box == SESSION_BOX_PLOT ? s->box_selected : 0;
    open_box(s, SESSION_BOX_PLOT);
    s->box_selected = selected;
    show_selected(s);
}

void session_box_contents(struct session *s)
{
    open_box(s, SESSION_BOX_CONTENTS);
    s->box_selected = player_place(s->player);
    show_selected(s);
}

void session_box_numbers(struct session *s)
{
    open_box(s, SESSION_BOX_NUMBERS);
    text_clear(&s->box_text);
    whatif_list(player_run(s->player), s->whatif.other, &s->box_text);
}

void session_box_terms(struct session *s)
{
    open_box(s, SESSION_BOX_TERMS);
    s->box_selected = 0;
    show_selected(s);
}

void session_box_notes(struct session *s)
{
    open_box(s, SESSION_BOX_NOTES);
}

void session_box_packet(struct session *s)
{
    open_box(s, SESSION_BOX_PACKET);
}

static void move_selection(struct session *s, bool down)
{
    if (s->box == SESSION_BOX_WHY) {
        s->box_selected += down && s->box_selected + 1 < s->why.count;
        s->box_selected -= !down && s->box_selected > 0;
        return;
    }
    if (down && s->box_selected + 1 >= line_count(s) && s->box == SESSION_BOX_CONTENTS) {
        s->box_scroll++; /* on to the words below */
        return;
    }
    if (down && s->box_selected + 1 < line_count(s)) {
        s->box_selected++;
    } else if (!down && s->box_selected > 0) {
        s->box_selected--;
    }
    show_selected(s);
}

bool session_box_pick(struct session *s, size_t line)
{
    const bool lists = s->box == SESSION_BOX_WHY || s->box == SESSION_BOX_FAULTS ||
                       s->box == SESSION_BOX_WHATIF || s->box == SESSION_BOX_PLOT ||
                       s->box == SESSION_BOX_CONTENTS;
    if (s->box == SESSION_BOX_FAULTS && line > s->box_selected) {
        line--; /* below the one that is chosen lies what will happen */
    }
    if (!lists || line >= line_count(s)) {
        return false;
    }
    const bool was = s->box_selected == line;
    s->box_selected = line;
    if (!was && s->box != SESSION_BOX_WHY) {
        const size_t scroll = s->box_scroll; /* it is in sight */
        show_selected(s);
        s->box_scroll = scroll;
    }
    return was;
}

void session_box_command(struct session *s, enum command command)
{
    if (command == COMMAND_HELP) {
        if (s->box == SESSION_BOX_HELP) {
            s->box = SESSION_BOX_NONE;
        } else {
            open_box(s, SESSION_BOX_HELP);
        }
    } else if (command == COMMAND_LIST_UP || command == COMMAND_LIST_DOWN ||
               command == COMMAND_WHY_UP || command == COMMAND_WHY_DOWN) {
        move_selection(s, command == COMMAND_LIST_DOWN || command == COMMAND_WHY_DOWN);
    } else if (command == COMMAND_BOX_UP) {
        s->box_scroll -= s->box_scroll > 0;
    } else if (command == COMMAND_BOX_DOWN) {
        s->box_scroll++;
    } else {
        s->box = SESSION_BOX_NONE;
    }
}
