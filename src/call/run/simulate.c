/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the processes of a simulation run. smpirun takes hosts in the order of a list; without one
 * their order is that of their names as text (n0, n1, n10), which puts neighbours apart. The list
 * is made from the elements of the platform file that stand for hosts:
 *
 *     <host id="..." core="4"/>   <peer id="..."/>
 *     <cluster prefix="n" radical="0-15,20" suffix="" core="4"/>   <cabinet .../>
 *
 * That, and the speed of the first of them, is all that is read of it; SimGrid checks the rest.
 */
#include "call/run/simulate.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call/cc/translate.h"
#include "base/printable.h"
#include "base/quote.h"
#include "base/text.h"

enum { PLATFORM_LIMIT = 64 << 20, MOST_CORES = 1 << 20 };

/* ---- the platform file ---- */

struct hosts {
    struct arena *arena;
    struct text *out;
    unsigned long n, most;
    const char *speed; /* of the first of them; NULL = it has none */
    const char *why;
};

/* The value of an attribute of the element whose text is [tag, end); NULL if it has none. */
static const char *attribute(struct arena *a, const char *tag, const char *end, const char *name)
{
    size_t n = strlen(name);
    const char *p = tag + strcspn(tag, " \t\r\n/>");
    while (p < end) {
        p += strspn(p, " \t\r\n");
        const char *key = p;
        p += strcspn(p, "= \t\r\n/>");
        size_t length = (size_t)(p - key);
        p += strspn(p, " \t\r\n");
        if (p >= end || *p != '=')
            return NULL;
        p++;
        p += strspn(p, " \t\r\n");
        char quote = *p;
        const char *close = p < end && (quote == '"' || quote == '\'')
                                ? memchr(p + 1, quote, (size_t)(end - p - 1))
                                : NULL;
        if (!close)
            return NULL;
        if (length == n && !strncmp(key, name, n))
            return arena_strndup(a, p + 1, (size_t)(close - p - 1));
        p = close + 1;
    }
    return NULL;
}

/* One host, a line for each of its cores. */
static int add_host(struct hosts *h, const char *name, unsigned long cores)
{
    if (!*name || strpbrk(name, "&:") || strpbrk(name, " \t\r\n")) {
        h->why = arena_printf(h->arena,
                              "'%s' as a name of a host: it is empty or has & : or blanks", name);
        return -1;
    }
    for (unsigned long i = 0; i < cores && h->n < h->most; i++) {
        text_printf(h->out, "%s\n", name);
        h->n++;
    }
    return 0;
}

/* radical = part {"," part};  part = NUMBER ["-" NUMBER] */
static int add_cluster(struct hosts *h, const char *prefix, const char *suffix, const char *radical,
                       unsigned long cores)
{
    const char *p = radical;
    do {
        char *end;
        p += strspn(p, " \t\r\n");
        unsigned long from = strtoul(p, &end, 10), to = from;
        if (end == p || !isdigit((unsigned char)*p))
            break;
        p = end + strspn(end, " \t\r\n");
        if (*p == '-') {
            p += 1 + strspn(p + 1, " \t\r\n");
            to = strtoul(p, &end, 10);
            if (end == p || !isdigit((unsigned char)*p) || to < from)
                break;
            p = end + strspn(end, " \t\r\n");
        }
        for (unsigned long i = from; i <= to && h->n < h->most; i++)
            if (add_host(h, arena_printf(h->arena, "%s%lu%s", prefix, i, suffix), cores))
                return -1;
        if (!*p)
            return 0;
    } while (*p++ == ',');
    h->why = arena_printf(h->arena, "radical=\"%s\": it is not a list such as 0-15,20", radical);
    return -1;
}

static int add_element(struct hosts *h, const char *tag, const char *end)
{
    static const char *const of_hosts[] = {"host", "peer"}, *const of_many[] = {"cluster",
                                                                                "cabinet"};
    size_t n = strcspn(tag, " \t\r\n/>");
    for (size_t i = 0; i < 2; i++) {
        bool one = strlen(of_hosts[i]) == n && !strncmp(tag, of_hosts[i], n);
        bool many = strlen(of_many[i]) == n && !strncmp(tag, of_many[i], n);
        if (!one && !many)
            continue;
        const char *core = attribute(h->arena, tag, end, "core");
        const char *id = attribute(h->arena, tag, end, "id");
        const char *prefix = attribute(h->arena, tag, end, "prefix");
        const char *suffix = attribute(h->arena, tag, end, "suffix");
        const char *radical = attribute(h->arena, tag, end, "radical");
        const char *speed = attribute(h->arena, tag, end, "speed");
        if (speed && !h->n && !h->speed) /* "2Gf, 1Gf": the first is that at full power */
            h->speed = arena_strndup(h->arena, speed, strcspn(speed, ", \t\r\n"));
        long cores = core ? strtol(core, NULL, 10) : 1;
        if (cores < 1 || cores > MOST_CORES) {
            h->why = arena_printf(h->arena, "core=\"%s\"", core);
            return -1;
        }
        if (one)
            return add_host(h, id ? id : "", (unsigned long)cores);
        return add_cluster(h, prefix ? prefix : "", suffix ? suffix : "", radical ? radical : "",
                           (unsigned long)cores);
    }
    return 0;
}

long simulate_hosts(struct arena *a, const char *xml, unsigned long most, struct text *out,
                    const char **speed, const char **why)
{
    struct hosts h = {.arena = a, .out = out, .most = most};
    for (const char *p = strchr(xml, '<'); p && h.n < most; p = strchr(p, '<')) {
        const char *end;
        if (!strncmp(p, "<!--", 4))
            end = strstr(p + 4, "-->");
        else
            end = strchr(p, '>');
        if (!end)
            break;
        if (isalpha((unsigned char)p[1]) && add_element(&h, p + 1, end)) {
            *why = h.why;
            return -1;
        }
        p = end;
    }
    *speed = h.speed;
    return (long)h.n;
}

/* ---- what smpirun gets ---- */

/* smpirun puts these words unquoted into a shell command of its own. */
static bool survives_smpirun(const char *word)
{
    return *word && !strpbrk(word, " \t\n*?[\\") && strncmp(word, "--cfg=", 6) &&
           strncmp(word, "--log=", 6);
}

static int check_words(const struct words *arguments, const char *temporary)
{
    for (size_t i = 0; i < arguments->n; i++)
        if (!survives_smpirun(arguments->list[i]))
            return say("call run: smpirun cannot pass on the argument '%s': it must not be empty, "
                       "begin with --cfg= or --log=, or have blanks, * ? [ or \\\n",
                       arguments->list[i]);
    if (survives_smpirun(temporary))
        return 0;
    return say(
        "call run: smpirun cannot work with files in %s; set TMPDIR to a folder whose name has "
        "no blanks\n",
        temporary);
}

/* A list that the user made: "host" or "host:processes". */
static unsigned long count_listed(const char *text)
{
    unsigned long n = 0;
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t length = strcspn(p, "\n");
        const char *colon = memchr(p, ':', length);
        if (length)
            n += colon ? strtoul(colon + 1, NULL, 10) : 1;
    }
    return n;
}

/* A whole file; NULL after a message. */
static char *read_text(const char *path)
{
    char *text;
    size_t size;
    int error = source_read(path, PLATFORM_LIMIT, &text, &size);
    if (!error)
        return text;
    say("call run: cannot read %s: %s\n", path, strerror(error));
    return NULL;
}

/* Fills `list`, and `speed` from the platform. Returns the number of places in the list, or -1
 * after a message. */
static long read_hosts(struct arena *a, const struct simulation *s, unsigned long most,
                       struct text *list, const char **speed)
{
    const char *why;
    MEM_LOCAL char *platform = read_text(s->platform),
                   *hosts = s->hostfile ? read_text(s->hostfile) : NULL;
    if (!platform || (s->hostfile && !hosts))
        return -1;
    long n = simulate_hosts(a, platform, most, list, speed, &why);
    if (hosts) {
        text_clear(list);
        text_add(list, hosts);
        return (long)count_listed(hosts);
    }
    if (n < 0)
        say("call run: %s has %s; give the hosts with --hostfile\n", s->platform, why);
    return n;
}

/* Seconds of this machine become operations, and these seconds again, by the speeds of both: with
 * the same one for both, a second stays a second. */
static int set_speed(const struct simulation *s, const char *speed, struct text *options)
{
    static const char number[] = "0123456789.eE+-fkKMGTPEZYiflops";
    for (size_t i = 0; i < s->options.n; i++)
        if (strstr(s->options.list[i], "smpi/host-speed"))
            return 0;
    if (speed && isdigit((unsigned char)*speed) && !speed[strspn(speed, number)]) {
        text_printf(options, " --cfg=smpi/host-speed:%s", speed);
        return 0;
    }
    return say("call run: --measured-compute: no speed=\"...\" of a host is found in %s; give the "
               "speed of its hosts with --smpi --cfg=smpi/host-speed:1Gf\n",
               s->platform);
}

int simulate_prepare(struct arena *a, const struct simulation *s, unsigned long most,
                     const struct words *arguments, const char *temporary, struct text *options)
{
    const char *speed = NULL;
    if (check_words(arguments, temporary))
        return -1;
    TEXT_LOCAL struct text list = text_new();
    long n = read_hosts(a, s, most, &list, &speed);
    int result = n < 0 ? -1 : 0;
    if (!result && (unsigned long)n < most) {
        say("call run: %s has hosts for %ld processes, and %lu are wanted; a process needs a "
            "host, or a core of one (core=\"...\")\n",
            s->hostfile ? s->hostfile : s->platform, n, most);
        result = -1;
    }
    const char *hosts = arena_printf(a, "%s/hosts", temporary);
    text_add(options, "-platform ");
    quote_shell(options,
                s->platform[0] == '-' ? arena_printf(a, "./%s", s->platform) : s->platform);
    text_add(options, " -hostfile ");
    quote_shell(options, hosts);
    text_printf(options, " --cfg=smpi/simulate-computation:%s", s->measured ? "yes" : "no");
    if (!result && s->measured)
        result = set_speed(s, speed, options);
    for (size_t i = 0; i < s->options.n; i++) {
        text_addc(options, ' ');
        quote_shell(options, s->options.list[i]);
    }
    return result ? result : process_save("call run", hosts, list.s, list.n);
}
