// The end of a region is never reached if a return or a throw is right before it. gcc -O0 would warn if a call were there.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

static int count(const std::vector<int> &v)
{
#pragma cll count count[0]
    int s = 0;
    for (int x : v)
        s += x;
    return static_cast<int>(std::count_if(v.begin(), v.end(), [&](int x) { return 2 * x > s; }));
#pragma cll end count
}

static int refuse(int n)
{
#pragma cll refuse refuse[0]
    int k = n;
    if (k > 2) {
        k++;
    }
    throw std::runtime_error(k > 3 ? "large" : "small");
#pragma cll end refuse
}

static void leave(int n)
{
#pragma cll leave leave[0]
    std::vector<int> v(static_cast<std::size_t>(n));
    if (n > 1)
        return;
#pragma cll end leave
    std::printf("not left\n");
}

static int branches(int n)
{
#pragma cll branches branches[0]
    std::vector<int> v(static_cast<std::size_t>(n));
#ifdef NEVER
    return 1;
#else
    n++;
#endif
#pragma cll end branches
    return n;
}

int main()
{
    leave(1);
    leave(2);
    try {
        refuse(3);
    } catch (const std::exception &e) {
        std::printf("%s\n", e.what());
    }
    std::printf("%d %d\n", count(std::vector<int>{1, 2, 9}), branches(4));
    return 0;
}
