/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for people (text.h). */
#include "llac/text.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "model/thresholds.h"

void text_wrapped(FILE *out, const char *first, const char *text)
{
    size_t indent = strlen(first), column = indent;
    fputs(first, out);
    while (*text) {
        size_t n = strcspn(text, " ");
        bool at_start = column == indent;
        if (!at_start && column + 1 + n > TEXT_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            at_start = true;
        }
        fprintf(out, "%s%.*s", at_start ? "" : " ", (int)n, text);
        column += n + !at_start;
        text += n;
        while (*text == ' ')
            text++;
    }
    fputc('\n', out);
}

void text_observable(FILE *out, const char *observable)
{
    if (strcmp(observable, "CLOCK") != 0)
        fprintf(out, "  observable: %s\n", observable);
}

char *text_of_range(double low, double high, int digits, char buffer[RANGE_SIZE])
{
    snprintf(buffer, RANGE_SIZE, "[%s, %s]", number_digits(low, digits, NUMBER_BUFFER),
             number_digits(high, digits, NUMBER_BUFFER));
    return buffer;
}

char *text_place(struct arena *a, struct place p)
{
    char *text = "", number[NUMBER_SIZE];
    for (size_t i = 0; i < p.n; i++)
        text = arena_printf(a, "%s%s%s=%s", text, *text ? " " : "", p.names[i],
                            number_text(p.values[i], number));
    return text;
}

const char *text_unit(const char *observable)
{
    return strcmp(observe_unit(observable), "s") == 0 ? " s" : "";
}

struct place text_place_part(struct place p, size_t first, size_t n)
{
    return (struct place){p.names + first, p.values + first, n};
}

const char *text_rounded(double x, int digits, char number[NUMBER_SIZE])
{
    double unit = pow(10, floor(log10(fabs(x))) - digits + 1);
    if (fabs(x) >= pow(10, digits) && fabs(x) < 1e7)
        snprintf(number, NUMBER_SIZE, "%.0f", unit * round(x / unit));
    else
        snprintf(number, NUMBER_SIZE, "%.*g", digits, x);
    return number;
}
