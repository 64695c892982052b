/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine file that is right, and what tests do with it. */
#ifndef TESTS_MACHINE_FILE_H
#define TESTS_MACHINE_FILE_H

#include "base/text.h"
#include "harness/unit.h"
#include "machine/machine.h"

static const char machine_file[] =
    "{\"cllprobe\": 1, \"program\": \"cllprobe 0.1.0\", \"name\": \"box-1\",\n"
    " \"date\": \"2026-01-02T03:04:05Z\", \"quick\": true, \"rounds\": 4, \"seconds\": 1.5,\n"
    " \"system\": {\"architecture\": \"aarch64\", \"processor\": \"N1\", \"os\": \"Linux 6\",\n"
    "  \"compiler\": \"gcc 12\", \"optimised\": true, \"cores\": 2, \"hardware_threads\": 4,\n"
    "  \"memory\": 8589934592, \"page\": 4096, \"caches_from\": \"hwloc\",\n"
    "  \"caches\": [{\"level\": 1, \"type\": \"data\", \"bytes\": 65536, \"line\": 64,\n"
    "   \"shared_by\": 1}]},\n"
    " \"mpi\": {\"library\": \"Open MPI\", \"processes\": 2, \"hosts\": 1,\n"
    "  \"oversubscribed\": false},\n"
    " \"families\": [{\"name\": \"memory\", \"measured\": true},\n"
    "  {\"name\": \"bsp\", \"measured\": false, \"reason\": \"one process\"}],\n"
    " \"summary\": [{\"family\": \"bsp\", \"name\": \"g.shift\", \"processes\": 2,\n"
    "  \"unit\": \"s/B\", \"value\": 0, \"low\": 0, \"high\": 1e-10, \"steady\": false}],\n"
    " \"figures\": [\n"
    "  {\"family\": \"memory\", \"name\": \"latency\", \"bytes\": 65536, \"cores\": 1,\n"
    "   \"unit\": \"s\", \"value\": 2e-9, \"low\": 1e-9, \"high\": 3e-9, \"steady\": true,\n"
    "   \"rounds\": 2, \"values\": [2e-9, 2.5e-9]},\n"
    "  {\"family\": \"memory\", \"name\": \"latency\", \"bytes\": 4096, \"cores\": 1,\n"
    "   \"unit\": \"s\", \"value\": 1e-9, \"low\": 1e-9, \"high\": 1e-9, \"steady\": true,\n"
    "   \"rounds\": 1, \"values\": [1e-9]},\n"
    "  {\"family\": \"memory\", \"name\": \"read\", \"bytes\": 4096, \"cores\": 2,\n"
    "   \"unit\": \"B/s\", \"value\": 1e10, \"low\": 1e10, \"high\": 1e10, \"steady\": true,\n"
    "   \"rounds\": 1, \"values\": [1e10]}]}\n";

struct machine_case {
    struct arena *arena;
    struct diag *diag;
    const struct machine *machine;
};

static inline struct machine_case machine_case(const char *text, size_t n)
{
    struct machine_case c = {arena_create(), diag_create(), NULL};
    struct source *source = arena_zalloc(c.arena, 1, sizeof *source);
    *source = (struct source){"box.json", text, n};
    c.machine = machine_parse(source, c.arena, c.diag);
    return c;
}

static inline void machine_case_end(struct machine_case *c)
{
    diag_destroy(c->diag);
    arena_destroy(c->arena);
}

#endif
