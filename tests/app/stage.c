#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "stage: %s\n", what);
        abort();
    }
}

void stage_begin(struct stage *s, size_t card)
{
    stage_begin_lesson(s, SOURCE_ROOT "/tests/e2e/try-it.lua", card);
}

void stage_begin_lesson(struct stage *s, const char *path, size_t card)
{
    struct err err = { 0 };
    struct app_options options = { .data_dir = SOURCE_ROOT, .seed = 1, .card = card };
    *s = (struct stage){ .ms = 1000 };
    s->session = session_create(&options, path, s->ms, &err);
    must(s->session != NULL, err.msg);
    picture_init(&s->picture, false, 1000 / FRAME_MS);
}

void stage_end(struct stage *s)
{
    picture_finish(&s->picture);
    session_destroy(s->session);
}

void stage_frame(struct stage *s)
{
    s->ms += FRAME_MS;
    session_tick(s->session, s->ms);
    picture_session(&s->picture, s->session, s->rows > 0 ? s->rows : 24,
                    s->cols > 0 ? s->cols : 80);
}

void stage_key(struct stage *s, uint32_t k)
{
    enum command command = command_of_key(k, session_contexts(s->session));
    if (command == COMMAND_NONE) {
        session_no_command(s->session, k, s->ms);
    } else {
        session_command(s->session, command, k, s->ms);
    }
}

void stage_type(struct stage *s, const char *keys)
{
    for (; *keys != '\0'; keys++) {
        stage_key(s, *keys == '\n' ? TERM_KEY_ENTER : (uint32_t)*keys);
    }
}

void stage_settle(struct stage *s)
{
    for (int i = 0; i < 5000 && session_moving(s->session); i++) {
        stage_frame(s);
    }
    must(!session_moving(s->session), "it does not come to rest");
}

bool stage_sees(const struct stage *s, const char *text)
{
    struct text frame = { 0 };
    canvas_dump(&s->picture.canvas, &frame);
    const bool found = strstr(text_str(&frame), text) != NULL;
    text_finish(&frame);
    return found;
}
