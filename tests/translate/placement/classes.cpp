/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <cstdio>
#include <vector>
template <class T, int N = (3 > 2)> struct Box
{
    T value;
    Box(T v) : value{v}, more(N) { measured++; value += 1; }
    ~Box() { std::printf("%d\n", int(value)); }
    T operator()(T x) const { if (x < value) return x; else return value; }
    bool operator<(const Box &o) const noexcept { return value < o.value; }
    int more = 1;
    static int measured;
};
template <class T, int N> int Box<T, N>::measured = 0;
namespace { namespace deep { int measured = 3; } }
enum class Colour : int { red, green };
static int measured = 0;
static int f(int n)
{
    std::vector<int> v{1, 2, 3};
    Box<int> box(n);
    const auto &same = box;
    for (int x : v)
        if (x > 1)
            n += same(x);
    return n + deep::measured + int(Colour::green);
}
int main()
{
    std::printf("%d %d %d\n", f(1), f(5), measured >= 0);
    return 0;
}
