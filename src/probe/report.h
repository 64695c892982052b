/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cllprobe leaves: the machine file (docs/reference/machine-format.md) and a table for people. */
#ifndef PROBE_REPORT_H
#define PROBE_REPORT_H

#include <stdio.h>

#include "base/text.h"
#include "probe/summary.h"
#include "probe/system.h"

enum { PROBE_FORMAT = 1 };

/* The text of the machine file. */
void report_json(const struct probe *p, const struct probe_summary *s, const char *name,
                 struct text *out);
void report_table(const struct probe *p, const struct probe_summary *s, FILE *out);
/* On stderr: what is not steady, implausible or was not measured. */
void report_warnings(const struct probe *p, const struct probe_summary *s);

#endif
