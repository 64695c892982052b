#include <vector>
struct G { ~G(); };
constexpr int sq(int n)
{
#pragma cll sq sq[0]*n
    int r = n * n;
#pragma cll end sq
    return r;
}
struct S {
#pragma cll inclass
    int x;
#pragma cll end inclass
    int y = [] {
#pragma cll init
        return 3;
#pragma cll end init
    }();
    S(int n)
#pragma cll ctor
        : x(n)
#pragma cll end ctor
    {
    }
};
namespace n {
#pragma cll atns
int z;
#pragma cll end atns
}
int f(int n)
{
    if (n > 3)
        goto out;
#pragma cll g g[0]
    G guard;
#pragma cll end g
out:
    try {
        n++;
    }
#pragma cll t
    catch (...) {
    }
#pragma cll end t
    std::vector<int> v{
#pragma cll v
        1, 2
#pragma cll end v
    };
    auto l = [](int x) {
#pragma cll a
        if (x) {
            return 1;
#pragma cll end a
        }
        return 2;
    };
    auto m = [](
#pragma cll p
                 int x) { return x; };
    switch (n) {
    case 1:
#pragma cll s
        G h;
#pragma cll end s
        break;
    }
    return l(n) + m(n);
}
#pragma cll report all
