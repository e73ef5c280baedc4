/* What --help prints: the rows of options.h, and for some commands what no row can say. */
#include <string.h>

#include "cli/export.h"
#include "cli/options.h"

/* ---- behind the flags ------------------------------------------------------------------------ */

#define TARGET_WORDS                                                                               \
    "\nTARGET is a lesson (id, number or file), a Lua file that returns a scenario, a\n"           \
    "saved run (FILE.weft) or a token (weft1:...). A lesson is played along its\n"                 \
    "declared path to the last card of one scene: that of --scene, else the one\n"                 \
    "called main, else the first; what the path leaves undone then runs on. Nobody\n"              \
    "answers, tries a task or looks at a what-if: none of these changes the run.\n"                \
    "--bare runs only the scene's scenario.\n"

static const char run_words[] = TARGET_WORDS
    "\nA saved run holds all that it needs: fabric, work, switches, seed, journal.\n"
    "weft says so when it comes out differently from when it was saved. A token is\n"
    "one word for a chat that does the same for the lessons of the course.\n"
    "\nExit status: 0 done or at the time limit, 1 bad input or output, or a saved run\n"
    "that comes out differently, 2 wrong usage, 3 the simulation stalled.\n";

static const char compare_words[] = TARGET_WORDS
    "\n--set is for both runs, --vs for the right one only:\n"
    "  weft compare one-lost-packet --set transport=selective --vs pfc=off\n"
    "\nEXPR compares a number of the runs with another one:\n"
    "  time > 1.1                   the right run takes over 1.1 times as long\n"
    "  dropped > 0 or timeouts > 0  the right run loses something\n"
    "  difference time > 10us and not left gpu_busy < 80%\n"
    "Numbers are called as in the JSON report (packets.dropped), or by their last\n"
    "word where that is enough; time is end_ns. In front: left, right, ratio (right\n"
    "by left) or difference (right less left). Without one of these, a number without\n"
    "its unit is a ratio for what has a unit, else the value on the right.\n"
    "\nExit status: 0 compared, 1 an EXPR holds or bad input, 2 wrong usage.\n";

static const char sweep_words[] = TARGET_WORDS
    "\nEach --set takes several values; whole numbers also as FIRST..LAST. The grid has\n"
    "all their combinations, the first --set changes slowest:\n"
    "  weft sweep one-lost-packet --set xoff=20KB,50KB --set seed=1..20 --out t.csv\n"
    "\nA grid too large for one machine goes in slices, with whatever spreads jobs:\n"
    "  #SBATCH --array=1-100\n"
    "  weft sweep big.lua --set seed=1..5000 --shard $SLURM_ARRAY_TASK_ID/100 \\\n"
    "      --out part-$SLURM_ARRAY_TASK_ID.csv\n"
    "or:\n"
    "  parallel weft sweep big.lua --set seed=1..5000 --shard {}/100 --jobs 1 \\\n"
    "      --out part-{}.csv ::: $(seq 100)\n"
    "and then, in any order, to the very bytes of the whole:\n"
    "  weft sweep --merge part-*.csv --out t.csv\n"
    "\nExit status: 0 all were run (also those that stalled), 1 some could not be run\n"
    "or bad input or output, 2 wrong usage.\n";

static const char list_words[] =
    "\nThe course comes first, then what the index.lua of these folders lists:\n"
    "  $XDG_DATA_HOME/weft/lessons (~/.local/share/weft/lessons)\n"
    "  weft/lessons in each folder of $XDG_DATA_DIRS (/usr/local/share:/usr/share)\n"
    "A lesson there hides one of the course with the same id, and is found by its id\n"
    "without an index, too. `weft FOLDER/` opens a folder of lessons, and\n"
    "`weft check FOLDER/` checks all that its index lists.\n";

static const char check_words[] =
    "\nFILE is a lesson (id, number or file), or a folder with an index.lua (./mine/).\n"
    "Every card is played, every answer given, every task and switch tried, and each\n"
    "card looked at as it is on a screen of 80x24 and of 40x12. A line each:\n"
    "  FILE:LINE: ok:      a claim that is true, a task that can be done\n"
    "  FILE:LINE: not ok:  one that is not, or that could not be judged\n"
    "  FILE:LINE: lint:    true, and yet no good lesson\n"
    "`weft api` ends with all the rules; with --format json each finding names its\n"
    "own.\n"
    "\nExit status: 0 all is ok, 1 something is not, 2 wrong usage.\n";

static const char bench_words[] =
    "\nNAME is a benchmark of the model; `screen`: CPU time and bytes a frame, beside\n"
    "htop; a lesson of the course, or a lesson's file with a / in its name\n"
    "(./mine.lua): what loading it costs. Figures for people: nothing here is a\n"
    "verdict.\n";

static const char new_words[] =
    "\nNAME has small letters, digits and -. --out may be a folder, too, and - prints\n"
    "the lesson. lessons/README.md goes on from there.\n";

static const char export_words[] = TARGET_WORDS "\nFORMAT is one of\n"
#define X(name, ending, binary, write, takes, less, help) "  " name ": " help "\n"
    CLI_EXPORTS(X)
#undef X
        "\nWithout --to, how the name of --out ends decides. --out - is stdout:\n"
        "  weft export one-lost-packet --to json --out - | jq '.records[].kind'\n"
        "  weft export one-lost-packet --plot 'held leaf1:1' --out held.csv\n"
        "  weft export one-lost-packet --card 4 --theme light --out slide.svg\n"
        "  weft export one-lost-packet --card 5 --animate --out film.svg\n"
        "  weft export one-lost-packet --bare --vs xoff=5KB --at 1ms --out sides.svg\n"
        "  weft export one-lost-packet --to pcapng --at g3 --out - |\n"
        "      tshark -t e -N n -r - -Y 'frame.comment contains \"dropped\"'\n"
        "A pcapng has an interface for each end of a cable; its epoch (-t e) is the\n"
        "start of the run. Comments say which packets were dropped, sent again or marked,\n"
        "and where a card begins. A packet is there once for each cable it crosses: with\n"
        "--at g3 it is once, and TCP analysis does not see it twice. Wireshark calls\n"
        "RoCEv2 frames malformed that --snaplen has cut.\n"
        "Without --card and --at an svg shows where the first card stands still.\n"
        "A full disk, --limit or Ctrl-C leave a file that is whole, only shorter.\n"
        "\nExit status: 0 all is written, or as much as --limit allows, 1 bad input or\n"
        "output, 2 wrong usage.\n";

static const char manual_words[] =
    "\nPAGE is weft or weft-lesson, the manuals, or bash, zsh or fish, completions:\n"
    "  weft manual weft-lesson | man -l -\n"
    "  weft manual bash >~/.local/share/bash-completion/completions/weft\n"
    "An installed weft has all of them in place.\n";

const char *cli_command_words(enum cli_command command)
{
    static const char *const words[CLI_COMMAND_COUNT] = {
        [CLI_RUN] = run_words,       [CLI_COMPARE] = compare_words, [CLI_SWEEP] = sweep_words,
        [CLI_LIST] = list_words,     [CLI_NEW] = new_words,         [CLI_MANUAL] = manual_words,
        [CLI_EXPORT] = export_words, [CLI_CHECK] = check_words,     [CLI_BENCH] = bench_words,
    };
    return words[command] != NULL ? words[command] : "";
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void add_flags(struct text *out, unsigned on, bool everywhere)
{
    for (int f = 0; f < CLI_FLAG_COUNT; f++) {
        const struct cli_flag_info *flag = cli_flag_info((enum cli_flag)f);
        if ((flag->on & on) == 0 || (flag->on == CLI_ON_ALL) != everywhere) {
            continue;
        }
        struct text left = { 0 };
        if (flag->letter != 0) {
            text_addf(&left, "-%c, ", flag->letter);
        }
        text_addf(&left, "--%s%s%s", flag->name, flag->value != NULL ? " " : "",
                  flag->value != NULL ? flag->value : "");
        text_addf(out, "  %-18s %s\n", text_str(&left), flag->help);
        text_finish(&left);
    }
}

void cli_help(struct text *out)
{
    text_add(out, "weft shows, packet by packet, why training networks look the way they do.\n\n"
                  "usage:\n");
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        const struct cli_command_info *command = cli_command_info((enum cli_command)c);
        struct text left = { 0 };
        text_addf(&left, "weft%s%s%s%s", command->name[0] != '\0' ? " " : "", command->name,
                  command->operands[0] != '\0' ? " " : "", command->operands);
        text_addf(out, "  %-22s %s\n", text_str(&left), command->help);
        text_finish(&left);
    }
    text_add(out, "\n");
    add_flags(out, CLI_ON(OPEN), false);
    text_add(out, "\nEvery command takes:\n");
    add_flags(out, CLI_ON_ALL, true);
    text_add(out, "\n`weft COMMAND --help` shows the flags of a command. To begin, type weft.\n");
}

void cli_command_help(struct text *out, enum cli_command command)
{
    const struct cli_command_info *c = cli_command_info(command);
    if (command == CLI_OPEN) {
        cli_help(out);
        return;
    }
    text_addf(out, "usage: weft %s%s%s [FLAG]...\n\n%s\n\n", c->name,
              c->operands[0] != '\0' ? " " : "", c->operands, c->help);
    add_flags(out, 1u << command, false);
    text_add(out, "\nEvery command takes:\n");
    add_flags(out, CLI_ON_ALL, true);
    text_add(out, cli_command_words(command));
}
