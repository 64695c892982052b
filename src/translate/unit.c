/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The translator's steps for one translation unit: read the pragmas, find the experiments, settle
 * what becomes of each pragma. The preprocessed text decides about the pragmas it holds. A pragma
 * it lost is in a branch that is off: it is settled from the text as written where that works. Where
 * it does not, the pragma stays, with a warning: the compiler will not see it either.
 */
#include "translate/unit.h"

#include <ctype.h>
#include <string.h>

#include "base/misprint.h"
#include "base/path.h"
#include "base/text.h"
#include "translate/fortran.h"
#include "translate/list.h"
#include "translate/structure.h"
#include "translate/procs.h"

struct unit *unit_create(enum language language)
{
    struct arena *a = arena_create();
    struct unit *u = arena_zalloc(a, 1, sizeof *u);
    u->arena = a;
    u->language = language;
    u->scratch = arena_create();
    u->diag = diag_create();
    if (language == LANGUAGE_FORTRAN)
        diag_set_origin(u->diag, fortran_origin);
    u->names = names_create(a, language);
    return u;
}

void unit_destroy(struct unit *u)
{
    if (!u)
        return;
    diag_destroy(u->diag);
    arena_destroy(u->scratch);
    arena_destroy(u->arena);
}

static void index_lines(struct arena *a, struct input *in)
{
    size_t n = 1;
    for (size_t i = 0; i < in->size; i++)
        n += in->text[i] == '\n';
    in->lines = arena_alloc(a, n, sizeof *in->lines);
    in->lines[0] = 0;
    in->nlines = 1;
    for (size_t i = 0; i < in->size; i++)
        if (in->text[i] == '\n')
            in->lines[in->nlines++] = i + 1;
}

/* Are there more begins than ends of this name up to here? */
static bool is_open(const struct input *in, const char *name)
{
    long open = 0;
    for (size_t i = 0; i < in->npragmas; i++) {
        const struct pragma *p = &in->pragmas[i];
        if (p->name && !strcmp(p->name, name))
            open += p->kind == PRAGMA_BEGIN ? 1 : -1;
    }
    return open > 0;
}

const char *unit_sentinel(const struct unit *u)
{
    return u->language == LANGUAGE_FORTRAN ? "!$cll" : "#pragma cll";
}

/* "edn f", while f is open: it reads as a region 'edn' with the formula f, and is taken as the
 * end that was meant, so that one misprint is one error. */
static void recognise_end(struct unit *u, const struct input *in, struct pragma *p)
{
    const char *meant = p->kind == PRAGMA_BEGIN && !p->bad ? pragma_word_near(p->name) : NULL;
    if (!meant || strcmp(meant, "end") || p->nformulas != 1 || p->nvariables != 1)
        return;
    const char *name = p->variables[0].name;
    if (strcmp(p->formulas[0].text, name) || !is_open(in, name))
        return;
    diag_add(u->diag, SEVERITY_ERROR, in->source, p->word,
             "'%s' was probably meant to be 'end': '%s end %s'", p->name, unit_sentinel(u), name);
    p->kind = PRAGMA_END;
    p->name = name;
    p->nvariables = p->nformulas = 0;
}

void unit_take_pragma(struct unit *u, struct input *in)
{
    struct pragma *p = &in->pragmas[in->npragmas];
    u->uses_papi |= p->kind == PRAGMA_USES;
    recognise_end(u, in, p);
    in->npragmas++;
}

size_t unit_recorded(const struct unit *u, const struct pragma *p)
{
    return p->nvariables + u->records_p + p->records_t;
}

/* Reads the pragma of a token. A trigraph at its end is the backslash of a splice for some compilers: with
 * -std=c11, the next line belongs to the pragma, or to its comment. */
static bool read_pragma(struct unit *u, const struct input *in, char *text, const struct token *t,
                        struct pragma *p)
{
    struct span last = {t->end - t->body < 3 ? t->end : t->end - 3, t->end};
    bool trigraph = last.begin < last.end && !memcmp(text + last.begin, "?\?/", 3);
    if (!trigraph)
        return pragma_parse(u->arena, in->source, text, t, u->diag, p);
    memset(text + last.begin, ' ', 3);
    bool ours = pragma_parse(u->arena, in->source, text, t, u->diag, p);
    memcpy(text + last.begin, "?\?/", 3);
    if (ours) {
        diag_add(u->diag, SEVERITY_ERROR, in->source, last,
                 "this trigraph continues the line for some compilers and not for others; write a "
                 "backslash");
        p->bad = true;
    }
    return ours;
}

/* The pragmas of ours, but those inside `#if 0`. */
static void read_pragmas(struct unit *u, struct input *in, char *text)
{
    size_t depth = 0, off = 0; /* off: the depth of the `#if 0` the reader is in, 0 = none */
    size_t candidates = 0;
    for (size_t i = 0; i < in->tokens.n; i++)
        candidates +=
            in->tokens.list[i].kind == TOKEN_DIRECTIVE && in->tokens.list[i].id >= DIRECTIVE_PRAGMA;
    in->pragmas = arena_alloc(u->arena, candidates + 1, sizeof *in->pragmas);
    in->pragma_tokens = arena_alloc(u->arena, candidates + 1, sizeof *in->pragma_tokens);
    for (size_t i = 0; i < in->tokens.n; i++) {
        const struct token *t = &in->tokens.list[i];
        if (t->kind != TOKEN_DIRECTIVE)
            continue;
        if (t->id == DIRECTIVE_IF || t->id == DIRECTIVE_IF_ZERO) {
            depth++;
            if (t->id == DIRECTIVE_IF_ZERO && !off)
                off = depth;
        } else if ((t->id == DIRECTIVE_ELIF || t->id == DIRECTIVE_ELSE) && off == depth) {
            off = 0;
        } else if (t->id == DIRECTIVE_ENDIF && depth) {
            if (off == depth)
                off = 0;
            depth--;
        } else if (t->id >= DIRECTIVE_PRAGMA && !off) {
            struct pragma *p = &in->pragmas[in->npragmas];
            if (read_pragma(u, in, text, t, p)) {
                in->pragma_tokens[in->npragmas] = i;
                unit_take_pragma(u, in);
            } else if (p->meant) {
                GROW(u->arena, in, near_misses);
                in->near_misses[in->nnear_misses++] =
                    (struct near_miss){p->word, p->meant, p->surely_meant};
            }
        }
    }
}

size_t unit_add(struct unit *u, const char *path, const char *text, size_t size)
{
    size_t mark = lex_byte_order_mark(text, size);
    text += mark;
    size -= mark;
    struct input *inputs = arena_alloc(u->arena, u->ninputs + 1, sizeof *inputs);
    if (u->ninputs)
        memcpy(inputs, u->inputs, u->ninputs * sizeof *inputs);
    u->inputs = inputs;
    struct input *in = &inputs[u->ninputs];
    memset(in, 0, sizeof *in);
    in->path = arena_strdup(u->arena, path);
    in->text = arena_alloc(u->arena, size + 1, 1);
    memcpy((char *)in->text, text, size);
    ((char *)in->text)[size] = '\0';
    in->size = size;
    char *clean = arena_alloc(u->arena, size + 1, 1);
    memcpy(clean, in->text, size + 1);
    /* Messages and pragmas keep a pointer to the source: it must not move with the list of inputs.
     */
    struct source *source = arena_alloc(u->arena, 1, sizeof *source);
    *source = (struct source){in->path, clean, size};
    in->source = source;
    index_lines(u->arena, in);
    if (u->language == LANGUAGE_FORTRAN) {
        fortran_find(u, in, clean);
    } else {
        in->tokens = lex(u->arena, u->names, in->text, size);
        read_pragmas(u, in, clean);
    }
    return u->ninputs++;
}

size_t unit_count(const struct unit *u)
{
    size_t n = 0;
    for (size_t i = 0; i < u->ninputs; i++)
        n += u->inputs[i].npragmas;
    return n;
}

/* The end of a line marker at k, as the preprocessor writes them: # 12 "file"; k without one. */
static size_t past_marker(const char *s, size_t k)
{
    bool is_one = (k == 0 || s[k - 1] == '\n') && s[k] == '#' && s[k + 1] == ' ' &&
                  isdigit((unsigned char)s[k + 2]);
    return is_one ? k + strcspn(s + k, "\n") : k;
}

/* FNV-1a with 64 bits: the texts are told apart, not protected. */
const char *unit_code(const struct unit *u)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < u->ninputs; i++) {
        const char *s = u->inputs[i].text;
        for (size_t k = 0; k < u->inputs[i].size; k++) {
            k = past_marker(s, k); /* the folder of a file is no part of the code */
            hash = (hash ^ (unsigned char)s[k]) * 1099511628211u;
        }
        hash = (hash ^ 256) * 1099511628211u; /* the end of a text */
    }
    return arena_printf(u->arena, "%016llx %s", (unsigned long long)hash,
                        path_base(u->inputs[0].path));
}

void unit_mark(const struct unit *u, size_t index, struct text *out)
{
    const struct input *in = &u->inputs[index];
    bool fortran = u->language == LANGUAGE_FORTRAN;
    size_t at = 0;
    for (size_t i = 0; i < in->npragmas; i++) {
        const struct pragma *p = &in->pragmas[i];
        text_addn(out, in->text + at, p->whole.begin - at);
        text_printf(out,
                    fortran          ? "!$cll_mark %zu %zu"
                    : p->is_operator ? "_Pragma(\"cll_mark %zu %zu\")"
                                     : "#pragma cll_mark %zu %zu",
                    index, i);
        if (fortran)
            fortran_mark_expressions(in, p, out);
        for (unsigned line = p->first_line; line < p->last_line; line++)
            text_add(out, p->is_operator || fortran ? "\n" : "\\\n");
        at = p->whole.end;
    }
    text_addn(out, in->text + at, in->size - at);
}

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
        GROW(u->arena, u, experiments);
        u->experiments[u->nexperiments++] = (struct experiment){p->name, p, p};
        *index = (uint32_t)u->nexperiments;
        return;
    }
    struct experiment *e = &u->experiments[*index - 1];
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
static void settle_builtins(struct unit *u, size_t input, struct pragma *p)
{
    p->uses_p = p->uses_p && drop_builtin(u, p, "P");
    p->records_t = p->uses_t && drop_builtin(u, p, "T");
    if (u->processes && u->openmp && !pragma_has_variable(p, "T"))
        p->records_t = true;
    size_t slots = u->records_p + p->records_t;
    if (p->nvariables + slots > PRAGMA_MAX_VARIABLES)
        diag_add(
            u->diag, SEVERITY_ERROR, u->inputs[input].source, p->word,
            "'%s' has %zu variables; at most %zu are possible, because numbers of processors are also recorded",
            p->name, p->nvariables, PRAGMA_MAX_VARIABLES - slots);
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
    for (size_t i = 0; i < u->ninputs; i++)
        for (size_t j = 0; j < u->inputs[i].npragmas; j++) {
            const struct pragma *p = &u->inputs[i].pragmas[j];
            if (p->kind == PRAGMA_PARALLEL && p->driver && p->driver->prefix)
                return true;
        }
    return false;
}

/* Does a region synchronise with a machine of its own? */
static bool names_machines(const struct unit *u)
{
    for (size_t i = 0; i < u->ninputs; i++)
        for (size_t j = 0; j < u->inputs[i].npragmas; j++) {
            const struct pragma *p = &u->inputs[i].pragmas[j];
            if (p->kind == PRAGMA_BEGIN && p->machine.begin < p->machine.end)
                return true;
        }
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

static void find_drivers(struct unit *u, const struct stream *s)
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

/* Numbers the names of all experiments; returns room for something per number, cleared. */
static uint32_t *number_experiments(struct unit *u)
{
    for (size_t i = 0; i < u->ninputs; i++)
        for (size_t j = 0; j < u->inputs[i].npragmas; j++) {
            const char *name = u->inputs[i].pragmas[j].name;
            if (name)
                names_number(u->names, name, strlen(name));
        }
    return arena_zalloc(u->scratch, names_count(u->names), sizeof(uint32_t));
}

/* Called when the structure is read: only then is it known which names have no address. */
static void find_experiments(struct unit *u)
{
    uint32_t *known = number_experiments(u);
    for (size_t i = 0; i < u->ninputs; i++)
        for (size_t j = 0; j < u->inputs[i].npragmas; j++) {
            struct pragma *p = &u->inputs[i].pragmas[j];
            if (p->kind != PRAGMA_BEGIN || p->bad)
                continue;
            settle_builtins(u, i, p);
            for (size_t v = 0; v < p->nvariables; v++) {
                struct span e = p->variables[v].span;
                p->variables[v].base =
                    base_of(u, u->inputs[i].source->text + e.begin, e.end - e.begin);
            }
            p->input = i;
            add_experiment(u, p, known);
        }
}

/* ---- settling ---- */

static bool is_settled(const struct pragma *p)
{
    return p->action != ACTION_LEAVE || p->bad;
}

/* A pragma that the preprocessor dropped. Whatever goes wrong here concerns code the compiler does
 * not see. */
static void resolve_off_branch(struct unit *u, size_t input, size_t index)
{
    arena_reset(u->scratch);
    struct stream s = stream_raw(u, input, index);
    struct diag *diag = diag_create();
    struct structure *t = structure_read(u, &s, diag);
    if (!diag_count(diag, SEVERITY_ERROR))
        check_structure(u, &s, t, diag);
    struct pragma *p = &u->inputs[input].pragmas[index];
    if (!is_settled(p) && p->kind != PRAGMA_END && p->kind != PRAGMA_END_FOR) {
        const char *why = diag_first(diag, SEVERITY_ERROR);
        diag_add(u->diag, SEVERITY_WARNING, u->inputs[input].source, p->word,
                 "this pragma is in a branch that is off here, so it is not translated%s%s",
                 why ? ": " : "", why ? why : "");
    }
    diag_destroy(diag);
}

enum { MAX_OFF_BRANCHES = 200 }; /* each takes a pass over the text */

/* The pragmas of an input that its first pass did not settle. */
static void resolve_off_branches(struct unit *u, size_t input)
{
    const struct input *in = &u->inputs[input];
    if (diag_count(u->diag, SEVERITY_ERROR))
        return;
    for (size_t i = 0; i < in->npragmas && u->passes < MAX_OFF_BRANCHES; i++) {
        const struct pragma *p = &in->pragmas[i];
        if (!is_settled(p) && p->kind != PRAGMA_END && p->kind != PRAGMA_END_FOR) {
            resolve_off_branch(u, input, i);
            u->passes++;
        }
    }
    for (size_t i = 0; i < in->npragmas; i++)
        if (u->passes == MAX_OFF_BRANCHES && !is_settled(&in->pragmas[i])) {
            diag_add(
                u->diag, SEVERITY_WARNING, in->source, in->pragmas[i].word,
                "this pragma and those after it in branches that are off here are not translated: call examines only %d such places",
                MAX_OFF_BRANCHES);
            u->passes++;
        }
}

/* Without a preprocessor: the text as written is the program. */
static void resolve_raw(struct unit *u, size_t input)
{
    struct input *in = &u->inputs[input];
    if (!in->npragmas)
        return;
    arena_reset(u->scratch);
    struct stream s = stream_raw(u, input, 0);
    stream_check_arguments(u);
    struct structure *t = structure_read(u, &s, u->diag);
    find_drivers(u, &s);
    if (!u->nexperiments)
        find_experiments(u);
    check_structure(u, &s, t, u->diag);
    resolve_off_branches(u, input);
}

/* A reported name that no region of the unit has: it may be in another file, or a misprint. */
static void warn_unknown(struct unit *u, const struct source *source, const struct pragma_name *n)
{
    const char *near = NULL;
    for (size_t i = 0; i < u->ninputs; i++)
        for (size_t j = 0; j < u->inputs[i].npragmas; j++) {
            const struct pragma *p = &u->inputs[i].pragmas[j];
            if (p->kind == PRAGMA_BEGIN && p->name && is_misprint(n->name, p->name))
                near = p->name;
        }
    if (near)
        diag_add(u->diag, SEVERITY_WARNING, source, n->span,
                 "no experiment '%s' in this file; did you mean '%s'?", n->name, near);
    else
        diag_add(u->diag, SEVERITY_WARNING, source, n->span,
                 "no experiment '%s' in this file; if no other file of the program has it, nothing "
                 "is reported for it",
                 n->name);
}

enum { MAX_UNKNOWN_REPORTED = 100 }; /* examined for misprints and warned about, at most */

static void check_reports(struct unit *u)
{
    uint32_t *known = number_experiments(u);
    size_t count = names_count(u->names), unknown = 0;
    for (size_t i = 0; i < u->ninputs; i++)
        for (size_t j = 0; j < u->inputs[i].npragmas; j++) {
            const struct pragma *p = &u->inputs[i].pragmas[j];
            if (p->kind == PRAGMA_BEGIN && p->name)
                known[names_number(u->names, p->name, strlen(p->name))] = 1;
        }
    for (size_t i = 0; i < u->ninputs; i++)
        for (size_t j = 0; j < u->inputs[i].npragmas; j++) {
            const struct pragma *p = &u->inputs[i].pragmas[j];
            for (size_t n = 0; p->kind == PRAGMA_REPORT && n < p->nnames; n++) {
                const char *name = p->names[n].name;
                uint32_t number = names_number(u->names, name, strlen(name));
                if ((number >= count || !known[number]) && unknown++ < MAX_UNKNOWN_REPORTED)
                    warn_unknown(u, u->inputs[i].source, &p->names[n]);
            }
        }
}

/* In a source with pragmas of ours, another one that surely was meant to be ours is an error: the
 * program would be measured without it, and its results would mean something else. Elsewhere a word
 * may be that of another tool. */
static void report_near_misses(struct unit *u)
{
    bool is_ours = unit_count(u) > 0;
    for (size_t i = 0; i < u->ninputs; i++) {
        const struct input *in = &u->inputs[i];
        for (size_t j = 0; j < in->nnear_misses; j++) {
            const struct near_miss *miss = &in->near_misses[j];
            int n = (int)(miss->span.end - miss->span.begin);
            const char *word = in->source->text + miss->span.begin;
            if (is_ours && miss->surely)
                diag_add(u->diag, SEVERITY_ERROR, in->source, miss->span,
                         "this pragma would be ignored: write '%s' in place of '%.*s'", miss->meant,
                         n, word);
            else
                diag_add(u->diag, SEVERITY_WARNING, in->source, miss->span,
                         "this pragma is not translated: '%.*s' was probably meant to be '%s'", n,
                         word, miss->meant);
        }
    }
}

/* The text as written is read like what the preprocessor makes of it, with marks. */
static void resolve_fortran(struct unit *u, const char *text, size_t size)
{
    struct text marked;
    text_init(&marked);
    if (!text) {
        unit_mark(u, 0, &marked);
        size = marked.n;
        text = memcpy(arena_alloc(u->arena, size + 1, 1), marked.s, size + 1);
    }
    text_free(&marked);
    u->fortran = fortran_scan(u, text, size);
    const struct fortran *f = u->fortran;
    struct stream s = {.list = arena_zalloc(u->scratch, f->nstatements + 1, sizeof *s.list)};
    for (size_t i = 0; i < f->nstatements; i++)
        if (f->statements[i].kind == FORTRAN_CLL)
            s.list[s.n++] =
                (struct item){.kind = ITEM_CLL, .pragma = (uint32_t)f->statements[i].pragma};
    find_drivers(u, &s);
    find_experiments(u);
    fortran_read(u, u->fortran);
}

void unit_resolve(struct unit *u, const char *text, size_t size)
{
    report_near_misses(u);
    if (u->language == LANGUAGE_FORTRAN) {
        check_reports(u);
        u->preprocessed = text != NULL;
        resolve_fortran(u, text, size);
        return;
    }
    if (!unit_count(u)) {
        if (text)
            stream_preprocessed(u, text, size);
        return;
    }
    if (u->language == LANGUAGE_CXX && unit_refuse_modules(u))
        return;
    check_reports(u);
    if (!text) {
        for (size_t i = 0; i < u->ninputs; i++)
            resolve_raw(u, i);
        return;
    }
    u->preprocessed = true;
    struct stream s = stream_preprocessed(u, text, size);
    stream_check_arguments(u);
    struct structure *t = structure_read(u, &s, u->diag);
    find_drivers(u, &s);
    find_experiments(u);
    check_structure(u, &s, t, u->diag);
    for (size_t i = 0; i < u->ninputs; i++)
        resolve_off_branches(u, i);
}
