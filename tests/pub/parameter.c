/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bsp_parameter in all situations; the first argument says which. Prints "done" if all is well. */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static t_bsp machine, *bsp = &machine;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            bsp_abort(bsp, "line %d: not so: %s", __LINE__, #condition);                           \
    } while (0)

/* 0 is possible: where more processes than cores take turns, noise hides what is small. */
static int plausible(double value, double spread, double most)
{
    return value >= 0 && value < most && spread >= 0 && spread < most;
}

/* The same on all processors of the object, and possible. */
static void check(t_bsp *object, const t_bspparameter *p)
{
    int n = bsp_nprocs(object);
    t_bspparameter *all = malloc((size_t)n * sizeof *all);
    CHECK(all != NULL);
    CHECK(plausible(p->l, p->l_spread, 10));
    CHECK(plausible(p->g, p->g_spread, 1));
    CHECK(plausible(p->s, p->s_spread, 1e15) && p->s > 1e3);
    CHECK(p->nprocs == n);
    CHECK(p->oversubscribed == 0 || p->oversubscribed == 1);
    bsp_allgather(object, p, all, sizeof *p);
    for (int i = 0; i < n; i++)
        CHECK(memcmp(&all[i], p, sizeof *p) == 0);
    free(all);
}

static void print(const t_bspparameter *p)
{
    if (bsp_pid(bsp) == 0)
        printf("%.17g %.17g %.17g %.17g %.17g %.17g %d %d\n", p->l, p->g, p->s, p->l_spread,
               p->g_spread, p->s_spread, p->nprocs, p->oversubscribed);
}

static void plain(void)
{
    t_bspparameter p;
    memset(&p, 1, sizeof p);
    bsp_parameter(bsp, &p);
    check(bsp, &p);
    print(&p);
}

/* As plain, for simulated machines: one processor alone communicates at no cost there. */
static void values(void)
{
    t_bspparameter p;
    bsp_parameter(bsp, &p);
    print(&p);
}

/* If the second call communicated, processor 0 alone would not come back from it. */
static void again(void)
{
    t_bspparameter first, second;
    t_bsp copy;
    bsp_parameter(bsp, &first);
    if (bsp_pid(bsp) == 0) {
        bsp_parameter(bsp, &second);
        CHECK(memcmp(&first, &second, sizeof first) == 0);
    }
    bsp_dup(bsp, &copy);
    if (bsp_pid(bsp) == bsp_nprocs(bsp) - 1) {
        bsp_parameter(&copy, &second);
        CHECK(memcmp(&first, &second, sizeof first) == 0);
    }
    bsp_done(&copy);
    bsp_sync(bsp);
}

/* Groups of one and of the rest, at the same time; then the groups of the second group. */
static void groups(void)
{
    int n = bsp_nprocs(bsp), ends[2] = {1, n};
    t_bsp group, part;
    t_bspparameter p, same;
    bsp_partition(bsp, &group, 2, ends);
    bsp_parameter(&group, &p);
    check(&group, &p);
    int inner[1] = {bsp_nprocs(&group)};
    bsp_partition(&group, &part, 1, inner);
    if (bsp_pid(&part) == 0) { /* the same processors: known */
        bsp_parameter(&part, &same);
        CHECK(memcmp(&p, &same, sizeof p) == 0);
    }
    bsp_done(&part);
    bsp_done(&group);
    CHECK(bsp_superstep(bsp) == 1);
    bsp_sync(bsp);
}

/* In the middle of a superstep: messages of the last one, messages, puts and a collective operation
   of this one. */
static void undisturbed(void)
{
    enum { LARGE = 300000 };
    int n = bsp_nprocs(bsp), me = bsp_pid(bsp), right = (me + 1) % n, left = (me + n - 1) % n;
    long word = me, put = -1, mine = me, sum = 0;
    char *large = malloc(LARGE);
    t_bspparameter p;
    CHECK(large != NULL);
    memset(large, me, LARGE);
    bsp_push_reg(bsp, &put, sizeof put);
    bsp_send(bsp, right, &word, sizeof word);
    bsp_sync(bsp);
    t_bspmsg *read = bsp_getmsg(bsp, 0);
    CHECK(bsp_nmsgs(bsp) == 1 && *(long *)bspmsg_data(read) == left);

    word = 100 + me;
    bsp_send(bsp, right, &word, sizeof word);
    bsp_hpsend(bsp, right, large, LARGE);
    bsp_put(bsp, right, &word, &put, 0, sizeof word);
    t_bsprequest request = bsp_iallreduce(bsp, bsp_op_sum_long, &mine, &sum, 1, sizeof sum);
    bsp_parameter(bsp, &p);
    CHECK(bsp_superstep(bsp) == 2);
    CHECK(bsp_nmsgs(bsp) == 1 && bsp_getmsg(bsp, 0) == read);
    CHECK(bspmsg_src(read) == left && *(long *)bspmsg_data(read) == left);
    CHECK(put == -1);
    bsp_wait(&request);
    CHECK(sum == (long)n * (n - 1) / 2);

    bsp_sync(bsp);
    CHECK(bsp_superstep(bsp) == 3);
    CHECK(bsp_nmsgs(bsp) == 2 && put == 100 + left);
    for (int i = 0; i < 2; i++) {
        t_bspmsg *m = bsp_findmsg(bsp, left, i);
        char *data = bspmsg_data(m);
        if (bspmsg_size(m) == sizeof word)
            CHECK(*(long *)data == 100 + left);
        else
            CHECK(bspmsg_size(m) == LARGE && data[0] == left && data[LARGE - 1] == left);
    }
    bsp_send(bsp, right, &word, sizeof word);
    bsp_oblsync(bsp, 1);
    check(bsp, &p);
    free(large);
}

static void null_pointer(void)
{
    bsp_parameter(bsp, NULL);
}

static void one_stays_away(void)
{
    t_bspparameter p;
    if (bsp_pid(bsp) != 0)
        bsp_parameter(bsp, &p);
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {{"plain", plain},
             {"values", values},
             {"again", again},
             {"groups", groups},
             {"undisturbed", undisturbed},
             {"null_pointer", null_pointer},
             {"one_stays_away", one_stays_away}};

int main(int argc, char **argv)
{
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, bsp);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
            modes[i].run();
    int last = bsp_pid(bsp) == 0;
    bsplib_done();
    if (last)
        printf("done\n");
    return 0;
}
