/* SPDX-License-Identifier: GPL-3.0-or-later */
/* misuse MODE: a program with one mistake. misuse.sh knows what must be said about it. A program
   that comes to the end of bsp_end says so, and exits with 0. */
#include "program.h"

#include <mpi.h>
#include <unistd.h>

static int cell[4], p, pid, right;

static void nothing(void)
{
}

static void reg(void)
{
    bsp_push_reg(cell, sizeof cell);
    bsp_sync();
}

/* ---- begin and end */

static void begin_twice(void)
{
    bsp_begin(1);
}

static void begin_after_end(void)
{
    bsp_end();
    bsp_begin(1);
}

static void init_in_the_parallel_part(void)
{
    bsp_init(nothing, 0, NULL);
}

static void init_after_end(void)
{
    bsp_end();
    bsp_init(nothing, 0, NULL);
}

static void end_twice(void)
{
    bsp_end();
    bsp_end();
}

static void pid_after_end(void)
{
    bsp_end();
    bsp_pid();
}

static void exit_without_end(void)
{
    exit(0);
}

static void one_exits_without_end(void)
{
    if (pid == 1)
        exit(0);
    bsp_sync();
}

static void end_with_put(void)
{
    reg();
    bsp_put(right, &pid, cell, 0, sizeof pid);
}

static void end_with_message(void)
{
    bsp_send(right, NULL, &pid, sizeof pid);
}

static void one_ends_others_sync(void)
{
    if (pid)
        bsp_sync();
}

static void abort_with_text(void)
{
    bsp_sync();
    if (pid == 1)
        bsp_abort("only %d of %s\n", 3, "4");
    bsp_sync();
}

/* ---- registration */

static void push_negative(void)
{
    int bytes = -1;
    bsp_push_reg(cell, bytes);
}

static void push_null_with_bytes(void)
{
    bsp_push_reg(NULL, 4);
}

static void pop_unregistered(void)
{
    bsp_pop_reg(cell);
}

static void pop_null_unregistered(void)
{
    bsp_pop_reg(NULL);
}

static void pop_twice(void)
{
    reg();
    bsp_pop_reg(cell);
    bsp_pop_reg(cell);
}

static void one_pushes_more(void)
{
    if (pid == 1)
        bsp_push_reg(cell, sizeof cell);
    bsp_sync();
}

static void pop_of_different_ones(void)
{
    static int other[4];
    reg();
    bsp_push_reg(other, sizeof other);
    bsp_sync();
    bsp_pop_reg(pid ? other : cell);
    bsp_sync();
}

static void one_pops_more(void)
{
    reg();
    if (pid == 2)
        bsp_pop_reg(cell);
    bsp_sync();
}

static void one_pushes_and_the_other_pops(void)
{
    reg();
    if (pid)
        bsp_pop_reg(cell);
    else
        bsp_push_reg(cell, sizeof cell);
    bsp_sync();
}

static void pop_before_push(void)
{
    static int other[4];
    reg();
    if (pid)
        bsp_pop_reg(cell);
    bsp_push_reg(other, sizeof other);
    if (!pid)
        bsp_pop_reg(cell);
    bsp_sync();
}

/* A message goes with the round that tells of the registration. */
static void one_pushes_more_and_sends(void)
{
    reg();
    bsp_send(right, NULL, &pid, sizeof pid);
    if (pid == 1)
        bsp_push_reg(cell, sizeof cell);
    bsp_sync();
}

/* ---- put and get */

static void put_to_nobody(void)
{
    reg();
    bsp_put(p, &pid, cell, 0, sizeof pid);
}

static void get_from_nobody(void)
{
    reg();
    bsp_get(-1, cell, 0, &pid, sizeof pid);
}

static void put_unregistered(void)
{
    bsp_put(right, &pid, cell, 0, sizeof pid);
}

static void put_in_the_superstep_of_the_push(void)
{
    bsp_push_reg(cell, sizeof cell);
    bsp_put(right, &pid, cell, 0, sizeof pid);
}

static void put_after_pop(void)
{
    reg();
    bsp_pop_reg(cell);
    bsp_sync();
    bsp_put(right, &pid, cell, 0, sizeof pid);
}

static void put_inside_of_registered(void)
{
    reg();
    bsp_put(right, &pid, cell + 1, 0, sizeof pid);
}

static void put_to_null(void)
{
    bsp_push_reg(NULL, 0);
    bsp_sync();
    bsp_put(right, &pid, NULL, 0, sizeof pid);
}

static void put_from_null(void)
{
    reg();
    bsp_put(right, NULL, cell, 0, sizeof pid);
}

static void put_negative(void)
{
    int bytes = -4;
    reg();
    bsp_put(right, &pid, cell, 0, bytes);
}

static void put_at_negative_offset(void)
{
    int offset = -4;
    reg();
    bsp_put(right, &pid, cell, offset, sizeof pid);
    bsp_sync();
}

static void put_past_the_end(void)
{
    reg();
    bsp_put(right, cell, cell, 4, sizeof cell);
    bsp_sync();
}

static void hpput_past_the_end(void)
{
    reg();
    bsp_hpput(right, cell, cell, sizeof cell, 1);
    bsp_sync();
}

static void get_past_the_end(void)
{
    reg();
    bsp_get(right, cell, sizeof cell, cell, 1);
    bsp_sync();
}

static void hpget_past_the_end(void)
{
    reg();
    bsp_hpget(right, cell, sizeof cell, cell, 1);
    bsp_sync();
}

static void put_where_null_is_registered(void)
{
    bsp_push_reg(pid ? NULL : cell, pid ? 0 : sizeof cell);
    bsp_sync();
    if (!pid)
        bsp_put(1, &pid, cell, 0, sizeof pid);
    bsp_sync();
}

/* ---- messages */

static void send_to_nobody(void)
{
    bsp_send(-1, NULL, &pid, sizeof pid);
}

static void send_negative(void)
{
    int bytes = -1;
    bsp_send(right, NULL, &pid, bytes);
}

static void send_null_with_bytes(void)
{
    bsp_send(right, NULL, NULL, 4);
}

static void send_without_tag(void)
{
    int size = 4;
    bsp_set_tagsize(&size);
    bsp_sync();
    bsp_send(right, NULL, &pid, sizeof pid);
}

static void tagsize_negative(void)
{
    int size = -1;
    bsp_set_tagsize(&size);
}

static void tagsize_null(void)
{
    bsp_set_tagsize(NULL);
}

static void tagsizes_differ(void)
{
    int size = pid == 1 ? 8 : 4;
    bsp_set_tagsize(&size);
    bsp_sync();
}

static void one_sets_the_tagsize_again(void)
{
    int size = 8;
    bsp_sync();
    bsp_set_tagsize(&size);
    size = 8;
    if (pid == 0)
        bsp_set_tagsize(&size);
    bsp_sync();
}

static void one_sets_no_tagsize(void) /* it has the same size, but from the beginning */
{
    int size = 0;
    if (pid)
        bsp_set_tagsize(&size);
    bsp_sync();
}

static void tagsizes_differ_on_the_way(void)
{
    int size = 4 + pid;
    bsp_set_tagsize(&size);
    size = 8;
    bsp_set_tagsize(&size);
    bsp_sync();
}

static void move_from_empty_queue(void)
{
    bsp_move(cell, sizeof cell);
}

static void received(void)
{
    bsp_send(pid, NULL, cell, sizeof cell);
    bsp_sync();
}

static void move_to_null(void)
{
    received();
    bsp_move(NULL, 4);
}

static void move_negative(void)
{
    int bytes = -1;
    received();
    bsp_move(cell, bytes);
}

static void hpmove_to_null(void)
{
    received();
    bsp_hpmove(NULL, NULL);
}

static void get_tag_without_status(void)
{
    bsp_get_tag(NULL, cell);
}

static void get_tag_to_null(void)
{
    int size = 4, status;
    bsp_set_tagsize(&size);
    bsp_sync();
    bsp_send(pid, &size, NULL, 0);
    bsp_sync();
    bsp_get_tag(&status, NULL);
}

static void qsize_null(void)
{
    bsp_qsize(NULL, NULL);
}

/* ---- before the parallel part */

static void before(const char *mode)
{
    int zero = 0, status;
    if (!strcmp(mode, "pid_before_begin"))
        bsp_pid();
    if (!strcmp(mode, "time_before_begin"))
        bsp_time();
    if (!strcmp(mode, "sync_before_begin"))
        bsp_sync();
    if (!strcmp(mode, "end_before_begin"))
        bsp_end();
    if (!strcmp(mode, "push_before_begin"))
        bsp_push_reg(cell, sizeof cell);
    if (!strcmp(mode, "put_before_begin"))
        bsp_put(0, &zero, cell, 0, sizeof zero);
    if (!strcmp(mode, "send_before_begin"))
        bsp_send(0, NULL, &zero, sizeof zero);
    if (!strcmp(mode, "tagsize_before_begin"))
        bsp_set_tagsize(&zero);
    if (!strcmp(mode, "qsize_before_begin"))
        bsp_qsize(&zero, &zero);
    if (!strcmp(mode, "get_tag_before_begin"))
        bsp_get_tag(&status, NULL);
    if (!strcmp(mode, "move_before_begin"))
        bsp_move(cell, sizeof cell);
    if (!strcmp(mode, "begin_with_none"))
        bsp_begin(0);
    if (!strcmp(mode, "begin_with_negative"))
        bsp_begin(-3);
    if (!strcmp(mode, "begin_after_finalize")) {
        MPI_Init(NULL, NULL);
        MPI_Finalize();
    }
    if (!strcmp(mode, "abort_before_begin"))
        bsp_abort("no input\n");
    if (!strcmp(mode, "init_twice")) {
        if (bsp_nprocs() > 1)
            exit(2);
        bsp_init(nothing, 0, NULL);
        bsp_init(nothing, 0, NULL);
    }
    if (!strcmp(mode, "init_without_function"))
        bsp_init(NULL, 0, NULL);
}

#define MODE(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }

static const struct program_test modes[] = {MODE(begin_twice),
                                            MODE(begin_after_end),
                                            MODE(init_in_the_parallel_part),
                                            MODE(init_after_end),
                                            MODE(end_twice),
                                            MODE(pid_after_end),
                                            MODE(exit_without_end),
                                            MODE(one_exits_without_end),
                                            MODE(end_with_put),
                                            MODE(end_with_message),
                                            MODE(one_ends_others_sync),
                                            MODE(abort_with_text),
                                            MODE(push_negative),
                                            MODE(push_null_with_bytes),
                                            MODE(pop_unregistered),
                                            MODE(pop_null_unregistered),
                                            MODE(pop_twice),
                                            MODE(one_pushes_more),
                                            MODE(pop_of_different_ones),
                                            MODE(one_pops_more),
                                            MODE(one_pushes_and_the_other_pops),
                                            MODE(pop_before_push),
                                            MODE(one_pushes_more_and_sends),
                                            MODE(put_to_nobody),
                                            MODE(get_from_nobody),
                                            MODE(put_unregistered),
                                            MODE(put_in_the_superstep_of_the_push),
                                            MODE(put_after_pop),
                                            MODE(put_inside_of_registered),
                                            MODE(put_to_null),
                                            MODE(put_from_null),
                                            MODE(put_negative),
                                            MODE(put_at_negative_offset),
                                            MODE(put_past_the_end),
                                            MODE(hpput_past_the_end),
                                            MODE(get_past_the_end),
                                            MODE(hpget_past_the_end),
                                            MODE(put_where_null_is_registered),
                                            MODE(send_to_nobody),
                                            MODE(send_negative),
                                            MODE(send_null_with_bytes),
                                            MODE(send_without_tag),
                                            MODE(tagsize_negative),
                                            MODE(tagsize_null),
                                            MODE(tagsizes_differ),
                                            MODE(one_sets_the_tagsize_again),
                                            MODE(one_sets_no_tagsize),
                                            MODE(tagsizes_differ_on_the_way),
                                            MODE(move_from_empty_queue),
                                            MODE(move_to_null),
                                            MODE(move_negative),
                                            MODE(hpmove_to_null),
                                            MODE(get_tag_without_status),
                                            MODE(get_tag_to_null),
                                            MODE(qsize_null)};

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    before(mode);
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    pid = bsp_pid();
    right = (pid + 1) % p;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(modes[i].name, mode))
            modes[i].run();
    bsp_end();
    puts("came to its end");
    return 0;
}
