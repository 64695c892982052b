/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of launchers (see launch.h). */
#include "call/sweep/launch.h"

#include <string.h>

#include "base/quote.h"

/* Texts are words as in a shell, with {P} for the number of processors. */
struct launcher {
    const char *name;        /* for --launcher; of MPI libraries: the flavour (mpi_flavour.h) */
    const char *about;       /* as a message calls it */
    const char *programs[6]; /* the first of these that is there; none: the program is started
                                directly */
    const char *says;        /* what their --version prints, "this|or this"; NULL: not asked */
    const char *options;
    const char *crowded;     /* further options, with more processes than slots */
    const char *threaded;    /* further options, when the processes have threads of their own */
    const char *pass;        /* the option before each variable that processes must see */
    const char *environment; /* one variable, or NULL */
    const char *as_root;     /* variables without which it refuses to run for root, or NULL */
    bool processes;          /* P counts processes */
    bool simulates;          /* needs options of run/simulate.c: only call run can use it */
};

/* Simulated times that are affine in the size of messages and the same in every run: the stock
 * network model is piecewise, sends of its eager mode and its choice of collectives change with
 * size and P. */
static const char simulation[] =
    "-np {P} -quiet "
    "--log=root.thresh:warning --cfg=network/model:CM02 --cfg=network/crosstraffic:0 "
    "--cfg=network/TCP-gamma:1e15 --cfg=smpi/wtime:0 --cfg=smpi/cpu-threshold:0 "
    "--cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/barrier:ompi_bruck --cfg=smpi/allreduce:rdb "
    "--cfg=smpi/reduce:binomial --cfg=smpi/bcast:binomial_tree --cfg=smpi/allgather:bruck "
    "--cfg=smpi/alltoall:bruck --cfg=smpi/alltoallv:ring --cfg=smpi/gather:ompi_binomial "
    "--cfg=smpi/scatter:ompi_binomial";

static const struct launcher table[] = {
    {.name = "plain", .about = "no launcher"},
    {.name = "openmp", .about = "OpenMP threads", .environment = "OMP_NUM_THREADS={P}"},
    {.name = "openmpi",
     .about = "Open MPI",
     .programs = {"mpirun.openmpi", "mpirun", "mpiexec"},
     .says = "Open MPI|OpenRTE",
     .options = "-n {P}",
     .crowded = "--oversubscribe",
     .threaded = "--bind-to none", /* else all threads of a process share one core */
     .pass = "-x",
     .as_root = "OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
     .processes = true},
    {.name = "mpich",
     .about = "MPICH",
     .programs = {"mpiexec.mpich", "mpiexec.hydra", "mpirun.mpich", "mpiexec", "mpirun"},
     .says = "HYDRA|MPICH|Intel(R) MPI",
     .options = "-n {P}",
     .processes = true},
    {.name = "srun",
     .about = "Slurm's srun",
     .programs = {"srun"},
     .options = "-n {P}",
     .crowded = "--overcommit",
     .threaded = "--cpu-bind=none",
     .processes = true},
    {.name = "smpi",
     .about = "SimGrid's smpirun",
     .programs = {"smpirun"},
     .options = simulation,
     .processes = true,
     .simulates = true},
};

enum { LAUNCHERS = sizeof table / sizeof *table };

const char *launch_for(const struct driver *processes, bool openmp, const char *flavour)
{
    if (!processes)
        return openmp ? "openmp" : "plain";
    for (size_t i = 0; flavour && i < LAUNCHERS; i++)
        if (!strcmp(table[i].name, flavour))
            return table[i].name;
    return NULL;
}

/* ---- scripts ---- */

static void set_variable(struct text *out, const char *name, const char *value)
{
    text_printf(out, " %s=", name);
    quote_shell(out, value ? value : "");
}

static void shell_entry(struct text *out, const struct launcher *l)
{
    TEXT_LOCAL struct text programs = text_new();
    for (size_t i = 0; l->programs[i]; i++)
        text_printf(&programs, "%s%s", i ? " " : "", l->programs[i]);
    text_printf(out, "    %s)\n       ", l->name);
    set_variable(out, "about", l->about);
    set_variable(out, "programs", programs.s);
    set_variable(out, "says", l->says);
    text_add(out, "\n       ");
    set_variable(out, "options", l->options);
    set_variable(out, "crowded", l->crowded);
    set_variable(out, "threaded", l->threaded);
    text_add(out, "\n       ");
    set_variable(out, "pass", l->pass);
    set_variable(out, "environment", l->environment);
    set_variable(out, "as_root", l->as_root);
    set_variable(out, "of_processes", l->processes ? "yes" : "no");
    text_add(out, " ;;\n");
}

void launch_shell(struct text *out, bool simulated)
{
    text_add(out, "launcher_entry() {\n    case $1 in\n");
    for (size_t i = 0; i < LAUNCHERS; i++)
        if (simulated || !table[i].simulates)
            shell_entry(out, &table[i]);
    text_add(out, "    *) return 1 ;;\n    esac\n}\n");
}
