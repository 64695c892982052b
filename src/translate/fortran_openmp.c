/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constructs of OpenMP in a Fortran source: where they begin and end, and what they allow inside. */
#include <ctype.h>
#include <string.h>

#include "translate/fortran_reader.h"

/* Constructs of OpenMP, the longest spelling first. */
static const struct {
    const char *words;
    bool loop, team, no_barrier;
} constructs[] = {{"parallel do", true, true, true},
                  {"parallel loop", true, true, true},
                  {"parallel sections", false, true, true},
                  {"parallel workshare", false, true, true},
                  {"parallel", false, true, false},
                  {"do", true, false, true},
                  {"loop", true, false, true},
                  {"simd", true, false, true},
                  {"taskloop", true, false, true},
                  {"distribute", true, false, true},
                  {"sections", false, false, true},
                  {"workshare", false, false, true},
                  {"single", false, false, true},
                  {"master", false, false, true},
                  {"masked", false, false, true},
                  {"critical", false, false, true},
                  {"ordered", false, false, true},
                  {"taskgroup", false, false, true},
                  {"task", false, false, true},
                  {"target", false, false, true},
                  {"teams", false, false, true}};
enum { CONSTRUCTS = sizeof constructs / sizeof *constructs };

/* The text of the clause num_threads(...), if it can also be computed at a region's begin; else NULL. */
static const char *num_threads(const struct reader *r)
{
    const struct fortran_statement *st = r->st;
    const char *clause = strstr(st->s, "num_threads");
    size_t i = clause ? fortran_blanks(st, (size_t)(clause - st->s) + 11) : st->n;
    if (i >= st->n || st->s[i] != '(')
        return NULL;
    size_t close = fortran_close(st, i);
    for (size_t k = i; k < close; k++)
        if (!isalnum((unsigned char)st->s[k]) && !strchr("_%+-*/() ,", st->s[k]))
            return NULL;
    return arena_strndup(r->unit->arena, st->s + i, close - i);
}

/* The regions around a parallel construct count the threads of the first one that they contain. */
static void note_team(struct reader *r)
{
    for (size_t region = r->region; region; region = r->f->regions[region].parent) {
        struct pragma *p = r->f->regions[region].begin;
        if (!p->around_team)
            p->threads = num_threads(r);
        p->around_team = true;
    }
}

/* Does a loop follow the directive, whose construct begins at i? The words of a combined construct come
 * before its clauses: target teams distribute parallel do. */
static bool loop_follows(const struct fortran_statement *st, size_t i)
{
    for (size_t k = 0; k < CONSTRUCTS;) {
        size_t at = i;
        if (!fortran_word(st, &at, constructs[k].words)) {
            k++;
        } else if (constructs[k].loop) {
            return true;
        } else {
            i = at;
            k = 0;
        }
    }
    return false;
}

void fortran_read_openmp(struct reader *r)
{
    size_t i = fortran_blanks(r->st, 0), at = i;
    bool end = fortran_word(r->st, &i, "end");
    if (fortran_word(r->st, &at, "target update") || fortran_word(r->st, &at, "target enter") ||
        fortran_word(r->st, &at, "target exit"))
        return;
    for (size_t k = 0; k < CONSTRUCTS; k++) {
        at = i;
        if (!fortran_word(r->st, &at, constructs[k].words))
            continue;
        if (!end) {
            struct frame *f = fortran_push(r, FRAME_OMP, constructs[k].words);
            f->waits = loop_follows(r->st, i);
            f->no_barrier = constructs[k].no_barrier;
            f->team = constructs[k].team;
            if (f->team)
                note_team(r);
            return;
        }
        for (size_t n = r->nframes; n-- > 0 && r->frames[n].kind == FRAME_OMP;)
            if (!strcmp(r->frames[n].word, constructs[k].words) &&
                r->frames[n].waits == loop_follows(r->st, i)) {
                r->nframes = n;
                return;
            }
        return;
    }
}

const char *fortran_openmp_around(const struct reader *r, bool team)
{
    for (size_t k = r->nframes; k-- > 0 && r->frames[k].kind != FRAME_UNIT;)
        if (r->frames[k].kind == FRAME_OMP) {
            if (team ? r->frames[k].team : r->frames[k].no_barrier)
                return r->frames[k].word;
            if (r->frames[k].team)
                return NULL;
        }
    return NULL;
}
