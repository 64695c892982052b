#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
struct Table {
    std::function<int(int)> f{[](int x) {
#pragma cll member member[0]*x
        return x + 1;
#pragma cll end member
    }};
};
static auto global = [](auto x) noexcept {
#pragma cll global global[0]*x
    return x * 2;
#pragma cll end global
};
static int leave(int n)
{
    for (int i = 0;; i++) {
        try {
#pragma cll left left[0] + left[1]*i
            if (i % 3 == 1)
                throw std::runtime_error("odd");
            if (i % 3 == 2)
                continue;
            if (i > n)
                return i;
#pragma cll end left
        } catch (const std::exception &e) {
            std::printf("caught %s\n", e.what());
        }
    }
}
int main()
{
    int total = 0;
    for (int n = 1; n <= 1'000; n *= 10) {
        auto add = [&total, n, k = [] { return 3; }()](int x) mutable -> int {
#pragma cll lambda lambda[0] + lambda[1]*n
            total += x * n + k++;
#pragma cll end lambda
            return total;
        };
        add(1);
        if (auto [a, b] = std::make_pair(n, 2); a < b)
#pragma cll bound bound[0] + bound[1]*a
            [[maybe_unused]] std::string s(10, 'x');
#pragma cll end bound
        else if constexpr (sizeof(int) > 2) {
#pragma cll other other[0]
            std::map<int, std::string> m{{1, "x"}, {2, "y"}};
            total += int(m.size()) + m[1].size();
#pragma cll end other
        }
    }
    std::printf("%d %d %d %d\n", total, Table().f(2), global(4), leave(6));
    struct Local {
        int n;
        int twice()
        {
#pragma cll local local[0]*n
            return n * 2;
#pragma cll end local
        }
    } local{21};
    std::printf("%d\n", local.twice());
    return 0;
}
