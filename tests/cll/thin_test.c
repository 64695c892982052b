/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thinning of segments that a test has filled. */
#include "harness/unit.h"

#include "cll/internal.h"

#include <cll.h>

static const struct cll_formula forms[] = {{"CLOCK", "f[0]"}, {0, 0}};
static const struct cll_site sites[] = {{"thin.c", 1, 2}, {0, 0, 0}};
static const char *const none[] = {0};
static const char *const many[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                   "j", "k", "l", "m", "n", "o", "p", 0};
CLL_EXPERIMENT(short_one, "short", 0, none, forms, sites, 0)
CLL_EXPERIMENT(long_one, "long", 16, many, forms, sites, 0)

static uint64_t *put(uint64_t *at, unsigned id, uint64_t seq)
{
    at[0] = (seq + 1) << 6;
    at[1] = UINT64_C(1) << 16 | id;
    at[2] = seq << CLL_NESTED_BITS;
    return at + CLL_RECORD_WORDS + cll_known(id)->nvars;
}

/* A segment of thread 0 that was cut after `keep` bytes; keep 0: it was not. */
static uint64_t *segment(uint64_t keep)
{
    struct spool_segment *made = cll_segment_new(SEGMENT_RECORDS, 65536, 4096, 0);
    assert_non_null(made);
    if (keep)
        cll_segment_cut(made, keep);
    return (uint64_t *)(made + 1);
}

struct found {
    uint64_t records[3], taken[3];
};

static void look(struct spool_segment *segment, void *data)
{
    struct found *found = data;
    const uint64_t *at = (uint64_t *)(segment + 1);
    const uint64_t *end = (uint64_t *)((char *)segment + segment->bytes);
    assert_int_equal(segment->magic, SEGMENT_MAGIC);
    if (segment->kind != SEGMENT_RECORDS)
        return;
    for (; end - at >= CLL_RECORD_WORDS && at[1]; at += cll_record_words(at)) {
        unsigned id = (unsigned)(at[1] & SPOOL_ID_MASK);
        assert_in_range(id, 1, 2);
        found->records[id]++;
    }
    assert_true(at <= end);
    for (; at < end; at++)
        assert_int_equal(*at, 0);
}

static void a_record_goes_into_no_segment_that_is_too_short(void **state)
{
    struct found found = {0};
    unsigned brief = short_one()->id, wide = long_one()->id;
    (void)state;
    /* two segments of eight words, each with a record of three: the first takes both, and the record
       of nineteen words that follows fits into neither */
    put(segment(128), brief, 0);
    put(segment(128), brief, 1);
    uint64_t *at = segment(0);
    for (unsigned seq = 0; seq < 200; seq++)
        at = put(at, wide, seq);
    cll_thin();
    cll_segment_each(look, &found);
    assert_int_equal(found.records[brief], 2);
    assert_in_range(found.records[wide], 20, 100);
}

static int start(void **state)
{
    (void)state;
    cll_settings_read();
    cll_settings.spool = 0;
    if (!cll_registry_start() || !cll_spool_start())
        return -1;
    cll_register(short_one());
    cll_register(long_one());
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_goes_into_no_segment_that_is_too_short)};
    return RUN_WITH(tests, start, NULL);
}
