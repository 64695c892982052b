/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options may come before and after files; `--` ends them. */
#include "llac/options.h"

#include <string.h>

#include "base/completion.h"
#include "base/memory.h"
#include "base/misprint.h"
#include "base/printable.h"
#include "llac/commands.h"

static const struct {
    const char *spelling; /* "-e COMMANDS" */
    const char *help;
} option_table[] = {
    {"-e COMMANDS",
     "run these commands, separated by ';', after loading the files; may be repeated"},
    {"-f FILE", "run the commands in this file, after loading the data files; may be repeated"},
    {"--machine NAME|FILE", "use this machine: its name in the folder of machines, or its file"},
    {"--json", "print one JSON value per command, on a line of its own"},
    {"--completion SHELL", "print the completion script of llac for bash, zsh or fish"},
    {"--threshold X", "llac check: a slowdown below X % does not fail it; default 5"},
    {"--at VAR=VALUES", "llac check: compare predictions there; may be repeated"},
    {"--markdown", "llac check: print a Markdown table"},
    {"--github", "llac check: print annotations for GitHub's runner"},
    {"--help", "print this"},
    {"--version", "print the version and the libraries"},
    {NULL, NULL},
};

void options_help(FILE *out)
{
    fputs("usage: llac [--json] [--machine NAME] [-e COMMANDS] [-f FILE] FILE...\n"
          "       llac check [OPTIONS] BEFORE AFTER\n"
          "Fits the constants of complexity formulas to measured data, and predicts.\n"
          "FILE is a data file (.dat), a left-over spool, or data of another tool, or a script of\n"
          "commands if its name ends in .llac. Without -e, -f and scripts, commands are read\n"
          "from the terminal or from the standard input.\n"
          "'llac check' compares two versions of the code, as the command 'check' does; the exit\n"
          "status is 1 if something got slower.\n\n",
          out);
    for (size_t i = 0; option_table[i].spelling; i++)
        fprintf(out, "  %-20s %s\n", option_table[i].spelling, option_table[i].help);
    fputs("\nThe command 'help' lists the commands.\n", out);
}

enum { MOST_OPTIONS = 32, MOST_SPELLING = 64 };

/* The table as the completion wants it; `names` holds the words. Returns how many. */
static size_t split_table(char names[][MOST_SPELLING], struct completion_option *out)
{
    size_t n = 0;
    for (; option_table[n].spelling && n < MOST_OPTIONS; n++) {
        const char *spelling = option_table[n].spelling, *argument = strchr(spelling, ' ');
        snprintf(names[n], MOST_SPELLING, "%.*s", (int)strcspn(spelling, " "), spelling);
        bool is_long = names[n][1] == '-';
        out[n] = (struct completion_option){is_long ? NULL : names[n], is_long ? names[n] : NULL,
                                            argument ? argument + 1 : NULL, option_table[n].help};
    }
    return n;
}

int options_completion(FILE *out, const char *shell)
{
    char names[MOST_OPTIONS][MOST_SPELLING];
    struct completion_option options[MOST_OPTIONS];
    struct completion_command all = {"", NULL, "FILE", options, split_table(names, options)};
    if (!completion_print(out, shell, "llac", &all, 1))
        return 0;
    say("llac: error: there is no completion for '%s'; the shells are bash, zsh and fish\n", shell);
    return 2;
}

/* Whether the word is an option of 'llac check', which the table says. */
static bool is_of_check(const char *word, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        if (strcmp(word, names[i]) == 0)
            return strncmp(option_table[i].help, "llac check:", 11) == 0;
    return false;
}

static int unknown(const char *word)
{
    char names[MOST_OPTIONS][MOST_SPELLING], name[MOST_SPELLING];
    struct completion_option options[MOST_OPTIONS];
    const char *list[MOST_OPTIONS + 1], *meant;
    size_t n = split_table(names, options);
    for (size_t i = 0; i < n; i++)
        list[i] = names[i];
    list[n] = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    if (is_of_check(name, list))
        return say(
            "llac: error: '%s' is an option of 'llac check', and 'check' must be the first word: llac check "
            "BEFORE AFTER %s\n",
            name, word);
    if ((meant = misprint_meant(name, list)))
        return say("llac: error: unknown option '%s'; did you mean '%s'?\n", word, meant);
    return say("llac: error: unknown option '%s'; 'llac --help' lists them\n", word);
}

/* The value of an option NAME VALUE or NAME=VALUE; NULL if it is another option. *i moves to the last
 * word taken; a value that is missing is "". */
static const char *option_value(int argc, char **argv, int *i, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(argv[*i], name, n) != 0 || (argv[*i][n] && argv[*i][n] != '='))
        return NULL;
    if (argv[*i][n] == '=')
        return argv[*i] + n + 1;
    const char *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    *i += next != NULL;
    return next ? next : "";
}

/* An option or a name of 'llac check'. 1: taken, 0: it is another option, -1 after a message. */
static int read_check(int argc, char **argv, int *i, struct option_check *out)
{
    const char *value = NULL;
    if (argv[*i][0] != '-') {
        if (out->nnames == 2)
            return say(
                "llac: error: 'llac check' compares two versions, and '%s' is a third; the data files "
                "of one version can be in one folder\n",
                argv[*i]);
        out->names[out->nnames++] = argv[*i];
    } else if ((value = option_value(argc, argv, i, "--threshold"))) {
        out->threshold = value;
    } else if ((value = option_value(argc, argv, i, "--at"))) {
        out->at[out->nat++] = value;
    } else if (strcmp(argv[*i], "--markdown") == 0 || strcmp(argv[*i], "--github") == 0) {
        if (out->format && strcmp(out->format, argv[*i] + 2) != 0)
            return say(
                "llac: error: --%s and %s are two forms of the output: leave one of them out\n",
                out->format, argv[*i]);
        out->format = argv[*i] + 2;
    } else {
        return 0;
    }
    if (value && !*value)
        return say("llac: error: %s needs a value; 'llac --help' lists the options\n", argv[*i]);
    return 1;
}

static int finish_check(const struct option_check *check)
{
    if (!check->wanted || check->nnames == 2)
        return 0;
    return say("llac: error: two versions are expected: llac check BEFORE AFTER\n");
}

int options_read(int argc, char **argv, struct options *out)
{
    *out = (struct options){.json = false};
    out->commands = mem_zalloc((size_t)argc + 1, sizeof *out->commands);
    out->files = mem_zalloc((size_t)argc + 1, sizeof *out->files);
    out->check.at = mem_zalloc((size_t)argc + 1, sizeof *out->check.at);
    out->check.wanted = argc > 1 && strcmp(argv[1], "check") == 0;
    bool files_only = false;
    for (int i = out->check.wanted ? 2 : 1; i < argc; i++) {
        const char *a = argv[i], *value;
        int taken = out->check.wanted && !files_only ? read_check(argc, argv, &i, &out->check) : 0;
        if (taken < 0)
            return -1;
        if (taken)
            continue;
        if (files_only || a[0] != '-' || a[1] == 0) {
            out->files[out->nfiles++] = (struct option_file){argv[i], false};
        } else if (strcmp(a, "--") == 0) {
            files_only = true;
        } else if (strncmp(a, "-e", 2) == 0) {
            if (!a[2] && i + 1 == argc)
                return say("llac: error: -e needs commands: llac -e 'fit f' x.dat\n");
            out->commands[out->ncommands++] = a[2] ? a + 2 : argv[++i];
        } else if (strncmp(a, "-f", 2) == 0) {
            if (!a[2] && i + 1 == argc)
                return say("llac: error: -f needs a file: llac -f commands x.dat\n");
            out->files[out->nfiles++] = (struct option_file){a[2] ? argv[i] + 2 : argv[++i], true};
        } else if ((value = option_value(argc, argv, &i, "--machine"))) {
            out->machine = value;
            if (!*value)
                return say("llac: error: --machine needs a name: llac --machine NAME x.dat\n");
        } else if ((value = option_value(argc, argv, &i, "--completion"))) {
            out->completion = value;
        } else if (strcmp(a, "--json") == 0) {
            out->json = true;
        } else if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0) {
            out->help = true;
        } else if (strcmp(a, "--version") == 0) {
            out->version = true;
        } else {
            return unknown(a);
        }
    }
    return out->help || out->version ? 0 : finish_check(&out->check);
}
