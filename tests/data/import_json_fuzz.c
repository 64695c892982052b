/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats that are JSON: JSON Lines, Extra-P, CALL 1.0, Google Benchmark, hyperfine. */
#include "import_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct import_options one = {.experiment = "f"};
    fuzz_import(data, size, NULL);
    fuzz_import(data, size, &one);
    return 0;
}
