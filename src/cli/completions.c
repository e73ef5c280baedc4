/*
 * Completions. All three shells are told the same: commands and flags with their help, the words that a
 * flag takes, the names of switches behind --set, and lessons and the lab's presets, which the program is asked
 * for. What a value or an operand is follows from what the tables call it: FILE, TARGET, K=V, ...
 */
#include "cli/manual.h"

#include <string.h>

#include "cli/options.h"
#include "sim/knobs.h"

/* What can stand in a place. */
enum place {
    PLACE_NOTHING, /* a number, a name: nobody can guess it */
    PLACE_FILE,
    PLACE_FOLDER,
    PLACE_LESSON, /* or a file */
    PLACE_SWITCH, /* K=V */
    PLACE_WORDS,  /* see cli_flag_words() */
    PLACE_PAGE,   /* of `weft manual` */
    PLACE_PRESET, /* of the lab, or a file */
};

static enum place place_of(const char *called)
{
    static const struct {
        const char *called;
        enum place place;
    } places[] = {
        { "[LESSON]", PLACE_LESSON }, { "TARGET", PLACE_LESSON }, { "LESSON", PLACE_LESSON },
        { "FILE...", PLACE_LESSON },  { "FILE", PLACE_FILE },     { "FILE.weft", PLACE_FILE },
        { "[FOLDER]", PLACE_FOLDER }, { "K=V", PLACE_SWITCH },    { "FORMAT", PLACE_WORDS },
        { "WHICH", PLACE_WORDS },     { "PLOT", PLACE_WORDS },    { "[PAGE]", PLACE_PAGE },
        { "[PRESET]", PLACE_PRESET },
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (strcmp(places[i].called, called) == 0) {
            return places[i].place;
        }
    }
    return PLACE_NOTHING;
}

static bool takes(enum cli_command command, const struct cli_flag_info *flag)
{
    return (flag->on >> command & 1) != 0;
}

/* "a b c", or with another text between them. */
static void add_words(struct text *out, enum cli_flag flag, enum cli_command command,
                      const char *between)
{
    const struct cli_word *words = cli_flag_words(flag, command);
    for (size_t i = 0; words != NULL && words[i].word != NULL; i++) {
        text_addf(out, "%s%s", i > 0 ? between : "", words[i].word);
    }
}

#define X(name, print) " " name
static const char pages[] = CLI_PAGES(X); /* each behind a blank */
#undef X

static void add_switches(struct text *out, const char *behind, const char *between)
{
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        text_addf(out, "%s%s%s", k > 0 ? between : "", sim_knob_info((enum sim_knob)k)->name,
                  behind);
    }
}

/* Text between the quotes of a shell word: none of ours has one that would end it. */
static void add_quoted(struct text *out, const char *words, const char *escaped)
{
    for (const char *s = words; *s != '\0'; s++) {
        if (strchr(escaped, *s) != NULL) {
            text_add(out, *s == '\'' ? "'\\'" : "\\");
        }
        text_add_n(out, s, 1);
    }
}

/* Prints all ids of what a command lists. */
#define IDS_OF(list)                                                                               \
    "weft " list " --format json 2>/dev/null | sed -n 's/.*\"id\": \"\\([^\"]*\\)\".*/\\1/p'"
#define LESSON_IDS IDS_OF("list")
#define PRESET_IDS IDS_OF("lab --list")

/* ---- bash ------------------------------------------------------------------------------------ */

static void bash_values(struct text *out, enum cli_flag flag)
{
    const struct cli_flag_info *info = cli_flag_info(flag);
    switch (place_of(info->value)) {
    case PLACE_WORDS:
        for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
            if (takes((enum cli_command)c, info)) {
                text_addf(out, "    %s:--%s) words='", cli_command_name((enum cli_command)c),
                          info->name);
                add_words(out, flag, (enum cli_command)c, " ");
                text_add(out, "' ;;\n");
            }
        }
        break;
    case PLACE_SWITCH:
        text_addf(out, "    *:--%s) words=$switches; compopt -o nospace 2>/dev/null ;;\n",
                  info->name);
        break;
    case PLACE_FILE:
    case PLACE_FOLDER:
    case PLACE_LESSON:
    case PLACE_PRESET:
        text_addf(out, "    *:--%s) compopt -o default 2>/dev/null; return ;;\n", info->name);
        break;
    case PLACE_NOTHING:
    case PLACE_PAGE:
        text_addf(out, "    *:--%s) return ;;\n", info->name);
        break;
    }
}

/* What stands behind the = of a switch: its words, if it has any. */
static void bash_choices(struct text *out)
{
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const char *const *choice = sim_knob_choices((enum sim_knob)k);
        if (choice != NULL) {
            text_addf(out, "    *:%s=) words='", sim_knob_info((enum sim_knob)k)->name);
            for (; *choice != NULL; choice++) {
                text_addf(out, "%s%s", *choice, choice[1] != NULL ? " " : "' ;;\n");
            }
        }
    }
    text_add(out, "    *:*=) return ;;\n");
}

/* Flags, command by command. */
static void bash_flags(struct text *out)
{
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        const char *name = cli_command_name((enum cli_command)c);
        text_addf(out, "        %s) words='", name[0] != '\0' ? name : "''");
        bool first = true;
        for (int f = 0; f < CLI_FLAG_COUNT; f++) {
            const struct cli_flag_info *info = cli_flag_info((enum cli_flag)f);
            if (takes((enum cli_command)c, info)) {
                text_addf(out, "%s--%s", first ? "" : " ", info->name);
                first = false;
            }
        }
        text_add(out, "' ;;\n");
    }
}

static void bash_operands(struct text *out)
{
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        const struct cli_command_info *info = cli_command_info((enum cli_command)c);
        if (c == CLI_OPEN || place_of(info->operands) == PLACE_LESSON) {
            text_addf(out, "        %s) words=\"%s$(" LESSON_IDS ")\" ;;\n",
                      c == CLI_OPEN ? "''" : info->name, c == CLI_OPEN ? "$commands " : "");
        } else if (place_of(info->operands) == PLACE_PRESET) {
            text_addf(out, "        %s) words=\"$(" PRESET_IDS ")\" ;;\n", info->name);
        } else if (place_of(info->operands) == PLACE_PAGE) {
            text_addf(out, "        %s) words='%s' ;;\n", info->name, pages + 1);
        }
    }
}

void cli_complete_bash(struct text *out)
{
    text_add(out, "# bash completion for weft: printed by `weft manual bash`.\n\n"
                  "_weft() {\n"
                  "    local cur prev command= words= i commands switches\n"
                  "    COMPREPLY=()\n"
                  "    # a word at the cursor whole, although = parts words here\n"
                  "    cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
                  "    if [[ $cur == = ]]; then\n"
                  "        cur=\n"
                  "        [[ $prev == -* ]] || prev+='='\n"
                  "    elif [[ $prev == = ]]; then\n"
                  "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
                  "        [[ $prev == -* ]] || prev+='='\n"
                  "    fi\n"
                  "    commands='");
    for (int c = 1; c < CLI_COMMAND_COUNT; c++) {
        text_addf(out, "%s%s", c > 1 ? " " : "", cli_command_name((enum cli_command)c));
    }
    text_add(out, "'\n    switches='");
    add_switches(out, "=", " ");
    text_add(out, "'\n"
                  "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                  "        if [[ \" $commands \" == *\" ${COMP_WORDS[i]} \"* ]]; then\n"
                  "            command=${COMP_WORDS[i]}\n"
                  "            break\n"
                  "        fi\n"
                  "    done\n"
                  "    case $command:$prev in\n");
    for (int f = 0; f < CLI_FLAG_COUNT; f++) {
        if (cli_flag_info((enum cli_flag)f)->value != NULL) {
            bash_values(out, (enum cli_flag)f);
        }
    }
    bash_choices(out);
    text_add(out, "    esac\n"
                  "    if [[ -z $words && $cur == -* ]]; then\n"
                  "        case $command in\n");
    bash_flags(out);
    text_add(out, "        esac\n"
                  "    elif [[ -z $words ]]; then\n"
                  "        compopt -o default 2>/dev/null\n"
                  "        case $command in\n");
    bash_operands(out);
    text_add(out, "        esac\n"
                  "    fi\n"
                  "    # shellcheck disable=SC2207 # no word of ours has a blank\n"
                  "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                  "}\n"
                  "complete -F _weft weft\n");
}

/* ---- zsh ------------------------------------------------------------------------------------- */

static void zsh_flag(struct text *out, enum cli_flag flag, enum cli_command command)
{
    const struct cli_flag_info *info = cli_flag_info(flag);
    text_addf(out, " \\\n                '%s--%s%s[",
              info->help[strlen(info->help) - 1] == ')' && strstr(info->help, "(repeat)") != NULL
                  ? "*"
                  : "",
              info->name, info->value != NULL ? "=" : "");
    add_quoted(out, info->help, "[]:'");
    text_add(out, "]");
    if (info->value != NULL) {
        text_addf(out, ":%s:", info->value);
        switch (place_of(info->value)) {
        case PLACE_WORDS:
            text_add(out, "(");
            add_words(out, flag, command, " ");
            text_add(out, ")");
            break;
        case PLACE_SWITCH:
            text_add(out, "_weft_switches");
            break;
        case PLACE_FILE:
        case PLACE_LESSON:
        case PLACE_PRESET:
            text_add(out, "_files");
            break;
        case PLACE_FOLDER:
            text_add(out, "_files -/");
            break;
        case PLACE_PAGE:
        case PLACE_NOTHING:
            break;
        }
    }
    text_add(out, "'");
}

void cli_complete_zsh(struct text *out)
{
    text_add(out, "#compdef weft\n# zsh completion for weft: printed by `weft manual zsh`.\n\n"
                  "_weft_switches() {\n    local -a names=(");
    add_switches(out, "", " ");
    text_add(out, ")\n    compadd -S = -a names\n}\n\n"
                  "_weft_lessons() {\n    local -a ids=(${(f)\"$(" LESSON_IDS ")\"})\n"
                  "    compadd -a ids\n    _files\n}\n\n"
                  "_weft_presets() {\n    local -a ids=(${(f)\"$(" PRESET_IDS ")\"})\n"
                  "    compadd -a ids\n    _files\n}\n\n"
                  "_weft() {\n    local -a commands=(\n");
    for (int c = 1; c < CLI_COMMAND_COUNT; c++) {
        const struct cli_command_info *info = cli_command_info((enum cli_command)c);
        text_addf(out, "        '%s:", info->name);
        add_quoted(out, info->help, "'");
        text_add(out, "'\n");
    }
    text_add(out, "    )\n"
                  "    local command=\n"
                  "    if ((CURRENT > 2)) && [[ -n ${commands[(r)${words[2]}:*]} ]]; then\n"
                  "        command=${words[2]}\n"
                  "        words[1]=()\n"
                  "        ((CURRENT--))\n"
                  "    elif ((CURRENT == 2)) && [[ ${words[2]} != -* ]]; then\n"
                  "        _describe command commands\n"
                  "        _weft_lessons\n"
                  "        return\n"
                  "    fi\n"
                  "    case $command in\n");
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        const struct cli_command_info *info = cli_command_info((enum cli_command)c);
        text_addf(out, "        %s)\n            _arguments", c == CLI_OPEN ? "''" : info->name);
        for (int f = 0; f < CLI_FLAG_COUNT; f++) {
            if (takes((enum cli_command)c, cli_flag_info((enum cli_flag)f))) {
                zsh_flag(out, (enum cli_flag)f, (enum cli_command)c);
            }
        }
        switch (place_of(info->operands)) {
        case PLACE_LESSON:
            text_add(out, " \\\n                '*:lesson:_weft_lessons'");
            break;
        case PLACE_PRESET:
            text_add(out, " \\\n                '1:preset:_weft_presets'");
            break;
        case PLACE_FILE:
            text_add(out, " \\\n                '*:file:_files'");
            break;
        case PLACE_FOLDER:
            text_add(out, " \\\n                '*:folder:_files -/'");
            break;
        case PLACE_PAGE:
            text_addf(out, " \\\n                '1:page:(%s)'", pages + 1);
            break;
        case PLACE_SWITCH:
        case PLACE_WORDS:
        case PLACE_NOTHING:
            break;
        }
        text_add(out, "\n            ;;\n");
    }
    text_add(out, "    esac\n}\n\n_weft \"$@\"\n");
}

/* ---- fish ------------------------------------------------------------------------------------ */

static void fish_flag(struct text *out, enum cli_flag flag, enum cli_command command)
{
    const struct cli_flag_info *info = cli_flag_info(flag);
    const char *name = cli_command_name(command);
    text_add(out, "complete -c weft");
    if (info->on != CLI_ON_ALL) {
        text_addf(out, " -n '%s%s'",
                  command == CLI_OPEN ? "__weft_none" : "__fish_seen_subcommand_from ", name);
    }
    text_addf(out, " -l %s", info->name);
    if (info->letter != '\0') {
        text_addf(out, " -s %c", info->letter);
    }
    if (info->value != NULL) {
        switch (place_of(info->value)) {
        case PLACE_WORDS:
            text_add(out, " -x -a '");
            add_words(out, flag, command, " ");
            text_add(out, "'");
            break;
        case PLACE_SWITCH:
            text_add(out, " -x -a '(__weft_switches)'");
            break;
        case PLACE_FILE:
        case PLACE_LESSON:
        case PLACE_PRESET:
        case PLACE_FOLDER:
            text_add(out, " -r -F");
            break;
        case PLACE_PAGE:
        case PLACE_NOTHING:
            text_add(out, " -x");
            break;
        }
    }
    text_add(out, " -d '");
    add_quoted(out, info->help, "'");
    text_add(out, "'\n");
}

void cli_complete_fish(struct text *out)
{
    text_add(out, "# fish completion for weft: printed by `weft manual fish`.\n\n"
                  "function __weft_lessons\n    " LESSON_IDS "\nend\n\n"
                  "function __weft_presets\n    " PRESET_IDS "\nend\n\n"
                  "function __weft_switches\n    printf '%s\\n' ");
    add_switches(out, "=", " ");
    text_add(out, "\nend\n\n"
                  "function __weft_none\n    not __fish_seen_subcommand_from");
    for (int c = 1; c < CLI_COMMAND_COUNT; c++) {
        text_addf(out, " %s", cli_command_name((enum cli_command)c));
    }
    text_add(out, "\nend\n\n");
    for (int c = 1; c < CLI_COMMAND_COUNT; c++) {
        const struct cli_command_info *info = cli_command_info((enum cli_command)c);
        text_addf(out, "complete -c weft -n __weft_none -a %s -d '", info->name);
        add_quoted(out, info->help, "'");
        text_add(out, "'\n");
    }
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        const struct cli_command_info *info = cli_command_info((enum cli_command)c);
        if (place_of(info->operands) == PLACE_LESSON) {
            text_addf(out, "complete -c weft -n '%s%s' -a '(__weft_lessons)'\n",
                      c == CLI_OPEN ? "__weft_none" : "__fish_seen_subcommand_from ", info->name);
        } else if (place_of(info->operands) == PLACE_PRESET) {
            text_addf(
                out, "complete -c weft -n '__fish_seen_subcommand_from %s' -a '(__weft_presets)'\n",
                info->name);
        } else if (place_of(info->operands) == PLACE_PAGE) {
            text_addf(out, "complete -c weft -f -n '__fish_seen_subcommand_from %s' -a '%s'\n",
                      info->name, pages + 1);
        }
    }
    for (int f = 0; f < CLI_FLAG_COUNT; f++) {
        const struct cli_flag_info *info = cli_flag_info((enum cli_flag)f);
        for (int c = 0; c < (info->on == CLI_ON_ALL ? 1 : (int)CLI_COMMAND_COUNT); c++) {
            if (takes((enum cli_command)c, info)) {
                fish_flag(out, (enum cli_flag)f, (enum cli_command)c);
            }
        }
    }
}
