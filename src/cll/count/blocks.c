/* SPDX-License-Identifier: MIT */
/*
 * The functions that set and copy blocks of memory, for programs of `call count`. Compilers make calls of them out of
 * loops, and how many instructions they execute depends on the processor, the library and the alignment. What the program
 * asks for is a number of bytes: it is counted instead, for each place that calls.
 *
 * The linker replaces the program's calls by these (--wrap). They set and copy in words, so that callgrind simulates the
 * accesses; call count leaves out their instructions. Calls inside shared libraries are not replaced.
 */
#include <stddef.h>
#include <stdint.h>

#include "cll/count/blocks.h"

/* Volatile, or the compiler makes a call of memset out of the loop. */
struct word {
    uint64_t bits;
} __attribute__((packed, may_alias));

int cll_count_blocks; /* see blocks.h */

static void set(void *to, int byte, size_t n)
{
    volatile unsigned char *p = to;
    uint64_t bits = UINT64_C(0x0101010101010101) * (unsigned char)byte;
    for (; n >= sizeof bits; n -= sizeof bits, p += sizeof bits)
        ((volatile struct word *)p)->bits = bits;
    while (n--)
        *p++ = (unsigned char)byte;
}

static void copy_up(void *to, const void *from, size_t n)
{
    volatile unsigned char *p = to;
    const volatile unsigned char *q = from;
    for (; n >= sizeof(struct word); n -= sizeof(struct word)) {
        ((volatile struct word *)p)->bits = ((const volatile struct word *)q)->bits;
        p += sizeof(struct word);
        q += sizeof(struct word);
    }
    while (n--)
        *p++ = *q++;
}

static void copy_down(void *to, const void *from, size_t n)
{
    volatile unsigned char *p = (unsigned char *)to + n;
    const volatile unsigned char *q = (const unsigned char *)from + n;
    for (; n >= sizeof(struct word); n -= sizeof(struct word)) {
        p -= sizeof(struct word);
        q -= sizeof(struct word);
        ((volatile struct word *)p)->bits = ((const volatile struct word *)q)->bits;
    }
    while (n--)
        *--p = *--q;
}

static void move(void *to, const void *from, size_t n)
{
    if ((uintptr_t)to - (uintptr_t)from >= n) /* also where `to` is below */
        copy_up(to, from, n);
    else
        copy_down(to, from, n);
}

/* A static program also calls them before it has thread-local memory: only then is nothing noted. */
#define NOTE(kind, n)                                                                              \
    do {                                                                                           \
        if (cll_count_blocks)                                                                      \
            cll_count_block((kind), __builtin_return_address(0), (n));                             \
    } while (0)

/* The names that --wrap gives: __wrap_F replaces F, __real_F is F. */
#define WRAPPED(name) __wrap_##name
#define REAL(name)    __real_##name

void *WRAPPED(memset)(void *to, int byte, size_t n);
void *WRAPPED(memcpy)(void *to, const void *from, size_t n);
void *WRAPPED(memmove)(void *to, const void *from, size_t n);
void *WRAPPED(mempcpy)(void *to, const void *from, size_t n);
void WRAPPED(bzero)(void *to, size_t n);
void *WRAPPED(__memset_chk)(void *to, int byte, size_t n, size_t room);
void *WRAPPED(__memcpy_chk)(void *to, const void *from, size_t n, size_t room);
void *WRAPPED(__memmove_chk)(void *to, const void *from, size_t n, size_t room);
void *REAL(__memset_chk)(void *to, int byte, size_t n, size_t room);
void *REAL(__memcpy_chk)(void *to, const void *from, size_t n, size_t room);
void *REAL(__memmove_chk)(void *to, const void *from, size_t n, size_t room);

void *WRAPPED(memset)(void *to, int byte, size_t n)
{
    NOTE(CLL_BLOCK_SET, n);
    set(to, byte, n);
    return to;
}

void *WRAPPED(memcpy)(void *to, const void *from, size_t n)
{
    NOTE(CLL_BLOCK_COPY, n);
    copy_up(to, from, n);
    return to;
}

void *WRAPPED(memmove)(void *to, const void *from, size_t n)
{
    NOTE(CLL_BLOCK_COPY, n);
    move(to, from, n);
    return to;
}

void *WRAPPED(mempcpy)(void *to, const void *from, size_t n)
{
    NOTE(CLL_BLOCK_COPY, n);
    copy_up(to, from, n);
    return (char *)to + n;
}

void WRAPPED(bzero)(void *to, size_t n)
{
    NOTE(CLL_BLOCK_SET, n);
    set(to, 0, n);
}

/* With _FORTIFY_SOURCE. The real ones end the program if the room is too small. */
void *WRAPPED(__memset_chk)(void *to, int byte, size_t n, size_t room)
{
    if (n > room)
        return REAL(__memset_chk)(to, byte, n, room);
    NOTE(CLL_BLOCK_SET, n);
    set(to, byte, n);
    return to;
}

void *WRAPPED(__memcpy_chk)(void *to, const void *from, size_t n, size_t room)
{
    if (n > room)
        return REAL(__memcpy_chk)(to, from, n, room);
    NOTE(CLL_BLOCK_COPY, n);
    copy_up(to, from, n);
    return to;
}

void *WRAPPED(__memmove_chk)(void *to, const void *from, size_t n, size_t room)
{
    if (n > room)
        return REAL(__memmove_chk)(to, from, n, room);
    NOTE(CLL_BLOCK_COPY, n);
    move(to, from, n);
    return to;
}
