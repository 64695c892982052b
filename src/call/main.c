/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call: the translator (translate.c), the compiler driver (cc.c) and the sweep (run.c). */
#include <string.h>

#include "call/translate.h"

int main(int argc, char **argv)
{
    const char *const *rest = (const char *const *)argv + (argc > 0);
    if (rest[0] && !strcmp(rest[0], "cc"))
        return cc_main(rest + 1);
    if (rest[0] && !strcmp(rest[0], "run"))
        return run_main(rest + 1);
    return translate_main(rest);
}
