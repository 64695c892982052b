/* SPDX-License-Identifier: GPL-3.0-or-later */
/* misuse MODE: a program with one mistake. misuse.sh knows what must be said about it. A program
   that comes to the end of bsplib_done says so, and exits with 0. */
#include "misuse.h"

#include <mpi.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LATE = 100000 /* microseconds */, BIG = 1 << 22 };

t_bsp world, sub, other;
int p, pid, right;
char large[30000];
static int cell[4];

void part(void)
{
    int ends[2] = {p / 2, p};
    bsp_partition(&world, &sub, 2, ends);
}

static void whole(t_bsp *bsp, t_bsp *group)
{
    int n = bsp_nprocs(bsp);
    bsp_partition(bsp, group, 1, &n);
}

static void reg(void)
{
    bsp_push_reg(&world, cell, sizeof cell);
    bsp_sync(&world);
}

/* ---- start and end */

static void init_twice(void)
{
    bsplib_init(BSPLIB_STDPARAMS, &world);
}

static void init_after_done(void)
{
    bsplib_done();
    bsplib_init(BSPLIB_STDPARAMS, &world);
}

static void done_twice(void)
{
    bsplib_done();
    bsplib_done();
}

static void call_after_done(void)
{
    bsplib_done();
    bsp_nprocs(&world);
}

static void done_with_group(void)
{
    whole(&world, &sub);
}

static void done_with_copy(void)
{
    bsp_dup(&world, &other);
}

static void done_with_sent(void)
{
    bsp_sync(&world);
    if (pid == p - 1)
        bsp_send(&world, 0, "x", 1);
}

static void done_with_put(void)
{
    reg();
    bsp_put(&world, 0, cell, cell, 0, 4);
}

static void done_with_unread(void) /* sent in a superstep that its receiver does not have */
{
    if (pid == 0) {
        bsp_oblsync(&world, 0);
        bsp_send(&world, 1, "x", 1);
        bsp_oblsync(&world, 0);
    }
}

static void done_with_unread_large(void)
{
    if (pid == 0) {
        bsp_send(&world, 1, large, sizeof large);
        bsp_oblsync(&world, 0);
    }
}

static void done_with_unread_of_group(void)
{
    whole(&world, &sub);
    if (pid == 0) {
        bsp_oblsync(&sub, 0);
        bsp_send(&sub, 1, "x", 1);
        bsp_oblsync(&sub, 0);
    }
    bsp_done(&sub);
}

static void done_with_open_collective(void)
{
    static int x;
    bsp_ibroadcast(&world, 0, &x, sizeof x);
}

static void done_with_unclaimed_collective(void) /* of a group that is gone */
{
    int x = 1;
    whole(&world, &sub);
    if (pid == 0)
        bsp_broadcast(&sub, 0, &x, sizeof x);
    bsp_done(&sub);
}

/* These come before bsplib_init. */

static void call_before_init(void)
{
    bsp_send(&world, 0, "x", 1);
}

static void done_before_init(void)
{
    bsplib_done();
}

static void init_after_finalize(void)
{
    MPI_Init(NULL, NULL);
    MPI_Finalize();
    bsplib_init(BSPLIB_STDPARAMS, &world);
}

/* ---- objects */

static void partition_falls(void)
{
    int ends[3] = {p, p - 1, p};
    bsp_partition(&world, &sub, 3, ends);
}

static void partition_negative(void)
{
    int ends[2] = {-1, p};
    bsp_partition(&world, &sub, 2, ends);
}

static void partition_short(void)
{
    int ends[1] = {p - 1};
    bsp_partition(&world, &sub, 1, ends);
}

static void partition_long(void)
{
    int ends[1] = {p + 1};
    bsp_partition(&world, &sub, 1, ends);
}

static void partition_into_none(void)
{
    bsp_partition(&world, &sub, 0, &p);
}

static void partition_without_ends(void)
{
    bsp_partition(&world, &sub, 1, NULL);
}

static void partition_twice(void)
{
    part();
    whole(&world, &other);
}

static void done_of_machine(void)
{
    bsp_done(&world);
}

static void done_of_group_twice(void)
{
    part();
    t_bsp same = sub;
    bsp_done(&sub);
    bsp_done(&same);
}

static void use_of_group_after_done(void)
{
    part();
    t_bsp same = sub;
    bsp_done(&sub);
    part(); /* the memory is used again */
    bsp_sync(&same);
}

static void use_of_nothing(void)
{
    bsp_sync(&other);
}

static void done_with_child(void)
{
    part();
    whole(&sub, &other);
    bsp_done(&sub);
}

static void done_out_of_order(void)
{
    bsp_dup(&world, &other);
    part();
    bsp_done(&other);
}

static void done_of_group_with_sent(void)
{
    whole(&world, &sub);
    bsp_send(&sub, right, "x", 1);
    bsp_done(&sub);
}

static void done_of_group_with_unread(void)
{
    bsp_dup(&world, &other);
    whole(&world, &sub);
    if (pid == 0) {
        bsp_send(&sub, 1, "x", 1);
        bsp_oblsync(&sub, 0);
    }
    bsp_sync(&other); /* it has come */
    bsp_done(&sub);
    bsp_done(&other);
}

/* ---- ends of supersteps */

static void sync_with_group(void)
{
    part();
    bsp_sync(&world);
}

static void oblsync_with_group(void)
{
    part();
    bsp_oblsync(&world, 0);
}

static void mixed_kinds(void)
{
    if (pid == 0)
        bsp_sync(&world);
    else
        bsp_oblsync(&world, 0);
    bsp_sync(&world);
}

static void mixed_kinds_waiting(void) /* the token comes while the other waits for a message */
{
    if (pid == 0)
        bsp_sync(&world);
    else
        bsp_oblsync(&world, 1);
}

static void mixed_kinds_then_done(void)
{
    if (pid == 1)
        bsp_sync(&world);
    else
        bsp_oblsync(&world, 0);
}

static void fewer_supersteps(void)
{
    if (pid == 0)
        bsp_sync(&world);
    bsp_sync(&world);
}

static void fewer_oblivious_supersteps(void)
{
    if (pid == 0)
        bsp_oblsync(&world, 1);
}

static void oblsync_negative(void)
{
    bsp_oblsync(&world, -1);
}

static void oblsync_alone(void)
{
    bsp_send(&world, pid, "x", 1);
    bsp_oblsync(&world, 2);
}

static void too_many_messages_now(void)
{
    bsp_send(&world, pid, "x", 1);
    bsp_send(&world, pid, "y", 1);
    bsp_oblsync(&world, 1);
}

static void too_many_messages_later(void)
{
    if (pid == 0) {
        bsp_oblsync(&world, 0);
        bsp_oblsync(&world, 0);
    } else {
        usleep(20000);
        bsp_send(&world, 0, "x", 1);
        bsp_oblsync(&world, 0);
        bsp_oblsync(&world, 0);
    }
}

/* The message that is too many comes while the buffer of a large one is waited for. */
static void too_many_messages_while_buffers_leave(void)
{
    bsp_sync(&world); /* so far all supersteps end so: the large message goes as a whole */
    if (pid == 0) {
        bsp_hpsend(&world, 1, large, sizeof large);
        bsp_oblsync(&world, 0);
    } else {
        usleep(20000);
        bsp_send(&world, 0, "x", 1);
        bsp_oblsync(&world, 1);
    }
}

static void oblsync_with_put(void)
{
    reg();
    bsp_put(&world, right, cell, cell, 0, 4);
    bsp_oblsync(&world, 0);
}

static void oblsync_with_get(void)
{
    int x;
    reg();
    bsp_get(&world, right, cell, 0, &x, 4);
    bsp_oblsync(&world, 0);
}

static void oblsync_with_registration(void)
{
    bsp_push_reg(&world, cell, 4);
    bsp_oblsync(&world, 0);
}

static void oblsync_where_a_put_comes(void)
{
    reg();
    if (pid == 0) {
        bsp_hpput(&world, 1, large, cell, 0, sizeof large);
        bsp_sync(&world);
    } else {
        bsp_oblsync(&world, 1);
    }
}

/* ---- deadlocks */

static void thousand_messages(void)
{
    for (int i = 1; i < 5; i++)
        bsp_sync(&world);
    bsp_oblsync(&world, pid == p - 1 ? 1000 : 0);
    bsp_sync(&world);
}

static void message_that_never_comes(void)
{
    bsp_sync(&world);
    bsp_oblsync(&world, pid == 0);
    bsp_sync(&world);
}

static void all_wait_for_messages(void)
{
    bsp_oblsync(&world, 1);
}

static void one_waits_on_a_group(void)
{
    whole(&world, &sub);
    if (pid == 0)
        bsp_sync(&sub);
    bsp_done(&sub);
    bsp_sync(&world);
}

static void one_waits_for_a_collective(void)
{
    if (pid == 0)
        bsp_broadcast(&world, 1, cell, 4);
    bsp_sync(&world);
}

static void two_have_ended_and_two_wait(void) /* for each other, with some that have come before */
{
    if (pid < 2)
        return;
    bsp_send(&world, 5 - pid, large, sizeof large);
    bsp_oblsync(&world, 1);
    bsp_oblsync(&world, 1);
}

static void copies_in_another_order(void)
{
    bsp_dup(&world, &sub);
    bsp_dup(&world, &other);
    bsp_sync(pid ? &sub : &other);
    bsp_sync(pid ? &other : &sub);
}

static void groups_wait_for_each_other(void)
{
    t_bsp copy;
    bsp_dup(&world, &copy);
    part();
    if (pid == 0) /* the group waits for processor 0, which waits for all */
        bsp_sync(&copy);
    bsp_sync(&sub);
    if (pid)
        bsp_sync(&copy);
}

static void two_collectives(void)
{
    bsp_dup(&world, &other);
    if (pid == 0)
        bsp_broadcast(&world, 1, cell, 4);
    bsp_reduce(&other, 1, bsp_op_sum_int, cell, cell + 1, 1, sizeof *cell);
    if (pid)
        bsp_broadcast(&world, 1, cell, 4);
}

static void finalize_in_the_parallel_part(void)
{
    if (pid == 1)
        MPI_Finalize();
    bsp_sync(&world);
}

/* A child continues this process, which stops itself. */
static void be_stopped(void)
{
    pid_t me = getpid(), child = fork();
    if (!child) {
        usleep(LATE);
        kill(me, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
    waitpid(child, NULL, 0);
}

/* Processors that others wait for are late, for reasons that are no deadlock. */
static void slow_in_every_way(void)
{
    char *big = must_alloc(BIG);
    int late = 1, x = 0;
    if (pid == late)
        usleep(LATE);
    bsp_sync(&world);
    if (pid == late) {
        usleep(LATE);
        for (int i = 0; i < p; i++)
            bsp_send(&world, i, &x, sizeof x);
    }
    bsp_oblsync(&world, 1);
    if (pid == 0) { /* it is in a collective operation, and does not wait */
        usleep(LATE);
        t_bsprequest request = bsp_ibroadcast(&world, late, &x, sizeof x);
        while (!bsp_test(&request))
            usleep(1000);
    } else {
        if (pid == late)
            usleep(LATE);
        bsp_broadcast(&world, late, &x, sizeof x);
    }
    if (pid == late)
        be_stopped();
    bsp_sync(&world);
    if (pid == 0)
        be_stopped();
    bsp_sync(&world);
    if (pid == 0) /* its buffer leaves when the receiver comes */
        bsp_hpsend(&world, late, big, BIG);
    if (pid == late)
        usleep(LATE);
    bsp_oblsync(&world, pid == late);
    if (pid == late)
        usleep(LATE);
    free(big);
}

static void slow_and_then_a_deadlock(void)
{
    slow_in_every_way();
    bsp_oblsync(&world, pid == 0);
    bsp_sync(&world);
}

/* Each processor comes SLOW seconds late once. */
static void slow_but_right(void)
{
    const char *text = getenv("SLOW");
    unsigned seconds = text ? (unsigned)atoi(text) : 1;
    if (pid == 0)
        sleep(seconds);
    bsp_sync(&world);
    if (pid == 1)
        sleep(seconds);
    bsp_sync(&world);
}

static void unequal_counts(void)
{
    bsp_sync(&world);
    if (pid == 1)
        bsp_oblsync(&world, 0);
}

static void unequal_counts_of_group(void)
{
    whole(&world, &sub);
    if (pid == 1)
        bsp_oblsync(&sub, 0);
    bsp_done(&sub);
}

static void nothing_wrong(void)
{
    bsp_sync(&world);
}

static void abort_with_text(void)
{
    bsp_sync(&world);
    if (pid == 1)
        bsp_abort(&world, "value %d of '%s' is %.2f", 3, "x", 2.5);
    bsp_sync(&world);
}

static void abort_with_lines(void)
{
    if (pid == 1)
        bsp_abort(&world, "two\n\tlines%c", '\a');
    bsp_sync(&world);
}

static void abort_on_group(void)
{
    part();
    bsp_sync(&sub);
    if (pid == p - 1)
        bsp_abort(&sub, "enough");
    bsp_sync(&sub);
    bsp_done(&sub);
}

/* ---- which one */

static const struct mode before_init[] = {
    MODE(call_before_init), MODE(done_before_init), MODE(init_after_finalize), {NULL, NULL}};

static const struct mode modes[] = {MODE(init_twice),
                                    MODE(init_after_done),
                                    MODE(done_twice),
                                    MODE(call_after_done),
                                    MODE(done_with_group),
                                    MODE(done_with_copy),
                                    MODE(done_with_sent),
                                    MODE(done_with_put),
                                    MODE(done_with_unread),
                                    MODE(done_with_unread_large),
                                    MODE(done_with_unread_of_group),
                                    MODE(done_with_open_collective),
                                    MODE(done_with_unclaimed_collective),
                                    MODE(partition_falls),
                                    MODE(partition_negative),
                                    MODE(partition_short),
                                    MODE(partition_long),
                                    MODE(partition_into_none),
                                    MODE(partition_without_ends),
                                    MODE(partition_twice),
                                    MODE(done_of_machine),
                                    MODE(done_of_group_twice),
                                    MODE(use_of_group_after_done),
                                    MODE(use_of_nothing),
                                    MODE(done_with_child),
                                    MODE(done_out_of_order),
                                    MODE(done_of_group_with_sent),
                                    MODE(done_of_group_with_unread),
                                    MODE(sync_with_group),
                                    MODE(oblsync_with_group),
                                    MODE(mixed_kinds),
                                    MODE(mixed_kinds_waiting),
                                    MODE(mixed_kinds_then_done),
                                    MODE(fewer_supersteps),
                                    MODE(fewer_oblivious_supersteps),
                                    MODE(oblsync_negative),
                                    MODE(oblsync_alone),
                                    MODE(too_many_messages_now),
                                    MODE(too_many_messages_later),

                                    MODE(too_many_messages_while_buffers_leave),
                                    MODE(oblsync_with_put),
                                    MODE(oblsync_with_get),
                                    MODE(oblsync_with_registration),
                                    MODE(oblsync_where_a_put_comes),
                                    MODE(message_that_never_comes),
                                    MODE(all_wait_for_messages),
                                    MODE(one_waits_on_a_group),
                                    MODE(one_waits_for_a_collective),
                                    MODE(thousand_messages),
                                    MODE(two_have_ended_and_two_wait),
                                    MODE(copies_in_another_order),
                                    MODE(groups_wait_for_each_other),
                                    MODE(two_collectives),
                                    MODE(finalize_in_the_parallel_part),
                                    MODE(slow_in_every_way),
                                    MODE(slow_and_then_a_deadlock),
                                    MODE(slow_but_right),
                                    MODE(unequal_counts),
                                    MODE(unequal_counts_of_group),
                                    MODE(nothing_wrong),
                                    MODE(abort_with_text),
                                    MODE(abort_with_lines),
                                    MODE(abort_on_group),
                                    {NULL, NULL}};

static void run(const struct mode *list, const char *name)
{
    for (; list->name; list++)
        if (strcmp(list->name, name) == 0) {
            list->run();
            bsplib_done();
            puts("not stopped");
            exit(0);
        }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    run(before_init, argv[1]);
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &world);
    p = bsp_nprocs(&world);
    pid = bsp_pid(&world);
    right = (pid + 1) % p;
    run(modes, argv[1]);
    run(call_modes, argv[1]);
    fprintf(stderr, "misuse: no mode %s\n", argv[1]);
    return 2;
}
