/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hyperfine's JSON: results with the command, its parameters and the time of each run. Commands
 * that differ by the values of their parameters only are one experiment. The file has no template,
 * so two commands are compared word by word: equal words, or words that are equal when each
 * parameter's value is replaced by its name. A parameter that is not a number belongs to the name.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "data/import/json.h"
#include "base/interrupt.h"
#include "base/text.h"

/* Each result is compared with the commands there are: so these are few. */
enum { MOST_PARAMETERS = 20, MOST_COMMANDS = 200, MOST_RESULTS = 20000 };

struct result {
    const char *command;
    const char *names[MOST_PARAMETERS], *texts[MOST_PARAMETERS];
    double values[MOST_PARAMETERS];
    bool numeric[MOST_PARAMETERS];
    size_t n;
};

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The word with {name} for each value that is a word of its own in it. */
static void put_generic(struct text *out, const struct result *r, const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t k = 0, length = 0;
        for (; k < r->n; k++) {
            length = strlen(r->texts[k]);
            if (r->numeric[k] && length && length <= n - i &&
                memcmp(s + i, r->texts[k], length) == 0 && (i == 0 || !in_word(s[i - 1])) &&
                (i + length == n || !in_word(s[i + length])))
                break;
        }
        if (k < r->n) {
            text_printf(out, "{%s}", r->names[k]);
            i += length;
        } else {
            text_addc(out, s[i++]);
        }
    }
}

static bool same_word(const struct result *a, const char *s, size_t n, const struct result *b,
                      const char *t, size_t m)
{
    if (n == m && memcmp(s, t, n) == 0)
        return true;
    TEXT_LOCAL struct text x = text_new(), y = text_new();
    put_generic(&x, a, s, n);
    put_generic(&y, b, t, m);
    return strcmp(x.s, y.s) == 0;
}

static bool same_command(const struct result *a, const struct result *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (strcmp(a->names[i], b->names[i]) != 0 || a->numeric[i] != b->numeric[i] ||
            (!a->numeric[i] && strcmp(a->texts[i], b->texts[i]) != 0))
            return false;
    const char *s = a->command, *t = b->command;
    for (;;) {
        s += strspn(s, " \t\n");
        t += strspn(t, " \t\n");
        size_t n = strcspn(s, " \t\n"), m = strcspn(t, " \t\n");
        if (n == 0 || m == 0)
            return n == m;
        if (!same_word(a, s, n, b, t, m))
            return false;
        s += n, t += m;
    }
}

static int read_parameters(struct import *in, const struct json_way *way, struct result *r)
{
    const char *key;
    json_t *value;
    json_object_foreach(way->value, key, value)
    {
        struct json_way member = json_way_key(way, key);
        if (r->n == MOST_PARAMETERS)
            return json_error_at(in, &member, "more than %d parameters", MOST_PARAMETERS);
        r->names[r->n] = key;
        if (json_is_number(value)) {
            r->texts[r->n] = "";
            r->values[r->n] = json_number_value(value);
            r->numeric[r->n++] = true;
            continue;
        }
        r->texts[r->n] = json_string_value(value);
        if (!r->texts[r->n])
            return json_error_at(in, &member, "a text or a number is expected here");
        r->numeric[r->n] =
            import_number_text(r->texts[r->n], &r->values[r->n]) && isfinite(r->values[r->n]);
        r->n++;
    }
    return 0;
}

/* The program's name, and the parameters that are not numbers. */
static char *short_name(struct import *in, const struct result *r)
{
    const char *s = r->command + strspn(r->command, " \t\n");
    size_t n = strcspn(s, " \t\n");
    for (size_t i = n; i-- > 0;)
        if (s[i] == '/') {
            s += i + 1, n -= i + 1;
            break;
        }
    struct text t = text_new();
    text_addn(&t, s, n);
    for (size_t i = 0; i < r->n; i++)
        if (!r->numeric[i])
            text_printf(&t, "_%s", r->texts[i]);
    return text_keep(&t, in->scratch);
}

/* The command with {name} where values stand; a word that does not change from `a` to `b` stays. */
static char *template_of(struct import *in, const struct result *a, const struct result *b)
{
    struct text t = text_new();
    for (const char *s = a->command, *u = b->command;;) {
        s += strspn(s, " \t\n");
        u += strspn(u, " \t\n");
        size_t n = strcspn(s, " \t\n"), m = strcspn(u, " \t\n");
        if (n == 0)
            break;
        text_add(&t, t.n ? " " : "");
        if (a != b && n == m && memcmp(s, u, n) == 0)
            text_addn(&t, s, n);
        else
            put_generic(&t, a, s, n);
        s += n, u += m;
    }
    for (size_t i = 0; i < a->n; i++)
        if (!a->numeric[i])
            text_printf(&t, " (%s=%s)", a->names[i], a->texts[i]);
    return text_keep(&t, in->scratch);
}

static struct import_region *new_region(struct import *in, const struct result *result)
{
    const char *names[MOST_PARAMETERS];
    size_t n = 0;
    for (size_t i = 0; i < result->n; i++)
        if (result->numeric[i])
            names[n++] = result->names[i];
    struct import_region *r = import_region_over(in, template_of(in, result, result),
                                                 short_name(in, result), names, n, import_nowhere);
    if (r)
        r->tag = memcpy(arena_alloc(in->scratch, 1, sizeof *result), result, sizeof *result);
    return r;
}

static bool same_parameters(const struct import_region *r, const struct result *result)
{
    size_t n = 0;
    for (size_t i = 0; i < result->n; i++)
        if (result->numeric[i] &&
            (n == r->nparameters || strcmp(r->parameters[n++], result->names[i]) != 0))
            return false;
    return n == r->nparameters;
}

/* With the option `experiment` all results are one, whatever their commands. */
static struct import_region *find_region(struct import *in, const struct json_way *way,
                                         const struct result *result)
{
    if (in->options->experiment && in->nregions) {
        if (same_parameters(in->regions[0], result))
            return in->regions[0];
        return diag_null(
            json_error_at(in, way, "this command has other parameters than the first one"));
    }
    for (size_t i = 0; i < in->nregions; i++)
        if (same_command(in->regions[i]->tag, result)) {
            if (in->regions[i]->npoints == 1)
                in->regions[i]->path = template_of(in, in->regions[i]->tag, result);
            return in->regions[i];
        }
    if (in->nregions >= MOST_COMMANDS)
        return diag_null(
            json_error_at(in, way, "more than %d commands: split the file", MOST_COMMANDS));
    return new_region(in, result);
}

static int read_result(struct import *in, const struct json_way *way)
{
    struct result result = {.n = 0};
    double at[MOST_PARAMETERS];
    size_t n = 0, observable;
    struct json_way command = json_way_key(way, "command"), times = json_way_key(way, "times"),
                    parameters = json_way_key(way, "parameters");
    if (json_need(in, way, JSON_OBJECT) || json_need(in, &command, JSON_STRING) ||
        json_need(in, &times, JSON_ARRAY) || json_allow(in, &parameters, JSON_OBJECT) ||
        read_parameters(in, &parameters, &result))
        return -1;
    result.command = json_string_value(command.value);
    struct import_region *r = find_region(in, &command, &result);
    if (!r || import_observable(in, r, "CLOCK", import_nowhere, &observable))
        return -1;
    for (size_t i = 0; i < result.n; i++)
        if (result.numeric[i])
            at[n++] = result.values[i];
    return json_add_values(in, &times, r, at, observable, 1);
}

int import_read_hyperfine(struct import *in, const struct json_way *top)
{
    struct json_way list = json_way_key(top, "results");
    if (json_need(in, &list, JSON_ARRAY))
        return -1;
    if (json_way_size(&list) > MOST_RESULTS)
        return json_error_at(in, &list, "more than %d results: split the file", MOST_RESULTS);
    for (size_t i = 0; i < json_way_size(&list) && !interrupt_came(); i++) {
        struct json_way entry = json_way_index(&list, i);
        if (read_result(in, &entry))
            return -1;
    }
    return 0;
}
