/*
 * Playback: wall time in, simulated time out.
 *
 * A packet takes nanoseconds, a timeout 16.8 ms: a factor of a million. So one plays in a *gear*
 * that names what one watches, each with a rate computed from the scenario:
 *
 *     packet    the slot of one packet lasts 0.3 s
 *     round     one ring round takes 2 s
 *     step      one training step takes 4 s; without a training, one message of every flow
 *     timeout   one ACK timeout takes 2 s
 *
 * and on top of that
 *
 *     auto-slow     the first drop, PAUSE, NAK and timeout of a card stop the run exactly there and
 *                   slow it down for a moment, so that nobody misses it; later ones only count
 *     quiet skip    when nothing but timers is left the picture stands still for a moment; then the
 *                   silence is skipped but for its very end, and `quiet` says what one would have
 *                   waited: that sentence is the lesson, so there is time to read it before the
 *                   timer fires. Long computing is skipped too, and said apart
 *     held marks    a drop, NAK, timeout or a port's first PAUSE stays drawn for at least 0.7 s, a
 *                   drop until what was lost has arrived after all
 *
 * A second run may go beside the first, on the same clock (what-if): then a silence is one of both, an
 * event of either stops them, and both stand at the same moment. A run that is stalled stands still,
 * the clock goes on.
 *
 * No clock in here: the caller says how late it is. What is late by more than a moment (a laptop
 * that slept, a slow line) is not made up for. The run is advanced in small slices and at most
 * for `budget_ms` of real time, so that keys are always answered.
 *
 *      STILL --play--> MOVING --silence--> HUSH --0.7 s--> skipping --> LINGER --3 s--> MOVING
 *        ^               |
 *        +-- pause, end, target reached, one tick done
 */
#ifndef WEFT_APP_PLAYBACK_H
#define WEFT_APP_PLAYBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/run.h"

/* In the order of enum lesson_gear behind its KEEP. */
enum playback_gear {
    PLAYBACK_PACKET,
    PLAYBACK_ROUND,
    PLAYBACK_STEP,
    PLAYBACK_TIMEOUT,
    PLAYBACK_GEAR_COUNT
};

enum { PLAYBACK_HOLD_MS = 700, PLAYBACK_HELD_MAX = 64 };

/* A record that stays drawn. Others of its kind at its port only add to `count`. */
struct playback_held {
    struct sim_record record;
    int count;
    int left_ms; /* of playing time */
};

struct playback {
    enum playback_gear gear;
    sim_ps tick[PLAYBACK_GEAR_COUNT];  /* what `,` and `.` move by */
    int64_t rate[PLAYBACK_GEAR_COUNT]; /* simulated ps a wall second */
    bool lent;                         /* one of them is that of a lesson's play */
    bool playing;
    bool auto_slow;      /* may be switched off */
    bool reduced_motion; /* one frame a tick */
    int moment_ms;       /* more than this between two frames is not made up for */

    int slow_left_ms;  /* auto-slow: still slowed for so long */
    uint32_t slowed;   /* kinds that slowed once on this card */
    bool *paused_once; /* by port: its first PAUSE was shown */
    size_t port_count;
    int hush_left_ms;   /* the picture stands still before a skip */
    bool hushed;        /* the skip itself: run as fast as possible until something moves */
    bool computing;     /* what is skipped is computing, not silence */
    sim_ps still_since; /* of slices: nothing moves since then; SIM_NEVER: something does */
    sim_ps quiet_since;
    sim_ps quiet_until; /* the moment the silence will break */
    bool was_quiet;     /* nothing has moved since the last silence: the next one is the same */
    int quiets;         /* silences skipped on this card: the first is given more time */
    int linger_left_ms; /* after a skip: time to read what it says */
    bool jumping;       /* a tick or a search is under way, at full speed */
    sim_ps jump_until;
    uint32_t jump_kinds;
    uint32_t jump_rank; /* of rounds only this rank's count; SIM_NONE: all */
    uint32_t jump_node; /* only records about this node count; SIM_NONE: all */

    struct run *beside;   /* a second run on the same clock, or NULL; borrowed */
    struct playback *eye; /* what was seen and is held of that one; borrowed */

    int64_t last_ms; /* wall time of the last advance, -1: none */
    int64_t owed_ms; /* reduced motion: time saved up for the next tick */
    sim_ps chunk;    /* slice that takes about a millisecond */
    uint64_t seen;   /* trace records looked at */

    char quiet[192];     /* the sentence, or empty */
    char skipped[128];   /* what was skipped of computing, or empty; the caller clears it */
    char slowed_by[192]; /* the event that slowed the run last, or empty; the caller clears it */
    struct playback_held held[PLAYBACK_HELD_MAX];
    size_t held_count;
};

void playback_init(struct playback *pb);
void playback_finish(struct playback *pb);

/* Another run, or another scene: rates and ticks anew. Gear and switches stay. */
void playback_attach(struct playback *pb, const struct run *run);
/* A new card: what slowed once may slow again, held marks and sentences go. */
void playback_new_card(struct playback *pb);
/* The run was moved back or started again: forget what was seen and held. */
void playback_moved(struct playback *pb, const struct run *run);

/* From now on `beside` goes along with the run of `pb`; `eye` (initialised) keeps what is seen of it.
 * NULL: alone again. Both runs stand at the same moment. */
void playback_go_beside(struct playback *pb, struct run *beside, struct playback *eye);
/* Makes `eye` look as `pb` does (gear, rate, playing), but for what it has seen and holds. */
void playback_mirror(struct playback *eye, const struct playback *pb);
/* Moves both to `to`. */
bool playback_seek(struct playback *pb, struct run *run, sim_ps to, struct err *err);

/* So much wall time has passed: marks that are held go one after the other. Only for who does not advance. */
void playback_fade(struct playback *pb, const struct sim *sim, int dt_ms);

/* Something was done to the run while it stood still: look at what that made happen. */
void playback_look(struct playback *pb, const struct run *run);

void playback_play(struct playback *pb, bool on);
/* True when it changed. */
bool playback_set_gear(struct playback *pb, enum playback_gear gear);
/* The gear plays at this rate until the next call; 0: every gear at its own. */
void playback_lend_rate(struct playback *pb, const struct sim *sim, int64_t rate);
/* On by so much; or on to the next record of `kinds` (pb->jump_rank may then be set). Ends by itself, and
 * where a record ends it the rest of its instant has happened too. */
void playback_jump(struct playback *pb, const struct run *run, sim_ps by, uint32_t kinds);

/* What one packet, ring round, step and timeout take in this fabric, and how fast each gear plays. */
void playback_gears(const struct sim *sim, sim_ps tick[PLAYBACK_GEAR_COUNT],
                    int64_t rate[PLAYBACK_GEAR_COUNT]);
/* Simulated ps a wall second, right now. */
int64_t playback_rate(const struct playback *pb);
const char *playback_gear_name(enum playback_gear gear);
/* "2 us/s": a rate for people. Returns `buf`. */
const char *playback_rate_text(int64_t rate, char *buf, size_t size);
/* "2 h 19 min": wall seconds for people. Returns `buf`. */
const char *playback_wall_text(int64_t seconds, char *buf, size_t size);
/* Packets of this slot are too fast to be drawn one by one at `fps`. */
bool playback_blurs(const struct playback *pb, sim_ps slot, int fps);

/* Something moves: frames are needed. False: nothing happens until a key comes. */
bool playback_moving(const struct playback *pb);

/* Where a card's play item ends. */
struct playback_goal {
    sim_ps until; /* SIM_NEVER: none */
    uint32_t kinds;
};

enum playback_result {
    PLAYBACK_GOES,    /* call again */
    PLAYBACK_ARRIVED, /* a tick or search is over; stands still now */
    PLAYBACK_REACHED, /* one of the goal's kinds, or its time: if that was it, stop playing */
    PLAYBACK_ENDED,   /* nothing more will happen in this run; stands still now */
};

/* Called after each slice, for those who must look often: the history of the GPUs. */
typedef void playback_slice_fn(void *arg, const struct sim *sim);

/* Moves the run to where it should be at wall time `now_ms`, or as far as `budget_ms` of work
 * reaches (0: without limit). `stopped` receives what the last slice returned. */
enum playback_result playback_advance(struct playback *pb, struct run *run,
                                      struct playback_goal goal, int64_t now_ms, int budget_ms,
                                      enum sim_stopped *stopped, playback_slice_fn *each,
                                      void *arg);

#endif
