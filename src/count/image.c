/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the executable segments of an ELF file. libelf decodes the header and the program headers,
 * for any byte order and word size. Sections are not needed: a stripped program has the same segments.
 * Everything that the file says about itself is compared with its size before it is used.
 */
#include "count/image.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

enum { MOST_SEGMENTS = 4096 };

struct segment {
    uint64_t address;
    size_t size;
    const unsigned char *bytes;
};

struct image {
    enum image_architecture architecture;
    struct segment *segments; /* the executable ones that have bytes */
    size_t nsegments;
    char *file; /* the bytes of the file; NULL: they are the caller's */
};

struct input {
    const char *name;
    struct diag *diag;
    const unsigned char *bytes;
    uint64_t size;
};

static int complain(const struct input *in, const char *what)
{
    return diag_error(in->diag, "%s: %s", in->name, what);
}

static enum image_architecture architecture_of(unsigned machine)
{
    switch (machine) {
    case EM_X86_64: return IMAGE_X86_64;
    case EM_AARCH64: return IMAGE_AARCH64;
    default: return IMAGE_OTHER;
    }
}

static int read_segments(struct image *image, const struct input *in, Elf *elf, size_t n)
{
    image->segments = mem_zalloc(n, sizeof *image->segments);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header))
            return complain(in,
                            "a program header cannot be read: the file is damaged or was cut off");
        if (header.p_type != PT_LOAD || !(header.p_flags & PF_X) || header.p_filesz == 0)
            continue;
        if (header.p_offset > in->size || header.p_filesz > in->size - header.p_offset ||
            header.p_filesz > UINT64_MAX - header.p_vaddr)
            return complain(
                in, "its code is beyond the end of the file: the file is damaged or was cut off");
        image->segments[image->nsegments++] =
            (struct segment){header.p_vaddr, header.p_filesz, in->bytes + header.p_offset};
    }
    if (image->nsegments > 0)
        return 0;
    return complain(in, "it has no executable segment");
}

static int read_image(struct image *image, const struct input *in, Elf *elf)
{
    GElf_Ehdr header;
    size_t n = 0;
    if (elf_kind(elf) != ELF_K_ELF)
        return complain(in, "this is not an ELF file: a program or a shared object is expected");
    if (!gelf_getehdr(elf, &header) || header.e_version != EV_CURRENT)
        return complain(in, "its ELF header cannot be read: the file is damaged or was cut off");
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return complain(
            in, header.e_type == ET_REL
                    ? "this is an object file: a linked program or a shared object is expected"
                    : "this is neither a program nor a shared object");
    if (elf_getphdrnum(elf, &n) || n == 0 || n > MOST_SEGMENTS)
        return complain(
            in, n > MOST_SEGMENTS
                    ? "it has too many program headers: the file is damaged"
                    : "it has no program headers: the file is damaged, or is not a program");
    image->architecture = architecture_of(header.e_machine);
    return read_segments(image, in, elf, n);
}

struct image *image_parse(const char *name, const void *bytes, size_t size, struct diag *diag)
{
    struct input in = {.name = name, .diag = diag, .bytes = bytes, .size = size};
    struct image *image = mem_zalloc(1, sizeof *image);
    elf_version(EV_CURRENT);
    Elf *elf = size < EI_NIDENT ? NULL : elf_memory((char *)(uintptr_t)bytes, size);
    if (read_image(image, &in, elf)) {
        image_close(image);
        image = NULL;
    }
    elf_end(elf);
    return image;
}

struct image *image_open(const char *path, struct diag *diag)
{
    struct stat status;
    char *bytes = NULL;
    size_t size;
    int error = stat(path, &status) ? errno : 0;
    bool is_file = !error && S_ISREG(status.st_mode); /* a pipe is refused, not waited for */
    if (is_file)
        error = source_read(path, SIZE_MAX / 2, &bytes, &size);
    if (error || !is_file) {
        diag_error(diag, "%s: %s", path, error ? strerror(error) : "this is not a regular file");
        return NULL;
    }
    struct image *image = image_parse(path, bytes, size, diag);
    if (image)
        image->file = bytes;
    else
        mem_free(bytes);
    return image;
}

void image_close(struct image *image)
{
    if (!image)
        return;
    mem_free(image->file);
    mem_free(image->segments);
    mem_free(image);
}

enum image_architecture image_architecture(const struct image *image)
{
    return image->architecture;
}

const char *image_architecture_name(enum image_architecture architecture)
{
    static const char *const names[IMAGE_ARCHITECTURES] = {"other", "x86-64", "aarch64"};
    return names[architecture];
}

const unsigned char *image_bytes(const struct image *image, uint64_t address, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < image->nsegments; i++) {
        const struct segment *s = &image->segments[i];
        if (address < s->address || address - s->address >= s->size)
            continue;
        *n = s->size - (size_t)(address - s->address);
        return s->bytes + (address - s->address);
    }
    return NULL;
}
