/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well counts are described by powers and a remainder that depends on data. */
#ifndef DISCOVER_CHANCE_H
#define DISCOVER_CHANCE_H

#include <stddef.h>
#include <stdint.h>

/* The bits of the shortest such description. A formula with steps that takes more is chance. */
double chance_bits(const int64_t *sizes, const uint64_t *counts, size_t n);

/* The same of powers, another count times any factor, and a remainder. */
double chance_bits_beside(const int64_t *sizes, const uint64_t *counts, const uint64_t *other,
                          size_t n);

#endif
