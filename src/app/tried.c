#include "app/tried.h"

/* How long one watches when the length is known; what one frame may make up for. */
enum { FILM_MS = 2000, FRAME_MOST_MS = 100 };
/* Ever faster: so much more in a second, in per cent. */
enum { GROWS_PER_CENT = 80 };

void tried_begin(struct tried *t, const struct run *run, sim_ps length, const struct playback *like,
                 int64_t now_ms)
{
    tried_finish(t);
    *t = (struct tried){ .on = true, .last_ms = now_ms };
    playback_init(&t->eye);
    playback_mirror(&t->eye, like);
    playback_attach(&t->eye, run);
    history_init(&t->history);
    history_attach(&t->history, run_sim(run));
    t->grows = length == 0;
    t->rate = t->grows ? t->eye.tick[PLAYBACK_STEP] : length / FILM_MS * 1000;
    playback_lend_rate(&t->eye, run_sim(run), t->rate);
    playback_play(&t->eye, true);
}

void tried_finish(struct tried *t)
{
    playback_finish(&t->eye);
    history_finish(&t->history);
    plots_finish(&t->plots);
    *t = (struct tried){ 0 };
}

sim_ps tried_due(struct tried *t, const struct run *run, int64_t now_ms)
{
    int64_t dt = now_ms - t->last_ms;
    t->last_ms = now_ms;
    dt = dt < 0 ? 0 : dt > FRAME_MOST_MS ? FRAME_MOST_MS : dt;
    const sim_ps now = run_now(run), next = run_next_moment(run);
    t->due = (t->due > now ? now : t->due) + t->rate / 1000 * dt; /* what was too much is let go */
    if (next > t->due && next != SIM_NEVER) {
        t->due = next; /* nothing moves until then */
    }
    if (t->grows && t->rate < UNIT_S) {
        t->rate += t->rate / 100 * GROWS_PER_CENT / 1000 * dt;
        playback_lend_rate(&t->eye, run_sim(run), t->rate);
    }
    playback_fade(&t->eye, run_sim(run), (int)dt);
    return t->at_once ? SIM_NEVER : t->due;
}

void tried_look(struct tried *t, const struct run *run)
{
    playback_look(&t->eye, run);
    history_sample(&t->history, run_sim(run));
}
