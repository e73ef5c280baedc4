#define _XOPEN_SOURCE 700 /* mkdtemp, setenv */

/*
 * A lesson that is saved while it is open: the ways in which editors save, what is broken and mended,
 * and that a thousand saves leave nothing behind (argument "many").
 *
 * A row is a script for the shell, in a folder with lesson.lua (which requires part.lua) and new.lua.
 */
#include "cmocka_rows.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "app/reload.h"
#include "app/session.h"
#include "app/watch.h"
#include "base/text.h"

#define REST_MS 20

static struct save {
    const char *name;
    const char *script;
    const char *title; /* of the lesson afterwards */
    const char *strip; /* part of what the strip says; NULL: there is none */
} saves[] = {
    /* clang-format off */
    { "into the file",                  "cat new.lua > lesson.lua", "New", NULL },
    { "into the file, in pieces",       "head -c 300 new.lua > lesson.lua; sleep 0.01; tail -c +301 new.lua >> lesson.lua", "New", NULL },
    { "a new file over the old one",    "cp new.lua .tmp; mv .tmp lesson.lua", "New", NULL },
    { "the old one moved aside first",  "mv lesson.lua lesson.lua~; cp new.lua lesson.lua; rm lesson.lua~", "New", NULL },
    { "a hard link as the old one",     "ln lesson.lua lesson.lua~; rm lesson.lua; cp new.lua lesson.lua; rm lesson.lua~", "New", NULL },
    { "deleted, and there again",       "rm lesson.lua; (sleep 0.2; cp new.lua lesson.lua) &", "New", NULL },
    { "twice in a moment",              "cat new.lua > lesson.lua; cat new.lua > lesson.lua", "New", NULL },
    { "a file beside it, swapped",      "touch other; cp new.lua lesson.lua; rm other", "New", NULL },
    { "the folder is another one",      "mkdir ../b; cp *.lua ../b; cp new.lua ../b/lesson.lua; mv ../a ../old; mv ../b ../a", "New", NULL },
    { "sed -i",                         "sed -i 's/part.title/\"New\"/' lesson.lua", "New", NULL },
    { "a module of its own",            "sed -i 's/Old/New/' part.lua", "New", NULL },
    { "the same text again",            "cat lesson.lua > x; cat x > lesson.lua", "Old", NULL },
    { "what does not parse",            "echo 'x = = 1' > lesson.lua", "Old", "lesson.lua:1: " },
    { "what raises",                    "echo 'error \"no\"' > lesson.lua", "Old", "lesson.lua:1: no" },
    { "an empty file",                  ": > lesson.lua", "Old", "return" },
    { "what never ends",                "echo 'while true do end' > lesson.lua", "Old", "too long" },
    { "a module that is not there",     "sed -i 's/\"part\"/\"more\"/' lesson.lua", "Old", "more.lua" },
    /* clang-format on */
};

/* Those that are told by a link: lesson.lua leads to lesson-1.lua, the folder is a link as well. */
static struct save links[] = {
    /* clang-format off */
    { "the file that a link leads to", "cat new.lua > lesson-1.lua", "New", NULL },
    { "a link to another file",        "cp new.lua lesson-2.lua; ln -s lesson-2.lua l; mv -T l lesson.lua", "New", NULL },
    { "a link to another folder",      "mkdir ../real-2; cp new.lua ../real-2/lesson.lua; cp part.lua ../real-2; ln -s real-2 ../l; mv -T ../l ../a", "New", NULL },
    /* clang-format on */
};

struct desk {
    char folder[64];
    uv_loop_t loop;
    uv_timer_t tick, end;
    struct app_options options;
    struct session *session;
    struct reload *reload;
    int news;
    uint64_t told_at; /* loop ms */
};

static void shell(const struct desk *desk, const char *script)
{
    struct text line = { 0 };
    text_addf(&line, "cd %s/a && %s", desk->folder, script);
    assert_int_equal(system(text_str(&line)), 0);
    text_finish(&line);
}

static void on_news(void *arg)
{
    struct desk *desk = arg;
    desk->news++;
    desk->told_at = uv_now(&desk->loop);
}

static void on_tick(uv_timer_t *timer)
{
    struct desk *desk = timer->data;
    session_tick(desk->session, (int64_t)uv_now(&desk->loop));
    reload_settle(desk->reload);
}

static void on_end(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

static void run_for(struct desk *desk, uint64_t ms)
{
    uv_update_time(&desk->loop);
    uv_timer_start(&desk->end, on_end, ms, 0);
    uv_run(&desk->loop, UV_RUN_DEFAULT);
}

static void until_news(struct desk *desk, int news)
{
    for (int i = 0; i < 1000 && desk->news < news; i++) {
        run_for(desk, 10);
    }
    assert_int_equal(desk->news, news);
}

static void prepare(struct desk *desk, bool with_links)
{
    struct err err = { 0 };
    struct text path = { 0 };
    *desk = (struct desk){ 0 };
    (void)snprintf(desk->folder, sizeof desk->folder, "/tmp/weft-reload-XXXXXX");
    assert_non_null(mkdtemp(desk->folder));
    text_addf(&path,
              "cd %s && mkdir real && ln -s real a && cd a && "
              "echo 'return { title = \"Old\" }' > part.lua && "
              "sed 's/^local weft.*/&\\nlocal part = require \"part\"/; "
              "s/title = \"Try it\"/title = part.title/' "
              "%s/tests/e2e/try-it.lua > lesson.lua && "
              "sed 's/part.title/\"New\"/' lesson.lua > new.lua",
              desk->folder, SOURCE_ROOT);
    assert_int_equal(system(text_str(&path)), 0);
    shell(desk, with_links ? "mv lesson.lua lesson-1.lua && ln -s lesson-1.lua lesson.lua"
                           : "rm ../a && mv ../real ../a");
    text_clear(&path);
    text_addf(&path, "%s/a/lesson.lua", desk->folder);
    uv_loop_init(&desk->loop);
    uv_timer_init(&desk->loop, &desk->tick);
    uv_timer_init(&desk->loop, &desk->end);
    desk->tick.data = desk;
    desk->options = (struct app_options){ .data_dir = SOURCE_ROOT, .seed = 1 };
    desk->session = session_create(&desk->options, text_str(&path), 0, &err);
    if (desk->session == NULL) {
        fail_msg("%s", err.msg);
    }
    text_finish(&path);
}

static void follow(struct desk *desk)
{
    desk->reload = reload_create(&desk->loop, &desk->options, REST_MS, on_news, desk);
    reload_follow(desk->reload, desk->session);
}

static void begin(struct desk *desk, bool with_links)
{
    prepare(desk, with_links);
    follow(desk);
    uv_timer_start(&desk->tick, on_tick, 10, 10);
    run_for(desk, 3 * REST_MS);
    assert_int_equal(desk->news, 0);
}

static void end(struct desk *desk)
{
    struct text line = { 0 };
    reload_destroy(desk->reload);
    uv_close((uv_handle_t *)&desk->tick, NULL);
    uv_close((uv_handle_t *)&desk->end, NULL);
    uv_run(&desk->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&desk->loop), 0);
    session_destroy(desk->session);
    text_addf(&line, "rm -rf %s", desk->folder);
    assert_int_equal(system(text_str(&line)), 0);
    text_finish(&line);
}

static void is_told_once(struct desk *desk, const struct save *save)
{
    shell(desk, save->script);
    until_news(desk, 1);
    run_for(desk, 5 * REST_MS);
    assert_int_equal(desk->news, 1);
    assert_string_equal(lesson_info(desk->session->lesson).title, save->title);
    if (save->strip == NULL) {
        assert_string_equal(desk->session->strip, "");
    } else if (strstr(desk->session->strip, save->strip) == NULL) {
        fail_msg("the strip says: %s", desk->session->strip);
    }
}

static void a_save(void **state)
{
    struct desk desk;
    const struct save *save = *state;
    begin(&desk, false);
    is_told_once(&desk, save);
    if (save->strip != NULL) { /* mended: the strip goes */
        shell(&desk, "echo 'return { title = \"Old\" }' > more.lua; cat new.lua > lesson.lua");
        until_news(&desk, 2);
        assert_string_equal(desk.session->strip, "");
        assert_string_equal(lesson_info(desk.session->lesson).title, "New");
    }
    end(&desk);
}

static void a_link(void **state)
{
    struct desk desk;
    begin(&desk, true);
    is_told_once(&desk, *state);
    end(&desk);
}

/* A module that was missing appears: the lesson need not be touched. */
static void what_was_missing_appears(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, false);
    shell(&desk, "sed -i 's/\"part\"/\"more\"/' lesson.lua");
    until_news(&desk, 1);
    assert_string_not_equal(desk.session->strip, "");
    shell(&desk, "echo 'return { title = \"More\" }' > more.lua");
    until_news(&desk, 2);
    assert_string_equal(desk.session->strip, "");
    assert_string_equal(lesson_info(desk.session->lesson).title, "More");
    end(&desk);
}

static void type(struct desk *desk, const char *keys)
{
    for (; *keys != '\0'; keys++) {
        const uint32_t key = (uint32_t)*keys;
        session_command(desk->session, command_of_key(key, session_contexts(desk->session)), key,
                        (int64_t)uv_now(&desk->loop));
        run_for(desk, 50);
    }
}

/* The card, the moment and what was done are kept. */
static void the_place_is_kept(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, false);
    type(&desk, "nxb");
    run_for(&desk, 200);
    type(&desk, desk.session->playback.playing ? " " : "");
    assert_false(desk.session->playback.playing);
    const uint64_t hash = sim_state_hash(session_sim(desk.session));
    const sim_ps now = run_now(player_run(desk.session->player));
    const size_t card = player_card(desk.session->player);
    const enum player_need need = desk.session->need;
    assert_true(now > 30 * UNIT_US);
    shell(&desk, "cat new.lua > lesson.lua");
    until_news(&desk, 1);
    assert_string_equal(lesson_info(desk.session->lesson).title, "New");
    assert_int_equal(player_card(desk.session->player), card);
    assert_int_equal(desk.session->need, need);
    assert_int_equal(run_now(player_run(desk.session->player)), now);
    assert_true(sim_state_hash(session_sim(desk.session)) == hash);
    assert_false(desk.session->playback.playing);
    end(&desk);
}

/* Something is typed, a what-if is open: the new version waits for its end. */
static void what_is_open_is_not_pulled_away(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, false);
    type(&desk, ":");
    assert_true(desk.session->prompt.on);
    shell(&desk, "cat new.lua > lesson.lua");
    until_news(&desk, 1);
    run_for(&desk, 5 * REST_MS);
    assert_string_equal(lesson_info(desk.session->lesson).title, "Old");
    session_command(desk.session, COMMAND_PROMPT_CLOSE, 0, (int64_t)uv_now(&desk.loop));
    run_for(&desk, 3 * REST_MS);
    assert_string_equal(lesson_info(desk.session->lesson).title, "New");
    end(&desk);
}

static size_t open_files(void)
{
    size_t n = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL; n++) {
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return n;
}

/* Leaving while a version is being loaded that never ends: at once. */
static void leaving_does_not_wait(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, false);
    shell(&desk, "echo 'local s = (\"x\"):rep(250000) while true do pcall(error, s .. 1) end' > "
                 "lesson.lua");
    run_for(&desk, 2 * REST_MS + 20);
    assert_int_equal(desk.news, 0);
    const clock_t before = clock(); /* of the processor: the loop must not go on to its own end */
    end(&desk);
    assert_true(clock() - before < CLOCKS_PER_SEC / 2);
}

/* The system has no watch to give, so the files are looked at. */
static void without_watches(void **state)
{
    (void)state;
    struct desk desk;
    struct rlimit limit;
    prepare(&desk, false);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const struct rlimit none = { .rlim_cur = 0, .rlim_max = limit.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    follow(&desk);
    uv_timer_start(&desk.tick, on_tick, 10, 10);
    run_for(&desk, 3 * REST_MS);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    is_told_once(&desk, &saves[0]);
    end(&desk);
}

static size_t save_count = 12;

static void many_saves(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, false);
    size_t files = 0, folders = 0;
    for (size_t i = 0; i < save_count; i++) {
        const bool broken = i % 10 == 5;
        shell(&desk, broken       ? "echo 'x = = 1' > lesson.lua"
                     : i % 2 == 0 ? "cp new.lua .tmp; mv .tmp lesson.lua"
                                  : "cat new.lua > lesson.lua");
        until_news(&desk, (int)i + 1);
        assert_int_equal(desk.session->strip[0] != '\0', broken);
        if (i == 4) {
            files = open_files();
            folders = reload_folder_count(desk.reload);
        }
    }
    assert_int_equal(open_files(), files);
    assert_int_equal(reload_folder_count(desk.reload), folders);
    end(&desk);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[COUNT_OF(saves) + COUNT_OF(links) + 8];
    size_t n = 0;
    if (argc == 2 && strcmp(argv[1], "many") == 0) {
        save_count = 1000;
        const struct CMUnitTest many[] = { cmocka_unit_test(many_saves) };
        return cmocka_run_group_tests_name("app/reload-many", many, NULL, NULL);
    }
    ROWS(tests, n, saves, a_save);
    ROWS(tests, n, links, a_link);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(what_was_missing_appears);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_place_is_kept);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(what_is_open_is_not_pulled_away);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(leaving_does_not_wait);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(without_watches);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(many_saves);
    return _cmocka_run_group_tests("app/reload", tests, n, NULL, NULL);
}
