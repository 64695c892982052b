/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++ can include the header, and link what it declares. */
#include <bsp.h>

#include <cstdio>
#include <vector>

static int argument;

static void spmd()
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), pid = bsp_pid();
    std::vector<double> x(100, 0), y(100, pid);
    bsp_push_reg(x.data(), x.size() * sizeof(double));
    size_t tag = sizeof(long);
    bsp_set_tagsize(&tag);
    bsp_sync();
    bsp_put((pid + 1) % p, y.data(), x.data(), 0, y.size() * sizeof(double));
    long sent = pid + 100;
    bsp_send((pid + 1) % p, &sent, y.data(), sizeof(double));
    bsp_sync();
    int messages = 0, status = 0;
    unsigned bytes = 0;
    bsp_qsize(&messages, &bytes);
    bsp_qsize(&messages, nullptr);
    bsp_qsize(&messages, NULL);
    bsp_get_tag(&status, &sent);
    double payload = -1;
    bsp_move(&payload, sizeof payload);
    int from = (pid + p - 1) % p;
    if (x[99] != from || messages != 1 || bytes != sizeof(double) || status != int(sizeof(double)) ||
        sent != from + 100 || payload != from)
        bsp_abort("%g, %ld and %g came", x[99], sent, payload);
    bsp_pop_reg(x.data());
    bsp_end();
    if (pid == 0 && argument == 7)
        std::puts("passed");
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    argument = 7;
    spmd();
    return 0;
}
