/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models as a JavaScript module: the evaluator of the report page, the models as data, and a function for each. It
 * predicts what `predict` does, with intervals and marks.
 */
#include <string.h>

#include "llac/export/export.h"
#include "llac/report/evaluator.h"
#include "llac/json.h"

static void put_json(FILE *out, json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17) |
                                       JSON_ENCODE_ANY);
    fputs(text ? text : "null", out);
    mem_free(text);
    json_decref(value);
}

static void put_arguments(FILE *out, const struct export_names *arguments, bool pairs)
{
    for (size_t i = 0; i < arguments->n; i++) {
        fputs(i ? ", " : "", out);
        if (pairs) {
            fputc('[', out);
            put_json(out, json_text(arguments->names[i]));
            fprintf(out, ", %s]", arguments->identifiers[i]);
        } else {
            fputs(arguments->identifiers[i], out);
        }
    }
}

static void put_function(FILE *out, const char *name, const char *ending,
                         const struct export_names *arguments, size_t model, const char *member)
{
    fprintf(out, "export function %s%s(", name, ending);
    put_arguments(out, arguments, false);
    fprintf(out, ") {\n  return models[%zu].predict(new Map([", model);
    put_arguments(out, arguments, true);
    fprintf(out, "]))%s;\n}\n", member);
}

void export_javascript(FILE *out, struct fit_state *const *fits, size_t n)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct export_names functions = export_functions(a, fits, n);
    fputs(
        "// Models fitted by llac: a JavaScript module. predict_NAME(...) is the predicted value;\n"
        "// predict_NAME_interval(...) is an object with value, low and high (95 %, typical), single_low and\n"
        "// single_high (95 %, one execution), and what is special about the place: remarks(object) says it in\n"
        "// words. models[k].predict({N: 4096}) is the same for a place with names.\n\n",
        out);
    evaluator_put_script(out, NULL);
    fputs("\nexport const remarks = CLL.remarks, NoValue = CLL.NoValue;\nexport const models = [\n",
          out);
    for (size_t i = 0; i < n; i++) {
        model_resample(fits[i]->model);
        fputs("  ", out);
        put_json(out, evaluator_model(fits[i]->model));
        fputs(",\n", out);
    }
    fputs("].map((data) => new CLL.Model(data));\n", out);
    for (size_t i = 0; i < n; i++) {
        struct export_names arguments = export_arguments(a, fits[i]->model);
        fputs("\n// ", out);
        export_description(out, fits[i], "\n// ");
        fputc('\n', out);
        put_function(out, functions.identifiers[i], "", &arguments, i, ".value");
        put_function(out, functions.identifiers[i], "_interval", &arguments, i, "");
    }
}
