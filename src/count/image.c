/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the executable segments of an ELF file. libelf decodes the header and the program headers,
 * for any byte order and word size. Sections are not needed: a stripped program has the same segments.
 * Everything that the file says about itself is compared with its size before it is used.
 */
#include "count/image.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { MOST_SEGMENTS = 4096 };

struct segment {
    uint64_t address;
    size_t size;
    const unsigned char *bytes;
    unsigned char *owned; /* NULL: the bytes are the caller's */
};

struct image {
    enum image_architecture architecture;
    struct segment *segments; /* the executable ones that have bytes */
    size_t nsegments;
};

/* Where the bytes come from: a file, or memory. */
struct input {
    const char *name;
    struct diag *diag;
    int file;
    const unsigned char *memory;
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

/* Reads all of them, or returns an errno value. */
static int read_at(int file, unsigned char *to, size_t n, uint64_t offset)
{
    while (n > 0) {
        ssize_t got = pread(file, to, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? errno : EIO;
        to += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return 0;
}

static int add_segment(struct image *image, const struct input *in, const GElf_Phdr *header)
{
    struct segment *s = &image->segments[image->nsegments];
    *s = (struct segment){.address = header->p_vaddr, .size = header->p_filesz};
    if (in->memory) {
        s->bytes = in->memory + header->p_offset;
    } else {
        s->bytes = s->owned = mem_alloc(s->size, 1);
        int error = read_at(in->file, s->owned, s->size, header->p_offset);
        if (error) {
            mem_free(s->owned);
            return complain(in, strerror(error));
        }
    }
    image->nsegments++;
    return 0;
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
        if (add_segment(image, in, &header))
            return -1;
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

static struct image *read_elf(const struct input *in, Elf *elf)
{
    if (!elf) {
        complain(in, elf_errmsg(-1));
        return NULL;
    }
    struct image *image = mem_zalloc(1, sizeof *image);
    if (read_image(image, in, elf)) {
        image_close(image);
        image = NULL;
    }
    elf_end(elf);
    return image;
}

struct image *image_parse(const char *name, const void *bytes, size_t size, struct diag *diag)
{
    struct input in = {.name = name, .diag = diag, .file = -1, .memory = bytes, .size = size};
    if (size < EI_NIDENT) {
        complain(&in, "this is not an ELF file: a program or a shared object is expected");
        return NULL;
    }
    elf_version(EV_CURRENT);
    return read_elf(&in, elf_memory((char *)(uintptr_t)bytes, size));
}

struct image *image_open(const char *path, struct diag *diag)
{
    struct input in = {.name = path, .diag = diag};
    struct stat status;
    struct image *image = NULL;
    in.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused, not waited for */
    if (in.file < 0 || fstat(in.file, &status)) {
        complain(&in, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        complain(&in, "this is not a regular file");
    } else {
        in.size = (uint64_t)status.st_size;
        elf_version(EV_CURRENT);
        image = read_elf(&in, elf_begin(in.file, ELF_C_READ, NULL));
    }
    if (in.file >= 0)
        close(in.file);
    return image;
}

void image_close(struct image *image)
{
    if (!image)
        return;
    for (size_t i = 0; i < image->nsegments; i++)
        mem_free(image->segments[i].owned);
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
