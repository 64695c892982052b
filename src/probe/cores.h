/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cores that this process may use, and teams of threads that work on several of them at once.
 * The first cores of the list are on different physical cores; the second hardware threads of cores
 * come after all first ones.
 */
#ifndef PROBE_CORES_H
#define PROBE_CORES_H

#include "probe/probe.h"

enum { PROBE_CORES = 4096 }; /* at most */

/* Finds the cores; before all other functions. */
void probe_cores_find(const struct probe_world *world);
/* How many hardware threads the list has, and how many physical cores they belong to. */
int probe_cores_threads(void);
int probe_cores_physical(void);

/* The numbers of cores to measure: 1, 2, 4, ... and all. Returns how many. */
enum { PROBE_COUNTS = 16 };
int probe_cores_counts(int most, int counts[PROBE_COUNTS]);

/* A member of a team. */
struct probe_member {
    int number, size;
    void *user;
    struct probe_team *team;
};
/* Runs `work` on n cores at the same time, member i on core i; the caller is member 0. 0, or -1 with
 * errno if a thread cannot be made: then no member works. */
int probe_team_run(int n, void (*work)(struct probe_member *m), void *user);
/* All members wait for each other. */
void probe_team_wait(struct probe_member *m);
/* This member has measured. Members go on working until probe_team_finished: all have measured, so
 * each is disturbed by all others for as long as it measures. */
void probe_team_measured(struct probe_member *m);
bool probe_team_finished(const struct probe_member *m);

#endif
