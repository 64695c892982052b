/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "count/sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/sort.h"

/* ---- names of sources ---- */

struct naming {
    struct arena *arena;
    const char *const *sources;
    size_t nsources;
    const char *here; /* the current folder, with a '/' at its end */
    /* the last one, because neighbours are of one file */
    const char *last, *last_name;
};

static const char *real_path(struct arena *a, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy = real ? arena_strdup(a, real) : arena_strdup(a, path);
    free(real);
    return copy;
}

/* The user's name of a source; else its path, relative to the current folder if it is below. */
static const char *user_name(struct naming *n, const char *path)
{
    if (n->last && !strcmp(n->last, path))
        return n->last_name;
    const char *real = real_path(n->arena, path), *name = real;
    size_t length = strlen(n->here);
    if (!strncmp(real, n->here, length))
        name = real + length;
    for (size_t i = 0; i < n->nsources; i++)
        if (!strcmp(real_path(n->arena, n->sources[i]), real))
            name = n->sources[i];
    n->last = path;
    return n->last_name = name;
}

/* "memset'2" is the same function as "memset". Stubs have only an address, "0x108680 [PLT]". */
static const char *function_name(struct arena *a, const char *name)
{
    if (strstr(name, "[PLT]"))
        return "stubs of calls";
    size_t n = strcspn(name, "'");
    if (!strncmp(name, "0x", 2)) /* the library has no names */
        return "???";
    return n ? arena_strndup(a, name, n) : "???";
}

static struct count_site site_of(struct naming *n, const struct counted_instruction *k)
{
    if (!k->of_program) {
        const char *object = strcmp(k->object, "???") && *k->object ? path_base(k->object) : "???";
        return (struct count_site){object, function_name(n->arena, k->function), 0};
    }
    if (strstr(k->file, "/src/pub/")) /* an archive of CALL */
        return (struct count_site){"libpub", function_name(n->arena, k->function), 0};
    if (!*k->file || !k->line)
        return (struct count_site){path_base(k->object), function_name(n->arena, k->function), 0};
    return (struct count_site){user_name(n, k->file), NULL, k->line};
}

static int compare_sites(const struct count_site *x, const struct count_site *y)
{
    int order = (x->function != NULL) - (y->function != NULL); /* the program first */
    if (!order)
        order = strcmp(x->file, y->file);
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    return order || !x->function || !y->function ? order : strcmp(x->function, y->function);
}

static int by_site(const void *x, const void *y)
{
    return compare_sites(x, y);
}

static void make_list(struct arena *a, struct count_sites *s, const struct count_site *all,
                      size_t n)
{
    s->list = arena_alloc(a, n + 1, sizeof *s->list);
    memcpy(s->list, all, n * sizeof *all);
    sort_list(s->list, n, sizeof *s->list, by_site);
    for (size_t i = 0; i < n; i++)
        if (!s->n || compare_sites(&s->list[s->n - 1], &s->list[i]))
            s->list[s->n++] = s->list[i];
}

static size_t find(const struct count_sites *s, const struct count_site *site)
{
    size_t low = 0, high = s->n;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (compare_sites(&s->list[middle], site) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- classes ---- */

struct opened {
    const char *path;
    struct image *image;
};

static struct image *image_of(struct arena *a, struct opened **list, size_t *n, size_t *capacity,
                              const char *path, struct diag *diag)
{
    for (size_t i = 0; i < *n; i++)
        if (!strcmp((*list)[i].path, path))
            return (*list)[i].image;
    bool is_there = strchr(path, '/') && !access(path, F_OK);
    struct image *image = is_there ? image_open(path, diag) : NULL;
    ARENA_ADD(a, *list, *n, capacity, (struct opened){path, image});
    return image;
}

static void classify(struct arena *a, const struct counts *counts, struct count_sites *s,
                     struct diag *diag)
{
    struct opened *list = NULL;
    size_t n = 0, capacity = 0;
    struct image *program = image_of(a, &list, &n, &capacity, counts->program, diag);
    enum image_architecture kind = program ? image_architecture(program) : IMAGE_OTHER;
    struct decoder *decoder = decoder_create(kind);
    s->architecture = image_architecture_name(kind);
    for (size_t i = 0; i < counts->ninstructions; i++) {
        const struct counted_instruction *k = &counts->instructions[i];
        if (k->kind != COUNTED_INSTRUCTION) {
            s->instructions[i] = (struct instruction){.class = CLASS_STORE,
                                                      .set = k->kind == COUNTED_SET,
                                                      .copied = k->kind == COUNTED_COPY};
            continue;
        }
        struct image *image = image_of(a, &list, &n, &capacity, k->object, diag);
        size_t size = 0;
        const unsigned char *bytes = image ? image_bytes(image, k->address, &size) : NULL;
        s->instructions[i] = decoder_classify(decoder, bytes, size, k->address);
    }
    decoder_destroy(decoder);
    for (size_t i = 0; i < n; i++)
        image_close(list[i].image);
}

/* ---- rep stos, rep movs ---- */

/* NULL: the execution did not execute it. */
static struct instruction_count *count_in(const struct execution *e, size_t instruction)
{
    size_t low = 0, high = e->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (e->counts[middle].instruction < instruction)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->n && e->counts[low].instruction == instruction ? &e->counts[low] : NULL;
}

static double count_of(const struct execution *e, size_t instruction)
{
    const struct instruction_count *k = count_in(e, instruction);
    return k ? k->count : 0;
}

static bool is_rep(const struct instruction *k)
{
    return *k->name && (k->set || k->copied);
}

/* The entries of the instructions before and behind a rep. An instruction has several if it belongs to several lines. */
struct neighbours {
    size_t *before, *behind, nbefore, nbehind;
};

static struct neighbours neighbours_of(struct arena *a, const struct counts *c,
                                       const struct count_sites *s, size_t rep)
{
    uint64_t begin = c->instructions[rep].address, end = begin + s->instructions[rep].size;
    struct neighbours n = {0};
    size_t before = 0, behind = 0;
    for (size_t i = 0; i < c->ninstructions; i++) {
        const struct counted_instruction *k = &c->instructions[i];
        if (k->kind != COUNTED_INSTRUCTION || strcmp(k->object, c->instructions[rep].object) != 0)
            continue;
        if (k->address < begin && k->address + s->instructions[i].size == begin) {
            ARENA_ADD(a, n.before, n.nbefore, &before, i);
        } else if (k->address == end) {
            ARENA_ADD(a, n.behind, n.nbehind, &behind, i);
        }
    }
    return n;
}

static double sum_of(const struct execution *e, const size_t *list, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += count_of(e, list[i]);
    return sum;
}

/* How often the execution reached the rep: as often as its neighbours in the code, or, where one of them is also reached by a
 * jump, as the other one. */
static double times_reached(const struct neighbours *n, const struct execution *e)
{
    double before = sum_of(e, n->before, n->nbefore), behind = sum_of(e, n->behind, n->nbehind);
    return n->nbefore && n->nbehind ? fmin(before, behind) : before + behind;
}

/* Valgrind looks before each step whether one is left: each time it looks once more than there are steps. */
static void take_last_looks(struct arena *a, struct counts *c, const struct count_sites *s)
{
    for (size_t rep = 0; rep < c->ninstructions; rep++) {
        if (!is_rep(&s->instructions[rep]))
            continue;
        struct neighbours n = neighbours_of(a, c, s, rep);
        for (size_t i = 0; i < c->nexecutions; i++) {
            struct execution *e = &c->executions[i];
            struct instruction_count *k = count_in(e, rep);
            if (!k)
                continue;
            double looks = fmin(times_reached(&n, e), k->count);
            k->count -= looks;
            e->totals[0] -= looks;
        }
    }
}

const struct count_sites *count_sites_make(struct arena *a, struct counts *counts,
                                           const char *const *sources, size_t nsources,
                                           struct diag *diag)
{
    struct count_sites *s = arena_zalloc(a, 1, sizeof *s);
    char *here = getcwd(NULL, 0);
    struct naming naming = {.arena = a,
                            .sources = sources,
                            .nsources = nsources,
                            .here = arena_printf(a, "%s/", here ? here : "")};
    struct count_site *all = arena_alloc(a, counts->ninstructions + 1, sizeof *all);
    free(here);
    for (size_t i = 0; i < counts->ninstructions; i++)
        all[i] = site_of(&naming, &counts->instructions[i]);
    make_list(a, s, all, counts->ninstructions);
    s->of = arena_alloc(a, counts->ninstructions + 1, sizeof *s->of);
    for (size_t i = 0; i < counts->ninstructions; i++)
        s->of[i] = find(s, &all[i]);
    s->instructions = arena_zalloc(a, counts->ninstructions + 1, sizeof *s->instructions);
    classify(a, counts, s, diag);
    take_last_looks(a, counts, s);
    return s;
}

double count_sites_instructions(const struct count_sites *s, const struct execution *e)
{
    double sum = e->totals[0];
    for (size_t i = 0; i < e->n; i++) {
        const struct instruction *k = &s->instructions[e->counts[i].instruction];
        if (is_rep(k))
            sum -= e->counts[i].count;
    }
    return sum;
}
