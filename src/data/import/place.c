/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variables in the names of files (place.h). A number is a run of digits; a fraction cannot be told
 * from two numbers. `variables` names each number from left to right, `-` leaves one out.
 */
#include "data/import/place.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "data/dataset.h"

enum { MOST_NUMBERS = 50 };

struct numbers {
    const char *begin[MOST_NUMBERS], *end[MOST_NUMBERS];
    size_t n;
};

static bool is_digit(char c)
{
    return isdigit((unsigned char)c);
}

/* The name without its folder and its extension, which has a character that is not a digit. */
static const char *file_name(struct import *in)
{
    const char *slash = strrchr(in->path, '/'), *s = slash ? slash + 1 : in->path;
    const char *dot = strrchr(s, '.');
    bool extension = dot && dot > s && strspn(dot + 1, "0123456789") != strlen(dot + 1);
    return arena_strndup(in->scratch, s, extension ? (size_t)(dot - s) : strlen(s));
}

static void find_numbers(const char *name, struct numbers *found)
{
    found->n = 0;
    for (const char *s = name; *s && found->n < MOST_NUMBERS;) {
        if (!is_digit(*s)) {
            s++;
            continue;
        }
        found->begin[found->n] = s;
        while (is_digit(*s))
            s++;
        found->end[found->n++] = s;
    }
}

static int wrong_count(struct import *in, const char *name, const struct numbers *found,
                       size_t names)
{
    TEXT_LOCAL struct text list = text_new();
    for (size_t i = 0; i < found->n; i++)
        text_printf(&list, "%s%.*s", i ? ", " : ": ", (int)(found->end[i] - found->begin[i]),
                    found->begin[i]);
    int status = import_error(in, import_nowhere,
                              "variables= has %zu name%s, but the name of the file, '%.100s', has "
                              "%zu number%s%.200s; name each, with - for one to leave out",
                              names, names == 1 ? "" : "s", name, found->n,
                              found->n == 1 ? "" : "s", list.s);
    return status;
}

int import_place_of_file(struct import *in, struct import_place *place)
{
    const char **names, *name = file_name(in);
    struct numbers found;
    size_t n = import_list(in, in->options->variables, &names);
    place->n = 0;
    place->rest = import_base_name(in);
    if (n == 0)
        return 0;
    find_numbers(name, &found);
    if (n != found.n)
        return wrong_count(in, name, &found, n);
    TEXT_LOCAL struct text rest = text_new();
    const char *s = name;
    for (size_t i = 0; i < n; i++) {
        bool skipped = strcmp(names[i], "-") == 0;
        text_addn(&rest, s, (size_t)((skipped ? found.end[i] : found.begin[i]) - s));
        s = found.end[i];
        if (skipped)
            continue;
        place->names[place->n] = names[i];
        if (!import_number(found.begin[i], found.end[i], &place->values[place->n++]))
            return import_error(in, import_nowhere, "'%.40s' in the name of the file is too long",
                                found.begin[i]);
    }
    text_add(&rest, s);
    bool letters = rest.s[strcspn(rest.s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")];
    place->rest = import_identifier(in, letters ? rest.s : "run");
    return 0;
}

void import_place_processors(struct import_place *place, double processors)
{
    if (text_is_in(place->names, place->n, data_field_names[FIELD_P]) ||
        place->n == IMPORT_MAX_COLUMNS)
        return;
    place->names[place->n] = data_field_names[FIELD_P];
    place->values[place->n++] = processors;
}
