/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of `check`: for people, for programs, for pull requests and for GitHub's annotations. */
#ifndef LLAC_CHECK_OUTPUT_H
#define LLAC_CHECK_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

#include "model/check.h"

struct check_report {
    const char *before, *after; /* as the user named them */
    const char *differs; /* what the two say of their code and machine; "" = nothing differs */
    double threshold;
    const struct check_experiment *experiments;
    size_t n, worse;
};

void text_check(FILE *out, const struct check_report *r);
json_t *json_check(const struct check_report *r);
/* A table of Markdown. */
void check_markdown(FILE *out, const struct check_report *r);
/* Commands of GitHub's runner: an error for each thing that got worse, at its region in the source,
 * and a notice with the result. */
void check_github(FILE *out, const struct check_report *r);

#endif
