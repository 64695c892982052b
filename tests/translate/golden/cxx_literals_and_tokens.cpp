#include <cstdio>
#include <vector>
struct Foo {
    int n;
};
static const char *text = R"(
#pragma cll not_a_region
)" R"x(a " )" ( )x" u8R"(b)";
#define RAW R"(one line)"
constexpr unsigned long long operator""_km(unsigned long long n) { return n * 1000; }
static int f(int n)
{
    std::vector<::Foo> v(3, Foo{1'000'000});
    std::vector<std::vector<int>> w{{1}, {2, 3}};
#pragma cll f(m = v[0].n) f[0] + f[1]*m + f[2]*n
    n += (v[0].n >> 2) + '\'' + int(3_km) + (w.size() > 1 and n < 4 ? 1 : 2);
#pragma cll end f
    _Pragma("cll g g[0]*n") n++; _Pragma("cll end g")
    return n;
}
int main()
{
    std::printf("%s%s%d\n", text, RAW, f(1));
    return 0;
}
