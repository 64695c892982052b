/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an instruction does: its class, whether it accesses memory, the width of its vectors and its
 * floating-point operations.
 *
 *     struct decoder *decoder = decoder_create(IMAGE_AARCH64);
 *     struct instruction add = decoder_classify(decoder, bytes, 4, 0x740);
 *     decoder_destroy(decoder);
 *
 * Every instruction has exactly one class, the first of these that applies:
 *
 *     call      calls: bl, blr; call
 *     branch    jumps, conditional or not, and returns (x86: ret also reads memory)
 *     division  division and square root of integers or floating-point numbers, scalar or vector
 *     float     operates on floating-point numbers: arithmetic, comparisons, conversions, moves
 *               between registers
 *     integer   all other operations on registers: arithmetic, logic, shifts, address computations,
 *               moves and constants, shuffles of vectors
 *     load      only reads memory, whatever type: mov, ldr, ldp, pop
 *     store     only writes memory, or copies within it: mov, str, stp, push, movs, xchg, swp
 *     other     the rest: nop, hints, barriers, prefetches, system calls, and instructions that the
 *               decoder does not know
 *
 * An instruction that accesses memory and computes has the class of what it computes, and says with
 * `reads` and `writes` that it accesses memory: `add (%rdi), %rax` is integer and reads, `incl (%rdi)`
 * is integer, reads and writes. Sums over the classes are therefore numbers of instructions; the
 * number of accesses to memory is the number of instructions with `reads` and with `writes`.
 */
#ifndef COUNT_CLASSES_H
#define COUNT_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/image.h"

enum instruction_class {
    CLASS_INTEGER,
    CLASS_FLOAT,
    CLASS_DIVISION,
    CLASS_LOAD,
    CLASS_STORE,
    CLASS_BRANCH,
    CLASS_CALL,
    CLASS_OTHER,
    CLASSES /* how many there are */
};

struct instruction {
    enum instruction_class class;
    bool reads, writes; /* memory; also true for loads and stores */
    bool multiplies;    /* integers, not in vectors: mul, madd, imul */
    unsigned size;      /* bytes of the instruction; 0 if the decoder does not know it */
    unsigned simd;      /* bits of the vectors that it works on: 64, 128, 256, 512; 0 if scalar */
    unsigned flops;     /* floating-point operations: add, subtract, multiply, divide, square root,
                           minimum, maximum and reciprocals count 1, fused multiply-adds 2, times the
                           elements of the vector; comparisons, conversions and moves count 0 */
    unsigned set,
        copied;    /* bytes of a block of memory that each count sets or copies: then it is no
                           instruction, but a step of one (x86: rep stos, rep movs), or a byte */
    char name[16]; /* mnemonic, cut off where it is longer; "" if unknown */
};

/* "integer", "float", ... as in the count report. */
const char *classes_name(enum instruction_class class);

struct decoder;

/* For one architecture; never NULL. For IMAGE_OTHER it knows no instruction. */
struct decoder *decoder_create(enum image_architecture architecture);
void decoder_destroy(struct decoder *decoder); /* NULL is fine */

/* The first instruction of n bytes (image_bytes), which are at this address. What cannot be decoded
 * (n == 0 is allowed) has class CLASS_OTHER. A decoder serves one thread at a time. */
struct instruction decoder_classify(struct decoder *decoder, const unsigned char *bytes, size_t n,
                                    uint64_t address);

#endif
