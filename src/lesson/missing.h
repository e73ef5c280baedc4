/*
 * Names of Lua's libraries that a lesson cannot reach, and why: what an author may look for in vain.
 */
#ifndef WEFT_LESSON_MISSING_H
#define WEFT_LESSON_MISSING_H

/* Why the name that `message` misses, "attempt to index a nil value (global 'os')", is not there; NULL: it
 * is about something else. Allocates nothing. */
const char *lesson_missing_why(const char *message);

#endif
