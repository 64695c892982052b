/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions of times of kernels at places where the data may leave a cache of the device that all measured sizes fit into. The
 * formula does not ask the machine, so the data say nothing of the memory behind that cache. But the machine in use does: there
 * its bandwidth is lower. If the kernel waits for memory alone, it takes longer by this factor; if it does not, by nothing. The
 * interval contains both.
 *
 * The working set is that of machine_term.c: elements of usual sizes times a variable, or its square.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/diagnose.h"

static const double element_bytes[] = {4, 8, 16, MACHINE_TERM_USUAL};
enum { ELEMENTS = sizeof element_bytes / sizeof *element_bytes };

static const struct formula_function *bandwidth(void)
{
    const struct formula_function *f = formula_functions;
    while (strcmp(f->name, "gpu_bw") != 0)
        f++;
    return f;
}

/* With which power the working set grows with the variable: 0, 1 or 2. */
static double power_of(const struct model *m, size_t variable)
{
    double growth = 0;
    for (size_t j = 0; j < m->nconstants; j++)
        growth = fmax(growth, machine_term_growth(m, j, variable));
    return growth >= MACHINE_TERM_SQUARE ? 2 : growth > 0 ? 1 : 0;
}

/* How many times slower the memory is there than at the end of the data. */
static double slower(const struct model *m, const struct extrapolation *e)
{
    const struct formula_machine *machine = m->request.let.machine;
    size_t variable = points_find(&m->points, e->variable);
    double most = 1, power = variable == SIZE_MAX ? 0 : power_of(m, variable);
    if (!(e->times > 1) || power == 0)
        return 1;
    for (size_t w = 0; w < ELEMENTS; w++) {
        double here = element_bytes[w] * pow(e->from, power), there = here * pow(e->times, power);
        double ratio = machine->value(machine->curves, bandwidth(), &here, 1) /
                       machine->value(machine->curves, bandwidth(), &there, 1);
        most = ratio > most ? ratio : most;
    }
    return most;
}

double outgrown_times(struct arena *a, const struct model *m, const struct prediction *p,
                      const char **text)
{
    const struct formula_machine *machine = m->request.let.machine;
    double most = 1;
    *text = NULL;
    if (!machine || strcmp(m->request.points.observable, "DEVICE") != 0 || m->formula.machine ||
        machine->lacks(machine->curves, bandwidth(), 1, a))
        return 1;
    for (size_t i = 0; i < p->nextrapolates; i++)
        most = fmax(most, slower(m, &p->extrapolates[i]));
    if (most > 1 + MACHINE_TERM_FLAT)
        *text = arena_printf(a,
                             "the working set may leave a cache of the device of %s that all data "
                             "fit into: the interval reaches as far as its slower memory can make "
                             "it; a term with gpu_bw(BYTES) tells more",
                             machine->name);
    return most;
}
