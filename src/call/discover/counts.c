/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds up what the processes and objects of a run counted. A function is known by its name, file and line:
 * inline functions and templates that several objects have are one. Notes are beside the object, where the
 * compiler wrote them; the path of the data below GCOV_PREFIX says where that is.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/printable.h"
#include "base/source.h"
#include "base/text.h"
#include "call/cc/language.h"
#include "call/cc/translate.h"
#include "call/discover/discover.h"
#include "flow/flow.h"

enum { MOST_DEPTH = 64 };

static const size_t most_bytes = (size_t)1 << 30;

struct counts_notes {
    struct flow *flow; /* NULL: they cannot be used */
    size_t *functions; /* index in the table of each function; SIZE_MAX: left out */
    size_t *loops;
};

void counts_begin(struct counts_table *t, struct arena *a, size_t nrows)
{
    char here[4096];
    *t = (struct counts_table){.arena = a, .nrows = nrows};
    t->here = arena_strdup(a, getcwd(here, sizeof here) ? here : "");
}

/* ---- names and places ---- */

/* Without "." and "..", where the text alone tells. */
static const char *plain_path(struct arena *a, const char *path)
{
    struct text t = text_new();
    while (*path) {
        size_t n = strcspn(path, "/");
        bool up = n == 2 && !strncmp(path, "..", 2);
        const char *last = strrchr(t.s, '/');
        if (up && last && strcmp(last, "/..") != 0) {
            t.n = (size_t)(last - t.s);
            t.s[t.n] = '\0';
        } else if (n && !(n == 1 && *path == '.')) {
            text_addc(&t, '/');
            text_addn(&t, path, n);
        }
        path += n + (path[n] == '/');
    }
    return text_keep(&t, a);
}

/* Links are followed, because compilers name folders as the user does, and not all of them alike. clang does not say
 * where it ran. */
static const char *full_path(const struct counts_table *t, const char *folder, const char *file)
{
    struct arena *a = t->arena;
    const char *path =
        file[0] == '/' ? file : arena_printf(a, "%s/%s", folder ? folder : t->here, file);
    char *real = realpath(path, NULL);
    const char *result = real ? arena_strdup(a, real) : plain_path(a, path);
    free(real);
    return result;
}

/* As the user would write it: below the current folder without it. */
static const char *shown_path(const struct counts_table *t, const char *folder, const char *file)
{
    if (file[0] != '/' && !folder) /* clang does not say where it ran */
        return plain_path(t->arena, file) + 1;
    const char *path = full_path(t, folder, file);
    size_t n = strlen(t->here);
    bool below = n > 1 && !strncmp(path, t->here, n) && path[n] == '/';
    return below ? path + n + 1 : path;
}

/* Headers of the system and of the compiler. */
static bool is_of_system(const char *path)
{
    return !strncmp(path, "/usr/", 5) || strstr(path, "/lib/gcc/") || strstr(path, "/lib/clang/");
}

static bool is_left_out(const struct flow_function *f, const char *path)
{
    if (source_is_fortran(path) && !strcmp(f->name, "main")) /* it calls the main program, MAIN__ */
        return true;
    if (strstr(f->name, "_omp_fn") || strstr(f->name, "omp_outlined"))
        return false;
    return f->artificial || !f->line || is_of_system(path) || !strncmp(f->name, "_GLOBAL__", 9);
}

/* The entry of a function, or of loop `order` of it. Objects may have different loops of it, by #ifdef: then their lines
 * differ. */
static size_t entry(struct counts_table *t, const char *name, const char *file, uint32_t first,
                    const struct counted *new)
{
    const char *key = arena_printf(t->arena, "%s\n%s\n%u\n%zu\n%u", name, file, first,
                                   new->is_loop ? new->order + 1 : 0, new->line);
    size_t i = lookup_find(&t->by_key, key, strlen(key));
    if (i != SIZE_MAX)
        return i;
    t->list = arena_grow(t->arena, t->list, t->n, &t->capacity, t->n + 1, sizeof *t->list);
    t->list[t->n] = *new;
    t->list[t->n].at = arena_zalloc(t->arena, t->nrows + 1, sizeof *new->at);
    t->list[t->n].largest = arena_zalloc(t->arena, t->nrows + 1, sizeof *new->largest);
    t->list[t->n].entries = arena_zalloc(t->arena, t->nrows + 1, sizeof *new->entries);
    lookup_add(&t->by_key, t->arena, key, t->n);
    return t->n++;
}

/* Where several objects have a function, its counts are sums over them: what holds in one graph holds for the sums if all have
 * the same graph. */
static void take_random(struct counts_table *t, const struct counts_notes *n)
{
    ARENA_LOCAL struct arena *scratch = arena_create();
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct flow_counts c = flow_counts_make(scratch, n->flow);
        flow_random(n->flow, seed + 1, &c);
        for (size_t i = 0; i < n->flow->nfunctions; i++) {
            const struct flow_function *f = &n->flow->functions[i];
            if (n->functions[i] == SIZE_MAX)
                continue;
            uint64_t *own = &t->list[n->functions[i]].random.at[seed];
            t->list[n->functions[i]].differs |= *own && *own != c.calls[i];
            *own = c.calls[i];
            for (size_t k = f->first_loop; k < f->first_loop + f->nloops; k++) {
                if (n->loops[k] == SIZE_MAX)
                    continue;
                t->list[n->loops[k]].random.at[seed] = c.iterations[k];
                t->list[n->loops[k]].random_entries.at[seed] = c.entries[k];
            }
        }
    }
}

static void make_entries(struct counts_table *t, struct counts_notes *n)
{
    const struct flow *flow = n->flow;
    n->functions = arena_alloc(t->arena, flow->nfunctions + 1, sizeof *n->functions);
    n->loops = arena_alloc(t->arena, flow->nloops + 1, sizeof *n->loops);
    for (size_t i = 0; i < flow->nfunctions; i++) {
        const struct flow_function *f = &flow->functions[i];
        const char *file = shown_path(t, flow->folder, f->file);
        bool out = is_left_out(f, file);
        struct counted new = {.name = f->name,
                              .symbol = f->name,
                              .path = full_path(t, flow->folder, f->file),
                              .file = file,
                              .line = f->line,
                              .column = f->column,
                              .end_line = f->end_line,
                              .end_column = f->end_column};
        n->functions[i] = out ? SIZE_MAX : entry(t, f->name, file, f->line, &new);
        if (!out)
            t->list[n->functions[i]].owner = n->functions[i];
        for (size_t k = 0; k < f->nloops; k++) {
            const struct flow_loop *l = &f->loops[k];
            const char *place = shown_path(t, flow->folder, l->file);
            struct counted loop = {.name = f->name,
                                   .file = place,
                                   .line = l->line,
                                   .end_line = l->last_line,
                                   .is_loop = true,
                                   .order = k,
                                   .parent = l->parent,
                                   .one_exit = l->one_exit,
                                   .owner = n->functions[i]};
            n->loops[f->first_loop + k] =
                out || is_of_system(place) ? SIZE_MAX : entry(t, f->name, file, f->line, &loop);
        }
    }
}

/* ---- files ---- */

static struct counts_notes *find_notes(struct counts_table *t, const char *path)
{
    size_t i = lookup_find(&t->by_path, path, strlen(path)), size;
    const char *why;
    MEM_LOCAL char *text = NULL;
    if (i != SIZE_MAX)
        return &t->notes[i];
    t->notes =
        arena_grow(t->arena, t->notes, t->nnotes, &t->cnotes, t->nnotes + 1, sizeof *t->notes);
    struct counts_notes *n = &t->notes[t->nnotes];
    *n = (struct counts_notes){0};
    lookup_add(&t->by_path, t->arena, arena_strdup(t->arena, path), t->nnotes++);
    int error = source_read(path, most_bytes, &text, &size);
    if (error) {
        say("call discover: cannot read %s: %s; its functions are left out\n", path,
            strerror(error));
        return n;
    }
    n->flow = flow_read(t->arena, text, size, &why);
    if (n->flow) {
        make_entries(t, n);
        take_random(t, n);
    } else {
        say("call discover: %s: %s; its functions are left out\n", path, why);
    }
    return n;
}

static void add_counts(struct counts_table *t, const struct counts_notes *n,
                       const struct flow_counts *c, size_t row)
{
    for (size_t i = 0; i < n->flow->nfunctions; i++) {
        const struct flow_function *f = &n->flow->functions[i];
        if (n->functions[i] == SIZE_MAX)
            continue;
        t->list[n->functions[i]].at[row] += c->calls[i];
        t->list[n->functions[i]].damaged |= c->damaged[i];
        for (size_t k = f->first_loop; k < f->first_loop + f->nloops; k++) {
            if (n->loops[k] == SIZE_MAX)
                continue;
            t->list[n->loops[k]].at[row] += c->iterations[k];
            t->list[n->loops[k]].entries[row] += c->entries[k];
            t->list[n->loops[k]].damaged |= c->damaged[i];
        }
    }
}

/* One data file. `original`: its path without the prefix. */
static int add_file(struct counts_table *t, const char *path, const char *original, size_t row)
{
    size_t stem = strlen(original) - strlen(".gcda"), size;
    const char *why, *notes_path = arena_printf(t->arena, "%.*s.gcno", (int)stem, original);
    struct counts_notes *n = find_notes(t, notes_path);
    MEM_LOCAL char *text = NULL;
    if (!n->flow)
        return 0;
    int error = source_read(path, most_bytes, &text, &size);
    if (error)
        return say("call discover: cannot read %s: %s\n", path, strerror(error));
    ARENA_LOCAL struct arena *scratch = arena_create();
    struct flow_counts c = flow_counts_make(scratch, n->flow);
    int failed = flow_add(n->flow, text, size, &c, &why);
    if (failed)
        say("call discover: the counters of %s: %s\n", original, why);
    else
        add_counts(t, n, &c, row);
    t->files += !failed;
    return failed;
}

/* What one process added to the row: the difference from `before`, the counts of the first entries. */
static void take_largest(struct counts_table *t, const uint64_t *before, size_t n, size_t row)
{
    for (size_t i = 0; i < t->n; i++) {
        struct counted *c = &t->list[i];
        uint64_t own = c->at[row] - (i < n ? before[i] : 0);
        c->largest[row] = own > c->largest[row] ? own : c->largest[row];
    }
}

static int add_folder(struct counts_table *t, const char *folder, size_t prefix, size_t row,
                      unsigned depth);

/* A process has this folder to itself. */
static int add_process(struct counts_table *t, const char *folder, size_t row)
{
    size_t n = t->n;
    MEM_LOCAL uint64_t *before = mem_alloc(n + 1, sizeof *before);
    for (size_t i = 0; i < n; i++)
        before[i] = t->list[i].at[row];
    int failed = add_folder(t, folder, strlen(folder), row, 1);
    take_largest(t, before, n, row);
    return failed;
}

/* All data files below a folder. `prefix`: how much of their paths is in front of the original path; 0: each folder in
 * it is of a process. The program may have put other things there: links are not followed, and reading a pipe would not end. */
static int add_folder(struct counts_table *t, const char *folder, size_t prefix, size_t row,
                      unsigned depth)
{
    DIR *d = opendir(folder);
    int failed = 0;
    if (!d || depth > MOST_DEPTH) {
        say("call discover: cannot read %s: %s\n", folder, d ? "it is too deep" : strerror(errno));
        if (d)
            closedir(d);
        return -1;
    }
    for (struct dirent *e; !failed && (e = readdir(d));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        const char *path = arena_printf(t->arena, "%s/%s", folder, e->d_name);
        struct stat st;
        if (lstat(path, &st))
            continue;
        if (S_ISDIR(st.st_mode))
            failed =
                prefix ? add_folder(t, path, prefix, row, depth + 1) : add_process(t, path, row);
        else if (prefix && S_ISREG(st.st_mode) && text_ends_with(path, ".gcda"))
            failed = add_file(t, path, path + prefix, row);
    }
    closedir(d);
    return failed;
}

int counts_add(struct counts_table *t, const char *folder, bool apart, size_t row)
{
    return add_folder(t, folder, apart ? 0 : strlen(folder), row, 0);
}

/* ---- names as programmers write them ---- */

/* "__grid_MOD_step" is step of the module grid, "step_" a subroutine, "step.0" one that is contained in
 * another, "MAIN__" the main program. */
static const char *fortran_name(struct arena *a, const char *name)
{
    const char *mod = strstr(name, "_MOD_"), *dot = strchr(name, '.');
    size_t n = strlen(name);
    if (!strncmp(name, "__", 2) && mod)
        return arena_printf(a, "%.*s::%s", (int)(mod - name - 2), name + 2, mod + 5);
    if (!strcmp(name, "MAIN__"))
        return "main";
    if (dot && strspn(dot + 1, "0123456789") == strlen(dot + 1))
        return arena_strndup(a, name, (size_t)(dot - name));
    return n > 1 && name[n - 1] == '_' ? arena_strndup(a, name, n - 1) : name;
}

/* The lines of a text that c++filt printed, one for each name. */
static void take_names(struct counts_table *t, char *text)
{
    char *line = text;
    for (size_t i = 0; i < t->n; i++) {
        size_t n = strcspn(line, "\n");
        if (!line[n])
            return;
        t->list[i].name = arena_strndup(t->arena, line, n);
        line += n + 1;
    }
}

static void demangle(struct counts_table *t, const char *temporary)
{
    struct words w = {0};
    TEXT_LOCAL struct text all = text_new();
    const char *in = arena_printf(t->arena, "%s/mangled", temporary);
    const char *out = arena_printf(t->arena, "%s/names", temporary);
    struct process_options o = {
        .in = PROCESS_FILE, .in_file = in, .out = PROCESS_FILE, .out_file = out};
    MEM_LOCAL char *names = NULL;
    size_t size;
    for (size_t i = 0; i < t->n; i++)
        text_printf(&all, "%s\n", t->list[i].name);
    words_add(t->arena, &w, "c++filt");
    if (!process_write(in, all.s, all.n) && !process_run(&w, &o) &&
        !source_read(out, most_bytes, &names, &size))
        take_names(t, names);
}

void counts_name(struct counts_table *t, const char *temporary)
{
    bool mangled = false;
    for (size_t i = 0; i < t->n; i++) {
        mangled |= !strncmp(t->list[i].name, "_Z", 2);
        if (source_is_fortran(t->list[i].file))
            t->list[i].name = fortran_name(t->arena, t->list[i].name);
    }
    if (mangled && path_program(t->arena, "c++filt"))
        demangle(t, temporary);
}
