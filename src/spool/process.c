/* SPDX-License-Identifier: MIT */
/*
 * Which process measured, and when: the value of the header line `process`,
 *
 *   PID.RANK.SECONDS.TICKS FROM TO
 *
 * The first word names the process: numbers in hexadecimal, SECONDS since 1970 and TICKS of its
 * clock when it started. The samples of the file ended after FROM and not after TO, in ticks since
 * the start; TO is `-` where the spool tells no end. So readers know which files hold the same
 * samples.
 */
#include "spool/format.h"
#include "spool/text.h"

#include <inttypes.h>

void cll_process_text(const struct spool_header *h, const uint64_t *to, char *text, size_t size)
{
    uint64_t from = h->gathered ? h->gathered_ticks - h->start_ticks : 0;
    char end[24] = "-";
    if (to)
        snprintf(end, sizeof end, "%" PRIu64, *to > h->start_ticks ? *to - h->start_ticks : 0);
    snprintf(text, size, "%" PRIx32 ".%" PRIx32 ".%" PRIx64 ".%" PRIx64 " %" PRIu64 " %s", h->pid,
             h->rank, (uint64_t)h->start_unix, h->start_ticks, from, end);
}
