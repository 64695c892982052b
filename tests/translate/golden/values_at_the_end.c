#include <stdio.h>
enum colour { RED, GREEN = 3 };
struct list { long size; struct list *next; };
static int solve(double x, int *steps)
{
    int it = 0;
    double rest = x;
#pragma cll solve(x, iterations := it, rest := rest) solve[0] + solve[1]*iterations
    for (; rest > 1; it++) {
        rest /= 2;
        if (it == 7)
            return -it;
    }
#pragma cll end solve
    *steps = it;
    return it;
}
static int types(int n, unsigned *counter, struct list *l)
{
    char c = 'a';
    signed char s = -1;
    unsigned char u = 200;
    short h = -3;
    unsigned short uh = 60000;
    long long ll = 1;
    unsigned long long ull = 1;
    _Bool b = 0;
    float f = 1;
    long double ld = 1;
    enum colour k = RED;
    const volatile int cv = 4;
    int a[3] = { 1, 2, 3 };
#pragma cll types(c := c, s := s, u := u, h := h, uh := uh, ll := ll, ull := ull, b := b, \
                  f := f, ld := ld, k := k, cv := cv, third := a[n + 1], p := *counter, size := l->next->size)
    c++, s--, u++, h--, uh++, ll++, ull++, f++, ld++, k = GREEN;
    b = 1;
    a[2]++, ++*counter, l->next->size = 9;
#pragma cll end types
    return c + s + u + h + uh + (int)(ll + ull + (unsigned)b) + (int)f + (int)ld + k + cv + a[2];
}
static int unbraced(int n)
{
    int it = 0;
#pragma cll unbraced(it := it) unbraced[0]*it
    int kept = n;
    while (kept > 3)
        kept /= 2, it++;
#pragma cll end unbraced
    it = 100;
    return kept + it;
}
int main(void)
{
    int steps = 0;
    unsigned counter = 4;
    struct list last = { 1, 0 }, first = { 2, &last };
    printf("%d %d %d\n", solve(100, &steps), solve(1e6, &steps), steps);
    printf("%d %u %ld\n", types(1, &counter, &first), counter, last.size);
    printf("%d\n", unbraced(100));
    return 0;
}
