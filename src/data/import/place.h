/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variables that a file does not contain, but its name does: `variables=N,P` takes them from
 * `sort.1024.8.csv`, whose experiment is `sort`.
 */
#ifndef DATA_IMPORT_PLACE_H
#define DATA_IMPORT_PLACE_H

#include "data/import/build.h"

struct import_place {
    const char *names[IMPORT_MAX_COLUMNS];
    double values[IMPORT_MAX_COLUMNS];
    size_t n;
    const char *rest; /* the name of the file without these numbers, as an identifier */
};

/* The numbers of the file's name, as the option `variables` names them; none without the option. */
int import_place_of_file(struct import *in, struct import_place *place);
/* Adds the number of processors, unless `variables` named it. */
void import_place_processors(struct import_place *place, double processors);

#endif
