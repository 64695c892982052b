/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a dependency file. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "call/cc/depend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *drop_some(void *user, const char *path)
{
    (void)user;
    return strlen(path) % 2 ? "user.h" : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct text out;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    text_init(&out);
    depend_rewrite(text, "/t", drop_some, NULL, &out);
    text_free(&out);
    free(text);
    return 0;
}
