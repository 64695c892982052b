/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of instructions: the tables x86.def and aarch64.def have one instruction a line. */
#include "harness/unit.h"

#include "count/classes.h"

struct row {
    const char *bytes, *text;
    enum instruction_class class;
    const char *access;
    unsigned simd, flops;
};

#define X(bytes, text, class, access, simd, flops)                                                 \
    {bytes, text, CLASS_##class, access, simd, flops},
static const struct row x86_rows[] = {
#include "x86.def"
};
static const struct row aarch64_rows[] = {
#include "aarch64.def"
};
#undef X

static size_t bytes_of(const char *hex, unsigned char *bytes)
{
    size_t n = 0;
    for (char *end; *hex; hex = *end ? end + 1 : end)
        bytes[n++] = (unsigned char)strtoul(hex, &end, 16);
    return n;
}

static void check(struct decoder *decoder, const struct row *row)
{
    unsigned char bytes[16];
    size_t n = bytes_of(row->bytes, bytes);
    struct instruction i = decoder_classify(decoder, bytes, n, 0x1000);
    char access[3] = "", *at = access;
    if (i.reads)
        *at++ = 'r';
    if (i.writes)
        *at++ = 'w';
    *at = '\0';
    if (i.class != row->class || strcmp(access, row->access) != 0 || i.simd != row->simd ||
        i.flops != row->flops)
        fail_msg("%s (%s): %s \"%s\" simd %u flops %u", row->text, i.name, classes_name(i.class),
                 access, i.simd, i.flops);
    if (i.size != 0 && i.size != n)
        fail_msg("%s: %u bytes instead of %zu", row->text, i.size, n);
}

static void x86_instructions_have_their_classes(void **state)
{
    struct decoder *decoder = decoder_create(IMAGE_X86_64);
    (void)state;
    for (size_t k = 0; k < sizeof x86_rows / sizeof *x86_rows; k++)
        check(decoder, &x86_rows[k]);
    decoder_destroy(decoder);
}

static void aarch64_instructions_have_their_classes(void **state)
{
    struct decoder *decoder = decoder_create(IMAGE_AARCH64);
    (void)state;
    for (size_t k = 0; k < sizeof aarch64_rows / sizeof *aarch64_rows; k++)
        check(decoder, &aarch64_rows[k]);
    decoder_destroy(decoder);
}

static void names_and_sizes_are_those_of_the_instruction(void **state)
{
    static const unsigned char add[] = {0x48, 0x03, 0x07, 0xff, 0xff};
    static const unsigned char fmla[] = {0x20, 0xcc, 0x62, 0x4e};
    struct decoder *x86 = decoder_create(IMAGE_X86_64);
    struct decoder *aarch64 = decoder_create(IMAGE_AARCH64);
    (void)state;
    struct instruction i = decoder_classify(x86, add, sizeof add, 0);
    assert_string_equal(i.name, "add");
    assert_int_equal(i.size, 3); /* not all of the bytes */
    i = decoder_classify(aarch64, fmla, sizeof fmla, 0);
    assert_string_equal(i.name, "fmla");
    assert_int_equal(i.size, 4);
    decoder_destroy(x86);
    decoder_destroy(aarch64);
}

static void multiplications_of_integers_are_marked(void **state)
{
    static const struct {
        enum image_architecture architecture;
        unsigned char bytes[5];
        size_t n;
        bool multiplies;
    } rows[] = {
        {IMAGE_X86_64, {0x48, 0x0f, 0xaf, 0xc3}, 4, true},   /* imul %rbx, %rax */
        {IMAGE_X86_64, {0x48, 0xf7, 0xe3}, 3, true},         /* mul %rbx */
        {IMAGE_X86_64, {0x48, 0x01, 0xd8}, 3, false},        /* add %rbx, %rax */
        {IMAGE_X86_64, {0xf2, 0x0f, 0x59, 0xc1}, 4, false},  /* mulsd %xmm1, %xmm0 */
        {IMAGE_AARCH64, {0x20, 0x7c, 0x02, 0x9b}, 4, true},  /* mul x0, x1, x2 */
        {IMAGE_AARCH64, {0x20, 0x0c, 0x02, 0x9b}, 4, true},  /* madd x0, x1, x2, x3 */
        {IMAGE_AARCH64, {0x20, 0x7c, 0xc2, 0x9b}, 4, true},  /* umulh x0, x1, x2 */
        {IMAGE_AARCH64, {0x20, 0x00, 0x02, 0x8b}, 4, false}, /* add x0, x1, x2 */
        {IMAGE_AARCH64, {0x20, 0x9c, 0xa2, 0x4e}, 4, false}, /* mul v0.4s, v1.4s, v2.4s */
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct decoder *decoder = decoder_create(rows[k].architecture);
        struct instruction i = decoder_classify(decoder, rows[k].bytes, rows[k].n, 0);
        if (i.multiplies != rows[k].multiplies)
            fail_msg("row %zu: %s", k, i.name);
        decoder_destroy(decoder);
    }
}

static void repeated_stores_and_copies_are_blocks(void **state)
{
    static const struct {
        unsigned char bytes[4];
        size_t n;
        unsigned set, copied;
    } rows[] = {
        {{0xf3, 0x48, 0xab}, 3, 8, 0}, /* rep stosq */
        {{0xf3, 0xaa}, 2, 1, 0},       /* rep stosb */
        {{0xf3, 0xa5}, 2, 0, 4},       /* rep movsd */
        {{0xaa}, 1, 0, 0},             /* stosb: once */
        {{0xf3, 0xa6}, 2, 0, 0},       /* rep cmpsb writes nothing */
        {{0xf3, 0xac}, 2, 0, 0},       /* rep lodsb */
    };
    struct decoder *decoder = decoder_create(IMAGE_X86_64);
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct instruction i = decoder_classify(decoder, rows[k].bytes, rows[k].n, 0);
        if (i.set != rows[k].set || i.copied != rows[k].copied)
            fail_msg("%s: sets %u, copies %u bytes", i.name, i.set, i.copied);
    }
    decoder_destroy(decoder);
}

static void unknown_bytes_are_of_the_class_other(void **state)
{
    static const unsigned char zeros[16];
    (void)state;
    for (int a = 0; a < IMAGE_ARCHITECTURES; a++) {
        struct decoder *decoder = decoder_create((enum image_architecture)a);
        struct instruction i = decoder_classify(decoder, zeros, 0, 0);
        assert_true(i.class == CLASS_OTHER && i.size == 0 && !i.reads && !i.writes);
        i = decoder_classify(decoder, zeros, 1, UINT64_MAX); /* cut off */
        assert_true(i.class == CLASS_OTHER && i.size == 0);
        assert_string_equal(i.name, "");
        decoder_destroy(decoder);
    }
}

/* A code of 32 bits is 4 bytes long whatever it is: every word in steps gets an answer. */
static void every_word_has_a_class(void **state)
{
    struct decoder *decoder = decoder_create(IMAGE_AARCH64);
    (void)state;
    for (uint64_t word = 0; word <= UINT32_MAX; word += 79999) {
        const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8),
                                        (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
        struct instruction i = decoder_classify(decoder, bytes, 4, 0);
        assert_true(i.class < CLASSES && i.size == 4 && i.simd <= 128 && i.flops <= 32);
        assert_true(i.class != CLASS_LOAD || i.reads);
        assert_true(i.class != CLASS_STORE || i.writes);
        assert_true(i.flops == 0 || i.class == CLASS_FLOAT || i.class == CLASS_DIVISION);
    }
    decoder_destroy(decoder);
}

static void an_unknown_architecture_has_only_others(void **state)
{
    static const unsigned char add[] = {0x48, 0x03, 0x07};
    struct decoder *decoder = decoder_create(IMAGE_OTHER);
    (void)state;
    assert_int_equal(decoder_classify(decoder, add, sizeof add, 0).class, CLASS_OTHER);
    decoder_destroy(decoder);
}

static void classes_have_the_names_of_the_report(void **state)
{
    static const char *const names[] = {"integer", "float",  "division", "load",
                                        "store",   "branch", "call",     "other"};
    (void)state;
    for (int c = 0; c < CLASSES; c++)
        assert_string_equal(classes_name((enum instruction_class)c), names[c]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x86_instructions_have_their_classes),
        cmocka_unit_test(aarch64_instructions_have_their_classes),
        cmocka_unit_test(names_and_sizes_are_those_of_the_instruction),
        cmocka_unit_test(multiplications_of_integers_are_marked),
        cmocka_unit_test(repeated_stores_and_copies_are_blocks),
        cmocka_unit_test(unknown_bytes_are_of_the_class_other),
        cmocka_unit_test(every_word_has_a_class),
        cmocka_unit_test(an_unknown_architecture_has_only_others),
        cmocka_unit_test(classes_have_the_names_of_the_report),
    };
    return RUN(tests);
}
