/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A source from standard input (standard_input.h). It is read once to look for pragmas, so the compiler gets it from a file
 * that is its standard input then.
 */
#include "call/cc/standard_input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/source.h"
#include "call/cc/translate.h"

/* True after a complaint. */
static bool has_pragmas(const struct cc_source *source, const char *text, size_t size)
{
    struct unit *u = unit_create(source->language);
    u->columns = source->columns;
    size_t input = unit_add(u, "<stdin>", text, size);
    bool any = unit_count(u) > 0;
    if (any) {
        const struct input *in = &u->inputs[input];
        diag_clear(u->diag);
        diag_add(u->diag, SEVERITY_ERROR, in->source, in->pragmas[0].word,
                 "this pragma would be ignored: call cc does not translate a source from standard "
                 "input; write the source to a file, and name it in place of '-'");
        diag_print(u->diag, stderr, ERROR_LIMIT);
    }
    unit_destroy(u);
    return any;
}

/* The file with the text becomes the standard input. 0, or -1 with errno. */
static int replace(struct arena *a, const char *text, size_t size)
{
    const char *folder = process_temporary(a);
    const char *path = folder ? arena_printf(a, "%s/stdin", folder) : NULL;
    if (!path || process_write(path, text, size))
        return -1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    int failed = dup2(file, STDIN_FILENO) < 0;
    close(file);
    return failed ? -1 : 0;
}

int standard_input_check(struct arena *a, const struct cc_args *args)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (!args->standard_input || args->preprocess_only || args->only_dependencies)
        return 0;
    int error = source_read("-", SOURCE_LIMIT, &text, &size);
    if (error)
        return SAY_STATUS(1, "call cc: cannot read the source from standard input: %s\n",
                          strerror(error));
    int status = has_pragmas(args->standard_input, text, size) ? 1 : 0;
    if (!status && replace(a, text, size)) {
        say("call cc: cannot keep the source from standard input in a temporary file: %s\n",
            strerror(errno));
        status = 1;
    }
    return status;
}
