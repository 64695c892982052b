/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which regions were executed inside which, for the page: its members are described in page/page.html. */
#ifndef LLAC_REPORT_TREE_H
#define LLAC_REPORT_TREE_H

#include <jansson.h>

#include "data/dataset.h"

/* `models`: those of the report, of which the ones of this data set come first. */
json_t *tree_make(const struct dataset *d, const json_t *models);

#endif
