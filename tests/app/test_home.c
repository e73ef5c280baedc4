/* The home screen: rows, searching, moving, going on; a course that does not fit on it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/home.h"
#include "app/picture.h"
#include "app/progress.h"
#include "app/search.h"
#include "base/text.h"
#include "cmocka_rows.h"
#include "lesson/lesson.h"

enum { LESSONS = 20 };

static char folder[] = "/tmp/weft-home-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Twenty lessons, two a year. The seventh is where one starts; the fifth explains PFC. */
static void write_course(const char *index_tail)
{
    struct text index = { 0 };
    text_add(&index, "return {\n");
    for (int i = 1; i <= LESSONS; i++) {
        struct text lesson = { 0 };
        char name[40];
        text_addf(
            &lesson,
            "local weft = require \"weft\"\n"
            "return weft.lesson { api = 1, id = \"l%02d\", title = \"%s %d\", year = %d, "
            "minutes = 5,%s scenes = { s = weft.scenario { fabric = weft.star { hosts = 3, "
            "rate = \"100Gbps\", delay = \"500ns\" }, workload = weft.training { collective = "
            "weft.ring_allreduce { bytes = \"64KiB\" }, compute = \"10us\", steps = 2 } } }, "
            "weft.scene \"s\", weft.say [[ **One.** ]], weft.play { to = \"barrier\" }, weft.say "
            "[[ **Two.** "
            "]] }\n",
            i, i % 2 == 0 ? "even" : "odd", i, 2010 + i / 2, i == 5 ? " terms = { \"PFC\" }," : "");
        snprintf(name, sizeof name, "l%02d.lua", i);
        write_file(name, text_str(&lesson));
        text_finish(&lesson);
        text_addf(&index, "  \"l%02d\",\n", i);
    }
    text_addf(&index, "%s}\n", index_tail);
    write_file("index.lua", text_str(&index));
    text_finish(&index);
}

static const char *const own[] = { folder };
static const struct lesson_places places = {
    .data_dir = SOURCE_ROOT, .own = own, .own_count = 1, .alone = true
};
static const struct app_options options = { .data_dir = SOURCE_ROOT, .places = &places, .seed = 1 };

#define TAIL                                                                                       \
    "  title = \"A long course\", start = \"l07\",\n"                                              \
    "  routes = {\n"                                                                               \
    "    { name = \"10\", title = \"ten minutes\", { \"l02\", from = 1, to = 2 }, { \"gone\" } "   \
    "},\n"                                                                                         \
    "    { name = \"all\", title = \"all there is\", { \"l01\" }, { \"l20\", from = 2 } },\n"      \
    "    { name = \"none\", title = \"not written yet\", { \"gone\" } },\n"                        \
    "  },\n"

static void open_home(struct home *home, const struct progress *progress)
{
    struct err err = { 0 };
    if (!home_init(home, &options, &err)) {
        fail_msg("%s", err.msg);
    }
    home_refresh(home, progress);
}

static void type(struct home *home, const char *text)
{
    home_search(home);
    for (; *text != '\0'; text++) {
        home_search_key(home, (uint32_t)*text, NULL);
    }
}

/* ---- searching -------------------------------------------------------------------------------- */

static struct search_case {
    const char *name, *typed;
    size_t rows;
    const char *first; /* id of the first lesson; NULL: no lesson */
} search_cases[] = {
    { "nothing typed: all, in their order, without the line to go on", "", LESSONS + 2 + 2, "l07" },
    { "a title, small and capital letters alike", "EVEN", 10, "l02" },
    { "an id", "l13", 1, "l13" },
    { "a year", "2016", 2, "l12" },
    { "a term", "pfc", 1, "l05" },
    { "several words, each somewhere", "odd 2012", 1, "l05" },
    { "a route", "minutes", 1, NULL },
    { "nothing matches", "zebra", 0, NULL },
};

static void searching(void **state)
{
    const struct search_case *c = *state;
    struct home home;
    open_home(&home, NULL);
    type(&home, c->typed);
    assert_int_equal(home.row_count, c->rows);
    const struct lesson_info *info = home_lesson(&home);
    if (c->first == NULL) {
        assert_null(info);
    } else {
        assert_string_equal(info->id, c->first);
    }
    home_search_end(&home, NULL);
    assert_int_equal(home.row_count, LESSONS + 2 + 2);
    home_finish(&home);
}

static void says_which_term(void **state)
{
    (void)state;
    struct home home;
    char term[80];
    open_home(&home, NULL);
    type(&home, "pf");
    search_term(home.search.text, home_lesson(&home), term, sizeof term);
    assert_string_equal(term, "PFC");
    type(&home, "l05");
    search_term(home.search.text, home_lesson(&home), term, sizeof term);
    assert_string_equal(term, "");
    home_finish(&home);
}

/* ---- moving, going on ------------------------------------------------------------------------- */

static void moves(void **state)
{
    (void)state;
    struct home home;
    open_home(&home, NULL);
    assert_int_equal(home_selected(&home)->kind, HOME_LEAD);
    home_move(&home, -1);
    assert_int_equal(home.selected, 0);
    home_move(&home, 10);
    assert_string_equal(home_lesson(&home)->id, "l10");
    home_move(&home, 1000000);
    assert_int_equal(home_selected(&home)->kind, HOME_ROUTE);
    assert_null(home_lesson(&home));
    home_move(&home, -1000000);
    assert_int_equal(home.selected, 0);
    type(&home, "zebra");
    home_move(&home, 1);
    home_move(&home, -1);
    assert_null(home_selected(&home));
    home_finish(&home);
}

static void go(struct progress *progress, const char *id, size_t card, bool ended)
{
    const struct progress_place place = { .card = card, .cards = 2, .at = card };
    progress_at(progress, id, place, ended);
}

static void goes_on(void **state)
{
    (void)state;
    struct home home;
    struct progress *progress = progress_open(NULL);
    open_home(&home, progress);
    assert_string_equal(home_lesson(&home)->id, "l07"); /* the start */
    go(progress, "l07", 2, true);
    home_refresh(&home, progress);
    assert_string_equal(home_lesson(&home)->id, "l01"); /* the first that is not done */
    go(progress, "l01", 2, true);
    go(progress, "l12", 2, false);
    home_refresh(&home, progress);
    assert_string_equal(home_lesson(&home)->id, "l12"); /* begun */
    assert_int_equal(home_done(&home, progress), 2);
    home_move(&home, 3);
    assert_string_equal(home_lesson(&home)->id, "l03");
    for (int i = 1; i <= LESSONS; i++) {
        char id[8];
        snprintf(id, sizeof id, "l%02d", i);
        go(progress, id, 2, true);
    }
    home_refresh(&home, progress); /* all done: no line to go on, what was selected stays so */
    assert_int_equal(home.row[0].kind, HOME_LESSON);
    assert_string_equal(home_lesson(&home)->id, "l03");
    home_finish(&home);
    progress_close(progress);
}

/* The index has the order in which lessons are taught, the screen that of their years. */
static void by_years(void **state)
{
    (void)state;
    struct home home;
    write_file("index.lua",
               "return { \"l07\", \"l20\", \"l01\", \"l03\", \"l02\", start = \"l20\" }\n");
    open_home(&home, NULL);
    static const char *const want[] = { "l20", "l01", "l03", "l02", "l07", "l20" };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_string_equal(home_lesson(&home)->id, want[i]);
        home_move(&home, 1);
    }
    home_finish(&home);
    write_course(TAIL);
}

/* ---- the index -------------------------------------------------------------------------------- */

static void routes_pass_over_what_is_not_there(void **state)
{
    (void)state;
    struct lesson_list list;
    struct text errors = { 0 };
    assert_true(lesson_list(&places, &list, &errors, NULL));
    assert_string_equal(text_str(&errors), "");
    assert_string_equal(list.title, "A long course");
    assert_int_equal(list.route_count, 2);
    assert_int_equal(list.routes[0].stop_count, 1);
    assert_int_equal(list.routes[1].stops[0].from, 1);
    assert_int_equal(list.routes[1].stops[0].to, 2);
    assert_int_equal(list.routes[1].stops[1].from, 2);
    lesson_list_finish(&list);
    text_finish(&errors);
}

static struct index_case {
    const char *name, *tail, *says; /* lines count from `return {` */
} index_cases[] = {
    { "an unknown field has its line", "  titel = \"x\",\n",
      "index.lua:22: an index has no field `titel`; did you mean `title`?" },
    { "a start that is not listed", "  start = \"l99\",\n", "index.lua:22: start: \"l99\" is not" },
    { "a title of two lines", "  title = \"a\\nb\",\n",
      "index.lua:22: index.title wants one line" },
    { "a route without a name", "  routes = {\n    { title = \"x\", { \"l01\" } },\n  },\n",
      "index.lua:23: a route has a name, a title and" },
    { "a route's unknown field",
      "  routes = {\n    { name = \"a\", title = \"x\", stop = 1, { \"l01\" } },\n  },\n",
      "index.lua:23: a route has no field `stop`" },
    { "two routes of one name",
      "  routes = {\n    { name = \"a\", title = \"x\", { \"l01\" } },\n"
      "    { name = \"a\", title = \"y\", { \"l01\" } },\n  },\n",
      "index.lua:24: there are two routes called \"a\"" },
    { "a stop that goes back",
      "  routes = {\n    { name = \"a\", title = \"x\", { \"l01\", from = 2, to = 1 } },\n  },\n",
      "index.lua:23: a stop goes on, not back" },
    { "a card that is no number",
      "  routes = {\n    { name = \"a\", title = \"x\", { \"l01\", from = \"2\" } },\n  },\n",
      "index.lua:23: from and to of a stop are numbers" },
    { "a stop without a lesson",
      "  routes = {\n    { name = \"a\", title = \"x\", { from = 2 } },\n  },\n",
      "index.lua:23: a stop begins with the id of one lesson" },
    { "a card that the lesson does not have",
      "  routes = {\n    { name = \"a\", title = \"x\", { \"l01\", from = 3 } },\n  },\n",
      "index.lua:23: route \"a\": there is no card 3 in l01, it has 2" },
};

static void index_is_checked(void **state)
{
    const struct index_case *c = *state;
    struct lesson_list list;
    struct text errors = { 0 };
    struct err err = { 0 };
    write_course(c->tail);
    if (!lesson_list(&places, &list, &errors, &err)) {
        text_addf(&errors, "%s: %s", err.where, err.msg);
    }
    if (strstr(text_str(&errors), c->says) == NULL) {
        fail_msg("%s", text_str(&errors));
    }
    lesson_list_finish(&list);
    text_finish(&errors);
    write_course(TAIL);
}

/* ---- the screen ------------------------------------------------------------------------------- */

static bool sees(const struct picture *picture, const char *text)
{
    struct text dump = { 0 };
    canvas_dump(&picture->canvas, &dump);
    const bool found = strstr(text_str(&dump), text) != NULL;
    text_finish(&dump);
    return found;
}

static struct size_case {
    const char *name;
    int cols, rows;
    bool ascii;
} size_cases[] = {
    { "80x24", 80, 24, false },   { "80x24 in ASCII", 80, 24, true }, { "40x12", 40, 12, false },
    { "120x40", 120, 40, false }, { "200x60", 200, 60, false },       { "30x8", 30, 8, false },
};

/* Whatever is selected is in sight, at any size. */
static void selected_is_in_sight(void **state)
{
    const struct size_case *c = *state;
    struct home home;
    struct picture picture;
    open_home(&home, NULL);
    picture_init(&picture, c->ascii, 20);
    for (size_t i = 0; i < home.row_count; i++) {
        picture_home(&picture, &home, NULL, c->rows, c->cols);
        const struct lesson_info *info = home_lesson(&home);
        const char *title =
            info != NULL ? info->title : home.list.routes[home_selected(&home)->which].title;
        if (!sees(&picture, title)) {
            fail_msg("row %zu, \"%s\", is not in sight", i, title);
        }
        home_move(&home, 1);
    }
    picture_finish(&picture);
    home_finish(&home);
}

static int remove_course(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    static struct CMUnitTest tests[64];
    size_t n = 0;
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    write_course(TAIL);
    ROWS(tests, n, search_cases, searching);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(says_which_term);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(moves);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(goes_on);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(by_years);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(routes_pass_over_what_is_not_there);
    ROWS(tests, n, index_cases, index_is_checked);
    ROWS(tests, n, size_cases, selected_is_in_sight);
    return _cmocka_run_group_tests("app/home", tests, n, NULL, remove_course);
}
