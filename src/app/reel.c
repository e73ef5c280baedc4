#include "app/reel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app/clock.h"
#include "app/picture.h"
#include "app/session.h"
#include "app/session_parts.h"
#include "base/mem.h"
#include "base/units.h"

/* How a patient person takes it, in ms. */
enum {
    LOOK_MS = 1500, /* before reading, and at whatever has come to rest */
    WORD_MS = 200,
    READ_MS = 14000,   /* a card, at most */
    THINK_MS = 2500,   /* about a question */
    PLAY_MS = 20000,   /* what a card plays; then it is hurried */
    WHATIF_MS = 12000, /* two runs side by side */
    CARD_MS = 600000   /* a card: whoever does not get on leaves */
};

struct reel {
    struct session *session;
    struct picture picture;
    int width, height;
    int64_t period, ms, first_ms, until_ps;
    size_t only; /* place on the path, from 0; SIZE_MAX: all */
    struct text words, seen;
    size_t card;                       /* that is shown, by its place */
    int64_t card_ms;                   /* since then */
    int64_t read_ms;                   /* by then what is written has been read */
    int64_t rest_ms, play_ms, side_ms; /* since when; -1: not now */
    bool beside;                       /* what is shown is a what-if, to its end */
    bool over;
};

/* ---- words ----------------------------------------------------------------------------------- */

/* Markdown without its marks, in one line. */
static void plain_words(struct text *out, const char *markdown)
{
    bool blank = true;
    text_clear(out);
    for (const char *p = markdown; *p != '\0'; p++) {
        const bool space = isspace((unsigned char)*p) != 0;
        if (strchr("*`_#", *p) != NULL || (space && blank)) {
            continue;
        }
        text_add_n(out, space ? " " : p, 1);
        blank = space;
    }
}

static int count_words(const char *s)
{
    int words = 0;
    for (; *s != '\0'; s++) {
        words += *s == ' ';
    }
    return words + 1;
}

const char *reel_words(struct reel *reel)
{
    const struct whatif *w = &reel->session->whatif;
    bool pending;
    if (session_in_whatif(reel->session)) {
        text_clear(&reel->words);
        text_addf(&reel->words, "Two runs on one clock, the same but for one change. A: %s. B: %s.",
                  w->change[0], w->change[1]);
    } else {
        plain_words(&reel->words, session_prose(reel->session, &pending));
    }
    return text_str(&reel->words);
}

/* New words take time from now on. */
static void read_words(struct reel *reel)
{
    const char *words = reel_words(reel);
    if (strcmp(words, text_str(&reel->seen)) == 0) {
        return;
    }
    int64_t takes = LOOK_MS + (int64_t)WORD_MS * count_words(words);
    takes = takes < READ_MS ? takes : READ_MS;
    if (reel->seen.len > 0 && strncmp(words, text_str(&reel->seen), 20) == 0) {
        takes = LOOK_MS; /* only a number has changed */
    }
    reel->read_ms = reel->ms + takes > reel->read_ms ? reel->ms + takes : reel->read_ms;
    text_clear(&reel->seen);
    text_add(&reel->seen, words);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void draw(struct reel *reel)
{
    picture_session(&reel->picture, reel->session, reel->height, reel->width);
}

struct reel *reel_create(const struct app_options *app, const char *path,
                         const struct reel_options *options, struct err *err)
{
    struct app_options patient = *app;
    patient.patient = true;
    patient.fps = options->fps;
    patient.card = options->card;
    struct session *session = session_create(&patient, path, 0, err);
    if (session == NULL) {
        return NULL;
    }
    struct reel *reel = mem_alloc(1, sizeof *reel);
    reel->session = session;
    reel->width = options->width;
    reel->height = options->height;
    reel->period = 1000 / options->fps;
    reel->until_ps = options->until_ps;
    reel->only = options->card > 0 ? options->card - 1 : SIZE_MAX;
    reel->rest_ms = reel->play_ms = reel->side_ms = reel->first_ms = -1;
    picture_init(&reel->picture, options->ascii, options->fps);
    return reel;
}

void reel_destroy(struct reel *reel)
{
    if (reel == NULL) {
        return;
    }
    picture_finish(&reel->picture);
    session_destroy(reel->session);
    text_finish(&reel->words);
    text_finish(&reel->seen);
    free(reel);
}

/* ---- going on -------------------------------------------------------------------------------- */

static void key(struct reel *reel, enum command command)
{
    session_command(reel->session, command, 0, reel->ms);
    reel->rest_ms = reel->play_ms = reel->side_ms = -1;
}

/* Since when something lasts. */
static int64_t lasts(int64_t *since, bool now, int64_t ms)
{
    *since = !now ? -1 : *since < 0 ? ms : *since;
    return *since < 0 ? 0 : ms - *since;
}

static bool is_last(const struct reel *reel)
{
    const struct session *s = reel->session;
    const size_t place = player_place(s->player);
    return s->need == PLAYER_END || place == reel->only ||
           (s->need == PLAYER_CARD && place + 1 >= player_path_length(s->player));
}

/* What the person does next, if anything. */
static void act(struct reel *reel)
{
    struct session *s = reel->session;
    const int64_t ms = reel->ms;
    const bool side = session_in_whatif(s);
    const bool moving = session_moving(s);
    const int64_t rests = lasts(&reel->rest_ms, !moving, ms);
    const int64_t plays = lasts(&reel->play_ms, s->need == PLAYER_PLAY && !s->playback.jumping, ms);
    const int64_t compares = lasts(&reel->side_ms, side, ms);
    if (side && reel->beside) {
        reel->over = compares >= PLAY_MS || rests >= 2 * LOOK_MS;
        return;
    }
    if (side) {
        if (compares >= WHATIF_MS || rests >= 2 * LOOK_MS) {
            key(reel, COMMAND_DROP_WHATIF);
        }
        return;
    }
    if (plays >= PLAY_MS) {
        key(reel, COMMAND_SKIP);
        return;
    }
    if (moving || rests < LOOK_MS || ms < reel->read_ms) {
        return;
    }
    switch (s->need) {
    case PLAYER_PLAY: /* something has stopped it: on, unless the run is stalled or at its end */
        key(reel, COMMAND_PLAY);
        reel->over = !session_moving(s);
        break;
    case PLAYER_ANSWER:
    case PLAYER_FIX:
    case PLAYER_DROP:
        if (rests >= LOOK_MS + THINK_MS) {
            key(reel, COMMAND_SKIP);
        }
        break;
    case PLAYER_COMPARE: /* its session goes on by itself */
        break;
    case PLAYER_CARD:
    case PLAYER_END:
        if (is_last(reel)) {
            reel->over = true;
        } else {
            key(reel, COMMAND_NEXT);
        }
        break;
    }
}

static sim_ps now_of(const struct reel *reel)
{
    const struct session *s = reel->session;
    return clock_now(player_run(s->player), s->playback.beside);
}

static void tick(struct reel *reel)
{
    reel->ms += reel->period;
    session_tick(reel->session, reel->ms);
    read_words(reel);
    draw(reel);
    if (reel->first_ms < 0) {
        reel->first_ms = reel->ms;
    }
}

bool reel_next(struct reel *reel)
{
    if (reel->first_ms >= 0) {
        act(reel);
    }
    if (player_place(reel->session->player) != reel->card) {
        reel->card = player_place(reel->session->player);
        reel->card_ms = reel->ms;
    }
    const bool late = (reel->until_ps > 0 && now_of(reel) >= reel->until_ps) ||
                      reel->ms - reel->card_ms >= CARD_MS;
    if (reel->over || late) {
        return false;
    }
    tick(reel);
    return true;
}

bool reel_beside(struct reel *reel, const struct sim_cmd *change, struct err *err)
{
    struct session *s = reel->session;
    session_whatif_start(s, change);
    while (s->whatif_begins || s->whatif.catching_up) {
        reel->ms += reel->period;
        session_tick(s, reel->ms);
    }
    reel->beside = session_in_whatif(s);
    return reel->beside || err_set(err, ERR_RANGE, "%s", s->status);
}

static bool stands(const struct session *s)
{
    return !session_moving(s) && (s->need != PLAYER_PLAY || session_in_whatif(s));
}

void reel_rest(struct reel *reel)
{
    tick(reel);
    while (!stands(reel->session) && reel->ms < CARD_MS) {
        const int64_t plays = lasts(&reel->play_ms, reel->session->need == PLAYER_PLAY, reel->ms);
        if (plays >= PLAY_MS && !reel->session->playback.jumping) {
            key(reel, COMMAND_END);
        } else if (!session_moving(reel->session)) {
            key(reel, COMMAND_PLAY);
            if (!session_moving(reel->session)) {
                break; /* stalled, or at its end before the card's */
            }
        }
        tick(reel);
    }
}

/* On by one item of the path toward `at`. False: the path is at its end, or the run. */
static bool go_on(struct reel *reel, sim_ps at)
{
    struct session *s = reel->session;
    const sim_ps before = now_of(reel);
    const enum player_need need = s->need;
    const size_t card = player_card(s->player);
    const size_t item = player_item(s->player);
    if (reel->beside && clock_over(player_run(s->player), s->playback.beside)) {
        return false;
    } else if (s->need == PLAYER_PLAY || reel->beside) {
        session_play_to(s, at);
    } else if (s->need != PLAYER_CARD && s->need != PLAYER_END) {
        key(reel, s->need == PLAYER_COMPARE ? COMMAND_DROP_WHATIF : COMMAND_SKIP);
    } else if (is_last(reel)) {
        return false;
    } else {
        key(reel, COMMAND_NEXT);
    }
    do {
        reel->ms += reel->period;
        session_tick(s, reel->ms);
    } while (s->playback.jumping || s->goes || s->hurry);
    return now_of(reel) != before || s->need != need || player_card(s->player) != card ||
           player_item(s->player) != item;
}

bool reel_go(struct reel *reel, int scene, int64_t at, struct err *err)
{
    struct session *s = reel->session;
    char end[32];
    for (;;) {
        const bool there =
            scene < 0 || lesson_card(s->lesson, player_card(s->player))->scene == scene;
        const sim_ps now = now_of(reel);
        if (there && now >= at) {
            break;
        }
        if (!go_on(reel, there ? at : SIM_NEVER)) {
            return err_set(err, ERR_RANGE, "this plays up to %s only",
                           units_format(end, sizeof end, UNIT_TIME, now));
        }
    }
    (void)session_seek(s, at);
    s->status[0] = '\0';
    session_tick(s, reel->ms);
    draw(reel);
    return true;
}

/* ---- looking --------------------------------------------------------------------------------- */

const struct canvas *reel_canvas(const struct reel *reel)
{
    return &reel->picture.canvas;
}

int64_t reel_ms(const struct reel *reel)
{
    return reel->ms - reel->first_ms;
}

size_t reel_card(const struct reel *reel)
{
    return player_place(reel->session->player) + 1;
}

const char *reel_card_title(const struct reel *reel)
{
    return lesson_card(reel->session->lesson, player_card(reel->session->player))->title;
}

size_t reel_card_count(const struct reel *reel)
{
    return player_path_length(reel->session->player);
}

const char *reel_title(const struct reel *reel)
{
    return lesson_info(reel->session->lesson).title;
}
