/*
 * Plain mode: lines that somebody types, or that were written before. A pipe or a file is read like a person's
 * answers; where it ends, the lesson goes on by itself. What cannot answer at all, like /dev/null, is not asked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/plain_parts.h"

void plain_begin_answers(struct plain *p)
{
    struct stat in;
    p->terminal = isatty(STDIN_FILENO) != 0;
    p->interactive =
        p->terminal || (fstat(STDIN_FILENO, &in) == 0 &&
                        (S_ISFIFO(in.st_mode) || S_ISSOCK(in.st_mode) || S_ISREG(in.st_mode)));
}

/* What did not fit into the line is of it, not of the next one. */
static void drop_rest(const char *line)
{
    for (int c = '\0'; strchr(line, '\n') == NULL && c != '\n' && c != EOF;) {
        c = getchar();
    }
}

bool plain_read(struct plain *p, const char *question, char *line, size_t size)
{
    line[0] = '\0';
    if (!p->interactive) {
        return false;
    }
    printf("%s%s> ", question != NULL ? question : "", question != NULL ? "\n" : "");
    fflush(stdout);
    if (fgets(line, (int)size, stdin) == NULL) {
        p->interactive = false;
        p->quit = p->terminal;
        fputs(p->terminal ? "\n" : "\nNo more answers: it goes on by itself.\n", stdout);
        return false;
    }
    drop_rest(line);
    const size_t blanks = strspn(line, " \t");
    size_t n = strcspn(line + blanks, "\r\n");
    memmove(line, line + blanks, n);
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t')) {
        n--;
    }
    line[n] = '\0';
    if (!p->terminal) {
        printf("%s\n", line); /* nobody has seen it yet */
    }
    return true;
}

bool plain_is_number(const char *line, size_t last, size_t *number)
{
    char *end;
    const long n = strtol(line, &end, 10);
    if (end == line || *end != '\0' || n < 1 || (size_t)n > last) {
        return false;
    }
    *number = (size_t)n;
    return true;
}
