/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images: the bytes at an address, and files that are refused with a reason. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "harness/unit.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include "count/image.h"

enum { HEADERS = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr), CODE = 16 };

/* A program: a data segment, and a segment of code at 0x400000. */
struct file {
    Elf64_Ehdr head;
    Elf64_Phdr segments[2];
    unsigned char code[CODE];
};

static struct file small_file(void)
{
    struct file f;
    memset(&f, 0, sizeof f);
    memcpy(f.head.e_ident, ELFMAG, SELFMAG);
    f.head.e_ident[EI_CLASS] = ELFCLASS64;
    f.head.e_ident[EI_DATA] = ELFDATA2LSB;
    f.head.e_ident[EI_VERSION] = EV_CURRENT;
    f.head.e_type = ET_EXEC;
    f.head.e_machine = EM_X86_64;
    f.head.e_version = EV_CURRENT;
    f.head.e_phoff = sizeof f.head;
    f.head.e_ehsize = sizeof f.head;
    f.head.e_phentsize = sizeof f.segments[0];
    f.head.e_phnum = 2;
    f.segments[0] = (Elf64_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_W,
                                 .p_vaddr = 0x600000,
                                 .p_filesz = 8,
                                 .p_memsz = 8};
    f.segments[1] = (Elf64_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_X,
                                 .p_offset = HEADERS,
                                 .p_vaddr = 0x400000,
                                 .p_filesz = CODE,
                                 .p_memsz = 2 * CODE};
    for (int k = 0; k < CODE; k++)
        f.code[k] = (unsigned char)(0x90 + k);
    return f;
}

static void bytes_are_found_by_their_address(void **state)
{
    struct file f = small_file();
    struct diag *diag = diag_create();
    size_t n;
    (void)state;
    struct image *image = image_parse("small", &f, sizeof f, diag);
    assert_non_null(image);
    assert_int_equal(image_architecture(image), IMAGE_X86_64);
    assert_int_equal(image_bytes(image, 0x400000, &n)[0], 0x90);
    assert_int_equal(n, CODE);
    assert_int_equal(image_bytes(image, 0x40000f, &n)[0], 0x9f);
    assert_int_equal(n, 1);
    assert_null(image_bytes(image, 0x400010, &n)); /* in memory, but the file has no bytes for it */
    assert_int_equal(n, 0);
    assert_null(image_bytes(image, 0x3fffff, &n));
    assert_null(image_bytes(image, 0x600000, &n)); /* not executable */
    assert_null(image_bytes(image, UINT64_MAX, &n));
    assert_int_equal(diag_count(diag, SEVERITY_NOTE), 0);
    image_close(image);
    image_close(NULL);
    diag_destroy(diag);
}

static void the_machine_decides_the_architecture(void **state)
{
    static const struct {
        unsigned machine;
        enum image_architecture architecture;
        const char *name;
    } cases[] = {{EM_X86_64, IMAGE_X86_64, "x86-64"},
                 {EM_AARCH64, IMAGE_AARCH64, "aarch64"},
                 {EM_RISCV, IMAGE_OTHER, "other"}};
    struct diag *diag = diag_create();
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct file f = small_file();
        f.head.e_machine = (Elf64_Half)cases[k].machine;
        struct image *image = image_parse("small", &f, sizeof f, diag);
        assert_non_null(image);
        assert_int_equal(image_architecture(image), cases[k].architecture);
        assert_string_equal(image_architecture_name(image_architecture(image)), cases[k].name);
        image_close(image);
    }
    diag_destroy(diag);
}

static void refused(const void *bytes, size_t n, const char *reason)
{
    struct diag *diag = diag_create();
    struct image *image = image_parse("small", bytes, n, diag);
    if (image || diag_count(diag, SEVERITY_ERROR) != 1)
        fail_msg("'%s' was expected", reason);
    if (!strstr(diag_first(diag, SEVERITY_ERROR), reason) ||
        strncmp(diag_first(diag, SEVERITY_ERROR), "small: ", 7) != 0)
        fail_msg("'%s' instead of '%s'", diag_first(diag, SEVERITY_ERROR), reason);
    diag_destroy(diag);
}

static void damaged_files_are_refused_with_the_reason(void **state)
{
    struct file f = small_file();
    (void)state;
    refused("#!/bin/sh\necho no\n", 18, "not an ELF file");
    refused("", 0, "not an ELF file");
    refused("!<arch>\n0123456789", 18, "not an ELF file");
    f.head.e_type = ET_REL;
    refused(&f, sizeof f, "this is an object file");
    f.head.e_type = ET_CORE;
    refused(&f, sizeof f, "neither a program nor a shared object");
    f = small_file();
    f.head.e_phnum = 0;
    refused(&f, sizeof f, "no program headers");
    f = small_file();
    f.head.e_phoff = sizeof f * 2;
    refused(&f, sizeof f, "damaged");
    f = small_file();
    f.segments[1].p_offset = UINT64_MAX - 4;
    refused(&f, sizeof f, "beyond the end of the file");
    f = small_file();
    f.segments[1].p_filesz = CODE + 1;
    refused(&f, sizeof f, "beyond the end of the file");
    f = small_file();
    f.segments[1].p_vaddr = UINT64_MAX - 4;
    refused(&f, sizeof f, "beyond the end of the file");
    f = small_file();
    f.segments[1].p_flags = PF_R;
    refused(&f, sizeof f, "no executable segment");
}

static void a_file_that_was_cut_off_is_refused_at_every_length(void **state)
{
    struct file f = small_file();
    (void)state;
    for (size_t n = 0; n < sizeof f; n++) {
        unsigned char *cut = malloc(n + 1); /* of its own, so that a sanitizer sees its end */
        struct diag *diag = diag_create();
        assert_non_null(cut);
        memcpy(cut, &f, n);
        cut = realloc(cut, n ? n : 1);
        struct image *image = image_parse("cut", cut, n, diag);
        if (image || diag_count(diag, SEVERITY_ERROR) != 1)
            fail_msg("%zu bytes are accepted", n);
        diag_destroy(diag);
        free(cut);
    }
}

static int first_bias(struct dl_phdr_info *info, size_t size, void *to)
{
    (void)size;
    *(uint64_t *)to = info->dlpi_addr;
    return 1;
}

static void this_program_has_its_own_bytes(void **state)
{
    struct diag *diag = diag_create();
    uint64_t bias = 0;
    size_t n;
    (void)state;
    dl_iterate_phdr(first_bias, &bias); /* the program itself comes first */
    struct image *image = image_open("/proc/self/exe", diag);
    assert_non_null(image);
    const unsigned char *here = (const unsigned char *)(uintptr_t)this_program_has_its_own_bytes;
    const unsigned char *bytes = image_bytes(image, (uintptr_t)here - bias, &n);
    assert_non_null(bytes);
    assert_true(n >= 16);
    assert_memory_equal(bytes, here, 16);
    image_close(image);
    diag_destroy(diag);
}

static void files_that_cannot_be_opened_are_named(void **state)
{
    struct diag *diag = diag_create();
    (void)state;
    assert_null(image_open("/no/such/program", diag));
    assert_string_equal(diag_first(diag, SEVERITY_ERROR),
                        "/no/such/program: No such file or directory");
    diag_clear(diag);
    assert_null(image_open("/", diag));
    assert_string_equal(diag_first(diag, SEVERITY_ERROR), "/: this is not a regular file");
    diag_clear(diag);
    assert_null(image_open("/dev/null", diag));
    assert_int_equal(diag_count(diag, SEVERITY_ERROR), 1);
    diag_clear(diag);
    assert_null(image_open("/etc/passwd", diag));
    assert_non_null(strstr(diag_first(diag, SEVERITY_ERROR), "not an ELF file"));
    diag_destroy(diag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_found_by_their_address),
        cmocka_unit_test(the_machine_decides_the_architecture),
        cmocka_unit_test(damaged_files_are_refused_with_the_reason),
        cmocka_unit_test(a_file_that_was_cut_off_is_refused_at_every_length),
        cmocka_unit_test(this_program_has_its_own_bytes),
        cmocka_unit_test(files_that_cannot_be_opened_are_named),
    };
    return RUN(tests);
}
