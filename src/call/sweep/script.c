/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts that scripts share (see script.h). */
#include "call/sweep/script.h"

#include "base/number.h"
#include "base/quote.h"
#include "call/sweep/launch.h"

extern const char engine_text[]; /* words.sh, launcher.sh and runs.sh, made by CMake */

void script_assign(struct text *out, const char *name, const char *value)
{
    text_printf(out, "%s=", name);
    quote_shell(out, value);
    text_addc(out, '\n');
}

void script_head(struct text *out, const struct script_program *p)
{
    char number[NUMBER_SIZE];
    TEXT_LOCAL struct text procs = text_new();
    for (size_t i = 0; i < p->procs->n; i++)
        text_printf(&procs, "%s%s", i ? " " : "", number_text(p->procs->values[i], number));
    script_assign(out, "name", p->name);
    script_assign(out, "program", p->path);
    script_assign(out, "kind", p->processes ? "processes" : p->openmp ? "threads" : "one");
    script_assign(out, "hybrid", p->processes && p->openmp ? "yes" : "no");
    script_assign(out, "procs", procs.s);
    script_assign(out, "launcher", p->launcher ? p->launcher : "");
}

void script_engine(struct text *out, bool simulated)
{
    text_addc(out, '\n');
    launch_shell(out, simulated);
    text_add(out, engine_text);
}
