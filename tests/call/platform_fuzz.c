/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a platform file. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "call/run/simulate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct arena *a = arena_create();
    struct text out;
    const char *why, *speed;
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    text_init(&out);
    if (simulate_hosts(a, text, 1000, &out, &speed, &why) < 0 && !*why)
        abort();
    text_free(&out);
    arena_destroy(a);
    free(text);
    return 0;
}
