/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What inject.c (the tracer) and preload.c (inside the program) say to each other. */
#ifndef FAULTS_INJECT_H
#define FAULTS_INJECT_H

/* prctl(FAULTS_MARK, which): no kernel knows this option, so the call itself does nothing. */
enum { FAULTS_MARK = 0x636c6c };
enum faults_mark {
    FAULTS_MAIN, /* the program's own code begins: calls count from here on */
    FAULTS_HIT,  /* an allocation was made to fail */
    FAULTS_COUNT /* at exit, with the number of allocations */
};

/* "N" or "N+": the N-th allocation fails, or all from the N-th on. */
#define FAULTS_ALLOC "CLL_FAULTS_ALLOC"
/* Set: the children are counted as well, each by itself. */
#define FAULTS_CHILDREN "CLL_FAULTS_CHILDREN"

#endif
