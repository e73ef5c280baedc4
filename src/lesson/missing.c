#include "lesson/missing.h"

#include <stddef.h>
#include <string.h>

/* What authors may look for in vain. */
static const struct missing_name {
    const char *name, *why;
} missing_names[] = {
#define OUTSIDE "a lesson reaches nothing outside of itself"
#define LUCK    "math.random gives everybody the same numbers"
#define TEXT    "a lesson loads its modules by require, as text"
#define SHOW    "a claim shows what it returns behind its verdict; {...} in prose is measured"
    { "global 'io'", OUTSIDE },
    { "global 'os'", OUTSIDE },
    { "global 'debug'", OUTSIDE },
    { "global 'collectgarbage'", OUTSIDE },
    { "global 'package'", TEXT },
    { "global 'load'", TEXT },
    { "global 'loadfile'", TEXT },
    { "global 'dofile'", TEXT },
    { "global 'print'", SHOW },
    { "field 'randomseed'", LUCK },
    { "global 'coroutine'", "a lesson has functions only" },
    { "global 'xpcall'", "use pcall" },
#undef OUTSIDE
#undef LUCK
#undef TEXT
#undef SHOW
};

const char *lesson_missing_why(const char *message)
{
    const char *name = strstr(message, "a nil value (");
    for (size_t i = 0; name != NULL && i < sizeof missing_names / sizeof missing_names[0]; i++) {
        const size_t n = strlen(missing_names[i].name);
        if (strncmp(name + 13, missing_names[i].name, n) == 0 && name[13 + n] == ')') {
            return missing_names[i].why;
        }
    }
    return NULL;
}
