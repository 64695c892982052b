/* SPDX-License-Identifier: MIT */
/*
 * Numbers as text.
 *
 * A double is first tried as an integer i over 10^k. Both are exact below 2^53 and for k <= 22, so
 * the division is correctly rounded. If it gives the same double, the digits of i with a point are a
 * text that reads back, and the smallest such k gives the shortest text. The other doubles (many
 * digits, very large, very small) are printed by snprintf with 15, 16, then 17 digits.
 */
#include "spool/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
                                  "25262728293031323334353637383940414243444546474849"
                                  "50515253545556575859606162636465666768697071727374"
                                  "75767778798081828384858687888990919293949596979899";

char *cll_put_unsigned(char *out, uint64_t value)
{
    char text[20];
    char *p = text + sizeof text;
    while (value >= 100) {
        p -= 2;
        memcpy(p, digit_pairs + value % 100 * 2, 2);
        value /= 100;
    }
    if (value >= 10) {
        p -= 2;
        memcpy(p, digit_pairs + value * 2, 2);
    } else {
        *--p = (char)('0' + value);
    }
    size_t length = (size_t)(text + sizeof text - p);
    memcpy(out, p, length);
    return out + length;
}

/* Below 1e-4 an exponent is shorter; both read back the same. */
static char *put_small(char *out, const char *digits, unsigned length, int exponent)
{
    *out++ = digits[0];
    if (length > 1) {
        *out++ = '.';
        memcpy(out, digits + 1, length - 1);
        out += length - 1;
    }
    *out++ = 'e';
    *out++ = '-';
    if (exponent > -10)
        *out++ = '0';
    return cll_put_unsigned(out, (uint64_t)-exponent);
}

char *cll_put_decimal(char *out, uint64_t value, unsigned decimals)
{
    char digits[20];
    if (!value) {
        *out = '0';
        return out + 1;
    }
    while (decimals && value % 10 == 0) {
        value /= 10;
        decimals--;
    }
    if (!decimals)
        return cll_put_unsigned(out, value);
    unsigned length = (unsigned)(cll_put_unsigned(digits, value) - digits);
    int exponent = (int)length - 1 - (int)decimals;
    if (exponent < -4)
        return put_small(out, digits, length, exponent);
    if (length <= decimals) {
        *out++ = '0';
        *out++ = '.';
        for (unsigned i = length; i < decimals; i++)
            *out++ = '0';
        memcpy(out, digits, length);
        return out + length;
    }
    memcpy(out, digits, length - decimals);
    out += length - decimals;
    *out++ = '.';
    memcpy(out, digits + length - decimals, decimals);
    return out + decimals;
}

static char *put_printed(char *out, double value)
{
    char text[CLL_NUMBER_SIZE];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, value);
        if (strtod(text, NULL) == value)
            break;
    }
    /* The decimal point of a locale may be any string of bytes that are not part of a number. */
    int point = 0;
    for (const char *p = text; *p; p++) {
        if (strchr("0123456789e+-", *p)) {
            *out++ = *p;
            point = 0;
        } else if (!point) {
            *out++ = '.';
            point = 1;
        }
    }
    return out;
}

char *cll_put_double(char *out, double value)
{
    static const double powers[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (isnan(value))
        return (char *)memcpy(out, "nan", 3) + 3;
    if (signbit(value)) {
        *out++ = '-';
        value = -value;
    }
    if (isinf(value))
        return (char *)memcpy(out, "inf", 3) + 3;
    for (unsigned k = 0; k < sizeof powers / sizeof *powers; k++) {
        double scaled = value * powers[k];
        if (scaled > 9e15)
            break;
        double whole = (double)(uint64_t)(scaled + 0.5);
        if (whole / powers[k] == value && (whole > 0 || value == 0))
            return cll_put_decimal(out, (uint64_t)whole, k);
    }
    return put_printed(out, value);
}
