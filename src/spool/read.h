/* SPDX-License-Identifier: MIT */
/*
 * Reads a spool that may be damaged, truncated or hostile: everything is checked against the
 * bounds of the view before it is used.
 */
#ifndef SPOOL_READ_H
#define SPOOL_READ_H

#include "spool/format.h"
#include "spool/text.h"

#define READ_MAX_IDS   32768u
#define READ_MAX_VARS  16u
#define READ_MAX_EXTRA 8u

/* An experiment as the spool describes it; strings point into the view. */
struct read_experiment {
    const char *name;    /* null: not described */
    unsigned processors; /* 1: P precedes the variables in a record */
    unsigned nvars;
    unsigned nformulas;
    unsigned nextra;
    const char *vars[READ_MAX_VARS];
    const char *extra[READ_MAX_EXTRA];
    const char *formulas; /* nformulas times two strings */
    int selected;
    int watched; /* some of its records have a word `watched` */
};

struct read_record {
    const struct read_experiment *experiment;
    unsigned id;
    unsigned thread;
    unsigned level;
    uint64_t start; /* ticks, 58 bits */
    uint64_t duration;
    uint64_t seq;
    uint64_t nested;
    uint64_t watched;       /* 0, or the word of a watched execution (format.h) */
    double processors;      /* P; 0: that of the header */
    const uint64_t *values; /* nvars doubles, then nextra observables */
};

struct read_spool {
    const struct cll_spool_view *view;
    const struct spool_header *header;
    struct read_experiment *experiments; /* nids */
    unsigned nids;                       /* ids below it may be described */
    int damaged;                         /* something had to be skipped */
    uint64_t skipped;                    /* samples that the last walk skipped, about */
    unsigned skipped_segments;           /* by the last walk, completely or in part */
    double hz;                           /* of a suspect spool: ticks per second */
    double longest;                      /* of a suspect spool: longest possible run, ticks */
};

/* Returns 0 or ENOMEM. */
int cll_read_open(struct read_spool *spool, const struct cll_spool_view *view);
void cll_read_close(struct read_spool *spool);

/* Call visit for each entry of a kind / each record; a visit that returns other than 0 ends the
   walk with that value. */
typedef int read_entry_visit(const struct spool_entry *entry, size_t payload, void *data);
typedef int read_record_visit(const struct read_record *record, void *data);
int cll_read_entries(struct read_spool *spool, unsigned kind, read_entry_visit *visit, void *data);
int cll_read_records(struct read_spool *spool, read_record_visit *visit, void *data);

/* The CPU time of a watched execution, in seconds. */
double cll_watched_seconds(uint64_t watched);

/* Reads the record at words; returns its length in words, 0 if there are no more records. */
uint64_t cll_read_record(struct read_spool *spool, const uint64_t *words, uint64_t left,
                         struct read_record *record);

/* ---- check.c: for suspect spools */

void cll_check_start(struct read_spool *spool);
/* Can there have been so many executions? Always yes if the spool is not suspect. */
int cll_check_count(const struct read_spool *spool, uint64_t count);
/* Moves *at to the next segment; returns its bytes, 0 if there are no more segments. */
uint64_t cll_check_segment(struct read_spool *spool, const struct cll_spool_part *part,
                           uint64_t *at);
/* The order of the records in a part of a segment. Thinning moves records of several segments into
   one. */
enum read_order {
    READ_AS_WRITTEN, /* records one after the other in time, then zeros */
    READ_MIXED,      /* in any order, then zeros: the segment was thinned, perhaps not completely */
    READ_FILLED      /* in any order, up to its end */
};
/* The end of the valid records in the words [from, to). */
uint64_t cll_check_records(struct read_spool *spool, const struct spool_segment *segment,
                           uint64_t from, uint64_t to, enum read_order order);

/* A small map from 64-bit keys (and equal tuples) to indices, grown by doubling. */
struct read_map {
    uint64_t *slots; /* index + 1, or 0 */
    size_t nslots;
    size_t count;
};
typedef int read_map_equal(size_t index, const void *key, void *data);
typedef uint64_t read_map_hash(size_t index, void *data);
/* The index of an equal element, or SIZE_MAX. */
size_t cll_map_find(const struct read_map *map, uint64_t hash, read_map_equal *equal,
                    const void *key, void *data);
/* Adds index under hash; 0 or ENOMEM. */
int cll_map_add(struct read_map *map, uint64_t hash, size_t index, read_map_hash *rehash,
                void *data);
void cll_map_free(struct read_map *map);

uint64_t cll_hash_mix(uint64_t x);
uint64_t cll_hash_text(const char *text);

#endif
