int f(int n)
{
#pragma cll a(setting n = 4) a[0]*n
    n++;
#pragma cll end a
#pragma cll b(setting P) b[0]*P
    n++;
#pragma cll end b
#pragma cll c(setting n, n) c[0]*n
    n++;
#pragma cll end c
#pragma cll d(n, setting n) d[0]*n
    n++;
#pragma cll end d
#pragma cll e(setting m) e[0]*m
    n++;
#pragma cll end e
#pragma cll e(m = n) e[0]*m
    n++;
#pragma cll end e
#pragma cll g(setting n, setting n) g[0]*n
    n++;
#pragma cll end g
#pragma cll h(setting n) h[0]*m
    n++;
#pragma cll end h
    return n;
}
