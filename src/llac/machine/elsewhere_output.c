/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llac/machine/elsewhere_output.h"
#include "llac/json.h"
#include "llac/text.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

/* ---- counts */

static const char *mix_text(struct text *line, const struct operation_mix *mix)
{
    text_clear(line);
    for (int o = 0; o < OPERATIONS; o++)
        if (fabs(mix->of[o]) > 1e-9 * fabs(mix->instructions))
            text_printf(line, "%s%s %s", line->n ? ", " : "",
                        number_digits(mix->of[o], 4, NUMBER_BUFFER), operation_names[o]);
    if (mix->set != 0)
        text_printf(line, "%s%s bytes set", line->n ? ", " : "",
                    number_digits(mix->set, 4, NUMBER_BUFFER));
    if (mix->copied != 0)
        text_printf(line, "%s%s bytes copied", line->n ? ", " : "",
                    number_digits(mix->copied, 4, NUMBER_BUFFER));
    return line->n ? line->s : "nothing";
}

static void text_counted(FILE *out, const struct report_experiment *e)
{
    TEXT_LOCAL struct text line = text_new();
    fprintf(out, "  %s: %s\n", e->name, e->formula);
    for (size_t i = 0; i < e->nconstants; i++)
        fprintf(out, "    %-8s %10s instructions%s: %s\n", e->constants[i].name,
                number_digits(e->constants[i].mix.instructions, 6, NUMBER_BUFFER),
                e->constants[i].exact ? "" : " (about)", mix_text(&line, &e->constants[i].mix));
    if (e->unexplained > 0)
        fprintf(out, "    %.2g %% of the instructions follow no term of the formula\n",
                100 * e->unexplained);
}

void text_counts(FILE *out, const struct report *const *list, size_t n)
{
    if (n == 0)
        fputs("  no counts are loaded; 'call count' writes them, and 'counts FILE' loads them\n",
              out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "  %s (%s, %s %s)\n", list[i]->program, list[i]->architecture,
                list[i]->compiler, list[i]->flags);
        for (size_t k = 0; k < list[i]->nexperiments; k++)
            text_counted(out, &list[i]->experiments[k]);
    }
}

static json_t *json_mix(const struct operation_mix *mix)
{
    json_t *j = json_object();
    for (int o = 0; o < OPERATIONS; o++)
        json_object_set_new(j, operation_names[o], json_number(mix->of[o]));
    json_put(j, "set:%g copied:%g", mix->set, mix->copied);
    return j;
}

static json_t *json_counted(const struct report_experiment *e)
{
    json_t *constants = json_array();
    for (size_t i = 0; i < e->nconstants; i++) {
        const struct report_constant *k = &e->constants[i];
        json_add(constants, "{name:%s instructions:%g exact:%i classes:%p}", k->name,
                 k->mix.instructions, k->exact, json_mix(&k->mix));
    }
    return json_make("{name:%s formula:%s communicates:%i unexplained:%g constants:%p}", e->name,
                     e->formula, e->communicates, e->unexplained, constants);
}

json_t *json_counts(const struct report *const *list, size_t n)
{
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *experiments = json_array();
        for (size_t k = 0; k < list[i]->nexperiments; k++)
            json_array_append_new(experiments, json_counted(&list[i]->experiments[k]));
        json_add(all,
                 "{file:%s program:%s architecture:%s compiler:%s flags:%s "
                 "experiments:%p}",
                 list[i]->path, list[i]->program, list[i]->architecture, list[i]->compiler,
                 list[i]->flags, experiments);
    }
    return json_make("{counts:%p}", all);
}

/* ---- on another machine */

/* What the rest of a constant, beyond its operations, is scaled by. */
static const char *rest_name(const struct carry_ratio *r)
{
    return r->rest_rule == CARRY_LATENCY ? "memory" : carry_rule_names[r->rest_rule];
}

/* Counts of the processor say nothing about a region that uses an accelerator. */
static bool uses_device(const struct elsewhere *e)
{
    for (size_t i = 0; i < e->nconstants; i++)
        if (e->constants[i].ratio.rule >= CARRY_GPU_LAUNCH &&
            e->constants[i].ratio.rule <= CARRY_GPU_FLOP)
            return true;
    return false;
}

static void text_ratio(FILE *out, const struct carried *k)
{
    const struct carry_ratio *r = &k->ratio;
    static const char *const meanings[CARRY_RULES] = {
        [CARRY_OPERATIONS] = "its operations",
        [CARRY_CYCLE] = "the time of a cycle",
        [CARRY_LATENCY] = "latency of the memory",
        [CARRY_BANDWIDTH] = "bandwidth of the memory",
        [CARRY_G] = "g, communication per byte",
        [CARRY_L] = "L, start-up of communication",
        [CARRY_GPU_LAUNCH] = "launch on the accelerator",
        [CARRY_GPU_BANDWIDTH] = "bandwidth of the accelerator",
        [CARRY_GPU_FLOP] = "arithmetic of the accelerator",
        [CARRY_COUNT] = "nothing: its term asks the machine",
    };
    char range[RANGE_SIZE];
    fprintf(out, "    %-8s %11s  %6s  %-16s %s", k->name, number_digits(k->value, 4, NUMBER_BUFFER),
            number_digits(r->ratio, 3, NUMBER_BUFFER),
            r->low < r->high ? text_of_range(r->low, r->high, 2, range) : "", meanings[r->rule]);
    if (r->loop)
        fprintf(out, ", like loop_%s", r->loop);
    if (r->rest_share > 0)
        fprintf(out, " (%.0f %%), %s (%.0f %%)", 100 * (1 - r->rest_share), rest_name(r),
                100 * r->rest_share);
    if (r->misses > 0)
        fprintf(out, ", and misses there (%.0f %% more)", 100 * r->misses);
    fputc('\n', out);
}

/* Below this the slow times of a machine are not worth a sentence. */
static const double WORTH_SAYING = 1.2;

static void text_slow_times(FILE *out, const struct machine *m, double slow, const char *what)
{
    if (slow >= WORTH_SAYING)
        text_wrapped(out, "    ",
                     "%s has slow times, as if others used it: operations that overlap took %.2g "
                     "times as long, or longer, in a tenth of the rounds of cllprobe. %s",
                     m->name, slow, what);
}

static void text_boundary(FILE *out, const struct elsewhere *e, const struct moved_variable *v,
                          size_t i)
{
    const struct moved_boundary *b = &v->boundaries[i];
    char here[NUMBER_SIZE], there[NUMBER_SIZE], bytes[NUMBER_SIZE];
    number_digits(v->here[i], 4, here);
    if (b->level < 0) {
        text_wrapped(out, "    ",
                     "Constants change at %s = %s; no cache of %s explains that, so they are taken "
                     "to change there at the same place.",
                     v->name, here, e->from->name);
        return;
    }
    bool exact = v->bytes == 1;
    text_wrapped(
        out, "    ",
        "Constants change at %s = %s here and at %s = %s there: the working set, %s%s%s%s, "
        "leaves %s.",
        v->name, here, v->name, number_digits(v->there[i], 4, there), exact ? v->text : "about ",
        exact ? "" : number_digits(v->bytes, 2, bytes), exact ? " bytes" : " bytes times ",
        exact ? "" : v->text, e->moved.levels[b->level].name);
}

static void text_moved(FILE *out, const struct elsewhere *e)
{
    for (size_t k = 0; k < e->moved.nvariables; k++)
        for (size_t i = 0; i < e->moved.variables[k].n; i++)
            text_boundary(out, e, &e->moved.variables[k], i);
    if (e->never_left)
        text_wrapped(
            out, "    ",
            "The working set leaves %s there. No data here are beyond %s, so the constants "
            "may be larger there.",
            e->never_left->name, e->never_left->name);
}

static void text_elsewhere_head(FILE *out, const struct elsewhere *e)
{
    fprintf(out, "  on %s, carried from %s\n", e->to->name, e->from->name);
}

static void text_elsewhere_table(FILE *out, const struct elsewhere *e, size_t row)
{
    char range[RANGE_SIZE];
    if (row == 0) {
        text_elsewhere_head(out, e);
        for (size_t i = 0; i < e->here.place.n; i++)
            fprintf(out, " %11s", e->here.place.names[i]);
        fprintf(out, " %11s   %-24s %11s\n", "there", "95 %", "here");
    }
    for (size_t i = 0; i < e->here.place.n; i++)
        fprintf(out, " %11s", number_text(e->here.place.values[i], NUMBER_BUFFER));
    fprintf(out, " %11s   %-24s %11s\n", number_digits(e->value, 4, NUMBER_BUFFER),
            text_of_range(e->low, e->high, 3, range),
            number_digits(e->here.value, 4, NUMBER_BUFFER));
}

static void text_misses(FILE *out, const char *where, const struct misses *m)
{
    fprintf(
        out,
        "    misses %s: %.3g %% of the accesses in the first-level cache, %.3g %% in the last-level cache\n",
        where, 100 * m->d1, 100 * m->ll);
}

void text_elsewhere(FILE *out, const struct elsewhere *e, size_t row, size_t rows)
{
    char range[RANGE_SIZE];
    if (rows > 1) {
        text_elsewhere_table(out, e, row);
        return;
    }
    text_elsewhere_head(out, e);
    fprintf(out, "  %s s   %s   95 %%; here %s s\n", number_digits(e->value, 4, NUMBER_BUFFER),
            text_of_range(e->low, e->high, 3, range),
            number_digits(e->here.value, 4, NUMBER_BUFFER));
    fprintf(out, "    %-8s %11s  %6s  %-16s %s\n", "constant", "there", "ratio", "", "scaled by");
    for (size_t i = 0; i < e->nconstants; i++)
        text_ratio(out, &e->constants[i]);
    text_moved(out, e);
    if (!e->counted && !uses_device(e))
        text_wrapped(out, "    ",
                     "The operations of the constants are not known, so the interval is wide: "
                     "'call count' finds them, 'counts FILE' loads them.");
    else if (!e->counted_there && strcmp(e->from->architecture, e->to->architecture) != 0)
        text_wrapped(out, "    ",
                     "The counts are of another architecture than this machine's. 'call count' on "
                     "a machine of its architecture gives better ones: load both.");
    if (e->misses_from && e->misses_to) {
        text_misses(out, "here", e->misses_from);
        text_misses(out, "there", e->misses_to);
    }
    text_slow_times(out, e->from, e->slow_from, "The constants may be too large.");
    text_slow_times(out, e->to, e->slow_to, "The interval allows for them.");
}

static json_t *json_misses(const struct misses *m)
{
    return m ? json_make("{D1:%g LL:%g}", m->d1, m->ll) : json_null();
}

static json_t *json_carried(const struct carried *k)
{
    const struct carry_ratio *r = &k->ratio;
    bool rest = r->rest_share > 0;
    return json_make("{name:%s value:%g ratio:%g low:%g high:%g scaled_by:%s overlap:%g loop:%s "
                     "misses_add?:%g rest_share?:%g rest_scaled_by?:%s}",
                     k->name, k->value, r->ratio, r->low, r->high, carry_rule_names[r->rule],
                     r->overlap, r->loop, r->misses > 0 ? r->misses : NAN,
                     rest ? r->rest_share : NAN, rest ? rest_name(r) : NULL);
}

/* The boundaries here and there. */
json_t *json_moved(const struct moved_model *m)
{
    json_t *all = json_array();
    for (size_t k = 0; k < m->nvariables; k++)
        for (size_t i = 0; i < m->variables[k].n; i++) {
            const struct moved_variable *v = &m->variables[k];
            int level = v->boundaries[i].level;
            json_add(all, "{variable:%s here:%g there:%g level:%s working_set:%s unit_bytes:%g}",
                     v->name, v->here[i], v->there[i], level < 0 ? NULL : m->levels[level].name,
                     v->text, v->bytes);
        }
    return all;
}

json_t *json_elsewhere(const struct elsewhere *e)
{
    json_t *constants = json_array();
    for (size_t i = 0; i < e->nconstants; i++)
        json_array_append_new(constants, json_carried(&e->constants[i]));
    return json_make("{experiment:%s at:%p machine:%s from:%s value:%g low:%g high:%g "
                     "unit:%s here:%g counted:%i misses_from:%p misses:%p slow_times_from:%g "
                     "slow_times:%g constants:%p boundaries:%p never_left:%s}",
                     model_points(e->model)->request->experiment->name, json_place(e->here.place),
                     e->to->name, e->from->name, e->value, e->low, e->high, "s", e->here.value,
                     e->counted, json_misses(e->misses_from), json_misses(e->misses_to),
                     e->slow_from, e->slow_to, constants, json_moved(&e->moved),
                     e->never_left ? e->never_left->name : NULL);
}

/* ---- before running */

static struct cost elsewhere_before_total(const struct before *b)
{
    return (struct cost){fmax(fmax(b->operations.overlapped, b->misses.overlapped), b->known),
                         b->operations.serial + b->misses.serial + b->known};
}

static void text_costs(FILE *out, const char *what, struct cost c)
{
    fprintf(out, "    %-14s %11s s %11s s\n", what, number_digits(c.overlapped, 4, NUMBER_BUFFER),
            number_digits(c.serial, 4, NUMBER_BUFFER));
}

static void text_before_table(FILE *out, const struct before *b, size_t row)
{
    struct cost all = elsewhere_before_total(b);
    if (row == 0) {
        for (size_t i = 0; i < b->place.n; i++)
            fprintf(out, " %11s", b->place.names[i]);
        fprintf(out, " %13s %15s\n", "overlapped", "not overlapped");
    }
    for (size_t i = 0; i < b->place.n; i++)
        fprintf(out, " %11s", number_text(b->place.values[i], NUMBER_BUFFER));
    fprintf(out, " %11s s %13s s\n", number_digits(all.overlapped, 4, NUMBER_BUFFER),
            number_digits(all.serial, 4, NUMBER_BUFFER));
}

/* The mnemonics that count by their classes: [{"name": "fsqrt", "class": "division"}], each once. */
static json_t *json_unpriced(const struct before *b)
{
    json_t *list = json_array();
    for (size_t i = 0; i < b->nterms; i++) {
        const struct mnemonic *k;
        for (size_t at = 0; (k = cost_unpriced(b->machine, b->terms[i].mix, &at));) {
            json_auto_t *entry =
                json_make("{name:%s class:%s}", k->name, operation_names[k->class]);
            bool there = false;
            for (size_t n = 0; n < json_array_size(list) && !there; n++)
                there = json_equal(json_array_get(list, n), entry);
            if (!there)
                json_array_append(list, entry);
        }
    }
    return list;
}

static void text_unpriced(FILE *out, const struct before *b)
{
    json_auto_t *list = json_unpriced(b);
    const json_t *k;
    size_t i;
    TEXT_LOCAL struct text line = text_new();
    json_array_foreach(list, i, k) text_printf(&line, "%s%s (as %s)", i ? ", " : "",
                                               json_string_value(json_object_get(k, "name")),
                                               json_string_value(json_object_get(k, "class")));
    if (line.n) {
        const char *what = ": instructions without a price there count by their classes: ";
        fprintf(out, "    %s%s%s\n", b->machine->name, what, line.s);
    }
}

void text_before(FILE *out, const struct before *b, size_t row, size_t rows)
{
    if (row == 0)
        fprintf(out, "  before running, on %s: from counts and machine figures alone\n",
                b->machine->name);
    if (rows > 1) {
        text_before_table(out, b, row);
    } else {
        fprintf(out, "    %-14s %13s %13s\n", "", "overlapped", "not");
        for (size_t i = 0; i < b->nterms; i++)
            text_costs(out, b->terms[i].name, b->terms[i].cost);
        if (b->shares)
            text_costs(out, "misses", b->misses);
        if (b->known != 0)
            text_costs(out, "known terms", (struct cost){b->known, b->known});
        text_costs(out, "together", elsewhere_before_total(b));
    }
    if (row + 1 < rows)
        return;
    text_unpriced(out, b);
    for (size_t i = 0; i < b->nleft_out; i++)
        fprintf(out, "    without %s: its value is not known before a run\n", b->left_out[i]);
    if (b->experiment->unexplained > 0.01)
        fprintf(out, "    without %.2g %% of the instructions, which follow no term\n",
                100 * b->experiment->unexplained);
}

json_t *json_before(const struct before *b)
{
    json_t *terms = json_array();
    struct cost all = elsewhere_before_total(b);
    for (size_t i = 0; i < b->nterms; i++)
        json_add(terms, "{constant:%s instructions:%g bytes:%g overlapped:%g not_overlapped:%g}",
                 b->terms[i].name, b->terms[i].instructions, b->terms[i].bytes,
                 b->terms[i].cost.overlapped, b->terms[i].cost.serial);
    json_t *misses = json_misses(b->shares);
    if (b->shares)
        json_put(misses, "overlapped:%g not_overlapped:%g", b->misses.overlapped, b->misses.serial);
    return json_make("{experiment:%s at:%p machine:%s overlapped:%g not_overlapped:%g "
                     "known:%g terms:%p left_out:%p unpriced:%p misses:%p before_running:%i "
                     "unit:%s}",
                     b->experiment->name, json_place(b->place), b->machine->name, all.overlapped,
                     all.serial, b->known, terms, json_texts(b->left_out, b->nleft_out),
                     json_unpriced(b), misses, 1, "s");
}
