/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One writer for each shell. All texts come from tables of the program, so they need quoting for
 * their own characters only.
 */
#include "base/completion.h"

#include <stdbool.h>
#include <string.h>

enum kind {
    KIND_NOTHING,
    KIND_FILES,
    KIND_SOURCES,
    KIND_FOLDERS,
    KIND_COMMANDS,
    KIND_COMMAND_LINE,
    KIND_WORDS
};

/* The words that an argument can be; "" if they are not known. */
static const char *words_of(const char *argument)
{
    return strcmp(argument, "SHELL") == 0     ? "bash zsh fish"
           : strcmp(argument, "CPUTIME") == 0 ? "CPUTIME"
                                              : "";
}

static enum kind kind_of(const char *argument)
{
    if (strcmp(argument, "FILE.c") == 0)
        return KIND_SOURCES;
    if (strstr(argument, "FILE") || strcmp(argument, "PLATFORM") == 0)
        return KIND_FILES;
    if (strcmp(argument, "DIR") == 0)
        return KIND_FOLDERS;
    if (strcmp(argument, "COMMAND") == 0)
        return KIND_COMMANDS;
    if (strcmp(argument, "COMPILER ARGUMENTS") == 0)
        return KIND_COMMAND_LINE;
    return *words_of(argument) ? KIND_WORDS : KIND_NOTHING;
}

/* Text inside '...' of a shell; `special` get a backslash. Lines are joined. */
static void put_quoted(FILE *out, const char *s, const char *special, bool fish)
{
    for (; *s; s++) {
        if (*s == '\'')
            fputs(fish ? "\\'" : "'\\''", out);
        else if (*s == '\n')
            fputc(' ', out);
        else if (strchr(special, *s))
            fprintf(out, "\\%c", *s);
        else
            fputc(*s, out);
    }
}

static void put_commands(FILE *out, const struct completion_command *c, size_t n)
{
    for (size_t i = 1; i < n; i++)
        fprintf(out, "%s%s", i > 1 ? " " : "", c[i].name);
}

/* ---- bash ---- */

static const char bash_head[] =
    "()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= kind= options= i\n"
    "    # bash makes three words of --name=value\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    COMPREPLY=()\n";

/* How each kind is completed. */
static const char bash_tail[] =
    "    case $kind in\n"
    "    files) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n"
    "    sources) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"; compgen -f -X '!*.c' -- \"$cur\") ;;\n"
    "    folders) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;\n"
    "    command_line)\n"
    "        if ((COMP_CWORD == 2)); then\n"
    "            mapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
    "        else\n"
    "            mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "            compopt -o filenames 2>/dev/null\n"
    "        fi\n"
    "        ;;\n"
    "    commands) mapfile -t COMPREPLY < <(compgen -c -- \"$cur\") ;;\n"
    "    'words '*) mapfile -t COMPREPLY < <(compgen -W \"${kind#words }\" -- \"$cur\") ;;\n"
    "    esac\n"
    "    case $kind in files | sources | folders) compopt -o filenames 2>/dev/null ;; esac\n"
    "    return 0\n"
    "}\n";

static void bash_kind(FILE *out, const char *argument)
{
    static const char *const names[] = {"",        "files",    "sources",
                                        "folders", "commands", "command_line"};
    enum kind kind = argument ? kind_of(argument) : KIND_NOTHING;
    if (kind == KIND_WORDS) {
        fprintf(out, "kind='words %s'", words_of(argument));
    } else {
        fprintf(out, "kind=%s", names[kind]);
    }
}

static void bash_command(FILE *out, const struct completion_command *c)
{
    fprintf(out, "    '%s')\n        ", c->name);
    bash_kind(out, c->operands);
    fputs("\n        options='", out);
    for (size_t i = 0; i < c->n; i++) {
        const struct completion_option *o = &c->options[i];
        fprintf(out, "%s%s%s%s", i ? " " : "", o->letter ? o->letter : "",
                o->letter && o->name ? " " : "", o->name ? o->name : "");
    }
    fputs("'\n        case $prev in\n", out);
    for (size_t i = 0; i < c->n; i++) {
        const struct completion_option *o = &c->options[i];
        if (!o->argument)
            continue;
        fprintf(out, "        %s%s%s) options= ", o->letter ? o->letter : "",
                o->letter && o->name ? " | " : "", o->name ? o->name : "");
        bash_kind(out, o->argument);
        fputs(" ;;\n", out);
    }
    fputs("        esac\n        ;;\n", out);
}

static void print_bash(FILE *out, const char *program, const struct completion_command *c, size_t n)
{
    char function[64];
    snprintf(function, sizeof function, "_%s", program);
    fprintf(out, "# bash completion for %s, printed by '%s --completion bash'\n", program, program);
    fprintf(out, "%s%s", function, bash_head);
    if (n > 1) {
        fputs("    if ((COMP_CWORD > 1)); then\n        case ${COMP_WORDS[1]} in\n        ", out);
        for (size_t i = 1; i < n; i++)
            fprintf(out, "%s%s", i > 1 ? " | " : "", c[i].name);
        fputs(") command=${COMP_WORDS[1]} ;;\n        esac\n    fi\n", out);
    }
    fputs("    case $command in\n", out);
    for (size_t i = 0; i < n; i++)
        bash_command(out, &c[i]);
    fputs("    esac\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        [[ ${COMP_WORDS[i]} != -- ]] || options= kind=files\n"
          "    done\n"
          "    if [[ $cur == -* && -n $options ]]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
          "        return 0\n"
          "    fi\n",
          out);
    fputs(bash_tail, out);
    if (n > 1) { /* the names of commands beside the operands */
        fputs("_", out);
        fprintf(out, "%s_first()\n{\n    %s\n    if ((COMP_CWORD == 1)); then\n", program,
                function);
        fputs("        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W '", out);
        put_commands(out, c, n);
        fputs("' -- \"${COMP_WORDS[1]}\")\n    fi\n}\n", out);
    }
    fprintf(out, "complete -F _%s%s %s\n", program, n > 1 ? "_first" : "", program);
}

/* ---- zsh ---- */

static void zsh_action(FILE *out, const char *argument)
{
    switch (kind_of(argument)) {
    case KIND_FILES: fputs("_files", out); break;
    case KIND_SOURCES: fputs("_files -g \"*.c\"", out); break;
    case KIND_FOLDERS: fputs("_files -/", out); break;
    case KIND_COMMANDS: fputs("_command_names -e", out); break;
    case KIND_COMMAND_LINE: fputs("_normal", out); break;
    case KIND_WORDS: fprintf(out, "(%s)", words_of(argument)); break;
    case KIND_NOTHING: fputc(' ', out); break;
    }
}

/* '--name=[help]:ARGUMENT:action' */
static void zsh_spelling(FILE *out, const struct completion_option *o, const char *spelling)
{
    const char *joined = !o->argument ? "" : spelling[1] == '-' ? "=" : "+";
    fprintf(out, " \\\n      '*%s%s[", spelling, joined);
    put_quoted(out, o->help, "[]:\\", false);
    fputc(']', out);
    if (o->argument) {
        fputc(':', out);
        put_quoted(out, o->argument, "[]:\\", false);
        fputc(':', out);
        zsh_action(out, o->argument);
    }
    fputc('\'', out);
}

static void zsh_command(FILE *out, const struct completion_command *c)
{
    fprintf(out, "  %s)\n    _arguments -s", *c->name ? c->name : "*");
    for (size_t i = 0; i < c->n; i++) {
        if (c->options[i].letter)
            zsh_spelling(out, &c->options[i], c->options[i].letter);
        if (c->options[i].name)
            zsh_spelling(out, &c->options[i], c->options[i].name);
    }
    if (c->operands) {
        bool line = kind_of(c->operands) == KIND_COMMAND_LINE;
        fprintf(out, " \\\n      '*%s:", line ? ":" : "");
        put_quoted(out, c->operands, "[]:\\", false);
        fputc(':', out);
        zsh_action(out, c->operands);
        fputc('\'', out);
    }
    fputs("\n    ;;\n", out);
}

static void print_zsh(FILE *out, const char *program, const struct completion_command *c, size_t n)
{
    fprintf(out, "#compdef %s\n# zsh completion, printed by '%s --completion zsh'\n_%s() {\n",
            program, program, program);
    if (n > 1) {
        fputs("  local -a commands=(\n", out);
        for (size_t i = 1; i < n; i++) {
            fprintf(out, "    '%s:", c[i].name);
            put_quoted(out, c[i].help, ":\\", false);
            fputs("'\n", out);
        }
        fputs("  )\n"
              "  (( CURRENT != 2 )) || _describe command commands\n"
              "  local command=\n"
              "  if (( CURRENT > 2 )) && [[ $words[2] == (",
              out);
        for (size_t i = 1; i < n; i++)
            fprintf(out, "%s%s", i > 1 ? "|" : "", c[i].name);
        fputs(") ]]; then\n"
              "    command=$words[2]\n"
              "    shift words\n"
              "    (( CURRENT-- ))\n"
              "  fi\n",
              out);
    }
    fprintf(out, "  case %s in\n", n > 1 ? "$command" : "''");
    for (size_t i = 1; i <= n; i++) /* the pattern * comes last */
        zsh_command(out, &c[i % n]);
    fprintf(out, "  esac\n}\n_%s \"$@\"\n", program);
}

/* ---- fish ---- */

/* Options with a value: -x takes no files, -r takes files. */
static void fish_argument(FILE *out, const char *argument)
{
    switch (kind_of(argument)) {
    case KIND_FILES:
    case KIND_SOURCES: fputs(" -r -F", out); break;
    case KIND_FOLDERS: fputs(" -x -a '(__fish_complete_directories)'", out); break;
    case KIND_COMMANDS: fputs(" -x -a '(__fish_complete_command)'", out); break;
    case KIND_COMMAND_LINE: fputs(" -x -a '(__fish_complete_subcommand)'", out); break;
    case KIND_WORDS: fprintf(out, " -x -a '%s'", words_of(argument)); break;
    case KIND_NOTHING: fputs(" -x", out); break;
    }
}

static void fish_condition(FILE *out, const struct completion_command *c, size_t n, size_t i)
{
    if (n == 1)
        return;
    fputs(i ? " -n '__fish_seen_subcommand_from " : " -n 'not __fish_seen_subcommand_from ", out);
    if (i)
        fputs(c[i].name, out);
    else
        put_commands(out, c, n);
    fputc('\'', out);
}

static void print_fish(FILE *out, const char *program, const struct completion_command *c, size_t n)
{
    fprintf(out, "# fish completion for %s, printed by '%s --completion fish'\n", program, program);
    for (size_t i = 1; i < n; i++) {
        fprintf(out, "complete -c %s -n __fish_use_subcommand -a %s -d '", program, c[i].name);
        put_quoted(out, c[i].help, "\\", true);
        fputs("'\n", out);
    }
    for (size_t i = 0; i < n; i++) {
        if (!c[i].operands || kind_of(c[i].operands) == KIND_COMMAND_LINE) {
            fprintf(out, "complete -c %s", program);
            fish_condition(out, c, n, i);
            if (c[i].operands)
                fish_argument(out, c[i].operands);
            else
                fputs(" -f", out);
            fputc('\n', out);
        }
        for (size_t k = 0; k < c[i].n; k++) {
            const struct completion_option *o = &c[i].options[k];
            fprintf(out, "complete -c %s", program);
            fish_condition(out, c, n, i);
            if (o->letter)
                fprintf(out, " -s %s", o->letter + 1);
            if (o->name)
                fprintf(out, " -l %s", o->name + 2);
            if (o->argument)
                fish_argument(out, o->argument);
            fputs(" -d '", out);
            put_quoted(out, o->help, "\\", true);
            fputs("'\n", out);
        }
    }
}

int completion_print(FILE *out, const char *shell, const char *program,
                     const struct completion_command *commands, size_t n)
{
    static const struct {
        const char *name;
        void (*print)(FILE *, const char *, const struct completion_command *, size_t);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print(out, program, commands, n);
            return 0;
        }
    return -1;
}
