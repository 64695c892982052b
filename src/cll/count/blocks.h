/* SPDX-License-Identifier: MIT */
/* Between the two files of libcll_count: blocks of memory that a program sets and copies (blocks.c) are counted with its
 * regions (count.c). */
#ifndef CLL_COUNT_BLOCKS_H
#define CLL_COUNT_BLOCKS_H

#include <stddef.h>

/* As letters of the labels of dumps. */
#define CLL_BLOCK_SET  's'
#define CLL_BLOCK_COPY 'c'

/* Not 0 once a region has been counted. */
extern int cll_count_blocks;

/* The caller that returns to `at` sets or copies n bytes. */
void cll_count_block(char kind, const void *at, size_t n);

#endif
