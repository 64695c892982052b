/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spools, which killed programs leave. The run-time's own code turns them into the
 * text it would have written, which goes to an unnamed temporary file and through the text loader.
 */
#include "data/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "spool/text.h"

int load_spool(struct dataset *d, const char *path, struct arena *arena, struct diag *diag)
{
    char error[512] = "";
    FILE *text = outfile_temporary();
    if (!text)
        return diag_error(
            diag, "%s: no temporary file to convert it: %s; set TMPDIR to a folder with room", path,
            strerror(errno));
    int status = cll_spool_to_text(path, text, error, sizeof error);
    if (status == 0 && (fflush(text) || lseek(fileno(text), 0, SEEK_SET) != 0)) {
        status = -1;
        snprintf(error, sizeof error, "%s", strerror(errno));
    }
    if (status)
        diag_error(diag, "%s: %s", path, error);
    else
        status = load_dat(d, fileno(text), path, arena, diag);
    if (status == 0 && d->nfiles)
        d->files[d->nfiles - 1].is_spool = true;
    fclose(text);
    return status ? -1 : 0;
}
