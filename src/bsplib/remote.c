/* SPDX-License-Identifier: MIT */
/* Registration, put and get: those of libpub, where a call with 0 bytes does nothing. */
#include "bsplib/internal.h"

void bspstd_push_reg(const void *ident, size_t bytes)
{
    bsp_push_reg(bspstd_machine("bsp_push_reg"), (void *)ident, bytes);
}

void bspstd_pop_reg(const void *ident)
{
    bsp_pop_reg(bspstd_machine("bsp_pop_reg"), (void *)ident);
}

/* Does a put or get have something to do? NULL is no name of memory: several registrations may have
   it, of which libpub would take the latest. */
static bool is_needed(const char *call, const void *registered, size_t bytes)
{
    if (!bytes)
        return false;
    if (!registered)
        pub_layer_fail(call, "the registered address is a null pointer: a processor that registers "
                             "NULL cannot reach the others' memory");
    return true;
}

void bspstd_put(int pid, const void *src, const void *dst, size_t offset, size_t bytes)
{
    t_bsp *machine = bspstd_machine("bsp_put");
    if (is_needed("bsp_put", dst, bytes))
        bsp_put(machine, pid, src, (void *)dst, offset, bytes);
}

void bspstd_hpput(int pid, const void *src, const void *dst, size_t offset, size_t bytes)
{
    t_bsp *machine = bspstd_machine("bsp_hpput");
    if (is_needed("bsp_hpput", dst, bytes))
        bsp_hpput(machine, pid, src, (void *)dst, offset, bytes);
}

void bspstd_get(int pid, const void *src, size_t offset, void *dst, size_t bytes)
{
    t_bsp *machine = bspstd_machine("bsp_get");
    if (is_needed("bsp_get", src, bytes))
        bsp_get(machine, pid, src, offset, dst, bytes);
}

void bspstd_hpget(int pid, const void *src, size_t offset, void *dst, size_t bytes)
{
    t_bsp *machine = bspstd_machine("bsp_hpget");
    if (is_needed("bsp_hpget", src, bytes))
        bsp_hpget(machine, pid, src, offset, dst, bytes);
}
