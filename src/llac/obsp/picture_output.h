/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of supersteps as data, for a page that draws it. */
#ifndef LLAC_OBSP_PICTURE_OUTPUT_H
#define LLAC_OBSP_PICTURE_OUTPUT_H

#include <jansson.h>

#include "llac/obsp/picture.h"

/* {"title", "begin", "end" (seconds), "rows": [names], "layers": [...], "arrows", "path"}. A layer has "name" and
 * either "stretches", "ROW ACTIVITY BEGIN END ...", or "shares": for each row and slice the parts of the three
 * activities, in percent. Arrows are "FROM TO SENT ARRIVED ...", the path is "ROW BEGIN END ...". */
json_t *json_picture_data(const struct picture *p);

#endif
