/* The program. */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */

#include <locale.h>
#include <signal.h>

#include "cli/cli.h"

int main(int argc, char **argv)
{
    /* Only how characters are encoded: numbers are written the same way everywhere. */
    (void)setlocale(LC_CTYPE, "");
    /* A limit on the size of files is an error of writing, which is said, and no sudden end. */
    (void)signal(SIGXFSZ, SIG_IGN);
    return cli_main(argc, argv);
}
