/* SPDX-License-Identifier: MIT */
#include "cll/internal.h"
void cll_thin(struct cll_thread_state *self)
{
    (void)self;
}
void cll_thin_forget(void)
{
}
