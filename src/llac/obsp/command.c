/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * obsp FILE: a trace of supersteps under the OBSP* model.
 *
 *     obsp FILE { on MACHINE | NAME = VALUE | g * F | L * F | W * F | slower K by F
 *               | replace K [to K] by FORMULA | h RULE
 *               | pattern PATTERN | costs [mean|median] [by process] | skip K|startup | supersteps all }
 *               [picture ...]
 */
#include "llac/obsp/command.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "machine/store.h"
#include "obsp/thresholds.h"
#include "llac/arguments.h"
#include "llac/json.h"
#include "llac/commands.h"

static const double MOST_SKIPPED = 1e15; /* more supersteps than any trace has */

/* ---- what is asked */

static const struct obsp_asked nothing_asked = {
    .g = NAN, .L = NAN, .times_g = 1, .times_L = 1, .times_W = 1, .pattern = -1};

static int read_machine(struct cursor *c, struct span word, struct obsp_asked *out)
{
    (void)word;
    char *name = cursor_path(c, NULL);
    if (!name || !*name)
        return cursor_error_here(c, "a machine is missing: on MACHINE");
    out->machine = store_find(name, c->arena, c->diag);
    return out->machine ? 0 : -1;
}

static int read_rule(struct cursor *c, struct span word, struct obsp_asked *out)
{
    (void)word;
    out->h = cursor_keyword(c, "sum") ? OBSP_H_SUM : OBSP_H_MAX;
    if (out->h == OBSP_H_MAX && !cursor_keyword(c, "max"))
        return cursor_error_here(
            c, "h is the larger or the sum of the bytes in and out: h max, or h sum");
    return 0;
}

static int read_pattern(struct cursor *c, struct span word, struct obsp_asked *out)
{
    (void)word;
    for (out->pattern = 0; out->pattern < OBSP_PATTERNS; out->pattern++)
        if (cursor_keyword(c, obsp_pattern_names[out->pattern]))
            return 0;
    return cursor_error_here(c,
                             "a pattern of cllprobe is expected here: shift, exchange or random");
}

/* [mean|median] [by process] */
static int read_costs(struct cursor *c, struct span word, struct obsp_asked *out)
{
    if (out->costs)
        return cursor_error(c, word, "'costs' is there twice: costs median by process");
    out->costs = true;
    out->average = cursor_keyword(c, "median") ? OBSP_MEDIAN : OBSP_MEAN;
    bool average = out->average == OBSP_MEDIAN || cursor_keyword(c, "mean");
    out->by_process = cursor_keyword(c, "by");
    if (out->by_process ? !cursor_keyword(c, "process") : !average)
        return cursor_error_here(
            c, out->by_process ? "the word 'process' is expected here: costs by process"
                               : "'mean', 'median' or 'by process' is expected here: costs median");
    return 0;
}

/* K|startup: the first supersteps, which are taken as measured */
static int read_skip(struct cursor *c, struct span word, struct obsp_asked *out)
{
    double supersteps;
    struct span where = {c->at, c->at};
    if (!out->trace)
        return cursor_error(c, word,
                            "only supersteps of a trace are measured and can be skipped, not "
                            "those of a notation");
    if (!cursor_done(c))
        where.begin = c->at;
    out->skip = 0;
    if ((out->skip_startup = cursor_keyword(c, "startup")))
        return 0;
    if (read_number(c, "skip", false, &supersteps))
        return -1;
    where.end = c->at;
    if (supersteps != floor(supersteps) || supersteps < 1 || supersteps > MOST_SKIPPED)
        return cursor_error(
            c, where,
            "a number of supersteps is expected here, at least 1, or 'startup': skip 4 takes the "
            "first four as measured");
    out->skip = (size_t)supersteps;
    out->skip_where = where;
    return 0;
}

/* K by F */
static int read_slower(struct cursor *c, struct span word, struct obsp_asked *out)
{
    (void)word;
    double process, factor;
    struct span where = {c->at, c->at};
    if (read_number(c, "slower", false, &process))
        return -1;
    where.end = c->at;
    if (process != floor(process) || process > OBSP_MAX_PROCESSES)
        return cursor_error(c, where, "the number of a process is expected here, from 0");
    if (!cursor_keyword(c, "by"))
        return cursor_error_here(c, "the word 'by' is expected here: slower %g by 2", process);
    if (read_number(c, "by", false, &factor))
        return -1;
    ARENA_ADD(c->arena, out->slower, out->nslower, &out->room_slower,
              (struct obsp_slower){(int)process, factor});
    out->what_if = true;
    return 0;
}

/* NAME = VALUE, or NAME * FACTOR */
static int read_value(struct cursor *c, const char *name, struct span where, struct obsp_asked *out)
{
    bool times = cursor_punctuation(c, '*');
    double value;
    struct obsp_fitted *by = NULL;
    double *to = strcmp(name, "g") == 0            ? times ? &out->times_g : &out->g
                 : strcmp(name, "L") == 0          ? times ? &out->times_L : &out->L
                 : strcmp(name, "W") == 0 && times ? &out->times_W
                                                   : NULL;
    if (!times && !cursor_punctuation(c, '='))
        return cursor_error(
            c, where,
            "'%s' is not understood; 'help obsp' shows what can follow the name of the file", name);
    if (!to)
        return cursor_error(c, where,
                            times ? "only g, L and W can be multiplied, not %s"
                                  : "a trace has no value %s; g=SECONDS and L=SECONDS can be given",
                            name);
    if (times ? read_number(c, arena_printf(c->arena, "%s*", name), false, &value)
              : obsp_read_value(c, out, name, &value, &by))
        return -1;
    if (value < 0)
        return cursor_error(c, where, "%s cannot be negative", name);
    *to = value;
    if (!times)
        *(to == &out->g ? &out->g_by : &out->L_by) = by;
    out->what_if |= times;
    return 0;
}

/* all */
static int read_supersteps(struct cursor *c, struct span word, struct obsp_asked *out)
{
    (void)word;
    out->all = cursor_keyword(c, "all");
    return out->all ? 0 : cursor_error_here(c, "the word 'all' is expected here: supersteps all");
}

static int read_picture(struct cursor *c, struct span word, struct obsp_asked *out)
{
    (void)word;
    return picture_read(c, &out->picture);
}

static const struct {
    const char *word;
    obsp_reader *read;
} readers[] = {{"on", read_machine},
               {"h", read_rule},
               {"pattern", read_pattern},
               {"costs", read_costs},
               {"skip", read_skip},
               {"slower", read_slower},
               {"replace", obsp_read_replace},
               {"supersteps", read_supersteps},
               {"picture", read_picture}};

static int read_asked(struct session *s, struct cursor *c, struct obsp_asked *out)
{
    *out = nothing_asked;
    out->asking = obsp_asking_begin(s, c->arena);
    out->path = cursor_path(c, NULL);
    if (!out->path)
        return cursor_error_here(c, "the name of a trace or of a notation is missing: obsp FILE");
    out->trace = !text_ends_with(out->path, ".obsp");
    while (!cursor_done(c)) {
        struct span where;
        const char *word = cursor_name(c, &where);
        if (!word)
            return cursor_finish(c);
        size_t k = 0;
        while (k < sizeof readers / sizeof *readers && strcmp(word, readers[k].word) != 0)
            k++;
        int status = obsp_read_parameter(c, word, where, out);
        if (status == 0)
            status = k < sizeof readers / sizeof *readers ? readers[k].read(c, where, out)
                                                          : read_value(c, word, where, out);
        if (status < 0)
            return -1;
    }
    if (out->costs && (!out->trace || out->machine || !isnan(out->g) || !isnan(out->L)))
        return cursor_error_here(c, "'costs' finds g and L in a trace: %s",
                                 out->trace ? "leave out g=, L= and on MACHINE"
                                            : "a notation has no measured costs");
    return 0;
}

/* ---- the evaluation */

/* Each pass reads the source from its beginning. */
static struct obsp_source *begin_again(struct obsp_source *source, const struct obsp_asked *asked,
                                       struct cursor *c)
{
    if (source->rewind) {
        source->rewind(source);
        return source;
    }
    source->free(source);
    return obsp_open(asked, c);
}

/* Those of the trace, also of each process: they may explain an error. */
static int trace_costs(const struct obsp_asked *asked, struct cursor *c, struct obsp_source *source,
                       struct obsp_costs_found *out)
{
    struct obsp_costs_wanted wanted = {asked->h, asked->average, asked->skip, true};
    return obsp_costs_of_trace(c->arena, source, &wanted, c->diag, out);
}

/* From the machine or the trace. */
static int measured_costs(const struct obsp_asked *asked, struct cursor *c,
                          struct obsp_source *source, struct obsp_costs_found *out)
{
    if (asked->trace && !asked->machine)
        return trace_costs(asked, c, source, out);
    if (!asked->machine)
        return cursor_error_here(c, "a notation does not state g and L; give both, g=SECONDS "
                                    "L=SECONDS, or a machine, on MACHINE");
    out->costs =
        obsp_costs_of_machine(c->arena, asked->machine, asked->h, source->processes, c->diag);
    return out->costs ? 0 : -1;
}

/* g and L: as given, of a machine, or of the trace. One that is given replaces that of the others. */
static int find_costs(const struct obsp_asked *asked, struct cursor *c, struct obsp_source *source,
                      struct obsp_costs_found *out)
{
    bool g_given = !isnan(asked->g), L_given = !isnan(asked->L);
    *out = (struct obsp_costs_found){0};
    if (!(g_given && L_given) && measured_costs(asked, c, source, out))
        return -1;
    if (g_given || L_given)
        out->costs = obsp_costs_given(c->arena, g_given ? asked->g : out->costs->g,
                                      L_given ? asked->L : out->costs->L);
    return 0;
}

static void change_costs(const struct obsp_asked *asked, struct obsp_costs *costs)
{
    costs->pattern = asked->pattern;
    costs->times_g = asked->times_g;
    costs->times_L = asked->times_L;
}

/* g and L with what the user asked to change of them. */
static int costs_of(const struct obsp_asked *asked, struct cursor *c, struct obsp_source *source,
                    struct obsp_costs_found *out)
{
    if (find_costs(asked, c, source, out))
        return -1;
    change_costs(asked, out->costs);
    for (int p = 0; out->each && p < source->processes; p++)
        change_costs(asked, out->each[p]);
    return 0;
}

/* Keeps a superstep: all of them, or those that take the longest time. */
static void keep_superstep(void *user, const struct obsp_superstep *superstep)
{
    struct obsp_report *r = ((void **)user)[0];
    struct arena *a = ((void **)user)[1];
    size_t at = r->nsupersteps;
    bool all = r->asked->all;
    if (!all && r->nsupersteps == OBSP_SHOWN) {
        at = 0;
        for (size_t i = 1; i < OBSP_SHOWN; i++)
            if (r->supersteps[i].bsp < r->supersteps[at].bsp)
                at = i;
        if (superstep->bsp <= r->supersteps[at].bsp)
            return;
        memmove(&r->supersteps[at], &r->supersteps[at + 1],
                (OBSP_SHOWN - 1 - at) * sizeof *r->supersteps);
        at = --r->nsupersteps;
    }
    r->supersteps = arena_grow(a, r->supersteps, r->nsupersteps, &r->capacity, r->nsupersteps + 1,
                               sizeof *r->supersteps);
    r->supersteps[at] = *superstep;
    if (superstep->object)
        r->supersteps[at].object = arena_strdup(a, superstep->object);
    r->nsupersteps++;
}

/* The factors of W, for each process. */
static int slow_down(const struct obsp_asked *asked, struct cursor *c, int processes, double **out)
{
    *out = NULL;
    if (!asked->nslower && asked->times_W == 1)
        return 0;
    *out = arena_alloc(c->arena, (size_t)processes, sizeof **out);
    for (int p = 0; p < processes; p++)
        (*out)[p] = asked->times_W;
    for (size_t i = 0; i < asked->nslower; i++) {
        if (asked->slower[i].process >= processes)
            return cursor_error_here(c, "there is no process %d: the processes are 0 to %d",
                                     asked->slower[i].process, processes - 1);
        (*out)[asked->slower[i].process] *= asked->slower[i].factor;
    }
    return 0;
}

static int refuse_skip(struct cursor *c, const struct obsp_asked *asked, size_t all)
{
    if (all < 2)
        return cursor_error(c, asked->skip_where,
                            "%s has one superstep: if it is skipped, nothing is left to predict",
                            asked->path);
    return cursor_error(c, asked->skip_where,
                        "%s has %zu supersteps, and one must be left to predict: skip %zu at most",
                        asked->path, all, all - 1);
}

/* Where the supersteps end that are taken as measured. */
static int find_skip(struct cursor *c, struct obsp_report *r, struct obsp_source **source,
                     struct obsp_request *request)
{
    if (!r->asked->skip)
        return 0;
    if (obsp_skip_find(c->arena, *source, r->asked->skip, c->diag, &r->skip))
        return -1;
    if (r->skip.all <= r->asked->skip)
        return refuse_skip(c, r->asked, r->skip.all);
    request->skip = &r->skip;
    *source = begin_again(*source, r->asked, c);
    return *source ? 0 : -1;
}

/* An evaluation that only looks for its time. Then the source is at its beginning again. */
static int time_of(struct cursor *c, const struct obsp_asked *asked, struct obsp_source **source,
                   const struct obsp_request *request, struct obsp_result *out)
{
    if (obsp_evaluate(c->arena, *source, request, c->diag, out))
        return -1;
    *source = begin_again(*source, asked, c);
    return *source ? 0 : -1;
}

/* When the first supersteps have ended. */
struct beginning {
    size_t supersteps;
    double end;
};

static void end_of_beginning(void *user, const struct obsp_superstep *superstep)
{
    struct beginning *b = user;
    if (superstep->index < b->supersteps)
        b->end = fmax(b->end, superstep->end);
}

/* Start-up, and how much longer it takes than the same supersteps usually take. */
static int look_for_startup(struct cursor *c, struct obsp_report *r, struct obsp_source **source,
                            const struct obsp_costs *usual)
{
    const struct obsp_asked *asked = r->asked;
    struct beginning model = {0};
    struct obsp_request request = {
        .h = asked->h, .costs = usual, .superstep = end_of_beginning, .user = &model};
    struct obsp_result result;
    struct obsp_skip skip;
    if (obsp_startup_find(c->arena, *source, usual, asked->h, c->diag, &model.supersteps) ||
        !(*source = begin_again(*source, asked, c)))
        return -1;
    if (!model.supersteps)
        return 0;
    if (obsp_skip_find(c->arena, *source, model.supersteps, c->diag, &skip) ||
        !(*source = begin_again(*source, asked, c)) || time_of(c, asked, source, &request, &result))
        return -1;
    r->startup_seconds = skip.seconds - model.end;
    r->startup = r->startup_seconds >= STARTUP_LEAST * r->result.measured ? model.supersteps : 0;
    return 0;
}

/* Start-up, if the synchronisations exceed the usual by a part of the time that is worth the passes. */
static int find_startup(struct cursor *c, struct obsp_report *r, struct obsp_source **source,
                        struct obsp_costs_found *found)
{
    const struct obsp_asked *asked = r->asked;
    double least = STARTUP_LEAST * r->result.measured;
    if (!asked->trace || asked->skip || asked->what_if || !(r->result.measured > 0) ||
        (r->costs->origin != OBSP_FROM_TRACE && r->result.measured - r->result.obsp < least))
        return 0;
    if (!found->usual &&
        (trace_costs(asked, c, *source, found) || !(*source = begin_again(*source, asked, c))))
        return -1;
    return found->unusual < least ? 0 : look_for_startup(c, r, source, found->usual);
}

/* The costs contain them in part, and the equations do not know them. */
static void take_stalls(struct obsp_report *r, const struct obsp_costs_found *found)
{
    if (r->asked->what_if || !(found->stalled_seconds >= STALL_LEAST * r->result.measured))
        return;
    r->stalled = found->stalled;
    r->stalled_seconds = found->stalled_seconds;
}

/* Other times for what was computed in some supersteps. */
static int find_replaced(struct cursor *c, const struct obsp_report *r, struct obsp_source **source,
                         struct obsp_request *request)
{
    if (!r->asked->nreplace)
        return 0;
    if (obsp_find_replaced(c, r->asked, *source, &request->replaced))
        return -1;
    *source = begin_again(*source, r->asked, c);
    return *source ? 0 : -1;
}

/* The passes up to the OBSP* time: what is skipped, the costs, the times. */
static int find_times(struct cursor *c, struct obsp_report *r, struct obsp_source **source,
                      struct obsp_costs_found *found)
{
    struct obsp_request *request = &r->request;
    double *slower;
    request->h = r->asked->h;
    r->proposal.obsp = NAN;
    if (slow_down(r->asked, c, (*source)->processes, &slower))
        return -1;
    request->slower = slower;
    if (find_skip(c, r, source, request) || find_replaced(c, r, source, request) ||
        costs_of(r->asked, c, *source, found))
        return -1;
    request->costs = r->costs = found->costs;
    request->each = r->asked->by_process ? found->each : NULL;
    if (!(*source = begin_again(*source, r->asked, c)) ||
        obsp_initial_times(c, *source, &request->start))
        return -1;
    return time_of(c, r->asked, source, request, &r->result);
}

/* The OBSP* time with other words of the command; NAN if there are too many costs for it. */
static int try_proposal(struct cursor *c, const struct obsp_report *r, struct obsp_source **source,
                        struct obsp_proposal *out)
{
    struct obsp_asked asked = *r->asked;
    struct obsp_report other = {.asked = &asked};
    struct obsp_costs_found found;
    ARENA_LOCAL struct arena *own = arena_create(); /* not needed any more when it has the time */
    struct cursor passing = *c;
    passing.arena = own;
    asked.skip = out->skip ? out->skip : asked.skip;
    asked.by_process |= out->by_process;
    int status = find_times(&passing, &other, source, &found);
    out->obsp = status == 0 && (!asked.by_process || found.each_complete) ? other.result.obsp : NAN;
    return status;
}

/* What explains an error: start-up as measured, the costs of each process, or both. Of those that leave at most half
   of the error, the first one that leaves little is proposed, or else the one that leaves least. */
static int propose(struct cursor *c, struct obsp_report *r, struct obsp_source **source)
{
    double error = fabs(obsp_error(r, r->result.obsp)), left = PROPOSAL_BETTER * error;
    if (r->costs->origin != OBSP_FROM_TRACE || !(error >= 100 * PROPOSAL_LEAST))
        return 0;
    for (int way = 1; way <= 3; way++) {
        struct obsp_proposal one = {way & 1 ? r->startup : 0, way & 2, NAN};
        if ((way & 1 && !r->startup) || (way & 2 && r->asked->by_process))
            continue;
        if (try_proposal(c, r, source, &one))
            return -1;
        double error_left = fabs(obsp_error(r, one.obsp));
        if (isnan(r->proposal.obsp) ? error_left <= left : error_left < left) {
            r->proposal = one;
            left = error_left;
        }
        if (left < 100 * PROPOSAL_LEAST && !isnan(r->proposal.obsp))
            break;
    }
    return 0;
}

/* A cost that was given, and how often it is in the time. */
static void add_cost(struct obsp_fitted **list, size_t *n, struct obsp_fitted *by, double seconds,
                     double cost)
{
    if (!by || !(cost > 0) || !(seconds > 0))
        return;
    by->times = seconds / cost;
    list[(*n)++] = by;
}

/* The interval of the OBSP* time, if something on the critical path depends on experiments. */
static int find_interval(struct cursor *c, struct obsp_report *r)
{
    const struct obsp_asked *asked = r->asked;
    const struct obsp_critical *path = &r->critical;
    struct obsp_fitted **list = arena_alloc(c->arena, path->nfitted + 2, sizeof(*list));
    size_t n = path->nfitted;
    if (n)
        memcpy(list, path->fitted, n * sizeof(*list));
    add_cost(list, &n, asked->g_by, path->shares.transferring, asked->g);
    add_cost(list, &n, asked->L_by, path->shares.latency, asked->L);
    r->fitted = n > 0;
    return n ? obsp_interval(asked->asking, r->result.obsp, list, n, c->diag, &r->interval) : 0;
}

/* The passes: the times, what may explain their error, the critical path. *source is where it
 * is after the last one, NULL if it could not be opened again. */
static int evaluate(struct cursor *c, struct obsp_report *r, struct obsp_source **source)
{
    void *keeper[] = {r, c->arena};
    struct obsp_costs_found found;
    r->request = (struct obsp_request){.superstep = keep_superstep, .user = keeper};
    if (find_times(c, r, source, &found))
        return -1;
    r->request.superstep = NULL; /* the supersteps are kept */
    r->request.user = NULL;
    if (find_startup(c, r, source, &found) || propose(c, r, source))
        return -1;
    take_stalls(r, &found);
    if (obsp_critical_find(c->arena, *source, &r->request, &r->result, c->diag, &r->critical))
        return -1;
    return find_interval(c, r);
}

/* 'skip startup': how many supersteps that is, whatever else is asked. */
static int find_number_to_skip(struct cursor *c, struct obsp_asked *asked,
                               struct obsp_source **source)
{
    struct obsp_asked plain = nothing_asked;
    struct obsp_report report = {.asked = &plain};
    struct obsp_costs_found found;
    struct cursor passing = *c;
    if (!asked->skip_startup)
        return 0;
    ARENA_LOCAL struct arena *own = arena_create();
    passing.arena = own;
    plain.path = asked->path;
    plain.trace = true;
    plain.h = asked->h;
    int status = find_times(&passing, &report, source, &found) ||
                 find_startup(&passing, &report, source, &found);
    asked->skip = report.startup;
    return status ? -1 : 0;
}

struct again {
    const struct obsp_asked *asked;
    struct cursor *cursor;
    struct obsp_source **source;
};

static struct obsp_source *from_the_beginning(void *user)
{
    struct again *again = user;
    return *again->source = begin_again(*again->source, again->asked, again->cursor);
}

static int draw(struct session *s, struct cursor *c, const struct obsp_report *r,
                struct obsp_source **source, json_t **json)
{
    struct again again = {r->asked, c, source};
    struct picture_subject subject = {r->asked->path, &r->request, &r->result, from_the_beginning,
                                      &again};
    return picture_draw(s, c, &r->asked->picture, &subject, json);
}

/* The evaluation, and what is drawn; then `source` is free again. */
static int run(struct session *s, struct cursor *c, struct obsp_asked *asked,
               struct obsp_report *report, json_t **picture)
{
    struct obsp_source *source = obsp_open(asked, c);
    int status = source ? find_number_to_skip(c, asked, &source) : -1;
    if (status == 0)
        status = evaluate(c, report, &source);
    if (status == 0 && !s->json && !report->asked->picture.data)
        text_obsp(s->out, report);
    if (status == 0 && report->asked->picture.asked)
        status = draw(s, c, report, &source, picture);
    if (source)
        source->free(source);
    return status;
}

int obsp_picture_data(struct session *s, struct cursor *c, json_t **data)
{
    struct obsp_asked asked;
    struct obsp_report report = {.asked = &asked};
    struct span where = {c->at, c->end};
    *data = NULL;
    if (read_asked(s, c, &asked))
        return -1;
    if (asked.picture.path)
        return cursor_error(c, where, "the picture is part of the report: leave out its file");
    asked.picture.asked = asked.picture.data = true;
    asked.picture.where = where;
    obsp_use_machine(s, c, &asked);
    if (run(s, c, &asked, &report, data))
        return -1;
    json_put(*data, "result:%p", json_obsp(&report));
    return 0;
}

int command_obsp(struct session *s, struct cursor *c)
{
    struct obsp_asked asked;
    struct obsp_report report = {.asked = &asked};
    json_t *picture = NULL;
    if (read_asked(s, c, &asked))
        return -1;
    if (asked.picture.asked && !asked.picture.path)
        return cursor_error(c, asked.picture.where, "'picture' needs a file: picture FILE.svg");
    asked.all |= s->json;
    obsp_use_machine(s, c, &asked);
    if (run(s, c, &asked, &report, &picture))
        return -1;
    if (s->json) {
        json_t *json = json_obsp(&report);
        json_put(json, "picture?:%p", picture);
        json_print(s->out, "%p", json);
    }
    return 0;
}
