/* SPDX-License-Identifier: MIT */
/*
 * The environment variables of libcll: one table, from which the run-time reads them and the
 * tests check that the manual names them.
 */
#ifndef CLL_ENV_H
#define CLL_ENV_H

#include <stddef.h>
#include <stdint.h>

enum cll_env_index {
    ENV_OUT,
    ENV_CLOCK,
    ENV_MEMORY,
    ENV_SPOOL,
    ENV_COUNTERS,
    ENV_OBSERVE,
    ENV_DEVICE,
    ENV_OFF,
    ENV_RUN,
    ENV_SETTINGS,
    ENV_PATIENCE,
    ENV_COUNT
};

struct cll_env_entry {
    const char *name;
    const char *value;   /* what can be given */
    const char *meaning; /* one line */
};

extern const struct cll_env_entry cll_env_table[ENV_COUNT];

/* The text of a variable; null if it is unset, empty, or the program runs with raised rights. */
const char *cll_env_text(enum cll_env_index index);

/* Bytes from "100M"; 0 if it is not a size. */
uint64_t cll_env_size(const char *text);

/* The settings of "n=100 m=32" as lines "n 100\nm 32\n". -1, with what is wrong in `why`: the text is not a list of
   NAME=NUMBER with names of variables, or does not fit. */
int cll_env_settings(const char *text, char *lines, size_t size, char *why, size_t why_size);

/* 1 for a switch that is on: set, and not "0", "no" or "off". */
int cll_env_on(const char *text);

#endif
