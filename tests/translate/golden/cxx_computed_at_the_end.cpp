#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
struct place {
    int line;
    long chars;
};
class lexer {
    std::vector<int> seen;

public:
    place position() const
    {
        return {1, (long)seen.size() * 10};
    }
    int scan(int n)
    {
#pragma cll scan(n, pos := position().chars, size := this->seen.size() + 1) scan[0] + scan[1]*pos
        for (int i = 0; i < n; i++) {
            seen.push_back(i);
            if (i == 4)
                throw std::runtime_error("many");
        }
#pragma cll end scan
        return (int)seen.size();
    }
};
template <class Number, class Function> Number twice(Number n, Function f)
{
    auto half = n / 2;
    Number &again = n;
#pragma cll twice(v := f(n), sum := half + again, m := std::max<Number>((n), 7)) twice[0] + twice[1]*v
    n = n + n;
    half = 3;
    std::string kept = "abc";
#pragma cll end twice
    return n + half + (Number)kept.size();
}
struct number {
    operator double() const
    {
        return 4.5;
    }
};
number make()
{
    return number();
}
enum class colour : char { red = 3 };
/* The destructor of the object changes what the value is computed from, later. */
struct guard {
    int &n;
    ~guard()
    {
        n = -1;
    }
};
static int guarded(int n)
{
    guard g{n};
#pragma cll guarded(n := n * 10) guarded[0]
    if (n++ > 3)
        return n;
    n++;
#pragma cll end guarded
    return n;
}
int main()
{
    lexer l;
    int it = 0;
    colour c = colour::red;
    std::printf("%d\n", l.scan(3));
    try {
        l.scan(9);
    } catch (const std::exception &e) {
        std::printf("%s\n", e.what());
    }
    std::printf("%d %g\n", twice(3, [](int x) { return x + 1; }), twice(0.5, [](double x) { return x * 10; }));
    auto walk = [&it, &c](const std::vector<int> &list) {
#pragma cll walk(it := it * 2, c := static_cast<int>(c), made := make(), last := list.empty() ? -1 : list.back()) walk[0]*it
        for (int x : list)
            it += x;
#pragma cll end walk
        return it + static_cast<int>(c);
    };
    std::printf("%d\n", walk({1, 2, 3}));
    for (int i = 0; i < 4; i++) {
#pragma cll loop(k := i + it) loop[0]
        it++;
        if (i == 1)
            continue;
        if (i == 2)
            break;
        it++;
#pragma cll end loop
    }
    std::printf("%d %d\n", guarded(1), guarded(5));
    return 0;
}
