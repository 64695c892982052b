/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine: files that cllprobe wrote. */
#include "llac/cmd/commands.h"
#include "llac/output/machine.h"
#include "machine/machine.h"

static int show(struct session *s, struct cursor *c)
{
    char *path = cursor_path(c, NULL);
    if (!path)
        return cursor_error_here(c, "machine show needs a file that cllprobe wrote: "
                                    "machine show FILE");
    if (cursor_finish(c))
        return -1;
    const struct machine *m = machine_load(path, c->arena, c->diag);
    if (!m)
        return -1;
    if (s->json)
        json_print(s->out, json_machine(m));
    else
        text_machine(s->out, m, c->arena);
    return 0;
}

int command_machine(struct session *s, struct cursor *c)
{
    if (cursor_keyword(c, "show"))
        return show(s, c);
    return cursor_error_here(c, "machine needs a word that says what to do: machine show FILE");
}
