/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes instructions with Capstone and classifies them by their names and operands. Capstone's own
 * lists of what an instruction reads and writes are not used: in version 4 they are wrong for many
 * vector stores.
 */
#include "count/classes.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "count/decode.h"

struct decoder {
    enum image_architecture architecture;
    csh capstone; /* 0: none for this architecture */
    cs_insn *decoded;
};

const char *classes_name(enum instruction_class class)
{
    static const char *const names[CLASSES] = {"integer", "float",  "division", "load",
                                               "store",   "branch", "call",     "other"};
    return names[class];
}

bool classes_match_name(const char *name, const char *const *words)
{
    for (; *words; words++) {
        size_t n = strlen(*words);
        bool prefix = (*words)[n - 1] == '*';
        if (prefix ? strncmp(name, *words, n - 1) == 0 : strcmp(name, *words) == 0)
            return true;
    }
    return false;
}

/* ---- memory of Capstone: version 4 does not check its own allocations */

static void *allocate(size_t size)
{
    return mem_alloc(1, size);
}
static void *resize(void *p, size_t size)
{
    return mem_resize(p, 1, size);
}

static void use_our_memory(void)
{
    cs_opt_mem memory = {.malloc = allocate,
                         .calloc = mem_zalloc,
                         .realloc = resize,
                         .free = mem_free,
                         .vsnprintf = vsnprintf};
    cs_option(0, CS_OPT_MEM, (size_t)&memory); /* copied; it must come before cs_open */
}

struct decoder *decoder_create(enum image_architecture architecture)
{
    struct decoder *decoder = mem_zalloc(1, sizeof *decoder);
    cs_err error = CS_ERR_ARCH;
    decoder->architecture = architecture;
    use_our_memory();
    if (architecture == IMAGE_X86_64)
        error = cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->capstone);
    else if (architecture == IMAGE_AARCH64)
        error = cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &decoder->capstone);
    if (error != CS_ERR_OK) { /* another architecture, or a Capstone that was built without it */
        decoder->capstone = 0;
        return decoder;
    }
    cs_option(decoder->capstone, CS_OPT_DETAIL, CS_OPT_ON);
    decoder->decoded = cs_malloc(decoder->capstone);
    return decoder;
}

void decoder_destroy(struct decoder *decoder)
{
    if (!decoder)
        return;
    if (decoder->decoded)
        cs_free(decoder->decoded, 1);
    if (decoder->capstone)
        cs_close(&decoder->capstone);
    mem_free(decoder);
}

static struct instruction unknown(const struct decoder *decoder, const unsigned char *bytes,
                                  size_t n)
{
    struct instruction i = {.class = CLASS_OTHER};
    if (decoder->architecture == IMAGE_AARCH64 && n >= 4) {
        i.size = 4;
        aarch64_classify_unknown(&i, (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
                                         (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24);
    }
    return i;
}

struct instruction decoder_classify(struct decoder *decoder, const unsigned char *bytes, size_t n,
                                    uint64_t address)
{
    struct instruction i = {.class = CLASS_OTHER};
    const uint8_t *at = bytes;
    size_t left = n;
    if (!decoder->capstone || n == 0 ||
        !cs_disasm_iter(decoder->capstone, &at, &left, &address, decoder->decoded))
        return unknown(decoder, bytes, n);
    i.size = decoder->decoded->size;
    snprintf(i.name, sizeof i.name, "%.*s", (int)sizeof i.name - 1, decoder->decoded->mnemonic);
    if (decoder->architecture == IMAGE_X86_64)
        x86_classify(&i, decoder->decoded);
    else
        aarch64_classify(&i, decoder->decoded);
    return i;
}
