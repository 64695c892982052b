#include <atomic>
#include <cstddef>
#include <cstdio>
#include <utility>
namespace config {
int size = 7;
constexpr int most = 9;
} // namespace config
struct Grid {
    static const int width = 4;
    static constexpr std::size_t height = 5;
    enum { depth = 6 };
    unsigned bits : 3;
    const int n;
    mutable int hits;
    static int shared;
    std::atomic<int> counted;
    template <int N> int use(const int &r, std::size_t *len) const
    {
        auto [a, b] = std::make_pair(1L, 2.5f);
        const int fixed = 3;
#pragma cll f(c = counted.load()) f[0]*width + f[1]*height*depth + f[2]*this->bits + f[3]*bits + f[4]*n + f[5]*N + f[6]*r + f[7]*len[0] + f[8]*a*b + f[9]*fixed + f[10]*config::size*config::most + f[11]*Grid::shared + f[12]*c
        hits += int(a + b);
#pragma cll end f
#pragma cll T T[0] + T[1]*P
        hits++;
#pragma cll end T
        return hits;
    }
};
int Grid::shared = 8;
template <class P> static P same(P x)
{
    return x;
}
int main()
{
    Grid g{2, 3, 0, {10}};
    std::size_t len[2] = {11, 12};
    std::printf("%d\n", same(g.use<13>(14, len)));
    return 0;
}
int both(int T)
{
#pragma cll both both[0]*T + both[1]*P
    return T;
#pragma cll end both
}
template <class T> T unused(T x)
{
    return x + T(both(1));
}
