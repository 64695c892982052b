/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a formula and as a condition: no crash, and what parses prints and reads back the
 * same. */
#include "base/text.h"
#include "formula/formula.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void exercise(struct arena *a, struct diag *d, const struct formula *f,
                     const struct source *source)
{
    if (!f)
        return;
    for (int style = FORMULA_TEXT; style <= FORMULA_PYTHON; style++) {
        struct text t;
        text_init(&t);
        formula_print(&t, f, &(struct formula_print_options){.style = (enum formula_style)style});
        text_free(&t);
    }
    struct formula_variables v = formula_variables(a, f);
    const char *names[64];
    double value = 3;
    const double *columns[64];
    if (v.n > 64)
        return;
    for (size_t i = 0; i < v.n; i++) {
        names[i] = v.list[i].name;
        columns[i] = &value;
    }
    formula_linearize(a, f, source, d);
    const struct formula_program *p = formula_compile(a, f, names, v.n, source, d);
    struct formula_trouble trouble;
    double out;
    if (p)
        formula_evaluate(p, columns, 1, &out, &trouble);
}

static void read_back(struct arena *a, struct diag *d, const struct source *source,
                      const struct formula_options *options)
{
    const struct formula *f = formula_parse(a, source, (struct span){0, source->size}, options, d);
    exercise(a, d, f, source);
    if (!f)
        return;
    const char *text = formula_text(a, f);
    struct source again = {"<again>", text, strlen(text)};
    const struct formula *g = formula_parse(a, &again, (struct span){0, again.size}, options, d);
    if (again.size < FORMULA_MAX_SIZE && (!g || !formula_same(f, g)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_create();
    struct diag *d = diag_create();
    struct source source = {"<fuzz>", (const char *)data, size};
    const char *experiments[] = {"f", "g", NULL};
    struct formula_options options = {.experiments = experiments};
    struct formula_options definition = {.any_constant = true, .references = true};
    struct span all = {0, size};
    read_back(a, d, &source, &options);
    read_back(a, d, &source, &definition);
    exercise(a, d, formula_parse_condition(a, &source, all, &options, d), &source);
    diag_destroy(d);
    arena_destroy(a);
    return 0;
}
