/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call/translate.h"
int cc_main(const char *const *argv)
{
    (void)argv;
    return 2;
}
