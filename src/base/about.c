/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See about.h. Nothing fails: what the system does not say is left out. */
#include "base/about.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/path.h"
#include "base/printable.h"
#include "base/quote.h"

static void print(const char *name, const char *value)
{
    struct text t = {0};
    text_add_printable(&t, value, strlen(value));
    printf("%s: %s\n", name, t.s);
    text_free(&t);
}

void about_fact(const char *name, const char *format, ...)
{
    char value[512];
    va_list args;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    print(name, value);
}

const char *about_compiler(void)
{
#if defined __clang__
    return "clang " __clang_version__;
#elif defined __GNUC__
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

/* The name of the distribution; empty if it has none. */
static void find_distribution(char *out, size_t size)
{
    FILE *f = fopen("/etc/os-release", "r");
    char line[256];
    out[0] = '\0';
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, "PRETTY_NAME=", 12))
            continue;
        const char *value = line + 12 + (line[12] == '"');
        snprintf(out, size, ", %.*s", (int)strcspn(value, "\"\n"), value);
    }
    if (f)
        fclose(f);
}

void about_begin(const char *program, const char *version)
{
    struct utsname u;
    char distribution[200];
    find_distribution(distribution, sizeof distribution);
    printf("%s %s\n", program, version);
    print("compiled by", about_compiler());
    if (!uname(&u))
        about_fact("system", "%s %s %s%s", u.sysname, u.release, u.machine, distribution);
}

/* The first line that a shell command prints; false if it prints none. */
static bool first_line(const char *command, char *line, int size)
{
    fflush(stdout);
    FILE *f = popen(command, "r");
    bool found = f && fgets(line, size, f);
    if (f)
        pclose(f);
    line[found ? strcspn(line, "\n") : 0] = '\0';
    return found && line[0];
}

void about_program(const char *name, const char *const *words)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct text ask = {0};
    char line[256];
    const char *path = strchr(words[0], '/') ? words[0] : path_program(a, words[0]);
    if (path && !access(path, X_OK)) {
        for (; *words; words++) {
            quote_shell(&ask, *words);
            text_addc(&ask, ' ');
        }
        text_add(&ask, "--version 2>/dev/null </dev/null");
        bool says = first_line(ask.s, line, sizeof line);
        about_fact(name, "%s%s%s", path, says ? ", " : "", line);
    } else {
        about_fact(name, "not found");
    }
    text_free(&ask);
}
