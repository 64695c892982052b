#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <vector>
namespace config {
int rounds = 0;
}
class solver {
    std::size_t iterations = 0;

public:
    double solve(double x)
    {
#pragma cll solve(iterations := iterations, rounds := config::rounds) solve[0] + solve[1]*iterations
        for (; x > 1; x /= 2) {
            config::rounds++;
            if (++iterations > 5)
                throw std::runtime_error("many");
        }
#pragma cll end solve
        return x;
    }
};
template <class Number> Number twice(Number n)
{
    Number &again = n;
    std::atomic<int> done(0);
#pragma cll twice(n := again, done := done) twice[0] + twice[1]*n
    for (int i = 0; i < 3; i++)
        n = n + n, done++;
#pragma cll end twice
    return n;
}
int main()
{
    solver s;
    int it = 0;
    std::printf("%g\n", s.solve(7));
    try {
        s.solve(1e9);
    } catch (const std::exception &e) {
        std::printf("%s\n", e.what());
    }
    std::printf("%d %g\n", twice(3), twice(0.5));
    auto walk = [&it](const std::vector<int> &list) {
#pragma cll walk(it := it) walk[0]*it
        for (int x : list)
            it += x;
#pragma cll end walk
        return it;
    };
    std::printf("%d\n", walk({1, 2, 3}));
    return 0;
}
