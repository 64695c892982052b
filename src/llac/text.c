/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for people (text.h). */
#include "llac/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

static struct {
    FILE *out, *raw;
} coloured;

void text_have_colours(FILE *out, FILE *raw)
{
    coloured.out = out;
    coloured.raw = raw;
}

void text_style(FILE *out, enum text_style style)
{
    static const char *const sequences[] = {
        [TEXT_PLAIN] = "\033[0m", [TEXT_NAME] = "\033[1m",     [TEXT_HEADING] = "\033[1m",
        [TEXT_NOTE] = "\033[36m", [TEXT_WARNING] = "\033[33m", [TEXT_BAD] = "\033[1;31m"};
    if (!out || out != coloured.out)
        return;
    fflush(out); /* what comes before */
    fputs(sequences[style], coloured.raw);
}

void text_styled(FILE *out, enum text_style style, const char *format, ...)
{
    va_list args;
    text_style(out, style);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    text_style(out, TEXT_PLAIN);
}

void text_wrapped_as(FILE *out, enum text_style style, const char *first, const char *text)
{
    size_t indent = strlen(first), column = indent, blanks = strspn(first, " ");
    fprintf(out, "%.*s", (int)blanks, first);
    if (style != TEXT_PLAIN)
        text_style(out, style);
    fputs(first + blanks, out);
    if (style != TEXT_PLAIN)
        text_style(out, TEXT_PLAIN);
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

void text_wrapped(FILE *out, const char *first, const char *format, ...)
{
    ARENA_LOCAL struct arena *a = arena_create();
    va_list args;
    va_start(args, format);
    text_wrapped_as(out, TEXT_PLAIN, first, arena_vprintf(a, format, args));
    va_end(args);
}

void text_observable(FILE *out, const char *observable)
{
    if (strcmp(observable, "CLOCK") != 0)
        fprintf(out, "  observable: %s\n", observable);
}

void text_spread(FILE *out, const struct points_request *request)
{
    if (points_is_spread(request))
        fprintf(out, "  statistic: %s\n", statistics[request->statistic].text);
}

void text_values(FILE *out, const struct points_request *request)
{
    text_observable(out, request->observable);
    text_spread(out, request);
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
