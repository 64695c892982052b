/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs with one mistake, continued: messages, remote memory, collective operations. */
#include "misuse.h"

static int cell[4];

static void reg(void)
{
    bsp_push_reg(&world, cell, sizeof cell);
    bsp_sync(&world);
}

/* ---- messages */

static void send_to_nobody(void)
{
    bsp_sync(&world);
    bsp_sync(&world);
    bsp_send(&world, p, "x", 1);
}

static void send_to_negative(void)
{
    bsp_send(&world, -1, "x", 1);
}

static void send_null(void)
{
    bsp_send(&world, 0, NULL, 5);
}

static void send_negative_size(void)
{
    bsp_send(&world, 0, large, (size_t)-5);
}

static void hpsend_to_nobody(void)
{
    bsp_hpsend(&world, p, "x", 1);
}

static void hpsend_null(void)
{
    bsp_hpsend(&world, 0, NULL, 50000);
}

static void createmsg_negative(void)
{
    bsp_createmsg(&world, (size_t)-1);
}

static void createmsg_huge(void)
{
    bsp_createmsg(&world, (size_t)1 << 60);
}

static void sendmsg_to_nobody(void)
{
    bsp_sendmsg(&world, p, bsp_createmsg(&world, 4));
}

static void sendmsg_received(void)
{
    bsp_send(&world, right, "x", 1);
    bsp_sync(&world);
    bsp_sendmsg(&world, right, bsp_getmsg(&world, 0));
}

static void sendmsg_twice(void)
{
    t_bspmsg *message = bsp_createmsg(&world, 4);
    bsp_sendmsg(&world, right, message);
    bsp_sendmsg(&world, right, message);
}

static void sendmsg_large_twice(void)
{
    t_bspmsg *message = bsp_createmsg(&world, 40000);
    memset(bspmsg_data(message), 0, 40000);
    bsp_sendmsg(&world, right, message);
    bsp_sendmsg(&world, right, message);
}

static void sendmsg_null(void)
{
    bsp_sendmsg(&world, right, NULL);
}

static void freemsg_received(void)
{
    bsp_send(&world, right, "x", 1);
    bsp_sync(&world);
    bsp_freemsg(&world, bsp_getmsg(&world, 0));
}

static void findmsg_of_nobody(void)
{
    bsp_findmsg(&world, p, 0);
}

/* ---- remote memory */

static void push_negative(void)
{
    bsp_push_reg(&world, cell, (size_t)-4);
}

static void push_null(void)
{
    bsp_push_reg(&world, NULL, 4);
}

static void pop_unknown(void)
{
    bsp_pop_reg(&world, cell);
}

static void pop_twice(void)
{
    reg();
    bsp_pop_reg(&world, cell);
    bsp_pop_reg(&world, cell);
}

static void put_unregistered(void)
{
    bsp_put(&world, right, cell, cell, 0, 4);
}

static void put_before_sync(void)
{
    bsp_push_reg(&world, cell, 4);
    bsp_put(&world, right, cell, cell, 0, 4);
}

static void put_after_pop(void)
{
    reg();
    bsp_pop_reg(&world, cell);
    bsp_sync(&world);
    bsp_put(&world, right, cell, cell, 0, 4);
}

static void put_on_group_of_machine_memory(void)
{
    reg();
    part();
    bsp_put(&sub, 0, cell, cell, 0, 4);
}

static void put_to_nobody(void)
{
    reg();
    bsp_put(&world, p, cell, cell, 0, 4);
}

static void put_past_end(void)
{
    int x = 0;
    reg();
    if (pid == 0)
        bsp_put(&world, 1, &x, cell, sizeof cell - 2, 4);
    bsp_sync(&world);
}

static void put_far_past_end(void)
{
    int x = 0;
    reg();
    bsp_put(&world, right, &x, cell, (size_t)-2, 4);
    bsp_sync(&world);
}

static void hpput_past_end(void)
{
    reg();
    if (pid == 0)
        bsp_hpput(&world, 1, large, cell, 0, sizeof large);
    bsp_sync(&world);
}

static void hpput_unregistered(void)
{
    bsp_hpput(&world, right, large, cell, 0, sizeof large);
}

static void put_into_nothing(void)
{
    int x = 0;
    bsp_push_reg(&world, pid ? NULL : cell, pid ? 0 : sizeof cell);
    bsp_sync(&world);
    if (pid == 0)
        bsp_put(&world, 1, &x, cell, 0, 4);
    bsp_sync(&world);
}

static void only_one_registers(void)
{
    if (pid == 0)
        bsp_push_reg(&world, cell, sizeof cell);
    bsp_sync(&world);
}

static void only_one_registers_on_a_copy(void) /* and the message to the next is far */
{
    bsp_dup(&world, &other);
    bsp_sync(&other);
    bsp_send(&other, right, large, 10000);
    if (pid == 0)
        bsp_push_reg(&other, cell, sizeof cell);
    bsp_sync(&other);
}

/* Processors 1 and 3 notice it at once. The others leave the barrier, and the put is under way. */
static void half_of_them_register(void)
{
    if (pid == 1 || pid == 2)
        bsp_push_reg(&world, large, sizeof large);
    bsp_sync(&world);
    if (pid == 2)
        bsp_hpput(&world, 0, large, large, 0, sizeof large);
    bsp_sync(&world);
}

static void get_past_end(void)
{
    int x[9];
    reg();
    bsp_get(&world, right, cell, 4, x, sizeof cell);
    bsp_sync(&world);
}

static void hpget_past_end(void)
{
    reg();
    bsp_hpget(&world, right, cell, 0, large, sizeof large);
    bsp_sync(&world);
}

static void get_unregistered(void)
{
    bsp_get(&world, right, cell, 0, large, 4);
}

static void hpget_unregistered(void)
{
    bsp_hpget(&world, right, cell, 0, large, 4);
}

static void get_from_nobody(void)
{
    reg();
    bsp_get(&world, -2, cell, 0, large, 4);
}

static void get_to_null(void)
{
    reg();
    bsp_get(&world, right, cell, 0, NULL, 4);
}

/* ---- collective operations */

static void broadcast_from_nobody(void)
{
    bsp_broadcast(&world, p, cell, 4);
}

static void reduce_without_operation(void)
{
    bsp_reduce(&world, 0, NULL, cell, cell, 1, 4);
}

static void reduce_too_large(void)
{
    bsp_reduce(&world, 0, bsp_op_sum_int, cell, cell, (size_t)1 << 40, (size_t)1 << 40);
}

static void broadcast_negative(void)
{
    bsp_broadcast(&world, 0, cell, (size_t)-1);
}

static void gather_negative(void)
{
    bsp_gather(&world, 0, cell, cell, (size_t)-1 / 2);
}

static void broadcast_of_unequal_size(void)
{
    bsp_broadcast(&world, 0, cell, pid ? 4 : 8);
}

static void different_operations(void)
{
    if (pid)
        bsp_broadcast(&world, 0, cell, 4);
    else
        bsp_totalexchange(&world, large, large + 10000, 4);
    bsp_sync(&world);
}

const struct mode call_modes[] = {MODE(send_to_nobody),
                                  MODE(send_to_negative),
                                  MODE(send_null),
                                  MODE(send_negative_size),
                                  MODE(hpsend_to_nobody),
                                  MODE(hpsend_null),
                                  MODE(createmsg_negative),
                                  MODE(createmsg_huge),
                                  MODE(sendmsg_to_nobody),
                                  MODE(sendmsg_received),
                                  MODE(sendmsg_twice),
                                  MODE(sendmsg_large_twice),
                                  MODE(sendmsg_null),
                                  MODE(freemsg_received),
                                  MODE(findmsg_of_nobody),
                                  MODE(push_negative),
                                  MODE(push_null),
                                  MODE(pop_unknown),
                                  MODE(pop_twice),
                                  MODE(put_unregistered),
                                  MODE(put_before_sync),
                                  MODE(put_after_pop),
                                  MODE(put_on_group_of_machine_memory),
                                  MODE(put_to_nobody),
                                  MODE(put_past_end),
                                  MODE(put_far_past_end),
                                  MODE(hpput_past_end),
                                  MODE(hpput_unregistered),
                                  MODE(put_into_nothing),
                                  MODE(only_one_registers),
                                  MODE(only_one_registers_on_a_copy),
                                  MODE(half_of_them_register),
                                  MODE(get_past_end),
                                  MODE(hpget_past_end),
                                  MODE(get_unregistered),
                                  MODE(hpget_unregistered),
                                  MODE(get_from_nobody),
                                  MODE(get_to_null),
                                  MODE(broadcast_from_nobody),
                                  MODE(reduce_without_operation),
                                  MODE(reduce_too_large),
                                  MODE(broadcast_negative),
                                  MODE(gather_negative),
                                  MODE(broadcast_of_unequal_size),
                                  MODE(different_operations),
                                  {NULL, NULL}};
