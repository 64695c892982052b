/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a unit measures, and on which processors: its experiments with their variables, and its drivers. */
#include <ctype.h>
#include <string.h>

#include "translate/list.h"
#include "translate/procs.h"
#include "translate/unit.h"

/* ---- experiments ---- */

static bool same_experiment(const struct pragma *a, const struct pragma *b)
{
    if (a->nformulas != b->nformulas || a->nvariables != b->nvariables)
        return false;
    for (size_t i = 0; i < a->nformulas; i++)
        if (strcmp(a->formulas[i].observable, b->formulas[i].observable) ||
            strcmp(a->formulas[i].text, b->formulas[i].text))
            return false;
    for (size_t i = 0; i < a->nvariables; i++)
        if (strcmp(a->variables[i].name, b->variables[i].name) ||
            a->variables[i].at_end != b->variables[i].at_end)
            return false;
    return true;
}

/* `known`: per number of a name, one more than the index of the experiment of that name. */
static void add_experiment(struct unit *u, struct pragma *p, uint32_t *known)
{
    uint32_t *index = &known[names_number(u->names, p->name, strlen(p->name))];
    if (!*index) {
        if (u->nexperiments == PRAGMA_MAX_EXPERIMENTS)
            diag_add(u->diag, SEVERITY_ERROR, u->inputs[p->input].source, p->word,
                     "this is experiment %d of the source; a program measures at most %d",
                     PRAGMA_MAX_EXPERIMENTS + 1, PRAGMA_MAX_EXPERIMENTS);
        ADD(u->arena, u, experiments, (struct unit_experiment){p->name, p, p});
        *index = (uint32_t)u->nexperiments;
        return;
    }
    struct unit_experiment *e = &u->experiments[*index - 1];
    e->last = e->last->next = p;
    if (!same_experiment(e->first, p)) {
        const struct input *in = &u->inputs[e->first->input];
        diag_add(u->diag, SEVERITY_ERROR, u->inputs[p->input].source, p->word,
                 "'%s' has another formula or other variables in line %u of %s; one name is "
                 "one experiment: make "
                 "them the same, or choose another name",
                 p->name, e->first->first_line, in->path);
        diag_add(u->diag, SEVERITY_NOTE, in->source, e->first->word, "the other '%s' is here",
                 p->name);
    }
}

static unsigned char flags_of(const struct unit *u, const char *name, size_t size)
{
    uint32_t number = names_number(u->names, name, size);
    return number < u->nflags ? u->flags[number] : 0;
}

/* P and T are not variables of the program, unless it has such a name itself. In C++, T often is a
 * type. Returns whether the name is built in. */
static bool drop_builtin(const struct unit *u, struct pragma *p, const char *name)
{
    unsigned char flags = flags_of(u, name, 1);
    bool is_type = u->language == LANGUAGE_CXX && (flags & NAME_TYPE) && !(flags & NAME_VALUE);
    if ((flags & NAME_SEEN) && !is_type)
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < p->nvariables; i++)
        if (strcmp(p->variables[i].name, name))
            p->variables[kept++] = p->variables[i];
    p->nvariables = kept;
    return true;
}

/* Which of P and T a region records. P has a column of its own in every data file; T is one where a
 * formula names it, or where P counts something else. */
static void settle_builtins(struct unit *u, struct pragma *p)
{
    p->uses_p = p->uses_p && drop_builtin(u, p, "P");
    p->records_t = p->uses_t && drop_builtin(u, p, "T");
    if (u->processes && u->openmp && !pragma_has_variable(p, "T"))
        p->records_t = true;
    size_t slots = u->records_p + p->records_t;
    if (p->nvariables + slots > PRAGMA_MAX_VARIABLES)
        diag_add(
            u->diag, SEVERITY_ERROR, u->inputs[p->input].source, p->word,
            "'%s' has %zu variables; at most %zu are possible, because numbers of processors are also recorded",
            p->name, p->nvariables, PRAGMA_MAX_VARIABLES - slots);
}

/* NAME[1] with another NAME than that of the region is an element of an array. If the program has no such
 * name, a constant was meant. */
static void check_constants(struct unit *u, const struct pragma *p)
{
    for (size_t v = 0; v < p->nvariables && u->preprocessed; v++) {
        const char *name = p->variables[v].name;
        size_t n = strcspn(name, "["), digits = name[n] ? strspn(name + n + 1, "0123456789") : 0;
        if (digits && strcmp(name + n + 1 + digits, "]") == 0 && !strpbrk(name, ".>(") &&
            !(flags_of(u, name, n) & NAME_SEEN))
            diag_add(u->diag, SEVERITY_ERROR, u->inputs[p->input].source, p->variables[v].span,
                     "the formula of '%s' has only constants %s[0], %s[1], ...; %s would be an "
                     "element of an array, and the program has no name '%.*s'",
                     p->name, p->name, p->name, name, (int)n, name);
    }
}

/* ---- drivers ---- */

/* The expression on one line, for a macro. */
static const char *one_line(struct arena *a, const struct source *source, struct span span)
{
    char *s = arena_strndup(a, source->text + span.begin, span.end - span.begin);
    for (char *c = s; *c; c++)
        if (isspace((unsigned char)*c))
            *c = ' ';
    return s;
}

/* `procs = RANGE` is the same in all pragmas that have it. It counts P: the processes of a program
 * that has some. */
static void add_procs(struct unit *u, const struct source *source, const struct pragma *p)
{
    struct range wanted = p->processes;
    if (!wanted.n)
        return;
    if (p->driver == driver_openmp && u->processes) {
        diag_add(
            u->diag, SEVERITY_ERROR, source, p->word,
            "procs counts the processes of this program, not its threads: write it after '%s parallel %s'; OMP_NUM_THREADS gives the number of threads",
            unit_sentinel(u), u->processes->name);
        return;
    }
    if (p->driver != driver_openmp && !p->driver->prefix && sweep_most(&wanted) > 1) {
        static double one = 1;
        diag_add(u->diag, SEVERITY_WARNING, source, p->word,
                 "a sequential program has one processor: procs is taken as 1");
        wanted = (struct range){.values = &one, .n = 1};
    }
    if (u->procs.n && !sweep_equal(&u->procs, &wanted))
        diag_add(u->diag, SEVERITY_ERROR, source, p->word,
                 "another '%s parallel' of this source has other procs; give them once",
                 unit_sentinel(u));
    else
        u->procs = wanted;
}

static void add_driver(struct unit *u, const struct source *source, const struct pragma *p)
{
    const char *machine =
        p->machine.begin < p->machine.end ? one_line(u->arena, source, p->machine) : NULL;
    u->trace |= p->trace;
    if (p->driver == driver_openmp) {
        u->openmp = true;
    } else if (p->driver->device) {
        u->device = p->driver;
    } else if (!p->driver->prefix) {
        u->sequential = true;
    } else if (!u->processes) {
        u->processes = p->driver;
        u->machine = machine;
    } else if (strcmp(u->processes->prefix, p->driver->prefix) != 0) {
        diag_add(u->diag, SEVERITY_ERROR, source, p->word,
                 "a program has either %s or %s processes, not both", u->processes->name,
                 p->driver->name);
    } else if (!machine != !u->machine || (machine && strcmp(machine, u->machine))) {
        diag_add(u->diag, SEVERITY_ERROR, source, p->word,
                 "another '%s parallel %s' names another machine (%s); use "
                 "'sync(MACHINE)' for single regions",
                 unit_sentinel(u), p->driver->name, u->machine ? u->machine : "all processes");
    }
    if (u->sequential && (u->openmp || u->processes))
        diag_add(u->diag, SEVERITY_ERROR, source, p->word,
                 "this contradicts another '%s parallel' of this source: a program is "
                 "sequential (SEQ) or parallel",
                 unit_sentinel(u));
    if (u->language == LANGUAGE_FORTRAN && p->driver->prefix && p->driver != driver_mpi)
        diag_add(u->diag, SEVERITY_ERROR, source, p->word,
                 "libpub has no interface for Fortran: the parallel programs of Fortran are MPI "
                 "and OpenMP");
}

bool unit_names_processes(const struct unit *u)
{
    for (const struct pragma *p = NULL; (p = unit_next(u, p));)
        if (p->kind == PRAGMA_PARALLEL && p->driver && p->driver->prefix)
            return true;
    return false;
}

/* Does a region synchronise with a machine of its own? */
static bool names_machines(const struct unit *u)
{
    for (const struct pragma *p = NULL; (p = unit_next(u, p));)
        if (p->kind == PRAGMA_BEGIN && p->machine.begin < p->machine.end)
            return true;
    return false;
}

typedef void use_parallel(struct unit *u, const struct source *source, const struct pragma *p);

/* The parallel pragmas that the compiler sees. */
static void each_parallel(struct unit *u, const struct stream *s, use_parallel *use)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->list[i].kind != ITEM_CLL)
            continue;
        const struct input *in = &u->inputs[s->list[i].input];
        const struct pragma *p = &in->pragmas[s->list[i].pragma];
        if (p->kind == PRAGMA_PARALLEL && !p->bad)
            use(u, in->source, p);
    }
}

void unit_find_drivers(struct unit *u, const struct stream *s)
{
    each_parallel(u, s, add_driver);
    if (u->implied && !u->processes && !u->openmp && !u->sequential) {
        u->processes = u->implied;
        u->processes_implied = true;
    }
    each_parallel(u, s, add_procs); /* now the kind of the program is known */
    u->records_p = u->processes ? u->machine || names_machines(u) : u->openmp;
}

/* Is the expression made of names, ".", "->", "[...]" and, in C++, "::"? `head`: the length of its first
 * name. */
static bool is_path(const struct unit *u, const char *s, size_t n, size_t head)
{
    if (!head || isdigit((unsigned char)s[0]))
        return false;
    for (size_t i = head, depth = 0; i < n; i++) {
        depth += s[i] == '[';
        depth -= s[i] == ']' && depth;
        if (depth == 0 && strchr("+-*/%<>=!&|^?:(", s[i]) &&
            !(s[i] == '-' && i + 1 < n && s[i + 1] == '>') && !(s[i] == '>' && s[i - 1] == '-') &&
            !(s[i] == ':' && u->language == LANGUAGE_CXX))
            return false;
    }
    return true;
}

/* The object at the head of a path; NULL if it has none whose address can be taken. In C++ that is the
 * whole path where its head is `this`, a namespace, a class or an array, which may have a variable size.
 * Only the preprocessed text shows which names are macros. */
static const char *base_of(const struct unit *u, const char *s, size_t n)
{
    size_t head = 0;
    while (head < n && pragma_is_name_byte(s[head]))
        head++;
    if (!u->preprocessed || !is_path(u, s, n, head))
        return NULL;
    unsigned char flags = flags_of(u, s, head);
    bool is_object = (flags & NAME_SEEN) && !(flags & (NAME_NO_ADDRESS | NAME_TYPE));
    if (flags & NAME_MACRO)
        return NULL;
    if (u->language == LANGUAGE_C)
        return is_object ? arena_strndup(u->arena, s, head) : NULL;
    bool whole = !is_object || memchr(s, ':', n) || (head < n && s[head] == '[') ||
                 (head == 4 && !memcmp(s, "this", 4));
    return arena_strndup(u->arena, s, whole ? n : head);
}

uint32_t *unit_number_experiments(struct unit *u)
{
    for (const struct pragma *p = NULL; (p = unit_next(u, p));)
        if (p->name)
            names_number(u->names, p->name, strlen(p->name));
    return arena_zalloc(u->scratch, names_count(u->names), sizeof(uint32_t));
}

void unit_find_experiments(struct unit *u)
{
    uint32_t *known = unit_number_experiments(u);
    for (struct pragma *p = NULL; (p = unit_next(u, p));) {
        if (p->kind != PRAGMA_BEGIN || p->bad)
            continue;
        settle_builtins(u, p);
        check_constants(u, p);
        for (size_t v = 0; v < p->nvariables; v++) {
            struct span e = p->variables[v].span;
            p->variables[v].base =
                base_of(u, u->inputs[p->input].source->text + e.begin, e.end - e.begin);
        }
        add_experiment(u, p, known);
    }
}
