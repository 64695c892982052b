/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about the session itself: undo, history, source, save session. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "llac/undo.h"
#include "llac/arguments.h"
#include "llac/data/data.h"
#include "llac/json.h"
#include "llac/commands.h"

enum { MOST_SCRIPT = 16 << 20 };

int command_undo(struct session *s, struct cursor *c)
{
    if (cursor_finish(c))
        return -1;
    const char *text = undo_last(s, c);
    if (!text)
        return -1;
    if (s->json)
        json_print(s->out, "{undone:%s}", text);
    else
        fprintf(s->out, "  undone: %s\n", text);
    return 0;
}

static json_t *json_history(const struct session *s, size_t first)
{
    json_t *list = json_array();
    const char *next = undo_next(s);
    for (size_t i = first; i < s->nhistory; i++)
        json_add(list, "{number:%zu command:%s failed:%i}", i + 1, s->history[i].text,
                 s->history[i].failed);
    return json_make("{history:%p undo:%s}", list, next);
}

int command_history(struct session *s, struct cursor *c)
{
    size_t first = 0;
    if (!cursor_done(c)) {
        struct span where = {c->at, c->end};
        double number;
        if (read_number(c, "history", false, &number))
            return -1;
        if (number < 1 || number != floor(number))
            return cursor_error(c, where, "'history' is followed by a whole number, 1 or more");
        if (number < (double)s->nhistory)
            first = s->nhistory - (size_t)number;
    }
    if (cursor_finish(c))
        return -1;
    if (s->json) {
        json_print(s->out, "%p", json_history(s, first));
        return 0;
    }
    for (size_t i = first; i < s->nhistory; i++)
        fprintf(s->out, "%5zu %c %s\n", i + 1, s->history[i].failed ? '*' : ' ',
                s->history[i].text);
    if (undo_next(s))
        fprintf(s->out, "  undo takes back: %s\n", undo_next(s));
    return 0;
}

/* The text is in the session's memory. */
static char *read_script(struct session *s, struct cursor *c, const char *path, struct span where,
                         size_t *size)
{
    MEM_LOCAL char *text = NULL;
    int error = source_read(path, MOST_SCRIPT, &text, size);
    if (error)
        return diag_null(
            cursor_error(c, where, "%s: %s", path,
                         error == EFBIG ? "a script of more than 16 MB" : strerror(error)));
    return arena_strndup(s->arena, text, *size);
}

int command_source(struct session *s, struct cursor *c)
{
    struct span where;
    char *path = cursor_path(c, &where);
    size_t size;
    if (!path)
        return cursor_error_here(c, "the name of a file is missing: source FILE");
    if (cursor_finish(c))
        return -1;
    if (s->nrunning >= SESSION_MOST_RUNNING)
        return cursor_error(c, where,
                            "scripts source each other more than %d deep: does %s source "
                            "itself?",
                            UNDO_MOST_NESTED, path);
    const char *text = read_script(s, c, path, where, &size);
    if (!text || session_run(s, path, text, size, false))
        return -1;
    if (s->json)
        json_print(s->out, "{source:%s}", path);
    return 0;
}

/* ---- save session ---- */

/* The names in the script refer to the present folder. */
static void add_head(struct text *out, const char *path)
{
    char *folder = getcwd(NULL, 0);
    text_add(out, "# A session of llac. To restore it");
    if (folder && !strchr(folder, '\n'))
        text_printf(out, ", in %s", folder);
    text_printf(out, ": llac -f %s\n", path);
    free(folder);
}

int session_commands_save(struct session *s, struct cursor *c)
{
    struct span where;
    char *path = cursor_path(c, &where);
    if (!path)
        return cursor_error_here(c, "the name of a file is missing: save session FILE; to save the "
                                    "samples to a file of this name: save ./session");
    if (cursor_finish(c))
        return -1;
    if (data_is_loaded(s->data, path))
        return cursor_error(
            c, where, "%s is a loaded file, which 'save' would replace: choose another name", path);
    TEXT_LOCAL struct text script = text_new();
    add_head(&script, path);
    int n = undo_script(s, &script);
    if (n < 0)
        return cursor_error(c, where,
                            "the name of a file on the command line has a line feed or both kinds "
                            "of quotes, which no command can name: 'load' it under another name "
                            "first");
    if (outfile_replace(path, script.s, script.n))
        return cursor_error(c, where, "cannot write %s: %s", path, destination_error(errno));
    if (s->json)
        json_print(s->out, "{session:%s commands:%d}", path, n);
    else
        fprintf(s->out, "  %d command%s written to %s\n", n, n == 1 ? "" : "s", path);
    return 0;
}
