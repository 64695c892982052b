/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: options, families, rounds, the file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/about.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "probe/cores.h"
#include "probe/report.h"
#include "probe/system.h"

#ifndef CLL_VERSION
#define CLL_VERSION "unknown"
#endif

#ifdef _OPENMP
#define OPENMP "built in"
#else
#define OPENMP "left out"
#endif

static const struct probe_family *const own_families[] = {&probe_clock, &probe_operations,
                                                          &probe_memory, &probe_openmp};
enum { OWN = sizeof own_families / sizeof *own_families };

static void open_family(struct probe *p, const struct probe_family *f)
{
    if (!probe_options_admit(&p->options, f->name) || p->noutcomes == PROBE_FAMILIES)
        return;
    p->outcomes[p->noutcomes++] = (struct probe_outcome){f, f->open(p)};
}

static const char *needs_device(struct probe *p)
{
    (void)p;
    return "cllprobe-cuda and cllprobe-opencl measure accelerators; start one of them";
}

/* Programs without the family speak of it only where the user asks for it. */
static const struct probe_family no_device = {.name = "gpu", .open = needs_device};

static void open_families(struct probe *p)
{
    for (size_t i = 0; i < OWN && p->world->rank == 0; i++)
        open_family(p, own_families[i]);
    p->first_parallel = p->n;
    for (const struct probe_family *f = p->world->families; f->name; f++)
        open_family(p, f);
    if (p->options.only && !p->world->device)
        open_family(p, &no_device);
}

static void close_families(struct probe *p)
{
    for (size_t i = 0; i < p->noutcomes; i++)
        if (p->outcomes[i].family->close)
            p->outcomes[i].family->close();
    for (size_t i = 0; i < p->n; i++)
        mem_free(p->points[i].values);
    mem_free(p->points);
}

/* Families that --only names and that cannot be measured are an error. */
static int check_families(const struct probe *p)
{
    int status = 0;
    for (size_t i = 0; i < p->noutcomes && p->options.only; i++)
        if (p->outcomes[i].reason) {
            probe_progress_end();
            say("cllprobe: error: --only %s: %s\n", p->outcomes[i].family->name,
                p->outcomes[i].reason);
            status = 1;
        }
    return status;
}

static int cannot_write(const char *path)
{
    return SAY_STATUS(1, "cllprobe: error: cannot write %s: %s\n", path, destination_error(errno));
}

/* Before minutes are spent: whether the file can be made. */
static int check_output(const char *path)
{
    struct outfile f;
    if (strcmp(path, "-") == 0)
        return 0;
    if (outfile_open(&f, path))
        return cannot_write(path);
    outfile_abandon(&f);
    return 0;
}

static int write_file(const char *path, const struct text *t)
{
    const char *to = strcmp(path, "-") == 0 ? "/dev/stdout" : path;
    return outfile_replace(to, t->s, t->n) ? cannot_write(path) : 0;
}

static int report(const struct probe *p, const char *name, const char *path)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct probe_summary summary;
    TEXT_LOCAL struct text t = text_new();
    probe_summarise(p, a, &summary);
    report_json(p, &summary, name, &t);
    int status = write_file(path, &t);
    if (!status && !p->options.quiet && strcmp(path, "-") != 0) {
        report_table(p, &summary, stdout);
        printf("%s: %u rounds in %.0f s, written to %s\n", name, p->rounds, p->seconds, path);
    }
    fflush(stdout);
    report_warnings(p, &summary);
    return status;
}

static int measure(struct probe *p)
{
    char name[64], path[72];
    probe_system_name(p->system, name, sizeof name);
    if (p->options.name)
        snprintf(name, sizeof name, "%s", p->options.name);
    snprintf(path, sizeof path, "%s.json", name);
    const char *output = p->options.output ? p->options.output : path;
    int status = p->world->rank == 0 ? check_output(output) : 0;
    p->world->share(&status, sizeof status);
    if (status)
        return status;
    if (p->world->rank == 0)
        probe_progress_begin(p);
    open_families(p);
    if (p->world->rank == 0)
        status = check_families(p);
    p->world->share(&status, sizeof status);
    if (!status) {
        probe_rounds(p);
        if (p->world->rank == 0)
            status = report(p, name, output);
        p->world->share(&status, sizeof status);
    }
    close_families(p);
    return status;
}

static void print_version(const struct probe_world *world)
{
    about_begin("cllprobe", CLL_VERSION);
    about_fact("OpenMP", OPENMP);
    about_fact("hwloc", "%s", probe_system_hwloc());
    if (world->about)
        world->about();
}

int probe_run(int argc, char **argv, const struct probe_world *world)
{
    struct probe p = {.world = world, .began = probe_now()};
    struct probe_system system;
    if (probe_options_read(argc, argv, world->rank == 0, &p.options))
        return 2;
    if (p.options.help || p.options.version) {
        if (world->rank == 0 && p.options.help)
            probe_options_help(stdout);
        else if (world->rank == 0)
            print_version(world);
        return 0;
    }
    if (p.options.completion)
        return world->rank == 0 ? probe_options_completion(stdout, p.options.completion) : 0;
    probe_system_find(&system);
    p.system = &system;
    probe_cores_find(world);
    return measure(&p);
}
