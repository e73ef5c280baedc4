/*
 * The Lua host: one fresh, fenced-in Lua state for one lesson.
 *
 *     lesson_host_create -> lesson_host_file (the lesson) -> lesson_host_call (its functions) ...
 *
 * A lesson is foreign code. What holds, whatever it does:
 *   - memory: an allocator that refuses more than 32 MiB in all (so that collecting all
 *     garbage takes a moment only), and strings over 256 KiB;
 *   - work: a budget of instructions for each call, counted by a hook. Once it is used up the hook
 *     fires on every instruction, so that pcall() cannot swallow the error and loop on. C functions
 *     that work on large inputs debit the same budget before they run;
 *   - processor time: a second limit, for what the first cannot see. Running into it means "not
 *     checked", never a verdict;
 *   - reach: the names of sandbox.h and `require`, which finds lua-scripts/ and the lesson's own
 *     folder. Text only, no bytecode;
 *   - errors: an error object of any type becomes a sentence with the lesson's file and line. No
 *     Lua code runs while an error is handled.
 */
#ifndef WEFT_LESSON_HOST_H
#define WEFT_LESSON_HOST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "base/err.h"

#define LESSON_MEMORY_MAX ((size_t)32 << 20)
#define LESSON_STRING_MAX ((size_t)256 << 10)
#define LESSON_FILE_MAX   ((size_t)1 << 20)

/* What one protected call may cost. */
struct lesson_budget {
    int64_t instructions;
    int64_t cpu_ms;
};
extern const struct lesson_budget lesson_budget_load; /* running a lesson's file */
extern const struct lesson_budget lesson_budget_call; /* a claim, a truth, a measured value */

struct lesson_host;

/* `data_dir` holds lua-scripts/; `folder` is where `require` looks besides. */
struct lesson_host *lesson_host_create(const char *data_dir, const char *folder, struct err *err);
void lesson_host_destroy(struct lesson_host *host);
lua_State *lesson_host_lua(struct lesson_host *host);
/* Pushes the table that modules of lua-scripts/ get as their second argument: `where` and what the
 * caller adds. */
void lesson_host_push_helper(struct lesson_host *host);

/* Whatever `require` looks for in the lesson's folder from now on, found or not, is added to `files`;
 * once `cancel` is set, a call ends with ERR_STATE. Both may be NULL, and are borrowed until the next
 * call of this. */
struct lesson_files;
void lesson_host_follow(struct lesson_host *host, struct lesson_files *files,
                        const atomic_bool *cancel);

/* Runs a file and leaves its one result on the stack. */
bool lesson_host_file(struct lesson_host *host, const char *path, struct err *err);
/* The same for a text that nobody has saved, called `path` in messages. */
bool lesson_host_text(struct lesson_host *host, const char *text, const char *path,
                      struct err *err);

/* Compiles `code` as a text chunk and leaves the function on the stack. `path` and `line` say where
 * it stands, for messages. */
bool lesson_host_compile(struct lesson_host *host, const char *code, const char *path, int line,
                         struct err *err);

/* lua_pcall with a budget: function and `args` arguments are on the stack, `results` come back. On
 * failure nothing is left and `err` names the place in the lesson. */
bool lesson_host_call(struct lesson_host *host, const struct lesson_budget *budget, int args,
                      int results, struct err *err);

/* What the last call has left of its budget, for one that several calls share. */
struct lesson_budget lesson_host_left(const struct lesson_host *host);

/* ---- for C functions that Lua calls ---------------------------------------------------------- */

struct lesson_host *lesson_host_of(lua_State *L);

/* How many times this was asked before in the present call: what math.random counts by. */
uint64_t lesson_host_draw(lua_State *L);

/* Takes `work` instructions from the budget; raises when it is used up. */
void lesson_host_debit(lua_State *L, size_t work);

/* Raises the error that means "this cannot be known yet": see measure.h. */
int lesson_host_pending(lua_State *L);
/* Whether the last failed call failed for that reason. */
bool lesson_host_was_pending(const struct lesson_host *host);

/* Line and file of the innermost frame that belongs to the lesson rather than to lua-scripts/;
 * 0 when there is none (a tail call). `*path` is borrowed until the chunk is collected. */
int lesson_host_where(lua_State *L, const char **path);

#endif
