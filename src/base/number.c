/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of numbers (see number.h). */
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *not_finite(double x, char buffer[NUMBER_SIZE])
{
    return strcpy(buffer, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

char *number_text(double x, char buffer[NUMBER_SIZE])
{
    if (!isfinite(x))
        return not_finite(x, buffer);
    if (x == floor(x) && fabs(x) < 1e15) {
        snprintf(buffer, NUMBER_SIZE, "%.0f", x == 0 ? 0.0 : x);
        return buffer;
    }
    for (int digits = 1; digits <= 17; digits = digits < 15 ? digits + 7 : digits + 1) {
        snprintf(buffer, NUMBER_SIZE, "%.*g", digits, x);
        if (strtod(buffer, NULL) == x)
            return buffer;
    }
    return buffer;
}

/* "-0.00" is what rounding leaves of a small negative number. */
static char *without_sign_of_zero(char buffer[NUMBER_SIZE])
{
    if (buffer[0] == '-' && !buffer[1 + strspn(buffer + 1, "0.")])
        memmove(buffer, buffer + 1, strlen(buffer));
    return buffer;
}

char *number_digits(double x, int digits, char buffer[NUMBER_SIZE])
{
    if (!isfinite(x))
        return not_finite(x, buffer);
    snprintf(buffer, NUMBER_SIZE, "%.*g", digits < 17 ? digits : 17, x);
    return without_sign_of_zero(buffer);
}

char *number_decimals(double x, int decimals, char buffer[NUMBER_SIZE])
{
    if (!isfinite(x) || fabs(x) >= 1e9)
        return number_digits(x, 4, buffer);
    snprintf(buffer, NUMBER_SIZE, "%.*f", decimals < 17 ? decimals : 17, x);
    return without_sign_of_zero(buffer);
}

int number_exponent(double x)
{
    char buffer[NUMBER_SIZE];
    if (!isfinite(x) || x == 0)
        return 0;
    snprintf(buffer, sizeof buffer, "%.16e", x); /* exact where log10 and pow round */
    return (int)strtol(strchr(buffer, 'e') + 1, NULL, 10);
}
