/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated scripts over good and degenerate data (grammar.h). */
#include "grammar.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    grammar_run(bytes, n);
    return 0;
}
