/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV, TSV and Extra-P's text: with and without options. */
#include "import_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct import_options time = {.time = "t", .unit = "ms"},
                                       all = {.time = "t",
                                              .observables = "o",
                                              .variables = "v",
                                              .experiment_column = "x"};
    fuzz_import(data, size, NULL);
    if (size && data[0] != '{') {
        fuzz_import(data, size, &time);
        fuzz_import(data, size, &all);
    }
    return 0;
}
