/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names in the table of environment variables, for the test of the documents. */
#include "cll/env.h"

#include <stdio.h>

int main(void)
{
    for (int i = 0; i < ENV_COUNT; i++)
        printf("%s\n", cll_env_table[i].name);
    return 0;
}
