/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From figures to tables, and the values of tables.
 *
 * Memory was measured at many sizes on one core and at few sizes on several. The table has all sizes
 * for every number of cores: the curve of one core times the ratio of several cores to one, which is
 * interpolated between the few sizes. So the edges of caches stay where one core shows them.
 *
 * A latency cannot fall with the working set, and a bandwidth of a core cannot rise. Neighbours in
 * the wrong order whose intervals overlap are noise: both get their mean. Where the intervals do not
 * overlap the machine behaves so, and the figures stay.
 *
 * A message or a transfer longer than the longest one measured takes longer in proportion: the table has one more place far
 * beyond, so that whoever interpolates does the same.
 */
#include "machine/curves.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "base/text.h"
#include "machine/thresholds.h"

/* What places a function has, and where its figures are. */
enum kind {
    SINGLE,     /* no argument */
    SIZES,      /* bytes and cores */
    THREADS,    /* cores */
    PROCESSES,  /* processes */
    MESSAGES,   /* bytes, of two processes */
    COLLECTIVE, /* bytes and processes */
    DEVICE,     /* bytes, of the accelerator */
    TRANSFERS,  /* bytes, to or from it */
};

static const struct spec {
    const char *function;
    enum kind kind;
    const char *family, *name;
    const char *other; /* SINGLE: the mean with this one. PROCESSES: for one processor */
} specs[] = {
    {"lat", SIZES, "memory", "latency", NULL},
    {"random", SIZES, "memory", "random", NULL},
    {"bw", SIZES, "memory", "read", NULL},
    {"bw_copy", SIZES, "memory", "copy", NULL},
    {"bw_write", SIZES, "memory", "write", NULL},
    {"cycle", SINGLE, "operations", "cycle", NULL},
    {"flop", SINGLE, "operations", "fp_add.throughput", "fp_mul.throughput"},
    {"division", SINGLE, "operations", "fp_div.throughput", NULL},
    {"idivision", SINGLE, "operations", "int_div.throughput", NULL},
    {"root", SINGLE, "operations", "fp_sqrt.throughput", NULL},
    {"mispredict", SINGLE, "operations", "branch.mispredicted", NULL},
    {"call", SINGLE, "operations", "call", NULL},
    {"syscall", SINGLE, "operations", "system_call", NULL},
    {"fault", SINGLE, "operations", "page_fault", NULL},
    {"fork", THREADS, "openmp", "fork", NULL},
    {"omp_barrier", THREADS, "openmp", "barrier", NULL},
    {"reduction", THREADS, "openmp", "reduction", NULL},
    {"barrier", PROCESSES, "mpi", "barrier", NULL},
    {"startup", SINGLE, "mpi", "startup", NULL},
    {"per_byte", SINGLE, "mpi", "per_byte", NULL},
    {"pingpong", MESSAGES, "mpi", "pingpong", NULL},
    {"alltoall", COLLECTIVE, "mpi", "alltoall", NULL},
    {"g", PROCESSES, "bsp", "g.exchange", "g.shift"},
    {"L", PROCESSES, "bsp", "L.exchange", "L.shift"},
    {"s", PROCESSES, "bsp", "s", NULL},
    {"gpu_lat", DEVICE, "gpu", "latency", NULL},
    {"gpu_bw", DEVICE, "gpu", "read", NULL},
    {"gpu_bw_copy", DEVICE, "gpu", "copy", NULL},
    {"gpu_bw_write", DEVICE, "gpu", "write", NULL},
    {"gpu_atomic", DEVICE, "gpu", "atomic", NULL},
    {"gpu_flop", SINGLE, "gpu", "flop_double", NULL},
    {"gpu_flop_float", SINGLE, "gpu", "flop_float", NULL},
    {"gpu_launch", SINGLE, "gpu", "launch.latency", NULL},
    {"gpu_launch_queued", SINGLE, "gpu", "launch.throughput", NULL},
    {"to_gpu", TRANSFERS, "gpu", "to_device.pageable", NULL},
    {"to_gpu_pinned", TRANSFERS, "gpu", "to_device.pinned", NULL},
    {"from_gpu", TRANSFERS, "gpu", "from_device.pageable", NULL},
    {"from_gpu_pinned", TRANSFERS, "gpu", "from_device.pinned", NULL},
};
enum { NSPECS = sizeof specs / sizeof *specs };

/* How many times beyond the longest message the last place of its table is; a power of two. */
#define FAR_TIMES 1048576.0

static bool grows(const struct spec *s)
{
    return s->kind == MESSAGES || s->kind == COLLECTIVE || s->kind == TRANSFERS;
}

static const char *const arguments[][2] = {
    [SINGLE] = {NULL, NULL},    [SIZES] = {"BYTES", "CORES"},  [THREADS] = {"THREADS", NULL},
    [PROCESSES] = {"P", NULL},  [MESSAGES] = {"BYTES", NULL},  [COLLECTIVE] = {"BYTES", "P"},
    [DEVICE] = {"BYTES", NULL}, [TRANSFERS] = {"BYTES", NULL},
};

/* Of the memory: bytes per second, which all cores share; not seconds of an access. */
static bool is_rate(const struct spec *s)
{
    return strcmp(machine_unit(s->family, s->name), "B/s") == 0;
}

struct machine_curves {
    const struct machine *machine;
    struct machine_table *tables[NSPECS]; /* NULL = no figures */
};

/* One measured value with its interval. */
struct knot {
    double at, value, low, high;
};

struct maker {
    struct arena *arena;
    const struct machine *m;
    unsigned draw;
};

/* ---- values from figures ---- */

static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* A normal deviate for each figure and draw (Box and Muller). */
static double deviate(const struct maker *k, const struct machine_figure *f)
{
    const struct machine_figure *first =
        f >= k->m->figures && f < k->m->figures + k->m->nfigures ? k->m->figures : k->m->summary;
    uint64_t seed = mixed(k->draw + mixed((uint64_t)(f - first) * 2 + (first == k->m->summary)));
    double u = ((double)(mixed(seed) >> 11) + 0.5) / 9007199254740992.0,
           v = ((double)(mixed(seed + 1) >> 11) + 0.5) / 9007199254740992.0;
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* The figure, or one drawn from its 95 % interval; both ends move with it. */
static struct knot knot_of(const struct maker *k, const struct machine_figure *f, double at,
                           double divisor)
{
    const double ends = 3.92; /* standard deviations between the ends of the interval */
    double times = 1;
    if (k->draw && f->low > 0)
        times = exp(deviate(k, f) * log(f->high / f->low) / ends);
    return (struct knot){at, times * f->value / divisor, times * f->low / divisor,
                         times * f->high / divisor};
}

static const struct machine_figure *find(const struct machine *m, const char *family,
                                         const char *name, int cores, int processes)
{
    return machine_find(m, family, name, 0, cores, processes);
}

/* Neighbours in the wrong order whose intervals overlap get their mean, on logarithms. */
static void repair(struct knot *list, size_t n, bool rises)
{
    for (size_t i = 1; i < n; i++) {
        size_t first = i;
        double sum = log(list[i].value), low = list[i].low, high = list[i].high;
        while (first > 0) {
            const struct knot *before = &list[first - 1];
            double mean = exp(sum / (double)(i - first + 1));
            bool wrong = rises ? before->value > mean : before->value < mean;
            if (!wrong || before->low > high || before->high < low)
                break;
            low = fmin(low, before->low);
            high = fmax(high, before->high);
            sum += log(before->value);
            first--;
        }
        double mean = exp(sum / (double)(i - first + 1));
        for (size_t j = first; j <= i && first < i; j++)
            list[j].value = mean;
    }
}

/* ---- interpolation ---- */

/* The place at or before x, and how far x is from it to the next one, on logarithms. */
static size_t locate(const double *at, size_t n, double x, double *part)
{
    size_t low = 0, high = n - 1;
    *part = 0;
    if (!(x > at[0]))
        return 0;
    if (x >= at[high])
        return high;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (at[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    *part = log(x / at[low]) / log(at[high] / at[low]);
    return low;
}

static double between(double a, double b, double part)
{
    if (part == 0)
        return a;
    return a > 0 && b > 0 ? a * pow(b / a, part) : a + part * (b - a);
}

static double along(const double *at, const double *value, size_t n, double x)
{
    double part;
    size_t i = locate(at, n, x, &part);
    return between(value[i], value[i + (part > 0)], part);
}

static double table_value(const struct machine_table *t, double x, double y)
{
    double of_x, of_y;
    size_t i = locate(t->x, t->nx, x, &of_x), j = locate(t->y, t->ny, y, &of_y);
    const double *row = t->value + j * t->nx, *next = row + (of_y > 0 ? t->nx : 0);
    size_t after = i + (of_x > 0);
    return between(between(row[i], row[after], of_x), between(next[i], next[after], of_x), of_y);
}

/* ---- tables ---- */

static struct machine_table *new_table(struct arena *a, const struct spec *s, size_t nx, size_t ny)
{
    struct machine_table *t = arena_zalloc(a, 1, sizeof *t);
    *t = (struct machine_table){.function = s->function,
                                .arguments = {arguments[s->kind][0], arguments[s->kind][1]},
                                .nx = nx,
                                .ny = ny};
    t->x = arena_zalloc(a, nx, sizeof *t->x);
    t->y = arena_zalloc(a, ny, sizeof *t->y);
    t->low = arena_zalloc(a, ny, sizeof *t->low);
    t->high = arena_zalloc(a, ny, sizeof *t->high);
    t->value = arena_zalloc(a, nx * ny, sizeof *t->value);
    return t;
}

/* A table over one argument, or none. */
static struct machine_table *table_of(const struct maker *k, const struct spec *s,
                                      const struct knot *list, size_t n)
{
    if (n == 0)
        return NULL;
    struct machine_table *t = new_table(k->arena, s, n, 1);
    for (size_t i = 0; i < n; i++) {
        t->x[i] = list[i].at;
        t->value[i] = list[i].value;
    }
    t->y[0] = 1;
    t->low[0] = list[0].at;
    t->high[0] = list[n - 1].at / (grows(s) ? FAR_TIMES : 1);
    return t;
}

static struct machine_table *make_single(const struct maker *k, const struct spec *s)
{
    int processes = strcmp(s->family, "mpi") == 0 ? 2 : 0;
    const struct machine_figure *f = find(k->m, s->family, s->name, 0, processes),
                                *other = s->other ? find(k->m, s->family, s->other, 0, 0) : NULL;
    if (!f || (s->other && !other))
        return NULL;
    struct knot one = knot_of(k, f, 1, 1);
    if (other)
        one.value = (one.value + knot_of(k, other, 1, 1).value) / 2;
    return table_of(k, s, &one, 1);
}

/* The next larger number of cores or processes that has figures of this name; 0 after the largest one. */
static int next_count(const struct machine *m, const struct spec *s, bool processes, int than)
{
    int next = 0;
    for (size_t i = 0; i < m->nfigures + m->nsummary; i++) {
        const struct machine_figure *f =
            i < m->nfigures ? &m->figures[i] : &m->summary[i - m->nfigures];
        int count = processes ? f->processes : f->cores;
        bool named = strcmp(f->name, s->name) == 0 ||
                     (s->other && count == 1 && strcmp(f->name, s->other) == 0);
        if (named && strcmp(f->family, s->family) == 0 && count > than && (!next || count < next))
            next = count;
    }
    return next;
}

static struct machine_table *make_counts(const struct maker *k, const struct spec *s)
{
    bool processes = s->kind == PROCESSES;
    size_t n = 0, capacity = 0;
    struct knot *list = NULL;
    for (int c = 0; (c = next_count(k->m, s, processes, c)) > 0;) {
        int cores = processes ? 0 : c, ranks = processes ? c : 0;
        const struct machine_figure *f = find(k->m, s->family, s->name, cores, ranks);
        if (!f && c == 1 && s->other)
            f = find(k->m, s->family, s->other, cores, ranks);
        if (!f)
            continue;
        ARENA_ADD(k->arena, list, n, &capacity, knot_of(k, f, c, 1));
    }
    return table_of(k, s, list, n);
}

/* The measured sizes of one number of cores or processes (0 of the accelerator), without size 0. */
static struct knot *sizes_of(const struct maker *k, const struct spec *s, int count, size_t *n)
{
    bool memory = s->kind == SIZES, rate = memory && is_rate(s);
    size_t all;
    const struct machine_figure **curve = machine_curve(
        k->m, s->family, s->name, memory ? count : 0, memory ? 0 : count, k->arena, &all);
    struct knot *list = arena_alloc(k->arena, all + 2, sizeof *list), last;
    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (curve[i]->bytes > 0)
            list[(*n)++] = knot_of(k, curve[i], (double)curve[i]->bytes, rate ? count : 1);
    if (memory)
        repair(list, *n, !rate);
    if (grows(s) && *n) {
        last = list[*n - 1];
        list[(*n)++] = (struct knot){FAR_TIMES * last.at, FAR_TIMES * last.value,
                                     FAR_TIMES * last.low, FAR_TIMES * last.high};
    }
    return list;
}

static struct machine_table *make_messages(const struct maker *k, const struct spec *s)
{
    size_t n;
    struct knot *list = sizes_of(k, s, s->kind == MESSAGES ? 2 : 0, &n);
    return table_of(k, s, list, n);
}

/* All rows of a table over sizes and counts. */
struct row {
    double *at, *value; /* of each size */
    size_t n;
    int count;
};

static struct row row_of(const struct maker *k, const struct spec *s, int count)
{
    struct row row = {.count = count};
    const struct knot *list = sizes_of(k, s, count, &row.n);
    row.at = arena_alloc(k->arena, row.n + 1, sizeof *row.at);
    row.value = arena_alloc(k->arena, row.n + 1, sizeof *row.value);
    for (size_t i = 0; i < row.n; i++) {
        row.at[i] = list[i].at;
        row.value[i] = list[i].value;
    }
    return row;
}

static int by_size(const void *a, const void *b, void *context)
{
    double x = *(const double *)a, y = *(const double *)b;
    (void)context;
    return (x > y) - (x < y);
}

/* The sizes of all rows, ascending, each once. */
static double *all_sizes(const struct maker *k, const struct row *rows, size_t nrows, size_t *n)
{
    size_t all = 0;
    for (size_t r = 0; r < nrows; r++)
        all += rows[r].n;
    double *list = arena_alloc(k->arena, all + 1, sizeof *list);
    all = 0;
    for (size_t r = 0; r < nrows; r++)
        for (size_t i = 0; i < rows[r].n; i++)
            list[all++] = rows[r].at[i];
    sort_with(list, all, sizeof *list, by_size, NULL);
    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (!*n || list[i] != list[*n - 1])
            list[(*n)++] = list[i];
    return list;
}

static struct machine_table *make_sizes(const struct maker *k, const struct spec *s)
{
    bool processes = s->kind == COLLECTIVE;
    size_t nrows = 0, capacity = 0, nx;
    struct row *rows = NULL;
    for (int c = 0; (c = next_count(k->m, s, processes, c)) > 0;) {
        struct row one = row_of(k, s, c);
        if (one.n == 0)
            continue;
        ARENA_ADD(k->arena, rows, nrows, &capacity, one);
    }
    if (nrows == 0)
        return NULL;
    const double *sizes = all_sizes(k, rows, nrows, &nx);
    struct machine_table *t = new_table(k->arena, s, nx, nrows);
    memcpy(t->x, sizes, nx * sizeof *sizes);
    const struct row *base = &rows[0];
    for (size_t r = 0; r < nrows; r++) {
        const struct row *row = &rows[r];
        t->y[r] = row->count;
        t->low[r] = row->at[0];
        t->high[r] = row->at[row->n - 1] / (grows(s) ? FAR_TIMES : 1);
        double *ratio = arena_alloc(k->arena, row->n, sizeof *ratio);
        for (size_t i = 0; i < row->n; i++)
            ratio[i] = row->value[i] / along(base->at, base->value, base->n, row->at[i]);
        for (size_t i = 0; i < nx; i++)
            t->value[r * nx + i] = along(base->at, base->value, base->n, sizes[i]) *
                                   (r ? along(row->at, ratio, row->n, sizes[i]) : 1);
        for (size_t i = 0, at = 0; i < nx; i++) /* exactly what was measured */
            if (at < row->n && row->at[at] == sizes[i])
                t->value[r * nx + i] = row->value[at++];
    }
    return t;
}

const struct machine_curves *machine_curves_make(struct arena *a, const struct machine *m,
                                                 unsigned draw)
{
    static struct machine_table *(*const make[])(const struct maker *, const struct spec *) = {
        [SINGLE] = make_single,    [SIZES] = make_sizes,        [THREADS] = make_counts,
        [PROCESSES] = make_counts, [MESSAGES] = make_messages,  [COLLECTIVE] = make_sizes,
        [DEVICE] = make_messages,  [TRANSFERS] = make_messages,
    };
    struct machine_curves *c = arena_zalloc(a, 1, sizeof *c);
    struct maker k = {a, m, draw};
    c->machine = m;
    for (size_t i = 0; i < NSPECS; i++)
        c->tables[i] = make[specs[i].kind](&k, &specs[i]);
    return c;
}

/* ---- questions ---- */

static size_t spec_of(const char *function)
{
    size_t i = 0;
    while (i < NSPECS && strcmp(specs[i].function, function) != 0)
        i++;
    return i;
}

const struct machine_table *machine_curves_table(const struct machine_curves *c,
                                                 const char *function)
{
    size_t i = spec_of(function);
    return i < NSPECS ? c->tables[i] : NULL;
}

static const char *family_reason(const struct machine *m, const char *family)
{
    const struct machine_family *found = TEXT_ELEMENT(m->families, m->nfamilies, name, family);
    return found ? found->reason : NULL;
}

const char *machine_curves_lack(const struct machine_curves *c, const char *function,
                                size_t arguments_given, struct arena *a)
{
    const struct machine *m = c->machine;
    size_t i = spec_of(function);
    if (i == NSPECS)
        return arena_printf(a, "%s() is not a function of machines", function);
    const struct spec *s = &specs[i];
    const char *reason = family_reason(m, s->family);
    bool parallel = strcmp(s->family, "mpi") == 0 || strcmp(s->family, "bsp") == 0,
         device = strcmp(s->family, "gpu") == 0;
    if (!c->tables[i])
        return arena_printf(a,
                            "the machine %s has no figures for %s() (%s %s)%s%s: measure them with "
                            "%s, and use that file",
                            m->name, function, s->family, s->name, reason ? ": " : "",
                            reason ? reason : "",
                            parallel ? "mpirun -n P cllprobe"
                            : device ? "cllprobe-cuda or cllprobe-opencl"
                                     : "cllprobe");
    if (arguments_given == 2 && s->kind == SIZES && c->tables[i]->ny == 1 && m->cores > 1)
        return arena_printf(
            a,
            "the machine %s has figures for %s() on one core only: leave the second "
            "argument out",
            m->name, function);
    return NULL;
}

double machine_curves_value(const struct machine_curves *c, const char *function, const double *x,
                            size_t n)
{
    const struct machine_table *t = machine_curves_table(c, function);
    double first = n > 0 ? x[0] : 1, second = n > 1 ? x[1] : 1;
    if (!t || !(first > 0) || !(second > 0) || !isfinite(first) || !isfinite(second))
        return (double)NAN;
    return table_value(t, first, second);
}

/* "64 KB", "1.5 GB"; numbers of cores as they are. */
static const char *place_text(struct arena *a, const char *argument, double x)
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    size_t unit = 0;
    if (strcmp(argument, "BYTES") != 0)
        return arena_printf(a, "%s = %.6g", argument, x);
    for (; x >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        x /= 1024;
    return arena_printf(a, "%.4g %s", x, units[unit]);
}

const char *machine_curves_beyond(const struct machine_curves *c, const char *function,
                                  const double *x, size_t n, struct arena *a)
{
    const struct machine_table *t = machine_curves_table(c, function);
    double part, y = n > 1 ? x[1] : 1;
    if (!t || n == 0 || !t->arguments[0])
        return NULL;
    size_t j = locate(t->y, t->ny, y, &part), next = j + (part > 0);
    double low = fmax(t->low[j], t->low[next]), high = fmin(t->high[j], t->high[next]);
    const char *what = t->arguments[0], *cores = "";
    if (n > 1 && t->arguments[1] && (y < t->y[0] || y > t->y[t->ny - 1]))
        return arena_printf(a, "%s() was measured for %s %s, and is taken as constant %s", function,
                            place_text(a, t->arguments[1], y < t->y[0] ? t->y[0] : t->y[t->ny - 1]),
                            y < t->y[0] ? "at least" : "at most", y < t->y[0] ? "below" : "beyond");
    if (n > 1 && t->arguments[1])
        cores = arena_printf(a, " for %s", place_text(a, t->arguments[1], t->y[next]));
    if (x[0] > high)
        return arena_printf(a, "%s() was measured up to %s%s, and is taken as %s beyond", function,
                            place_text(a, what, high), cores,
                            grows(&specs[spec_of(function)]) ? "proportional to BYTES"
                                                             : "constant");
    if (x[0] < low)
        return arena_printf(a, "%s() was measured from %s on%s, and is taken as constant below",
                            function, place_text(a, what, low), cores);
    return NULL;
}

const char *machine_curves_doubt(const struct machine_curves *c, const char *function,
                                 struct arena *a)
{
    size_t i = spec_of(function), worst_x = 0, worst_y = 0;
    const struct machine_table *t = i < NSPECS ? c->tables[i] : NULL;
    double most = CURVE_DOUBT;
    if (!t || specs[i].kind != SIZES || t->y[0] != 1)
        return NULL;
    bool rate = is_rate(&specs[i]);
    for (size_t y = 1; y < t->ny; y++)
        for (size_t x = 0; x < t->nx; x++) {
            double one = t->value[x], each = t->value[y * t->nx + x],
                   times = rate ? each / one : one / each;
            if (t->x[x] < t->low[y] || t->x[x] > t->high[y] || !(times >= most))
                continue;
            most = times;
            worst_x = x;
            worst_y = y;
        }
    if (!worst_y)
        return NULL;
    return arena_printf(
        a, "%s() of %s: each of %g active cores is %.2g times as fast as one core alone", function,
        place_text(a, "BYTES", t->x[worst_x]), t->y[worst_y], most);
}
