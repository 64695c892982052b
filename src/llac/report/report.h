/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report: everything about some models in one document, which becomes an HTML page.
 *
 *     json_t *report = report_make(&request);
 *     report_write_page(out, report);
 *     json_decref(report);
 *
 * The document is JSON, in which all texts from data files are strings. The page escapes them.
 */
#ifndef LLAC_REPORT_REPORT_H
#define LLAC_REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "llac/session.h"

/* An experiment that has no model here. */
struct report_failure {
    const char *experiment, *reason;
};

/* The models of one data set. */
struct report_set {
    const char *label; /* "" if there is one set only */
    const struct session *session;
    json_t *models; /* of report_model; they stay the caller's */
    const struct report_failure *failures;
    size_t nfailures;
};

struct report_request {
    const struct report_set *sets;
    size_t nsets;
    const char *command; /* that made the report */
    json_t *ranking;     /* where the time goes at some place, or NULL; it stays the caller's */
    json_t *supersteps;  /* the data of a picture of supersteps, or NULL; it stays the caller's */
};

enum { REPORT_MOST_POINTS = 100000 }; /* of an experiment; of more, some are left out evenly */

/* A model, fitted and resampled. It is not needed after that. `first_file`: how many files the data sets before this one
 * have. */
json_t *report_model(const struct session *s, const char *label, const struct fit_state *f,
                     size_t first_file);
json_t *report_make(const struct report_request *request);
/* Which regions were executed inside which; its members are described in page/page.html. `models`: those of the
 * report, of which the ones of this data set come first. */
json_t *tree_make(const struct dataset *d, const json_t *models);

/* One HTML file, which needs no other file and no network. */
void report_write_page(FILE *out, const json_t *report);

#endif
