/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * count_page_tool REPORT [ASSIGNMENT]: the page of a report on stdout.
 * count_page_tool --json REPORT [ASSIGNMENT]: the report with the assignment applied.
 */
#include <string.h>

#include "count/page.h"

int main(int argc, char **argv)
{
    int json = argc > 1 && strcmp(argv[1], "--json") == 0;
    struct diag *diag = diag_create();
    json_error_t error;
    argc -= json;
    argv += json;
    if (argc < 2)
        return 2;
    json_t *report = json_load_file(argv[1], 0, &error);
    if (!report) {
        fprintf(stderr, "%s: %s\n", argv[1], error.text);
        return 1;
    }
    int status = argc > 2 ? count_assignment_apply(report, argv[2], diag) : 0;
    diag_print(diag, stderr, 0);
    if (status == 0 && json)
        json_dumpf(report, stdout, JSON_INDENT(1));
    else if (status == 0)
        count_page_write(stdout, report);
    status |= ferror(stdout) || fflush(stdout);
    json_decref(report);
    diag_destroy(diag);
    return status ? 1 : 0;
}
