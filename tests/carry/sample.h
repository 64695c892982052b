/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report of counts that is right. */
#ifndef TESTS_CARRY_SAMPLE_H
#define TESTS_CARRY_SAMPLE_H

#include "base/text.h"
#include "carry/report.h"
#include "harness/unit.h"

static const char report_text[] =
    "{\"format\": 1, \"program\": \"init.c\", \"command\": \"call count init.c\",\n"
    " \"architecture\": \"aarch64\", \"compiler\": \"gcc 12.2.0\", \"flags\": \"-O2\",\n"
    " \"cache\": {\"machine\": \"n1\", \"D1\": \"65536,8,64\", \"LL\": \"1048576,8,64\"},\n"
    " \"experiments\": [{\"name\": \"A\", \"formula\": \"A[0] + A[1]*N\",\n"
    "  \"variables\": [\"N\"],\n"
    "  \"points\": [{\"values\": {\"N\": 10}, \"rank\": 0, \"executions\": 1,\n"
    "    \"instructions\": 40}, {\"values\": {\"N\": 20}, \"rank\": 0, \"executions\": 1,\n"
    "    \"instructions\": 60, \"accesses\": 200, \"misses\": {\"D1\": 20, \"LL\": 5}},\n"
    "    {\"values\": {\"N\": 80}, \"rank\": 0, \"executions\": 1, \"instructions\": 50,\n"
    "    \"accesses\": 100, \"misses\": {\"D1\": 50, \"LL\": 40}}],\n"
    "  \"constants\": [\n"
    "   {\"name\": \"A[0]\", \"term\": \"1\", \"instructions\": 15, \"exact\": true,\n"
    "    \"classes\": {\"integer\": 10, \"load\": 3, \"branch\": 1, \"call\": 1}, \"lines\": []},\n"
    "   {\"name\": \"A[1]\", \"term\": \"N\", \"instructions\": 2, \"exact\": false,\n"
    "    \"classes\": {\"float\": 1.5, \"store\": 0.25, \"simd\": {\"128\": 1, \"256\": 0.5},\n"
    "     \"set\": 8, \"copied\": 16, \"mnemonics\": {\"mov\": {\"store\": 0.25, \"new\": 1}}},\n"
    "    \"lines\": []}],\n"
    "  \"unexplained\": [{\"file\": \"init.c\", \"line\": 3, \"instructions\": 5,\n"
    "    \"counts\": [5, 5]}]}],\n"
    " \"sources\": []}\n";

struct report_case {
    struct arena *arena;
    struct diag *diag;
    const struct report *counts;
};

static inline struct report_case report_case(const char *text, size_t n)
{
    struct report_case c = {arena_create(), diag_create(), NULL};
    struct source *source = arena_zalloc(c.arena, 1, sizeof *source);
    *source = (struct source){"init.count.json", text, n};
    c.counts = report_parse(source, c.arena, c.diag);
    return c;
}

static inline void report_case_end(struct report_case *c)
{
    diag_destroy(c->diag);
    arena_destroy(c->arena);
}

#endif
