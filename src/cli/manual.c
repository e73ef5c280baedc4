/* weft(1). What no table holds stands here: what it is for, examples, where files are. */
#include "cli/manual.h"

#include <string.h>

#include "app/commands.h"
#include "base/roff.h"
#include "cli/environment.h"
#include "cli/options.h"
#include "sim/knobs.h"

/* "weft run TARGET" */
static void usage_of(struct text *out, const struct cli_command_info *c)
{
    text_addf(out, "weft%s%s%s%s", c->name[0] != '\0' ? " " : "", c->name,
              c->operands[0] != '\0' ? " " : "", c->operands);
}

static void synopsis(struct text *out)
{
    roff_section(out, "Synopsis");
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        const struct cli_command_info *info = cli_command_info((enum cli_command)c);
        text_addf(out, "%s.B weft%s%s\n", c > 0 ? ".br\n" : "", info->name[0] != '\0' ? " " : "",
                  info->name);
        if (info->operands[0] != '\0') {
            text_add(out, ".I ");
            roff_words(out, info->operands);
            text_add(out, "\\&\n"); /* "..." ends no sentence */
        }
        text_add(out, ".RI [ FLAG ]...\n");
    }
}

static void flags(struct text *out, enum cli_command command, bool everywhere)
{
    for (int f = 0; f < CLI_FLAG_COUNT; f++) {
        const struct cli_flag_info *flag = cli_flag_info((enum cli_flag)f);
        if ((flag->on >> command & 1) == 0 || (flag->on == CLI_ON_ALL) != everywhere) {
            continue;
        }
        struct text term = { 0 };
        if (flag->letter != '\0') {
            text_addf(&term, "-%c, ", flag->letter);
        }
        text_addf(&term, "--%s", flag->name);
        roff_entry(out, text_str(&term), flag->value != NULL ? flag->value : "", flag->help);
        text_finish(&term);
    }
}

static void commands(struct text *out)
{
    roff_section(out, "Commands");
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        const enum cli_command command = (enum cli_command)c;
        const struct cli_command_info *info = cli_command_info(command);
        struct text title = { 0 };
        usage_of(&title, info);
        roff_subsection(out, text_str(&title));
        text_finish(&title);
        roff_paragraph(out, info->help);
        flags(out, command, false);
        roff_lines(out, cli_command_words(command));
    }
    roff_subsection(out, "Every command takes");
    flags(out, CLI_OPEN, true);
}

static void keys(struct text *out)
{
    roff_section(out, "Keys");
    roff_paragraph(
        out, "Behind the keys stands the name of the command. Commands get other keys by lines in "
             "~/.config/weft/keys: the name, then its keys, in place of those here; none takes "
             "them away, # begins a comment, no = stands between. weft keys prints them all in "
             "that form. What is wrong "
             "there is said with its line, and those commands keep their keys; Ctrl-C always "
             "leaves.");
    for (int context = 0; context < CONTEXT_COUNT; context++) {
        roff_subsection(out, command_context_title((enum command_context)context));
        for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++) {
            const struct command_info *info = command_info((enum command)c);
            if ((int)info->context == context) {
                char name[40];
                roff_entry(out, info->shown, command_name((enum command)c, name, sizeof name),
                           info->help);
            }
        }
    }
}

static void switches(struct text *out)
{
    const char *group = "";
    roff_section(out, "Switches");
    roff_paragraph(
        out, "For --set, --vs and the line behind the key \":\". pfc = on or off is short for "
             "flow_control = pfc or none. A change acts at once (live), when the next training "
             "step begins (next-step), or begins the run again (restart).");
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const struct sim_knob_info *info = sim_knob_info((enum sim_knob)k);
        char def[64];
        struct text words = { 0 };
        if (strcmp(group, info->group) != 0) {
            group = info->group;
            roff_subsection(out, group);
        }
        text_addf(&words, "%s. ", info->help);
        sim_knob_say_range(&words, (enum sim_knob)k);
        text_addf(&words, "; default %s; %s.",
                  sim_knob_format((enum sim_knob)k, info->def, false, def, sizeof def),
                  sim_when_name(info->when));
        roff_entry(out, info->name, "", text_str(&words));
        text_finish(&words);
    }
}

static void surroundings(struct text *out)
{
    roff_section(out, "Environment");
#define X(name, help) roff_entry(out, name, "", help);
    CLI_ENVIRONMENT(X)
#undef X
    roff_section(out, "Exit status");
    roff_entry(out, "0", "", "fine, also at the time limit");
    roff_entry(out, "1", "", "a check, claim or comparison failed, or input or output is bad");
    roff_entry(out, "2", "", "wrong usage");
    roff_entry(out, "3", "",
               "the simulation stalled: nothing can go on, and the report says who waits for whom");
    roff_paragraph(out, "A signal is raised again after the terminal was put back as it was.");
    roff_section(out, "Files");
    roff_entry(out, "FILE.weft", "",
               "a saved run: fabric, work, switches, seed and what was done to it, as text");
    roff_entry(out, "FILE.lua", "", "a lesson or a scenario: see weft-lesson(5)");
    roff_entry(out, "~/.local/state/weft/progress.json", "",
               "how far you have come in each lesson");
    roff_entry(out, "~/.config/weft/keys", "", "keys of your own: see Keys");
    roff_entry(out, "~/.local/share/weft/lessons", "",
               "lessons of your own; an index.lua lists them");
}

static const char examples[] =
    "Open the list of lessons, and the first of them:\n"
    "  weft\n"
    "  weft one-lost-packet\n"
    "The same lesson without a screen, as sentences:\n"
    "  weft one-lost-packet --plain\n"
    "Answered beforehand; it then goes on by itself:\n"
    "  printf '1\\nb\\n' | weft --plain one-lost-packet --card 3\n"
    "What one lost packet costs, as numbers:\n"
    "  weft run one-lost-packet --bare --do '0us drop g3>g4 last'\n"
    "Keep a run, and see it again on any machine:\n"
    "  weft run one-lost-packet --save mine.weft\n"
    "  weft open mine.weft\n"
    "Where two runs part, and all numbers that differ:\n"
    "  weft compare one-lost-packet --vs xoff=5KB\n"
    "A grid of runs on all cores:\n"
    "  weft sweep one-lost-packet --set xoff=20KB,50KB --set seed=1..20 --out t.csv\n"
    "A picture for a slide, a film, a capture, a lesson on paper:\n"
    "  weft export one-lost-packet --card 4 --theme light --out slide.svg\n"
    "  weft export one-lost-packet --card 5 --animate --out film.svg\n"
    "  weft export one-lost-packet --at g3 --out g3.pcapng\n"
    "  weft export one-lost-packet --to worksheet\n"
    "What does not look right here:\n"
    "  weft doctor\n"
    "A lesson to start from:\n"
    "  weft new my-lesson && weft check my-lesson.lua\n";

void cli_manual(struct text *out)
{
    roff_begin(out, "weft", 1, "weft " WEFT_VERSION, "User commands");
    roff_section(out, "Name");
    roff_words(out, "weft - why training networks look the way they do, packet by packet");
    text_add(out, "\n");
    synopsis(out);
    roff_section(out, "Description");
    roff_paragraph(
        out, "weft teaches how the networks under neural-network training came to be what they "
             "are. Lessons play in the terminal on a simulated fabric of GPUs, switches and "
             "cables; you move the switches yourself, destroy a packet, and watch the "
             "all-reduce stall. Every number is measured in the run before your eyes, and the "
             "same run comes out the same on every machine.");
    roff_paragraph(
        out, "Without a terminal, and with --plain, a lesson is told in sentences, with numbered "
             "choices: one types a number, how the choice begins, or an answer's letter; ? lists "
             "them all. Answers may come through a pipe or from a file, a line each; where they "
             "end, the lesson goes on by itself, and with /dev/null it does so from the start. "
             "What answered is remembered only of a terminal.");
    roff_paragraph(out, "Results go to the standard output, messages to the standard error as "
                        "file:line: text.");
    commands(out);
    keys(out);
    switches(out);
    surroundings(out);
    roff_section(out, "Examples");
    roff_lines(out, examples);
    roff_section(out, "See also");
    text_add(out, ".BR weft\\-lesson (5)\n");
}
