/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The versions of a data set: which files come from the same code, flags and machine.
 *
 * A data file states the code that it comes from: a hash of each translated source, the build-id of
 * the program, compiler, flags and processor. Two files are of different versions if both state one
 * of these and it differs. Files that have no experiment in common come from different programs: their
 * sources may have different names. A file that states no code (of an earlier version of libcll, or imported)
 * belongs to the version that is there already. A label that the user gives, or that a file states,
 * decides alone.
 */
#ifndef DATA_VERSION_H
#define DATA_VERSION_H

#include "data/dataset.h"

/* A file is added to the version that its member says: what it states is known of the version then.
 * The first file of a data set makes a version. */
void version_know(struct dataset *d, const struct data_file *file);

/* After the first file came: its version gets the label that was given for it. */
void version_give_label(struct dataset *d);

/* The experiment of this name in the files of a version, or NULL; also for a version that `d` does not
 * have. */
struct experiment *version_experiment(const struct dataset *d, const char *base, size_t version);

/* To which version of `into` each version of `from` belongs; a new one has the next free number. In
 * the arena of `from`. */
size_t *versions_match(const struct dataset *into, const struct dataset *from);
/* Adds the new ones to `into`, and reports what differs. */
void versions_add(struct dataset *into, const struct dataset *from, const size_t *match,
                  struct diag *diag);
/* Names the experiments: "f@before" where several versions have an experiment f. */
void versions_name(struct dataset *d);

/* The index of the version of this label, SIZE_MAX without one. */
size_t version_find(const struct dataset *d, const char *label);
/* Whether a text can be a label: letters, digits, '_', '.', '-' and '+'. */
bool version_is_label(const char *text);
/* What differs between the versions: "flags ('-O2' and '-O3'), the code of sort.c". "" = nothing is
 * known to differ. In the arena. */
const char *version_difference(struct arena *a, const struct data_version *x,
                               const struct data_version *y);

#endif
