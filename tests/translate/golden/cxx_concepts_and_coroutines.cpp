template <class T>
concept Number = requires(T a) {
    a + a;
    { a * a };
};
template <Number T>
    requires requires(T x) { x * x; } && (sizeof(T) > 1)
T twice(T x) noexcept(sizeof(T) > 2)
{
#pragma cll twice twice[0] + twice[1]*x
    x = x + x;
#pragma cll end twice
    return x;
}
template <class T> struct Holder {
    void only(T t) const &
        requires(sizeof(T) > 2)
    {
#pragma cll only only[0]
        t++;
#pragma cll end only
    }
    auto operator<=>(const Holder &) const = default;
};
task co(int n)
{
#pragma cll co co[0]*n
    n++;
    if (n == 3)
        co_return;
#pragma cll end co
    co_await suspend{};
    auto l = [=]<class U>(U u) noexcept -> U
    {
#pragma cll generic generic[0]
        return u;
#pragma cll end generic
    };
#pragma cll inside inside[0]
    auto c = [](int k) -> task { co_yield k; };
#pragma cll end inside
    use(l, c);
}
