/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++ can include the header, and link what it declares. */
#include <pub.h>

#include <cstdio>
#include <cstring>
#include <vector>

static void longest(void *accumulated, const void *more, size_t count)
{
    bsp_op_max_long(accumulated, more, count);
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int p = bsp_nprocs(&bsp), pid = bsp_pid(&bsp);
    std::vector<double> x(100, pid);
    bsp_send(&bsp, (pid + 1) % p, x.data(), x.size() * sizeof(double));
    bsp_oblsync(&bsp, 1);
    t_bspmsg *message = bsp_getmsg(&bsp, 0);
    std::memcpy(x.data(), bspmsg_data(message), bspmsg_size(message));
    if (x[99] != (pid + p - 1) % p)
        bsp_abort(&bsp, "%g came", x[99]);
    long mine = pid, most = -1;
    t_bsprequest request = bsp_iallreduce(&bsp, longest, &mine, &most, 1, sizeof mine);
    bsp_wait(&request);
    if (most != p - 1)
        bsp_abort(&bsp, "the largest number is %ld", most);
    bsplib_done();
    if (pid == 0)
        std::puts("passed");
    return 0;
}
