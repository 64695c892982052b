/* SPDX-License-Identifier: MIT */
/*
 * Which program this is: the build-id that the linker wrote into the program or the library, in a note
 * of ELF. The program headers are in memory in static programs, too. A note that does not end where
 * its segment ends is not read.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <elf.h>
#include <link.h>
#include <string.h>

struct search {
    uintptr_t address;
    char *text;
    size_t size;
};

static void put_digits(const struct search *s, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;
    for (size_t i = 0; i < n && used + 2 < s->size; i++) {
        s->text[used++] = digits[bytes[i] >> 4];
        s->text[used++] = digits[bytes[i] & 15];
    }
    s->text[used] = 0;
}

/* Notes: three words of 32 bits (the sizes of name and description, the type), the name, the
   description; both are padded to the alignment. */
static int read_notes(const struct search *s, const unsigned char *at, size_t left, size_t align)
{
    while (left >= 3 * sizeof(uint32_t)) {
        uint32_t head[3];
        memcpy(head, at, sizeof head);
        at += sizeof head;
        left -= sizeof head;
        if (head[0] > left || head[1] > left)
            return 0;
        size_t name = (head[0] + align - 1) / align * align;
        size_t description = (head[1] + align - 1) / align * align;
        if (name > left || head[1] > left - name)
            return 0;
        if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && !memcmp(at, "GNU", 4)) {
            put_digits(s, at + name, head[1]);
            return 1;
        }
        if (description > left - name)
            return 0;
        at += name + description;
        left -= name + description;
    }
    return 0;
}

static int is_inside(const struct dl_phdr_info *object, uintptr_t address)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[i];
        if (p->p_type == PT_LOAD &&
            address - (uintptr_t)object->dlpi_addr - p->p_vaddr < p->p_memsz)
            return 1;
    }
    return 0;
}

static int look(struct dl_phdr_info *object, size_t size, void *data)
{
    const struct search *s = data;
    (void)size;
    if (!is_inside(object, s->address))
        return 0;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[i];
        uintptr_t at = (uintptr_t)object->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_NOTE &&
            read_notes(s, (const unsigned char *)at, p->p_memsz, p->p_align == 8 ? 8 : 4))
            break;
    }
    return 1;
}

void cll_build_id(const void *address, char *text, size_t size)
{
    struct search s = {(uintptr_t)address, text, size};
    text[0] = 0;
    dl_iterate_phdr(look, &s);
}
