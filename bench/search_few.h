/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches in few points of two variables; see bench/search.c. */
#ifndef BENCH_SEARCH_FEW_H
#define BENCH_SEARCH_FEW_H

struct few_request {
    unsigned seeds, first; /* sets of each truth, and the first seed */
    const char *truths;    /* "known": those of the development; "new": others; "random";
                            "limit": what the data of random ones say at most */
    unsigned samples;      /* of each point */
    int verbose;
};

int bench_few(const struct few_request *r);

#endif
