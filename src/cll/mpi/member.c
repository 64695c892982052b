/* SPDX-License-Identifier: MIT */
/* Describes this process when the parallel part begins: its rank, the number of the run, the
   processes on its host, and the hosts of all processes. */
#include "cll/mpi/member.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cll/driver.h"

/* As in flavours.def. */
#if defined(CLL_SMPI)
CLL_NOTE("flavour smpi");
#elif defined(OPEN_MPI)
CLL_NOTE("flavour openmpi");
#else
CLL_NOTE("flavour mpich");
#endif

#define CPU_SETS   64 /* words of 64 cores */
#define HOST_BYTES 65 /* of a name: Linux has at most 64 */
#define INCOMPLETE "...\n"

char cll_mpi_chunk[CLL_DRIVER_CHUNK];

/* The cores of all processes on this host, and how many processes there are. Returns the rank in the
   world of the first of them. */
static int look_at_host(MPI_Comm world, struct cll_member *member)
{
    MPI_Comm host;
    int local = 1, me = 0, first = (int)member->rank;
    uint64_t mine[CPU_SETS], all[CPU_SETS];
    PMPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    PMPI_Comm_size(host, &local);
    PMPI_Comm_rank(host, &me);
    cll_driver_cores(mine, CPU_SETS);
    PMPI_Allreduce(mine, all, CPU_SETS, MPI_UINT64_T, MPI_BOR, host);
    if (!me)
        member->whole_cores = cll_driver_whole_cores(all, CPU_SETS);
    PMPI_Bcast(&member->whole_cores, 1, MPI_UNSIGNED, 0, host);
    PMPI_Bcast(&first, 1, MPI_INT, 0, host);
    PMPI_Comm_free(&host);
    member->local = (unsigned)local;
    member->local_cores = 0;
    for (unsigned i = 0; i < CPU_SETS; i++)
        member->local_cores += (unsigned)__builtin_popcountll(all[i]);
    return first;
}

/* How many hosts the program has, and how many processes and cores each. */
static void count_hosts(MPI_Comm world, struct cll_member *member, int is_first)
{
    int64_t ranks = member->local, cores = member->local_cores;
    int64_t mine[] = {-ranks, ranks, -cores, cores}, most[4] = {0};
    PMPI_Allreduce(mine, most, 4, MPI_INT64_T, MPI_MAX, world);
    PMPI_Allreduce(&is_first, &member->hosts, 1, MPI_INT, MPI_SUM, world);
    member->host_ranks[0] = (unsigned)-most[0];
    member->host_ranks[1] = (unsigned)most[1];
    member->host_cores[0] = (unsigned)-most[2];
    member->host_cores[1] = (unsigned)most[3];
}

/* ---- which processes are on which host */

/* What process 0 knows of all processes. */
struct listing {
    int n;
    int *first; /* by rank: the first rank of its host */
    int *next;  /* by rank: the next rank of its host; n: none */
    char *names;
    char *text;
    size_t used;
};

static void add_text(struct listing *l, const char *text)
{
    size_t length = strlen(text);
    memcpy(l->text + l->used, text, length + 1);
    l->used += length;
}

/* "0-3 node7", "0-12:4,13 node7": steps of more than one follow a colon. Returns 0 if there is no
   room. */
static int add_host(struct listing *l, int rank)
{
    char line[HOST_BYTES + 1024], name[HOST_BYTES];
    size_t used = 0;
    snprintf(name, sizeof name, "%.*s", HOST_BYTES - 1, l->names + (size_t)rank * HOST_BYTES);
    while (rank < l->n) {
        int last = rank, step = l->next[rank] - rank;
        while (l->next[last] < l->n && l->next[last] - last == step)
            last = l->next[last];
        if (step > 1 && last == l->next[rank])
            last = rank; /* two ranks are no sequence */
        if (used + 64 > sizeof line - HOST_BYTES)
            return 0;
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%d", used ? "," : "", rank);
        if (last > rank)
            used += (size_t)snprintf(line + used, sizeof line - used, "-%d", last);
        if (last > rank && step > 1)
            used += (size_t)snprintf(line + used, sizeof line - used, ":%d", step);
        rank = l->next[last];
    }
    snprintf(line + used, sizeof line - used, " %s\n", name);
    if (l->used + strlen(line) + sizeof INCOMPLETE > CLL_PLACES)
        return 0;
    add_text(l, line);
    return 1;
}

/* In process 0. */
static void make_list(struct listing *l)
{
    for (int rank = l->n - 1; rank >= 0; rank--)
        l->next[rank] = l->n;
    for (int rank = l->n - 1; rank >= 0;
         rank--) { /* each comes before the later ones of its host */
        int first = l->first[rank];
        if (rank == first)
            continue;
        l->next[rank] = l->next[first];
        l->next[first] = rank;
    }
    for (int rank = 0; rank < l->n; rank++) {
        if (l->first[rank] == rank && !add_host(l, rank)) {
            add_text(l, INCOMPLETE);
            return;
        }
    }
}

/* The list of all hosts with their processes, for all processes: after a run that was killed, the
   spool of one process names the hosts that have the others. */
static void list_hosts(MPI_Comm world, struct cll_member *member, int first)
{
    static char places[CLL_PLACES];
    char name[HOST_BYTES] = "";
    struct listing l = {.n = (int)member->world, .text = places};
    int able = 1;
    if (!member->rank) {
        l.first = malloc(member->world * sizeof *l.first);
        l.next = calloc(member->world, sizeof *l.next);
        l.names = malloc((size_t)member->world * HOST_BYTES);
        able = l.first && l.next && l.names;
    }
    PMPI_Bcast(&able, 1, MPI_INT, 0, world);
    if (able) {
        cll_driver_host(name, sizeof name);
        PMPI_Gather(&first, 1, MPI_INT, l.first, 1, MPI_INT, 0, world);
        PMPI_Gather(name, HOST_BYTES, MPI_BYTE, l.names, HOST_BYTES, MPI_BYTE, 0, world);
        if (l.first && l.next && l.names) /* in process 0 */
            make_list(&l);
        PMPI_Bcast(places, CLL_PLACES, MPI_BYTE, 0, world);
        member->places = places;
    }
    free(l.first);
    free(l.next);
    free(l.names);
}

/* ---- launchers of another MPI library */

/* What launchers tell the processes that they start. */
static const struct launcher {
    const char *size, *rank, *advice;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "start it with the mpirun of its MPI library"},
    {"PMI_SIZE", "PMI_RANK", "start it with the mpirun of its MPI library"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID",
     "start it with another --mpi of srun, or with the mpirun of its MPI library"},
};
#ifdef OPEN_MPI
enum { OWN = 0 };
#define LIBRARY "Open MPI"
#else
enum { OWN = 1 };
#define LIBRARY "MPICH"
#endif

static long number_in(const char *variable)
{
    const char *text = getenv(variable);
    char *end = NULL;
    long number = text && *text ? strtol(text, &end, 10) : -1;
    return end && !*end ? number : -1;
}

/* The launcher that started this process. What the own one of the library says counts first: the others may
   have started a script in which it was used. */
static const struct launcher *find_launcher(void)
{
    if (number_in(launchers[OWN].size) > 0)
        return &launchers[OWN];
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (number_in(launchers[i].size) > 0)
            return &launchers[i];
    return NULL;
}

/* A process that is alone in the world of MPI, although its launcher started several, does not know of
   the others: the launcher belongs to another MPI library. Spawned processes have their own world, and a
   driver may use fewer processes than there are. Returns how many were started; 0: nothing is wrong. */
static unsigned find_launched(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    int size = 1;
    const struct launcher *l = find_launcher();
    long started = l ? number_in(l->size) : 0;
    PMPI_Comm_get_parent(&parent);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1 || started < 2 || started > INT_MAX || parent != MPI_COMM_NULL)
        return 0;
    if (cll_driver_program() && number_in(l->rank) <= 0) {
        char text[512];
        snprintf(
            text, sizeof text,
            "the launcher started %ld processes (%s), but each of them is a program of its own, "
            "with P = 1: the launcher does not belong to " LIBRARY
            ", which this program uses; %s. If they are meant to be separate programs, unset %s",
            started, l->size, l->advice, l->size);
        cll_driver_say(text);
    }
    return (unsigned)started;
}

void cll_mpi_join(const char *driver, MPI_Comm world)
{
    struct cll_member member = {.driver = driver};
    int rank, size;
    struct timespec now;
    PMPI_Comm_rank(world, &rank);
    PMPI_Comm_size(world, &size);
    member.rank = (unsigned)rank;
    member.world = (unsigned)size;
    clock_gettime(CLOCK_REALTIME, &now);
    member.job = ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) ^ (uint64_t)getpid()
                                                                                    << 48;
    member.job |= !member.job;
    uint64_t first[2] = {member.job, (uint64_t)cll_driver_run()};
    PMPI_Bcast(first, 2, MPI_UINT64_T, 0, world);
    member.job = first[0];
    member.run = (int64_t)first[1];
    if (!cll_driver_simulated()) {
        int first_here = look_at_host(world, &member);
        count_hosts(world, &member, first_here == rank);
        list_hosts(world, &member, first_here);
        member.launched = find_launched();
    }
    cll_driver_join(&member);
}
