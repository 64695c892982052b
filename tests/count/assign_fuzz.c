/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an assignment: applied, or refused with a reason and a report as it was. */
#include <jansson.h>
#include <stdint.h>

#include "count/page.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char report_text[] =
    "{\"program\": \"m.c\", \"experiments\": [{\"name\": \"A\","
    " \"points\": [{\"values\": {\"N\": 10}, \"executions\": 1}, {\"values\": {\"N\": 20}}],"
    " \"constants\": [{\"name\": \"A[0]\", \"term\": \"1\", \"instructions\": 7, \"lines\": ["
    "   {\"file\": \"m.c\", \"line\": 1, \"instructions\": 7, \"classes\": {\"integer\": 7}}]},"
    "  {\"name\": \"A[1]\", \"term\": \"N*log(N)\", \"instructions\": 5, \"lines\": ["
    "   {\"file\": \"m.c\", \"line\": 2, \"instructions\": 5, \"exact\": true}]}],"
    " \"unexplained\": [{\"file\": \"l\", \"function\": \"f\", \"line\": 0, \"counts\": [2, 3]}]}]}";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    json_t *report = json_loads(report_text, 0, NULL), *before = json_loads(report_text, 0, NULL);
    struct diag *diag = diag_create();
    struct source source = {"fuzz.json", (const char *)bytes, n};
    int status = count_assignment_apply_text(report, &source, diag);
    if (status && (diag_count(diag, SEVERITY_ERROR) != 1 || !json_equal(report, before)))
        __builtin_trap();
    if (!status && diag_count(diag, SEVERITY_ERROR) > 0)
        __builtin_trap();
    json_decref(before);
    json_decref(report);
    diag_destroy(diag);
    return 0;
}
