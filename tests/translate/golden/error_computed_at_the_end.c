#define LEFT (n - 1)
#define LATER (-n)
#define DEEP(x) (LEFT + (x))
int total;
#define TOTAL(n) (total + (n))
int f(int n, int *p, int (*call)(void))
{
#pragma cll a(m := n + (k = 1)) a[0]*m
    n++;
#pragma cll end a
#pragma cll b(m := call() + it) b[0]*m
    int it = n;
    n += it;
#pragma cll end b
#pragma cll c(m := DEEP(*p)) c[0]*m
    n++;
#pragma cll end c
#pragma cll d(m := TOTAL(n)) d[0]*m
    n++;
#pragma cll end d
#pragma cll e(m := -n--) e[0]*m
    n++;
#pragma cll end e
#pragma cll g(m := -n, m := *p) g[0]*m
    n++;
#pragma cll end g
#pragma cll h(m := ({ n; })) h[0]*m
    n++;
#pragma cll end h
#pragma cll i(m := LATER + 0) i[0]*m
    n++;
#pragma cll end i
#pragma cll j(m := n <<= 1) j[0]*m
    n++;
#pragma cll end j
    return n;
}
#undef LATER
#define LATER 1
