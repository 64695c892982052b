/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decimal to double. Three ways, fastest first:
 *   1. up to 15 digits and a power of ten that a double holds exactly: one multiplication or
 * division;
 *   2. up to 19 digits and 10^-27 .. 10^55: the method of Lemire ("Number parsing at a gigabyte per
 * second", 2021) with a 128-bit table of powers of five. In this range of exponents its result is
 * proven exact, and the table is so small that it is computed here instead of being written down;
 *   3. anything else: strtod_l in the C locale.
 */
#define _GNU_SOURCE
#include "data/number.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LOWEST = -27, HIGHEST = 55, LONGEST = 400 };

struct wide {
    uint64_t high, low;
};
static struct wide powers_of_five[HIGHEST - LOWEST + 1]; /* normalised: top bit set */
static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* floor(2^(z+127) / 5^k) + 1 with 2^z the least power of two not below 5^k: 128 bits, top bit set.
 */
static struct wide reciprocal(uint64_t five)
{
    int z = 64 - __builtin_clzll(five);
    unsigned __int128 remainder = 0;
    uint64_t limb[3] = {0, 0, 0};
    limb[(z + 127) / 64] = (uint64_t)1 << (z + 127) % 64;
    for (int i = 2; i >= 0; i--) {
        unsigned __int128 part = remainder << 64 | limb[i];
        limb[i] = (uint64_t)(part / five);
        remainder = part % five;
    }
    struct wide w = {limb[1], limb[0] + 1};
    if (w.low == 0)
        w.high++;
    return w;
}

static void make_tables(void)
{
    unsigned __int128 five = 1;
    for (int q = 0; q <= HIGHEST; q++, five *= 5) {
        unsigned __int128 v = five;
        while (!(v >> 127))
            v <<= 1;
        powers_of_five[q - LOWEST] = (struct wide){(uint64_t)(v >> 64), (uint64_t)v};
        if (q > 0 && q <= -LOWEST)
            powers_of_five[-q - LOWEST] = reciprocal((uint64_t)five);
    }
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* digits * 10^q for LOWEST <= q <= HIGHEST; false when the result would not be a normal number. */
static bool wide_scale(uint64_t digits, int q, double *value)
{
    int shift = __builtin_clzll(digits);
    uint64_t w = digits << shift;
    struct wide five = powers_of_five[q - LOWEST];
    unsigned __int128 product = (unsigned __int128)w * five.high;
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    if ((high & 0x1ff) == 0x1ff) {
        uint64_t more = (uint64_t)((unsigned __int128)w * five.low >> 64);
        low += more;
        if (more > low)
            high++;
    }
    int top = (int)(high >> 63);
    uint64_t mantissa = high >> (top + 9);
    int exponent = ((217706 * q) >> 16) + 63 + top - shift + 1023;
    if (exponent <= 0 || exponent >= 2047)
        return false;
    /* Exactly between two doubles: to even. */
    if (low <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << (top + 9) == high)
        mantissa &= ~(uint64_t)1;
    mantissa += mantissa & 1;
    mantissa >>= 1;
    if (mantissa >= (uint64_t)2 << 52) {
        mantissa = (uint64_t)1 << 52;
        exponent++;
    }
    uint64_t bits = (mantissa & ~((uint64_t)1 << 52)) | (uint64_t)exponent << 52;
    memcpy(value, &bits, sizeof bits);
    return exponent < 2047;
}

static const char *read_word(const char *p, const char *end, double *value)
{
    size_t room = (size_t)(end - p);
    bool negative = room && *p == '-';
    if (room && (*p == '-' || *p == '+'))
        p++, room--;
    const char *after = NULL;
    if (room >= 3 && strncasecmp(p, "nan", 3) == 0) {
        *value = NAN;
        return p + 3;
    }
    if (room >= 8 && strncasecmp(p, "infinity", 8) == 0)
        after = p + 8;
    else if (room >= 3 && strncasecmp(p, "inf", 3) == 0)
        after = p + 3;
    if (after)
        *value = negative ? -INFINITY : INFINITY;
    return after;
}

/* The token [p, after) is known to be a well-formed decimal number. */
static void read_slowly(const char *p, const char *after, double *value)
{
    char small[LONGEST], *copy = small;
    size_t n = (size_t)(after - p);
    if (n >= sizeof small) {
        /* strtod stops where the token does: the byte after it is not part of a number. */
        *value = strtod_l(p, NULL, c_locale);
        return;
    }
    memcpy(copy, p, n);
    copy[n] = 0;
    *value = strtod_l(copy, NULL, c_locale);
}

const char *number_read(const char *begin, const char *end, double *value)
{
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = begin;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    uint64_t digits = 0;
    int ndigits = 0, q = 0; /* ndigits counts from the first one that is not 0 */
    const char *first = p;
    for (unsigned d; p < end && (d = (unsigned)(*p - '0')) < 10; p++) {
        if (ndigits < 19)
            digits = digits * 10 + d;
        ndigits += digits != 0;
    }
    bool any = p > first;
    if (p < end && *p == '.') {
        const char *dot = ++p;
        for (unsigned d; p < end && (d = (unsigned)(*p - '0')) < 10; p++) {
            if (ndigits < 19)
                digits = digits * 10 + d;
            ndigits += digits != 0;
        }
        any = any || p > dot;
        q = p - dot > 100000 ? -100000 : -(int)(p - dot);
    }
    if (!any)
        return read_word(begin, end, value);
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *e = p + 1;
        bool minus = e < end && *e == '-';
        if (e < end && (*e == '-' || *e == '+'))
            e++;
        if (e >= end || !isdigit((unsigned char)*e))
            return NULL;
        int x = 0;
        for (; e < end && isdigit((unsigned char)*e); e++)
            x = x < 100000 ? x * 10 + (*e - '0') : x;
        q += minus ? -x : x;
        p = e;
    }
    if (digits == 0 && ndigits == 0)
        *value = 0;
    else if (ndigits <= 15 && q >= -22 && q <= 22)
        *value = q < 0 ? (double)digits / exact[-q] : (double)digits * exact[q];
    else {
        pthread_once(&once, make_tables);
        if (ndigits > 19 || q < LOWEST || q > HIGHEST || !wide_scale(digits, q, value)) {
            read_slowly(begin, p, value);
            return p;
        }
    }
    if (negative)
        *value = -*value;
    return p;
}
