int f(int n, int *p)
{
#pragma cll c(m := it) c[0]*m
    int it = n;
    n += it;
#pragma cll end c
#pragma cll d(m := ) d[0]*m
    n++;
#pragma cll end d
#pragma cll e(m := n) e[0]*m
    n++;
#pragma cll end e
#pragma cll e(m = n) e[0]*m
    n++;
#pragma cll end e
#pragma cll g(m :  n) g[0]*m
    n++;
#pragma cll end g
#pragma cll i(m := n++) i[0]*m
    n++;
#pragma cll end i
#pragma cll j(m := n, m := *p) j[0]*m
    n++;
#pragma cll end j
    return n;
}
