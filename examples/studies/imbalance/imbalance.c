/* SPDX-License-Identifier: MIT */
/*
 * Unequal work, with oblivious synchronisation and with barriers.
 *
 * With two processors, figure 1 of "A tool for performance modeling of parallel programs" as corrected
 * (oblivious.c) for any imbalance r: processor 0 computes w and then r w, processor 1 computes r w and then
 * w; in superstep 1 only processor 0 sends, in superstep 2 both do. With c for an exchange the model says
 *
 *     oblivious    (1 + r) w + 2 c          barrier    2 r w + 2 c
 *
 * With more processors, a ring: each processor sends to the next one in each of P supersteps. In superstep s
 * processor P - s computes r w and all others w, so that each one has the heavy part once. With barriers
 * that is P (r w + c). With oblivious synchronisation a delay reaches one processor more in each superstep.
 *
 *     imbalance [UNITS [BYTES [TIMES [R [KIND]]]]]
 *
 * w is UNITS units of work (400) and a fourth of them; a message has BYTES bytes (8192); all of it is done TIMES times
 * (1) for r = 1, 1.5, 2, 3, 4, 6 and 8, or for R alone (with w = UNITS); KIND is oblivious, barrier or both (both). A unit
 * is 1000 steps of a chain of integer operations. Simulated, a unit is 10000 operations.
 */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SMPI_HELPERS_H
#include <smpi/smpi.h>
#endif

#pragma cll parallel PUB bsp procs = 2 : 16 : 2

static volatile unsigned sink;
static size_t bytes;
static char *data;

static void compute(double units)
{
#pragma cll work work[0] * units
    unsigned x = sink;
    for (long i = (long)(units * 1000); i > 0; i--)
        x = x * 1664525u + 1013904223u;
    sink = x;
#ifdef SMPI_HELPERS_H
    smpi_execute_flops(units * 1e4);
#endif
#pragma cll end work
}

static void end_superstep(t_bsp *bsp, int messages, int oblivious)
{
    if (oblivious)
        bsp_oblsync(bsp, messages);
    else
        bsp_sync(bsp);
}

static void figure(t_bsp *bsp, double w, double r, int oblivious)
{
    int me = bsp_pid(bsp);
    compute(me == 0 ? w : r * w);
    if (me == 0)
        bsp_send(bsp, 1, data, bytes);
    end_superstep(bsp, me, oblivious);
    compute(me == 0 ? r * w : w);
    bsp_send(bsp, 1 - me, data, bytes);
    end_superstep(bsp, 1, oblivious);
}

static void ring(t_bsp *bsp, double w, double r, int oblivious)
{
    int me = bsp_pid(bsp), p = bsp_nprocs(bsp);
    for (int s = 1; s <= p; s++) {
        compute(me == p - s ? r * w : w);
        bsp_send(bsp, (me + 1) % p, data, bytes);
        end_superstep(bsp, 1, oblivious);
    }
}

static void once(t_bsp *bsp, double w, double r, int oblivious)
{
    if (bsp_nprocs(bsp) == 2)
        figure(bsp, w, r, oblivious);
    else
        ring(bsp, w, r, oblivious);
}

static void measure(t_bsp *bsp, double w, double r, const char *kind)
{
    int s = bsp_nprocs(bsp) == 2 ? 2 : bsp_nprocs(bsp);
    if (strcmp(kind, "barrier")) {
#pragma cll sync oblivious oblivious[0] * s + oblivious[1] * s *w + oblivious[2] * (r - 1) * w
        once(bsp, w, r, 1);
#pragma cll end oblivious
    }
    if (strcmp(kind, "oblivious")) {
#pragma cll sync barrier barrier[0] * s + barrier[1] * s *w *r
        once(bsp, w, r, 0);
#pragma cll end barrier
    }
    (void)s; /* for the formulas */
}

int main(int argc, char **argv)
{
    static const double ratios[] = {1, 1.5, 2, 3, 4, 6, 8};
    t_bsp machine, *bsp = &machine;
    double units = argc > 1 ? atof(argv[1]) : 400, only = argc > 4 ? atof(argv[4]) : 0;
    int times = argc > 3 ? atoi(argv[3]) : 1;
    const char *kind = argc > 5 ? argv[5] : "both";
    bytes = argc > 2 ? (size_t)atol(argv[2]) : 8192;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, bsp);
    data = calloc(bytes + 1, 1);
    if (bsp_nprocs(bsp) < 2)
        bsp_abort(bsp, "this is for at least 2 processors");
    if (!(units >= 4 && units <= 1e6) || bytes > 1 << 26 || times < 1 || only < 0 || !data ||
        (strcmp(kind, "both") && strcmp(kind, "oblivious") && strcmp(kind, "barrier")))
        bsp_abort(bsp, "usage: imbalance [UNITS [BYTES [TIMES [R [KIND]]]]], UNITS from 4 to a million, "
                       "BYTES up to 67108864, KIND oblivious, barrier or both");
    for (int time = 0; time < times; time++)
        if (only > 0)
            measure(bsp, units, only, kind);
        else
            for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
                measure(bsp, units / 4, ratios[i], kind);
                measure(bsp, units, ratios[i], kind);
            }
#pragma cll report all
    if (bsp_pid(bsp) == 0)
        puts("done");
    free(data);
    bsplib_done();
    return 0;
}
