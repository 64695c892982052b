/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/options.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/completion.h"
#include "base/misprint.h"
#include "base/printable.h"

enum {
    QUICK_SECONDS = 13,
    FULL_SECONDS = 180,
};

enum id { QUICK, ONLY, OUTPUT, NAME, SECONDS, LARGEST, HOST, QUIET, COMPLETION, HELP, VERSION };

static const struct spelling {
    enum id id;
    const char *word, *value, *help; /* value NULL: takes none */
} table[] = {
    {QUICK, "--quick", NULL, "fewer sizes and rounds: less than 20 seconds"},
    {ONLY, "--only", "FAMILIES",
     "measure only these, separated by commas: clock, operations, memory,\n"
     "openmp, mpi, bsp, gpu"},
    {OUTPUT, "-o", "FILE", "write this file; - is the standard output (default: NAME.json)"},
    {NAME, "--name", "NAME", "name of the machine (default: made from the processor's name)"},
    {SECONDS, "--seconds", "S",
     "time for the whole run (default: 180, with --quick 13). After a third of\n"
     "it, only values that are not steady are measured further"},
    {LARGEST, "--largest", "SIZE",
     "largest working set, such as 64M (default: a multiple of the caches)"},
    {HOST, "--host", NULL, "write the name of the host into the file"},
    {QUIET, "--quiet", NULL, "print no progress and no table, only errors and warnings"},
    {COMPLETION, "--completion", "SHELL",
     "print the completion script of cllprobe for bash, zsh or fish"},
    {HELP, "--help", NULL, "print this"},
    {VERSION, "--version", NULL, "print the version and what is built in"},
};
enum { SPELLINGS = sizeof table / sizeof *table };

static const char *const families[] = {"clock", "operations", "memory", "openmp",
                                       "mpi",   "bsp",        "gpu"};
enum { NAMES = sizeof families / sizeof *families };

void probe_options_help(FILE *out)
{
    fputs(
        "usage: cllprobe [OPTION]...\n"
        "       mpirun -n P cllprobe [OPTION]...\n"
        "       cllprobe-cuda [OPTION]...      cllprobe-opencl [OPTION]...\n"
        "Measures what this machine charges for operations, memory accesses, threads and, under\n"
        "mpirun, messages and supersteps; cllprobe-cuda and cllprobe-opencl also measure the first\n"
        "accelerator. Writes one JSON file, which llac reads.\n\n",
        out);
    for (size_t i = 0; i < SPELLINGS; i++) {
        char left[32];
        const char *line = table[i].help;
        snprintf(left, sizeof left, "%s%s%s", table[i].word, table[i].value ? " " : "",
                 table[i].value ? table[i].value : "");
        for (const char *begin = left; *line; begin = "") {
            size_t n = strcspn(line, "\n");
            fprintf(out, "  %-18s %.*s\n", begin, (int)n, line);
            line += n + (line[n] == '\n');
        }
    }
}

/* One process says what is wrong; -1 on all. */
#define REFUSE(report, ...) ((report) ? say("cllprobe: error: " __VA_ARGS__) : -1)

/* Is the name one of those between commas? */
static bool is_in(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list;; at++) {
        size_t n = strcspn(at, ",");
        if (n == length && memcmp(at, name, n) == 0)
            return true;
        at += n;
        if (!*at)
            return false;
    }
}

bool probe_options_admit(const struct probe_options *o, const char *family)
{
    return !o->only || is_in(o->only, family);
}

static int read_only(bool report, const char *list)
{
    for (const char *at = list;; at++) {
        size_t n = strcspn(at, ","), i = 0;
        while (i < NAMES && !(strlen(families[i]) == n && memcmp(families[i], at, n) == 0))
            i++;
        if (i == NAMES)
            return REFUSE(report,
                          "--only: there is no family '%.*s'; the families are clock, "
                          "operations, memory, openmp, mpi, bsp, gpu\n",
                          (int)n, at);
        at += n;
        if (!*at)
            return 0;
    }
}

static int read_seconds(bool report, const char *text, double *out)
{
    const char *end = arithmetic_start(text, out);
    if (end && *end == 's')
        end++;
    if (!end || *end || *out <= 0 || *out > 1e6)
        return REFUSE(report,
                      "--seconds needs a positive number of seconds, at most 1000000; "
                      "'%s' is not\n",
                      text);
    return 0;
}

static int read_size(bool report, const char *text, uint64_t *out)
{
    double n;
    const char *end = arithmetic_start(text, &n);
    if (!end || (*end && strcmp(end, "B") != 0) || n < 4096 || n != floor(n) || n > 0x1p40)
        return REFUSE(report, "--largest needs a size of 4K to 1024G, such as 64M; '%s' is not\n",
                      text);
    *out = (uint64_t)n;
    return 0;
}

static int read_name(bool report, const char *text)
{
    size_t n = strlen(text);
    bool good = n && n <= 64 && text[0] != '.' && text[0] != '-';
    for (const char *at = text; *at; at++)
        good = good && (isalnum((unsigned char)*at) || strchr("-_.+", *at));
    if (good)
        return 0;
    return REFUSE(report,
                  "--name needs 1 to 64 letters, digits or - _ . +, and begins with "
                  "neither - nor .; '%s' does not fit\n",
                  text);
}

static int take(bool report, enum id id, const char *value, struct probe_options *o)
{
    switch (id) {
    case QUICK: o->quick = true; break;
    case ONLY: o->only = value; return read_only(report, value);
    case OUTPUT: o->output = value; break;
    case NAME: o->name = value; return read_name(report, value);
    case SECONDS: return read_seconds(report, value, &o->seconds);
    case LARGEST: return read_size(report, value, &o->largest);
    case HOST: o->host = true; break;
    case QUIET: o->quiet = true; break;
    case COMPLETION: o->completion = value; break;
    case HELP: o->help = true; break;
    case VERSION: o->version = true; break;
    }
    return 0;
}

static const struct spelling *find(const char *word, const char **value)
{
    for (size_t i = 0; i < SPELLINGS; i++) {
        size_t n = strlen(table[i].word);
        if (strncmp(word, table[i].word, n) != 0)
            continue;
        *value = NULL;
        if (!word[n])
            return &table[i];
        *value = word[n] == '=' ? word + n + 1 : word + n; /* --name=x, -ofile */
        if (table[i].value && (word[n] == '=') == (table[i].word[1] == '-'))
            return &table[i];
    }
    return NULL;
}

int probe_options_completion(FILE *out, const char *shell)
{
    struct completion_option options[SPELLINGS];
    for (size_t i = 0; i < SPELLINGS; i++) {
        bool is_long = table[i].word[1] == '-';
        options[i] = (struct completion_option){is_long ? NULL : table[i].word,
                                                is_long ? table[i].word : NULL, table[i].value,
                                                table[i].help};
    }
    struct completion_command all = {"", NULL, NULL, options, SPELLINGS};
    if (!completion_print(out, shell, "cllprobe", &all, 1))
        return 0;
    say("cllprobe: error: there is no completion for '%s'; the shells are bash, zsh and fish\n",
        shell);
    return 2;
}

static void report_unknown(const char *word)
{
    const char *names[SPELLINGS + 1], *meant;
    char name[64];
    for (size_t i = 0; i < SPELLINGS; i++)
        names[i] = table[i].word;
    names[SPELLINGS] = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    if ((meant = misprint_meant(name, names)))
        say("cllprobe: error: there is no option '%s'; did you mean '%s'?\n", word, meant);
    else
        say("cllprobe: error: there is no option '%s'; cllprobe --help lists them\n", word);
}

int probe_options_read(int argc, char **argv, bool report, struct probe_options *out)
{
    *out = (struct probe_options){.quick = false};
    for (int i = 1; i < argc; i++) {
        const char *value;
        const struct spelling *s = find(argv[i], &value);
        if (!s) {
            if (report)
                report_unknown(argv[i]);
            return -1;
        }
        if (s->value && !value)
            value = ++i < argc ? argv[i] : NULL;
        if (s->value && (!value || !*value))
            return REFUSE(report, "%s needs a value: %s %s\n", s->word, s->word, s->value);
        if (take(report, s->id, value ? value : "", out))
            return -1;
    }
    if (out->seconds == 0)
        out->seconds = out->quick ? QUICK_SECONDS : FULL_SECONDS;
    return 0;
}
