int a[3];
int f(int n, int m)
{
#pragma cll e(n, n = m) e[0]
    n++;
#pragma cll end e
#pragma cll g(n = ) g[0]
    n++;
#pragma cll end g
#pragma cll h(n = m = 3) h[0]
    n++;
#pragma cll end h
#pragma cll i(n = a[1, 2]) i[0]
    n++;
#pragma cll end i
#pragma cll j(n m) j[0]
    n++;
#pragma cll end j
#pragma cll k(n = m, 3) k[0]
    n++;
#pragma cll end k
    return n;
}
