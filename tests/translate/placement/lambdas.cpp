/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <cstdio>
#include <utility>
static int measured = 0;
template <class F> static int twice(F f) { return f(1) + f(2); }
static int f(int n)
{
    auto g = [n, m = [](int x) { return x + 1; }](int x) mutable -> int {
        n += x;
        if (x == 2)
            return n;
        return m(n);
    };
    int a[3] = {1, 2, 3};
    auto [p, q] = std::make_pair(n, 2);
    try {
        if (n > 4)
            throw n;
        n += twice(g);
    } catch (int e) {
        n = e + a[1];
    } catch (...) {
        n = 0;
    }
    if constexpr (sizeof(int) > 1)
        n += p < q ? p : q;
    switch (n) {
    case 1: [[fallthrough]];
    default: n += twice([&](auto x) { return x + n; }); break;
    }
    return n + measured - measured;
}
int main()
{
    std::printf("%d %d %d\n", f(1), f(5), measured >= 0);
    return 0;
}
