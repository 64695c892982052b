/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of nvcc, whose options are not those of gcc, and programs that link CUDA's run-time library. */
#ifndef CALL_CC_NVCC_H
#define CALL_CC_NVCC_H

#include "call/cc/args.h"

/* Is a compiler of this name nvcc? */
bool nvcc_is(const char *compiler);

/* Does this option of nvcc take its value in the next word? */
bool nvcc_takes_value(const char *word);

/* Makes a command with options of gcc one of nvcc, if it is a command of nvcc: what nvcc does not know goes to
 * its compiler or linker by -Xcompiler and -Xlinker. */
void nvcc_adapt(struct arena *a, struct words *command);

/* Does a link command make a program with CUDA: is it one of nvcc, or does it name libcudart? */
bool nvcc_links_cuda(const struct cc_args *args);

/* What such a command needs beside libcll_cuda: the linker gives the calls of these functions to it. Then the
 * words of the command that name libcudart, which libcll_cuda calls. */
void nvcc_link(struct arena *a, const struct cc_args *args, struct words *out);

#endif
