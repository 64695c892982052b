/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines without a cll pragma are copied byte by byte, and a pragma is replaced by text with the
 * same number of lines. A region's begin becomes a call of the region's macro. The arguments have
 * the same columns as in the pragma, so that the compiler's messages about a variable point there.
 *
 *     #pragma cll f f[0] + f[1]*N
 *     cll_1(                    N)
 *
 * Macros and variables of the user may have any name. The generated text therefore uses only the
 * names of the user, words of C, and names that begin with cll_, CLL_ or __.
 */
#include "translate/emit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void emit_string(struct text *out, const char *s)
{
    text_addc(out, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            text_printf(out, "\\%c", c);
        else if (c == '?')
            text_add(out, "\\?"); /* no trigraphs */
        else if (c < 0x20 || c == 0x7f)
            text_printf(out, "\\%03o", c);
        else
            text_addc(out, (char)c);
    }
    text_addc(out, '"');
}

/* ---- pragmas ---- */

/* The pragma's bytes blanked, with newlines and tabs where they were. */
static char *blanked(const struct input *in, const struct pragma *p, struct arena *a)
{
    size_t n = p->whole.end - p->whole.begin;
    char *s = arena_strndup(a, in->text + p->whole.begin, n);
    for (size_t i = 0; i < n; i++)
        if (s[i] != '\n' && s[i] != '\t' && !(s[i] == '\r' && i + 1 < n && s[i + 1] == '\n'))
            s[i] = ' ';
    return s;
}

static void add_trimmed(struct text *out, const char *s)
{
    size_t n = strlen(s);
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
        n--;
    text_addn(out, s, n);
}

/* The machine of sync(MACHINE) is the first argument of the region's macro. */
static size_t machine_argument(const struct unit *u, const struct pragma *p)
{
    return u->processes && p->sync && p->machine.begin < p->machine.end;
}

/* The macro's call: its name at the pragma's begin, every variable at its own column. */
static void emit_begin(const struct unit *u, const struct input *in, const struct pragma *p,
                       struct text *out)
{
    char *s = blanked(in, p, u->arena), name[32];
    size_t base = p->whole.begin, end = 0;
    int length = snprintf(name, sizeof name, "cll_%u(", p->region);
    memcpy(s, name, (size_t)length);
    for (size_t i = 0; i < p->nvariables + machine_argument(u, p); i++) {
        size_t v = i - machine_argument(u, p);
        struct span e = v < p->nvariables ? p->variables[v].span : p->machine;
        if (end)
            s[end] = ',';
        memcpy(s + (e.begin - base), in->source->text + e.begin, e.end - e.begin);
        end = e.end - base;
    }
    if (!end) {
        s[length] = ')';
        add_trimmed(out, s);
        return;
    }
    if (s[end])
        s[end] = ')';
    add_trimmed(out, s);
    if (!s[end])
        text_addc(out, ')');
}

/* for (...) at its own columns, then the brace. The loop of a sweep is inside the one of its macro
 * (emit_sweep), whose name fits before it: "#pragma cll " has 12 bytes. */
static void emit_for(const struct unit *u, const struct input *in, const struct pragma *p,
                     struct text *out)
{
    char *s = blanked(in, p, u->arena), name[32];
    size_t base = p->whole.begin;
    memcpy(s + (p->header.begin - base), in->source->text + p->header.begin,
           p->header.end - p->header.begin);
    if (p->sweep)
        memcpy(s, name, (size_t)snprintf(name, sizeof name, "cll_%u", p->region));
    add_trimmed(out, s);
    text_add(out, " {");
    if (p->sweep)
        text_printf(out, " CLL_SWEEP_VISIT(cll_sweep_%u) {", p->region);
}

/* "CLL_" and the driver's prefix in capitals. */
static const char *upper(const struct unit *u, const char *before, const char *prefix)
{
    char *s = arena_printf(u->arena, "%s%s", before, prefix);
    for (char *c = s; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return s;
}

/* A short text in place of the pragma; its lines stay. */
static void emit_short(const struct input *in, const struct pragma *p, const char *text,
                       struct text *out)
{
    text_add(out, text);
    for (size_t i = p->whole.begin; i < p->whole.end; i++)
        if (in->text[i] == '\n')
            text_addc(out, '\n');
}

/* The end needs no name: the preprocessor may choose between two begins. */
static void emit_end_for(const struct unit *u, const struct input *in, const struct pragma *p,
                         struct text *out)
{
    const char *braces = in->pragmas[p->partner].sweep ? "} } }" : "}";
    emit_short(in, p, arena_printf(u->arena, "%s%s", p->after_label ? ";" : "", braces), out);
}

/* The machine of the unit, as the run-time's functions take it. The expressions of the user have
 * macros of their own: in the macro of a region, its parameters would replace names in them. */
static const char *unit_machine(const struct unit *u)
{
    return u->machine ? "cll_machine" : "0";
}

static void emit_report(const struct unit *u, const struct input *in, const struct pragma *p,
                        struct text *out)
{
    const char *names = p->reported ? arena_printf(u->arena, "\"%s\"", p->reported) : "0";
    emit_short(in, p,
               u->processes ? arena_printf(u->arena, "cll_%s_report(%s, %s);", u->processes->prefix,
                                           names, unit_machine(u))
                            : arena_printf(u->arena, "cll_report(%s);", names),
               out);
}

/* The end of a region without braces: its variables live longer. */
static void emit_end(const struct unit *u, const struct input *in, const struct pragma *p,
                     struct text *out)
{
    const struct pragma *begin = &in->pragmas[p->partner];
    const char *reads = "";
    for (size_t i = 0; i < begin->nvariables; i++)
        if (begin->variables[i].at_end && !begin->variables[i].computed)
            reads = arena_printf(u->arena, "%sCLL_READ(cll_late_%u_%zu); ", reads, p->region, i);
    if (pragma_computes(begin))
        reads = arena_printf(u->arena, "%sCLL_LEAVE(cll_exit_%u); ", reads, p->region);
    emit_short(in, p,
               arena_printf(u->arena, "%scll_end_%zu(&cll_region_%u);", reads,
                            unit_recorded(u, begin), p->region),
               out);
}

static void emit_pragma(const struct unit *u, const struct input *in, const struct pragma *p,
                        struct text *out)
{
    switch (p->action) {
    case ACTION_LEAVE:
        text_addn(out, in->text + p->whole.begin, p->whole.end - p->whole.begin);
        break;
    case ACTION_BLANK: emit_short(in, p, "", out); break;
    case ACTION_BEGIN: emit_begin(u, in, p, out); break;
    case ACTION_FOR: emit_for(u, in, p, out); break;
    case ACTION_END_FOR: emit_end_for(u, in, p, out); break;
    case ACTION_END:
        if (p->braces)
            emit_short(in, p, p->after_label ? ";}" : "}", out);
        else if (p->after_return) /* with a call here, gcc -O0 would miss a return after it */
            emit_short(in, p, ";", out);
        else
            emit_end(u, in, p, out);
        break;
    case ACTION_REPORT: emit_report(u, in, p, out); break;
    }
}

void emit_source(const struct unit *u, size_t index, const char *header, struct text *out)
{
    const struct input *in = &u->inputs[index];
    size_t at = 0;
    if (header)
        text_printf(out, "#include \"%s\"\n", header); /* no string: it has no escapes */
    text_add(out, "#line 1 ");
    emit_string(out, in->path);
    text_addc(out, '\n');
    for (size_t i = 0; i < in->npragmas; i++) {
        const struct pragma *p = &in->pragmas[i];
        text_addn(out, in->text + at, p->whole.begin - at);
        emit_pragma(u, in, p, out);
        at = p->whole.end;
    }
    text_addn(out, in->text + at, in->size - at);
}

bool emit_wrote_source(const char *text, const char *header)
{
    static const char include[] = "#include \"", line[] = "\"\n#line 1 \"";
    size_t n = strlen(header);
    if (strncmp(text, include, sizeof include - 1))
        return false;
    text += sizeof include - 1;
    return !strncmp(text, header, n) && !strncmp(text + n, line, sizeof line - 1);
}

/* ---- the header ---- */

static const char header_head[] = "/* SPDX-License-Identifier: MIT */\n/* Generated by call from ";

bool emit_wrote_header(const char *text, const char *header)
{
    (void)header;
    return !strncmp(text, header_head, sizeof header_head - 1);
}

static void emit_experiment(const struct unit *u, const struct unit_experiment *e, struct text *out)
{
    const struct pragma *p = e->first;
    const char *flags = u->uses_papi ? "CLL_USES_PAPI" : "0";
    if (u->records_p || u->openmp || u->device)
        flags = arena_printf(u->arena, "%s%s%s%s", flags, u->records_p ? " | CLL_PROCESSORS" : "",
                             u->openmp ? " | CLL_OPENMP" : "", u->device ? " | CLL_DEVICE" : "");
    text_printf(out, "\nstatic const char *const cll_vars_%s[] = {%s%s", e->name,
                u->records_p ? "\"P\", " : "", p->records_t ? "\"T\", " : "");
    for (size_t i = 0; i < p->nvariables; i++) {
        emit_string(out, p->variables[i].name);
        text_add(out, ", ");
    }
    text_printf(out, "0};\nstatic const struct cll_formula cll_forms_%s[] = {", e->name);
    for (size_t i = 0; i < p->nformulas; i++) {
        text_addc(out, '{');
        emit_string(out, p->formulas[i].observable);
        text_add(out, ", ");
        emit_string(out, p->formulas[i].text);
        text_add(out, "}, ");
    }
    text_printf(out, "{0, 0}};\nstatic const struct cll_site cll_sites_%s[] = {", e->name);
    for (const struct pragma *g = e->first; g; g = g->next) {
        if (g->action != ACTION_BEGIN)
            continue;
        text_addc(out, '{');
        emit_string(out, u->inputs[g->input].path);
        text_printf(out, ", %u, %u}, ", g->first_line,
                    u->inputs[g->input].pragmas[g->partner].first_line);
    }
    text_printf(out,
                "{0, 0, 0}};\nCLL_EXPERIMENT(cll_x_%s, \"%s\", %zu, cll_vars_%s, cll_forms_%s, "
                "cll_sites_%s, %s)\n",
                e->name, e->name, unit_recorded(u, p), e->name, e->name, e->name, flags);
}

/* Compilers complain about an argument of the wrong type at the argument itself, but about a cast
 * at the cast, which is in a macro: the call of cll_arithmetic, never made, puts the complaint into
 * the pragma's column. */
static void emit_value(const struct input *in, const struct pragma_variable *v, size_t i,
                       struct text *out)
{
    size_t n = v->span.end - v->span.begin;
    text_printf(out, ", sizeof(cll_arithmetic(cll_v%zu)) ? ", i);
    if (v->at_end)
        text_add(out, "CLL_LATER : 0");
    else if (!v->base)
        text_printf(out, "CLL_VALUE(cll_v%zu) : 0", i);
    else if (strlen(v->base) == n && !memcmp(v->base, in->source->text + v->span.begin, n))
        text_printf(out, "CLL_VALUE_AT(cll_v%zu) : 0", i);
    else
        text_printf(out, "CLL_VALUE_VIA(%s, cll_v%zu) : 0", v->base, i);
}

/* ---- values that are computed at the end ---- */

/* C: the expression of variable i, in which leaves are replaced by the pointers of emit_leaves. */
static void emit_with_leaves(const struct input *in, const struct pragma *p, size_t i,
                             struct text *out)
{
    const struct pragma_variable *v = &p->variables[i];
    const char *text = in->source->text;
    size_t at = v->span.begin;
    for (size_t k = 0; k <= v->nleaves; k++) {
        const struct pragma_leaf *leaf = k < v->nleaves ? &v->leaves[k] : NULL;
        size_t stop = leaf ? leaf->span.begin : v->span.end;
        for (; at < stop; at++)
            text_addc(out, isspace((unsigned char)text[at]) ? ' ' : text[at]);
        if (leaf && !leaf->constant) {
            text_printf(out, "(*cll_leaf_%u_%zu_%zu)", p->region, i, k);
            at = leaf->span.end;
        }
    }
}

enum leaf_text { LEAF_CONSTANT, LEAF_OF, LEAF_POINTER };

/* The constants among the leaves, or one of the two lists of the others. */
static void emit_leaves(const struct input *in, const struct pragma *p, enum leaf_text what,
                        struct text *out)
{
    size_t number = 0;
    for (size_t i = 0; i < p->nvariables; i++)
        for (size_t k = 0; k < p->variables[i].nleaves; k++) {
            const struct pragma_leaf *leaf = &p->variables[i].leaves[k];
            int n = (int)(leaf->span.end - leaf->span.begin);
            const char *name = in->source->text + leaf->span.begin;
            if (leaf->constant != (what == LEAF_CONSTANT))
                continue;
            if (what != LEAF_POINTER)
                text_printf(out, " CLL_LEAF_%s(%.*s)", leaf->constant ? "CONSTANT" : "OF", n, name);
            else
                text_printf(out, " CLL_LEAF(cll_leaf_%u_%zu_%zu, %.*s, %zu)", p->region, i, k, n,
                            name, number++);
        }
}

/* One declaration for all values of the region that are computed. */
static void emit_exit(const struct unit *u, const struct input *in, const struct pragma *p,
                      struct text *out)
{
    if (u->language == LANGUAGE_C)
        emit_leaves(in, p, LEAF_CONSTANT, out);
    text_printf(out, " CLL_EXIT(cll_exit_%u, cll_region_%u,", p->region, p->region);
    for (enum leaf_text what = LEAF_OF; u->language == LANGUAGE_C && what <= LEAF_POINTER; what++) {
        emit_leaves(in, p, what, out);
        text_addc(out, ',');
    }
    for (size_t i = 0; i < p->nvariables; i++) {
        if (!p->variables[i].computed)
            continue;
        text_printf(out, " cll_to[%zu] = CLL_VALUE((", u->records_p + p->records_t + i);
        if (u->language == LANGUAGE_C)
            emit_with_leaves(in, p, i, out);
        else
            text_printf(out, "cll_v%zu", i);
        text_add(out, "));");
    }
    text_add(out, ");");
}

/* The compilers and options that cannot. */
static void emit_needs(const struct unit *u, struct text *out)
{
    if (!unit_computes(u))
        return;
    if (u->language == LANGUAGE_C)
        text_add(out,
                 "#if defined __clang__ && !defined __BLOCKS__\n"
                 "#error \"a value at the end (:=) from an expression needs the option -fblocks "
                 "of clang; 'call cc' adds it\"\n#elif defined __clang__\nCLL_BLOCKS\n#endif\n");
    else
        text_add(out, "#if __cplusplus < 201103L\n#error \"a value at the end (:=) from an "
                      "expression needs C++11: compile with -std=c++11 or later\"\n#endif\n");
}

/* The threads that work in a region of an OpenMP program. */
static const char *threads_value(const struct unit *u, const struct pragma *p)
{
    if (!u->openmp)
        return "1";
    if (!p->around_team)
        return "cll_omp_threads()";
    return p->threads ? arena_printf(u->arena, "cll_omp_around(cll_threads_%u)", p->region)
                      : "cll_omp_around(0)";
}

/* The expression that synchronises, if the pragma asks for it, and gives P. */
static const char *processors_value(const struct unit *u, const struct pragma *p)
{
    struct arena *a = u->arena;
    if (!u->processes)
        return !p->sync         ? threads_value(u, p)
               : p->around_team ? arena_printf(a, "cll_omp_sync(), %s", threads_value(u, p))
                                : "cll_omp_sync()";
    const char *prefix = u->processes->prefix, *machine = unit_machine(u);
    if (!p->sync)
        return p->uses_p && u->machine ? arena_printf(a, "cll_%s_processors(%s)", prefix, machine)
                                       : "0";
    if (machine_argument(u, p))
        return arena_printf(a, "cll_%s_sync(%s(cll_m))", prefix, upper(u, "CLL_", prefix));
    const char *sync = arena_printf(a, "cll_%s_sync(%s)", prefix, machine);
    return u->openmp ? arena_printf(a, "(cll_omp_inside() ? (cll_omp_sync(), 0.) : %s)", sync)
                     : sync;
}

/* Synchronising is a declaration before that of the region, so that the values of variables are
 * those after the barrier. */
static void emit_region(const struct unit *u, const struct input *in, const struct pragma *p,
                        struct text *out)
{
    bool sync = (u->processes || u->openmp) && p->sync;
    text_printf(out, "\n/* %s, line %u */\n", p->name, p->first_line);
    if (p->threads)
        text_printf(out, "#define cll_threads_%u (%s)\n", p->region, p->threads);
    text_printf(out, "#define cll_%u(%s", p->region,
                !machine_argument(u, p) ? ""
                : p->nvariables         ? "cll_m, "
                                        : "cll_m");
    for (size_t i = 0; i < p->nvariables; i++)
        text_printf(out, "%scll_v%zu", i ? ", " : "", i);
    text_printf(out, ") %s", p->braces ? "{ " : p->after_label ? "; " : "");
    if (sync)
        text_printf(out,
                    "double cll_p_%u __attribute__((__unused__)) = (cll_prepare(cll_x_%s()), %s); ",
                    p->region, p->name, processors_value(u, p));
    text_printf(out, "CLL_BEGIN(cll_region_%u, cll_x_%s(), %zu", p->region, p->name,
                unit_recorded(u, p));
    if (u->records_p && sync)
        text_printf(out, ", cll_p_%u", p->region);
    else if (u->records_p)
        text_printf(out, ", %s", processors_value(u, p));
    if (p->records_t)
        text_printf(out, ", %s", threads_value(u, p));
    for (size_t i = 0; i < p->nvariables; i++)
        emit_value(in, &p->variables[i], i, out);
    text_add(out, ");");
    if (pragma_computes(
            p)) /* first, so that it is the last one to be left, when the others are read */
        emit_exit(u, in, p, out);
    for (size_t i = 0; i < p->nvariables; i++)
        if (p->variables[i].at_end && !p->variables[i].computed)
            text_printf(out, " CLL_AT_END(cll_late_%u_%zu, cll_region_%u, %zu, cll_v%zu);",
                        p->region, i, p->region, u->records_p + p->records_t + i, i);
    text_addc(out, '\n');
}

/* The name of the sweep around a loop, as an argument; "0" without a sweep that is always there. */
static const char *outer_sweep(const struct unit *u, const struct input *in, const struct pragma *p)
{
    const struct pragma *outer = p->outer ? &in->pragmas[p->outer - 1] : NULL;
    if (!outer || p->unclear || outer->unclear || outer->action != ACTION_FOR)
        return "0";
    return arena_printf(u->arena, "&cll_sweep_%u", outer->region);
}

/* The loop around the loop of a sweep (struct cll_sweep). */
static void emit_sweep(const struct unit *u, const struct input *in, const struct pragma *p,
                       struct text *out)
{
    text_printf(out,
                "\n/* for, line %u */\n#define cll_%u { struct cll_sweep cll_sweep_%u = CLL_SWEEP(",
                p->first_line, p->region, p->region);
    emit_string(out, in->path);
    text_printf(out, ", %u, %d); while (cll_sweep_pass(&cll_sweep_%u, %s))\n", p->first_line,
                p->shuffle, p->region, outer_sweep(u, in, p));
}

static bool is_sweep(const struct pragma *p)
{
    return p->action == ACTION_FOR && p->sweep;
}

/* Does the source call the run-time at all? If not, it must not need the library. */
static bool uses_runtime(const struct unit *u)
{
    for (const struct pragma *p = NULL; (p = unit_next(u, p));)
        if (p->action == ACTION_BEGIN || p->action == ACTION_REPORT || is_sweep(p))
            return true;
    return false;
}

/* What `call run ./program` must know of the program. Its driver of processes is in the run-time. */
static void emit_notes(const struct unit *u, struct text *out)
{
    if (u->openmp)
        text_add(out, "CLL_NOTE(\"driver OpenMP\");\n");
    if (!u->procs.n || (!u->processes && !u->openmp))
        return;
    text_add(out, "CLL_NOTE(\"procs");
    for (size_t i = 0; i < u->procs.n; i++)
        text_printf(out, " %.0f", u->procs.values[i]);
    text_add(out, "\");\n");
}

/* A macro of this source, which says that its header was included: a file of C may be included twice. In C++ each namespace that
 * includes it has its own regions. "": none. */
static const char *seen_macro(const struct unit *u)
{
    const char *code = unit_code(u);
    size_t n = strspn(code, "0123456789abcdef");
    return u->language != LANGUAGE_C || !n ? ""
                                           : arena_printf(u->arena, "CLL_SEEN_%.*s", (int)n, code);
}

void emit_header(const struct unit *u, const char *flags, struct text *out)
{
    const char *seen = seen_macro(u);
    text_add(out, header_head);
    for (const char *s = u->inputs[0].path; *s; s++)
        text_addc(out, *s == '*' || (unsigned char)*s < 0x20 ? '_' : *s);
    text_add(out, ". */\n#define CLL_BUILD_FLAGS ");
    emit_string(out, flags);
    text_add(out, "\n#define CLL_BUILD_CODE ");
    emit_string(out, unit_code(u));
    text_add(out, "\n#include <cll.h>\n");
    if (*seen)
        text_printf(out, "#ifndef %s\n#define %s\n", seen, seen);
    if (u->language ==
        LANGUAGE_CXX) /* no warning of the user's concerns this header; and gcc takes the
                                        source for a header, because it has a #line */
        text_add(out, "#pragma GCC system_header\n#ifndef __clang__\n"
                      "#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n#endif\n");
    /* of a call through a pointer, compilers of C++ complain at the argument */
    text_add(out, u->language == LANGUAGE_C ? "double cll_arithmetic(double);\n"
                                            : "extern double (*cll_arithmetic)(double);\n");
    emit_needs(u, out);
    bool linked = uses_runtime(u) || u->trace;
    if (u->uses_papi && linked)
        text_add(out, "CLL_LINK_PAPI;\n");
    if (u->processes && linked)
        text_printf(out, "%s;\n", upper(u, "CLL_LINK_", u->processes->prefix));
    if (u->device && linked)
        text_printf(out, "%s;\n", upper(u, "CLL_LINK_", u->device->device));
    if (linked)
        emit_notes(u, out);
    if (u->trace && u->processes)
        text_printf(out, "%s\n", upper(u, "CLL_TRACE_", u->processes->prefix));
    if (u->machine && u->processes)
        text_printf(out, "#define cll_machine %s(%s)\n", upper(u, "CLL_", u->processes->prefix),
                    u->machine);
    for (size_t i = 0; i < u->nexperiments; i++)
        emit_experiment(u, &u->experiments[i], out);
    for (const struct pragma *p = NULL; (p = unit_next(u, p));)
        if (p->action == ACTION_BEGIN)
            emit_region(u, &u->inputs[p->input], p, out);
        else if (is_sweep(p))
            emit_sweep(u, &u->inputs[p->input], p, out);
    if (*seen)
        text_add(out, "#endif\n");
}
