/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spool_text SPOOL: the data file of a left-over spool on stdout, as call and llac make it. */
#include "spool/text.h"

int main(int argc, char **argv)
{
    char error[512] = "";
    if (argc != 2)
        return 2;
    if (cll_spool_to_text(argv[1], stdout, error, sizeof error)) {
        fprintf(stderr, "%s: %s\n", argv[1], error);
        return 1;
    }
    return 0;
}
