/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a program: refused with a reason, or its code is classified. Then the same bytes as code
 * of each architecture. */
#include "count/classes.h"
#include "count/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void classify(struct decoder *decoder, const unsigned char *code, size_t n)
{
    for (size_t at = 0; at < n && at < 4096; at++) {
        struct instruction i = decoder_classify(decoder, code + at, n - at, at);
        if (i.class >= CLASSES || i.size > n - at || i.size > 15 || i.simd > 512 || i.flops > 64)
            __builtin_trap();
        if ((i.class == CLASS_LOAD && !i.reads) || (i.class == CLASS_STORE && !i.writes))
            __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct decoder *decoders[IMAGE_ARCHITECTURES];
    struct diag *diag = diag_create();
    size_t size;
    for (int a = 0; a < IMAGE_ARCHITECTURES; a++) {
        if (!decoders[a])
            decoders[a] = decoder_create((enum image_architecture)a);
        classify(decoders[a], bytes, n < 256 ? n : 256);
    }
    struct image *image = image_parse("fuzz", bytes, n, diag);
    if (!image && diag_count(diag, SEVERITY_ERROR) != 1)
        __builtin_trap();
    for (uint64_t address = 0; image && address < 1u << 23; address += 4096) {
        const unsigned char *code = image_bytes(image, address, &size);
        if ((code != NULL) != (size > 0) || size > n)
            __builtin_trap();
        if (code)
            classify(decoders[image_architecture(image)], code, size);
    }
    image_close(image);
    diag_destroy(diag);
    return 0;
}
