/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What functions are asked to do, and what they ask for: sums over a run of their integer arguments, of the integers in the heads of their
 * loops, and of the bytes that they allocate. A count that depends on data may be exact in these. Functions with counts that nothing
 * explains, and those that mention them, tell their arguments and loops, and all functions their allocations, in a build of its own
 * (cc/told.h) that runs at the same sizes: the counters stay as they are, and what is called most often costs nothing.
 *
 * Sums of products make formulas of one execution sums over all of them: a loop with n^2 iterations in each call has sum(n^2).
 * If the calls told are not those that were counted, the function was not the same in both runs, and is left out; so is a loop that
 * was not begun as often.
 */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/printable.h"
#include "base/sort.h"
#include "base/source.h"
#include "base/text.h"
#include "call/cc/language.h"
#include "call/cc/told.h"
#include "call/discover/discover.h"
#include "call/run/run.h"

enum { MOST_TOLD = 2000, MOST_DEPTH = 3, MOST_FIGURES = 1 + TOLD_MOST + TOLD_PRODUCTS };

static const size_t most_bytes = (size_t)1 << 28;

/* A function that tells: its arguments, what the head of one of its loops compares, or what it asks of malloc. */
struct teller {
    const struct counted *function, *loop; /* NULL: it is no loop that was counted */
    const char *begin;                     /* of its lines: "31 sort" */
    const char *where;                     /* "", "35", "malloc" */
    bool loops;                            /* of a function: it tells its arguments and loops */
    const char *names[TOLD_MOST];
    size_t n;
    bool differs;                     /* processes name other arguments */
    int64_t (*figures)[MOST_FIGURES]; /* of each row, and of the one that is run again */
};

struct tellers {
    struct request *q;
    struct teller *list;
    size_t n, capacity, nfunctions; /* the functions come first */
    size_t clist;                   /* of the arguments */
};

/* ---- which functions ---- */

static bool is_explained(const struct counted *c)
{
    return c->formula.verdict != DISCOVER_DATA || c->chain || c->damaged;
}

/* Has another function the same name on the same line? Instances of a template would tell as one. */
static bool is_alone(const struct request *q, const struct counted *c, const char *name)
{
    const struct counts_table *t = &q->counts;
    for (size_t i = 0; i < t->n; i++)
        if (!t->list[i].is_loop && &t->list[i] != c && t->list[i].line == c->line &&
            !strcmp(t->list[i].path, c->path) &&
            !strcmp(regions_call_name(q->arena, &t->list[i]), name))
            return false;
    return true;
}

static bool may_tell(const struct request *q, const struct counted *c, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return !source_is_fortran(c->path) && !strchr(c->path, '\n') && *name && strlen(name) < 200 &&
           !name[strspn(name, letters)] && is_alone(q, c, name);
}

/* A program that defines one of them knows better what it asks for. */
static bool has_own_allocator(const struct request *q)
{
    static const char *const names[] = {"malloc", "calloc", "realloc"};
    for (size_t i = 0; i < q->counts.n; i++)
        if (!q->counts.list[i].is_loop &&
            text_is_in(names, sizeof names / sizeof *names,
                       regions_call_name(q->arena, &q->counts.list[i])))
            return true;
    return false;
}

static void add_teller(struct tellers *s, struct teller t)
{
    t.figures = arena_zalloc(s->q->arena, s->q->nrows + 1, sizeof *t.figures);
    ARENA_ADD(s->q->arena, s->list, s->n, &s->capacity, t);
}

/* All functions, those that tell their arguments first; none if no function does. */
static void choose(struct tellers *s)
{
    struct request *q = s->q;
    const struct counts_table *t = &q->counts;
    size_t owners = 0;
    for (size_t i = 0; i < t->n; i++)
        owners = t->list[i].owner >= owners ? t->list[i].owner + 1 : owners;
    bool *open = arena_zalloc(q->arena, owners + 1, sizeof *open),
         *wanted = arena_zalloc(q->arena, owners + 1, sizeof *wanted);
    for (size_t i = 0; i < t->n; i++) {
        open[t->list[i].owner] |= !is_explained(&t->list[i]);
        wanted[t->list[i].owner] |= t->list[i].is_loop && !is_explained(&t->list[i]);
    }
    q->mentions = regions_mentions(q, &q->nmentions);
    for (size_t i = 0; i < q->nmentions; i++)
        wanted[q->mentions[i].from] |= open[q->mentions[i].to];
    for (int loops = 1; loops >= 0 && (loops || s->n); loops--)
        for (size_t i = 0; i < t->n && s->n < MOST_TOLD; i++) {
            const struct counted *c = &t->list[i];
            const char *name;
            if (c->is_loop || wanted[c->owner] != loops ||
                !may_tell(q, c, name = regions_call_name(q->arena, c)))
                continue;
            add_teller(s, (struct teller){.function = c,
                                          .begin = arena_printf(q->arena, "%u %s", c->line, name),
                                          .where = "",
                                          .loops = loops});
        }
    s->nfunctions = s->n;
}

/* ---- what they tell ---- */

/* "n,m" */
static void read_names(struct arena *a, struct teller *t, const char *names, size_t length)
{
    bool is_first = !t->n;
    size_t n = 0;
    while (length && n < TOLD_MOST) {
        const char *comma = memchr(names, ',', length);
        size_t own = comma ? (size_t)(comma - names) : length;
        if (is_first)
            t->names[t->n++] = arena_strndup(a, names, own);
        else
            t->differs |=
                n >= t->n || strlen(t->names[n]) != own || strncmp(t->names[n], names, own) != 0;
        n++;
        names += own + (comma != NULL);
        length -= own + (comma != NULL);
    }
    t->differs |= n != t->n;
}

/* The loop of the function that begins on this line; NULL: none, or two. */
static const struct counted *find_loop(const struct request *q, const struct counted *function,
                                       const char *line)
{
    const struct counted *found = NULL;
    for (size_t i = 0; i < q->counts.n; i++) {
        const struct counted *c = &q->counts.list[i];
        if (!c->is_loop || c->owner != function->owner || c->line != strtoul(line, NULL, 10))
            continue;
        if (found)
            return NULL;
        found = c;
    }
    return found;
}

/* The teller of this place in a function, which may be new. */
static struct teller *teller_at(struct tellers *s, size_t function, const char *where, size_t n)
{
    struct teller new = s->list[function];
    if (!n)
        return &s->list[function];
    for (size_t i = s->nfunctions; i < s->n; i++)
        if (s->list[i].function == new.function && strlen(s->list[i].where) == n &&
            !strncmp(s->list[i].where, where, n))
            return &s->list[i];
    new.where = arena_strndup(s->q->arena, where, n);
    new.loop = find_loop(s->q, new.function, new.where);
    new.n = 0;
    new.differs = false;
    add_teller(s, new);
    return &s->list[s->n - 1];
}

/* "3 120 0 ... 31 sort :n,m /home/me/pairs.c", "... 31 sort 35:p->len /home/me/pairs.c" */
static void read_line(struct tellers *s, const char *line, size_t row)
{
    int64_t figures[MOST_FIGURES];
    for (size_t i = 0; i < MOST_FIGURES; i++) {
        char *end;
        figures[i] = strtoll(line, &end, 10);
        if (end == line || *end != ' ')
            return;
        line = end + 1;
    }
    for (size_t i = 0; i < s->nfunctions; i++) {
        size_t n = strlen(s->list[i].begin);
        if (strncmp(line, s->list[i].begin, n) != 0 || line[n] != ' ')
            continue;
        const char *where = line + n + 1, *names = where + strcspn(where, ": ");
        if (*names++ != ':')
            continue;
        size_t length = strcspn(names, " ");
        if (names[length] != ' ' || strcmp(names + length + 1, s->list[i].function->path) != 0)
            continue;
        struct teller *t = teller_at(s, i, where, (size_t)(names - 1 - where));
        read_names(s->q->arena, t, names, length);
        for (size_t k = 0; k < MOST_FIGURES; k++) /* they may have wrapped around already */
            t->figures[row][k] = (int64_t)((uint64_t)t->figures[row][k] + (uint64_t)figures[k]);
        return;
    }
}

static void read_file(struct tellers *s, const char *path, size_t row)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    char *rest;
    if (source_read(path, most_bytes, &text, &size))
        return;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        read_line(s, line, row);
}

/* Each process of a launcher has a folder of its own. */
static void read_folder(struct tellers *s, const char *folder, size_t row, unsigned depth)
{
    DIR *d = depth < MOST_DEPTH ? opendir(folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        const char *path = arena_printf(s->q->arena, "%s/%s", folder, e->d_name);
        if (e->d_name[0] == '.' || lstat(path, &st))
            continue;
        if (S_ISDIR(st.st_mode))
            read_folder(s, path, row, depth + 1);
        else if (S_ISREG(st.st_mode) && text_ends_with(path, ".told"))
            read_file(s, path, row);
    }
    if (d)
        closedir(d);
}

/* False: a run did not go well. The limits are those of sizes that nobody asked for: all these runs have ended well before. */
static bool run_all(struct tellers *s)
{
    struct request *q = s->q;
    struct runs_progress p = runs_begin(q, "arguments", q->ndone + q->again_done);
    const char *folder = arena_printf(q->arena, "%s/told", q->temporary);
    double begin = p.begin;
    bool good = true;
    p.begin -= q->seconds; /* --limit is for all of it */
    q->extra_runs = true;
    for (size_t i = 0; i <= q->nrows && good; i++) {
        bool again = i == q->nrows;
        struct words variables = {0};
        double seconds;
        if (again ? !q->again_done : !q->done[i])
            continue;
        words_printf(q->arena, &variables, "GCOV_PREFIX=%s", folder);
        good = !process_signal() && run_now() - p.begin < q->limit &&
               runs_one(q, &p, again ? q->again : i, folder, &variables, &seconds);
        if (good)
            read_folder(s, folder, i, 0);
        q->argument_runs += good;
    }
    q->extra_runs = false;
    q->argument_seconds = run_now() - begin;
    return good;
}

/* ---- sums ---- */

static bool is_allocation(const struct teller *t)
{
    return t->where[0] > '9';
}

/* Are the calls those that were counted? And of a loop: was it begun as often? Nobody counts how often malloc is called. */
static bool is_same(const struct tellers *s, const struct teller *t)
{
    const struct request *q = s->q;
    const struct teller *function = s->list;
    while (function->function != t->function)
        function++;
    for (size_t i = 0; i <= q->nrows; i++)
        if ((i < q->nrows ? q->done[i] : q->again_done) &&
            (function->figures[i][0] != (int64_t)t->function->at[i] ||
             (t->loop && t->figures[i][0] != (int64_t)t->loop->entries[i])))
            return false;
    bool is_known = !*t->where || is_allocation(t) || (t->loop && !t->loop->damaged);
    return is_known && t->n && !t->differs;
}

static size_t product_of(size_t i, size_t k)
{
    static const size_t at[TOLD_MOST][TOLD_MOST] = {
        {0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3}};
    return 1 + TOLD_MOST + at[i][k];
}

/* Has the argument in each run one value in all calls? Then the sum of its squares is the least. */
static bool is_constant(const struct request *q, const struct teller *t, size_t i)
{
    for (size_t row = 0; row <= q->nrows; row++) {
        const int64_t *x = t->figures[row];
        double sum = (double)x[1 + i], square = (double)x[product_of(i, i)] * (double)x[0];
        if ((x[0] && x[1 + i] % x[0]) || sum * sum != square || fabs(sum) > 0x1p26)
            return false;
    }
    return true;
}

static int64_t value_of(const int64_t *figures, size_t i)
{
    return figures[0] ? figures[1 + i] / figures[0] : 0;
}

/* The last part of the name, if no other function that tells has it. */
static const char *short_name(const struct tellers *s, const struct teller *t)
{
    const struct counted *f = t->function;
    const char *name = strchr(t->begin, ' ') + 1, *result = name;
    for (size_t i = 0; i < s->n; i++) {
        const struct teller *other = &s->list[i];
        if (other->function == f || strcmp(strchr(other->begin, ' ') + 1, name) != 0)
            continue;
        if (!strcmp(other->function->name, f->name))
            return arena_printf(s->q->arena, "%s of %s:%u", f->name, f->file, f->line);
        result = f->name;
    }
    return result;
}

/* Returns whether it depends on data. What a formula over the command line gives is a size, of which polynomials are found with
 * other rules (discover_find). `by_data`: a factor does, so none is looked for, which would take most of the time. */
static bool add_sum(struct tellers *s, const struct teller *t, const char *text,
                    const int64_t *values, bool by_data)
{
    struct request *q = s->q;
    struct counted c = *t->function;
    c.to_beyond = c.only_below = false; /* what is told is told at the sizes alone */
    c.argument = text;
    c.where = t->where;
    c.sum = t->loop ? arena_printf(q->arena, "sum(%s at %s:%u)", text, path_base(t->loop->file),
                                   t->loop->line)
            : is_allocation(t)
                ? arena_printf(q->arena, "sum(%s of %s in %s)", text, t->where, short_name(s, t))
                : arena_printf(q->arena, "sum(%s of %s)", text, short_name(s, t));
    if (t->loop) {
        c.line = t->loop->line;
        c.file = t->loop->file;
        c.order = t->loop->order;
    }
    c.formula = (struct discover_formula){0};
    c.chain = NULL;
    c.only_given = c.is_used = false;
    c.at = arena_zalloc(q->arena, q->nrows + 1, sizeof *c.at);
    for (size_t i = 0; i <= q->nrows; i++) {
        if (values[i] < 0)
            return true;
        c.at[i] = (uint64_t)values[i];
    }
    report_sum(q, &c, by_data);
    ARENA_ADD(q->arena, q->arguments, q->narguments, &s->clist, c);
    return c.formula.verdict == DISCOVER_DATA;
}

/* n^3 and n*m*k, where these values are the same in all calls. */
static void add_cubes(struct tellers *s, const struct teller *t, const bool *by_data,
                      int64_t *values)
{
    struct request *q = s->q;
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = i; k < t->n; k++)
            for (size_t m = k; m < t->n; m++) {
                bool is_cube = i == k && k == m;
                if ((!is_cube && (i == k || k == m)) || !(by_data[i] || by_data[k] || by_data[m]) ||
                    !is_constant(q, t, i) || !is_constant(q, t, k) || !is_constant(q, t, m))
                    continue;
                for (size_t row = 0; row <= q->nrows; row++) {
                    const int64_t *x = t->figures[row];
                    int64_t a = value_of(x, i), b = value_of(x, k), c = value_of(x, m);
                    double size = (double)x[0] * (double)a * (double)b * (double)c;
                    values[row] = fabs(size) < 0x1p62 ? x[0] * a * b * c : -1;
                }
                add_sum(s, t,
                        is_cube ? arena_printf(q->arena, "%s^3", t->names[i])
                                : arena_printf(q->arena, "%s*%s*%s", t->names[i], t->names[k],
                                               t->names[m]),
                        values, true);
            }
}

/* As where the compiler has found no integer. */
static bool is_zero(const struct request *q, const int64_t *values)
{
    bool any = false;
    for (size_t row = 0; row <= q->nrows; row++)
        any |= values[row] != 0;
    return !any;
}

static void add_sums(struct tellers *s, const struct teller *t)
{
    struct request *q = s->q;
    struct arena *a = q->arena;
    int64_t *values = arena_zalloc(a, q->nrows + 1, sizeof *values);
    bool by_data[TOLD_MOST];
    for (size_t i = 0; i < t->n; i++) {
        for (size_t row = 0; row <= q->nrows; row++)
            values[row] = t->figures[row][1 + i];
        by_data[i] = !is_zero(q, values) && add_sum(s, t, t->names[i], values, false);
    }
    for (size_t i = 0; i < t->n && !is_allocation(t); i++)
        for (size_t k = i; k < t->n; k++) {
            const char *x = t->names[i], *y = t->names[k];
            if (!by_data[i] && !by_data[k])
                continue;
            for (size_t row = 0; row <= q->nrows; row++)
                values[row] = t->figures[row][product_of(i, k)];
            if (is_zero(q, values))
                continue;
            add_sum(s, t, i == k ? arena_printf(a, "%s^2", x) : arena_printf(a, "%s*%s", x, y),
                    values, true);
            for (size_t row = 0; row <= q->nrows && i == k; row++)
                values[row] = (values[row] - t->figures[row][1 + i]) / 2;
            if (i == k)
                add_sum(s, t, arena_printf(a, "%s*(%s - 1)/2", x, x), values, true);
        }
    if (!*t->where)
        add_cubes(s, t, by_data, values);
}

/* ---- all ---- */

/* Functions first, then their loops and allocations, whichever process told them first. */
static int by_place(const void *x, const void *y)
{
    const struct teller *p = x, *q = y;
    if (p->function != q->function)
        return p->function < q->function ? -1 : 1;
    return strcmp(p->where, q->where);
}

/* The list for the compiler; NULL after a message. */
static const char *write_list(struct tellers *s)
{
    TEXT_LOCAL struct text t = text_new();
    const char *path = arena_printf(s->q->arena, "%s/arguments", s->q->temporary);
    const char *bytes = has_own_allocator(s->q) ? "" : "b";
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].loops || *bytes)
            text_printf(&t, "%s %s%s %s\n", s->list[i].begin, s->list[i].loops ? "l" : "", bytes,
                        s->list[i].function->path);
    return process_save("call discover", path, t.s, t.n) ? NULL : path;
}

/* As the tables of counts: the largest ones first. */
static int by_value(const void *x, const void *y)
{
    const struct counted *p = x, *q = y;
    double a = isnan(p->here) ? 0 : p->here, b = isnan(q->here) ? 0 : q->here;
    if (a != b)
        return a > b ? -1 : 1;
    int order = strcmp(p->file, q->file);
    if (!order)
        order = p->line < q->line ? -1 : p->line > q->line;
    return order ? order : strcmp(p->sum, q->sum);
}

void arguments_find(struct request *q)
{
    struct tellers s = {.q = q};
    const char *path;
    if (!q->sources.n && !q->build) /* nothing can be built */
        return;
    choose(&s);
    if (!s.n || process_signal() || !(path = write_list(&s)))
        return;
    if (build_told(q, path)) {
        say("call discover: so no formula uses arguments of functions\n");
        return;
    }
    if (!run_all(&s)) {
        if (!process_signal())
            say("call discover: a run in which functions tell their arguments failed, or did not end in "
                "time, so no formula uses them\n");
        return;
    }
    sort_list(s.list + s.nfunctions, s.n - s.nfunctions, sizeof *s.list, by_place);
    for (size_t i = 0; i < s.n && !process_signal(); i++)
        if (is_same(&s, &s.list[i]))
            add_sums(&s, &s.list[i]);
    if (q->narguments)
        chains_find_arguments(q);
    sort_list(q->arguments, q->narguments, sizeof *q->arguments, by_value);
}
