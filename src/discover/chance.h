/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well counts are described without steps, by powers and a remainder that depends on data. */
#ifndef DISCOVER_CHANCE_H
#define DISCOVER_CHANCE_H

#include <stddef.h>
#include <stdint.h>

/* The bits of the shortest such description. A formula with steps that takes more is chance. */
double chance_bits(const int64_t *sizes, const uint64_t *counts, size_t n);

#endif
