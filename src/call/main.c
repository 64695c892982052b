/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call: the translator (translate.c), the compiler driver (cc.c), the sweep (run.c), counting
 * (count.c) and formulas without a pragma (discover). Called as call-NAME, it is `call cc NAME`: for build systems that take one word. */
#include <string.h>

#include "base/outfile.h"
#include "call/cc/translate.h"
#include "call/count/count.h"
#include "call/discover/discover.h"

int main(int argc, char **argv)
{
    const char *const *rest = (const char *const *)argv + (argc > 0);
    const char *compiler = argc > 0 ? cc_wrapped(argv[0]) : NULL;
    int status;
    output_setup();
    if (compiler)
        status = cc_wrapper_main(compiler, rest);
    else if (rest[0] && !strcmp(rest[0], "cc"))
        status = cc_main(rest + 1);
    else if (rest[0] && !strcmp(rest[0], "run"))
        status = run_main(rest + 1);
    else if (rest[0] && !strcmp(rest[0], "count"))
        status = count_main(rest + 1);
    else if (rest[0] && !strcmp(rest[0], "discover"))
        status = discover_main(rest + 1);
    else
        status = translate_main(rest);
    return output_finish("call") && !status ? 1 : status;
}
