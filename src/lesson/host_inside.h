/*
 * Inside the host: what memory, work and errors of a Lua state (host.c) and the loading of files (host_load.c) share,
 * and nobody else sees.
 */
#ifndef WEFT_LESSON_HOST_INSIDE_H
#define WEFT_LESSON_HOST_INSIDE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "base/err.h"
#include "lesson/host.h"

/* Why a call was given up; stays set until the next call begins. */
enum gave_up { NOT_GIVEN_UP, OUT_OF_INSTRUCTIONS, OUT_OF_TIME, CANCELLED };

struct lesson_host {
    lua_State *L;
    size_t memory;  /* bytes in use */
    uint64_t draws; /* of math.random in this call */
    int64_t left;   /* instructions */
    int64_t cpu_end_ns;
    int64_t cpu_ms;
    int64_t look_ns; /* of the wall clock: when to look at the processor's */
    bool in_call;
    bool too_deep; /* memory was refused while functions called each other without end */
    enum gave_up gave_up;
    bool pending;      /* the last call raised "not known yet" */
    struct err failed; /* what the message handler saw */
    char *scripts;     /* "data_dir/lua-scripts/" */
    char *folder;      /* the lesson's, with its slash; NULL: none */
    struct lesson_files *files;
    const atomic_bool *cancel;
};

/* Is that file one of the program's own scripts? */
bool lesson_host_owns(const struct lesson_host *host, const char *path);

/* lesson_host_push_helper() onto this stack: a module may be required inside a call. */
void lesson_host_push_helper_on(lua_State *L);

/* The table of modules that were required: empty. */
void lesson_host_open_modules(lua_State *L);
/* `require`, as a lesson has it. */
int lesson_host_require(lua_State *L);
/* prelude/NAME.lua, called with the raw functions that are on top of the stack. */
void lesson_host_prelude(lua_State *L, const char *name);

#endif
