/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interrupt flag (interrupt.h). */
#include "base/interrupt.h"

#include <stddef.h>

static const volatile sig_atomic_t *interrupt_flag;

void interrupt_set(const volatile sig_atomic_t *flag)
{
    interrupt_flag = flag;
}

bool interrupted(void)
{
    return interrupt_flag && *interrupt_flag;
}
