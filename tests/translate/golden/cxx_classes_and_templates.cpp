// c++11
#include <cstdio>
#include <vector>
namespace outer {
namespace inner {
template <class T, int N = (3 > 2)> class Stack {
    std::vector<T> v;
    static const int limit = 5;

  public:
    Stack() : v{4, 5}, size_(2)
    {
#pragma cll made made[0] + made[1]*size_
        v.push_back(6);
#pragma cll end made
    }
    ~Stack()
    {
#pragma cll ended ended[0]
        v.clear();
#pragma cll end ended
    }
    template <class F> auto each(F &&f) -> decltype(f(v[0]))
    {
#pragma cll each(n = v.size()) each[0] + each[1]*n + each[2]*this->size_
        for (auto &x : v)
            f(x);
#pragma cll end each
        return f(v[0]);
    }
    T operator()(T x) const
    {
#pragma cll call call[0] + call[1]*N*limit
        T y = x < 3 ? x : T(7);
#pragma cll end call
        return y;
    }
    bool operator<(const Stack &o) const noexcept
    {
#pragma cll less less[0]
        bool less = size_ < o.size_;
#pragma cll end less
        return less;
    }
    operator bool() const;
    Stack &operator=(const Stack &) = delete;
    struct Iterator {
        int at;
        int next() noexcept(true)
        {
#pragma cll next next[0]*at
            at++;
#pragma cll end next
            return at;
        }
    };
    friend int peek(const Stack &s)
    {
#pragma cll peek peek[0]
        return s.v[0];
#pragma cll end peek
    }

  private:
    int size_ : 7;
};
template <class T, int N> Stack<T, N>::operator bool() const
{
#pragma cll test test[0]
    return size_ > 0;
#pragma cll end test
}
} // namespace inner
enum class Kind : int { one, two };
extern "C" {
static int plain(int n)
{
#pragma cll plain plain[0]*n
    n++;
#pragma cll end plain
    return n;
}
}
} // namespace outer
static int whole(int n) try {
#pragma cll whole whole[0]*n
    if (n > 2)
        throw n;
#pragma cll end whole
    return n;
} catch (int e) {
#pragma cll handler handler[0]*e
    return e + 1;
#pragma cll end handler
}
int main()
{
    outer::inner::Stack<int> s, t;
    outer::inner::Stack<double, 4> d;
    outer::inner::Stack<int>::Iterator i{1};
    int total = 0;
    s.each([&total](int x) { return total += x; });
    d.each([&total](double x) { return total += static_cast<int>(x); });
    std::printf("%d %d %d %d %d\n", total, s(2), s < t, i.next(), peek(s));
    std::printf("%d %d %d %d\n", static_cast<bool>(s), outer::plain(1), whole(1), whole(3));
    return static_cast<int>(outer::Kind::one);
}
