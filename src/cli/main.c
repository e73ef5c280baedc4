/* The program. */
#include <locale.h>

#include "cli/cli.h"

int main(int argc, char **argv)
{
    /* Only how characters are encoded: numbers are written the same way everywhere. */
    (void)setlocale(LC_CTYPE, "");
    return cli_main(argc, argv);
}
