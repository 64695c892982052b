/* SPDX-License-Identifier: MIT */
/*
 * PUB_CHECK=1: when an object is given back, and at the end, all its processors compare how many supersteps
 * they made and how each superstep ended.
 */
#include "pub/internal.h"

struct tally {
    int64_t least, most; /* supersteps */
    int64_t least_at, most_at;
    uint64_t endings;
    int64_t differs; /* a processor whose endings differ from those before it, or -1 */
    int64_t pid;
};

static void merge(void *accumulated, const void *more, size_t count)
{
    struct tally *a = accumulated;
    const struct tally *b = more;
    (void)count;
    if (b->least < a->least)
        a->least = b->least, a->least_at = b->least_at;
    if (b->most > a->most)
        a->most = b->most, a->most_at = b->most_at;
    if (a->differs < 0)
        a->differs = b->differs >= 0 ? b->differs : b->endings != a->endings ? b->pid : -1;
}

void pub_check_superstep(struct pub_object *object, bool oblivious)
{
    object->endings = (object->endings ^ (oblivious ? 1u : 2u)) * 0x9e3779b97f4a7c15u + 1;
}

void pub_check_done(struct pub_object *object)
{
    t_bsp bsp = {object, object->incarnation};
    const char *call = pub.call;
    int64_t step = (int64_t)object->step;
    struct tally mine = {step, step, object->pid, object->pid, object->endings, -1, object->pid},
                 all;
    t_bsprequest request = bsp_iallreduce(&bsp, merge, &mine, &all, 1, sizeof mine);
    pub_collective_serves(request, call);
    bsp_wait(&request);
    if (all.least != all.most)
        pub_fail(object,
                 "processor %lld is here in superstep %lld, processor %lld in superstep %lld",
                 (long long)all.least_at, (long long)all.least, (long long)all.most_at,
                 (long long)all.most);
    if (all.differs >= 0)
        pub_fail(object,
                 "processor %lld ended a superstep with bsp_sync that processor 0 ended with "
                 "bsp_oblsync, or the other way round",
                 (long long)all.differs);
}
