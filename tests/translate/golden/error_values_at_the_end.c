int f(int n, int *p, int (*call)(void))
{
#pragma cll a(m := n + 1) a[0]*m
    n++;
#pragma cll end a
#pragma cll b(m := call()) b[0]*m
    n++;
#pragma cll end b
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
#pragma cll h(m := 3) h[0]*m
    n++;
#pragma cll end h
#pragma cll i(m := n++) i[0]*m
    n++;
#pragma cll end i
#pragma cll j(m := -n, m := *p) j[0]*m
    n++;
#pragma cll end j
    return n;
}
