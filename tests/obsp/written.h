/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces that tests write, in seconds and bytes. */
#ifndef TESTS_OBSP_WRITTEN_H
#define TESTS_OBSP_WRITTEN_H

#include <unistd.h>

#include "harness/unit.h"
#include "obsp/evaluate.h"

#define COLUMNS                                                                                    \
    "process object pid nprocs step kind work calls wait transfer out in sent received partners end\n"
#define HEAD(P) "# pub trace 1\n# processes: " #P "\n" COLUMNS

/* The path of a file with this text; it is removed by `unwrite`. */
static char written_path[] = "/tmp/cll-test-obsp-XXXXXX";

static const char *write_text(const char *text, size_t n)
{
    strcpy(written_path + strlen(written_path) - 6, "XXXXXX");
    int fd = mkstemp(written_path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, n), n);
    close(fd);
    return written_path;
}

static void unwrite(void)
{
    unlink(written_path);
}

#endif
