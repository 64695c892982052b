/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of numbers. Every function returns `buffer`. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/* The shortest decimal text that reads back as x exactly ("0.1", "1024", "1e-09", "nan", "inf"). */
enum { NUMBER_SIZE = 32 };
char *number_text(double x, char buffer[NUMBER_SIZE]);
/* For people: as %.DIGITSg and %.DECIMALSf, but always short and never "-0" or "-nan". From 1e9 on
 * the latter changes to an exponent. Within an expression NUMBER_BUFFER is a buffer. */
#define NUMBER_BUFFER ((char[NUMBER_SIZE]){0})
char *number_digits(double x, int digits, char buffer[NUMBER_SIZE]);
char *number_decimals(double x, int decimals, char buffer[NUMBER_SIZE]);
/* The power of ten of the first digit: 10^e <= |x| < 10^(e+1); 0 for 0, nan and infinities. */
int number_exponent(double x);

#endif
