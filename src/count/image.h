/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine code of a program or shared object: an ELF file, and the bytes at an address of it.
 *
 *     struct image *image = image_open("./matinit", diag);
 *     size_t n;
 *     const unsigned char *bytes = image ? image_bytes(image, 0x740, &n) : NULL;
 *     image_close(image);
 *
 * Addresses are those of the file's program headers, as nm and objdump print them. callgrind, with
 * --dump-instr=yes, prints the same ones: it subtracts from the address of an instruction what the
 * loader added, so that a position-independent program or a shared object (ob=/usr/lib/.../libm.so.6)
 * has the addresses of its file, and a program that was linked with -no-pie has 0x40.... A block
 * whose object is "???" belongs to no file.
 */
#ifndef COUNT_IMAGE_H
#define COUNT_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* What instructions can be decoded for. */
enum image_architecture { IMAGE_OTHER, IMAGE_X86_64, IMAGE_AARCH64, IMAGE_ARCHITECTURES };

struct image;

/* Opens an ELF file. NULL if it cannot be read, is no ELF file or is damaged: then `diag` has an error
 * that names the file and the reason. A file for an architecture that the table does not have is
 * opened as IMAGE_OTHER. The bytes are read: the file may change or vanish later. */
struct image *image_open(const char *path, struct diag *diag);

/* The same from memory, which must live and stay as it is until image_close. `name` is for messages. */
struct image *image_parse(const char *name, const void *bytes, size_t size, struct diag *diag);

void image_close(struct image *image); /* NULL is fine */

enum image_architecture image_architecture(const struct image *image);

/* "x86-64", "aarch64", "other". */
const char *image_architecture_name(enum image_architecture architecture);

/* The bytes from this address to the end of the executable segment that contains it, *n of them (at
 * least 1). NULL, and *n 0, if the address is in no executable segment, or the file has no bytes for
 * it. They belong to the image. */
const unsigned char *image_bytes(const struct image *image, uint64_t address, size_t *n);

#endif
