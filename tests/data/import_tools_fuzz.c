/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf stat, Caliper, LIKWID, Cube and tables of blanks: with variables of
 * the file's name, with one time, and without options. */
#include "import_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct import_options time = {.time = "t", .unit = "us"},
                                       variables = {.variables = "n"};
    fuzz_import(data, size, NULL);
    fuzz_import(data, size, &time);
    fuzz_import_as("f.8.csv", data, size, &variables);
    return 0;
}
