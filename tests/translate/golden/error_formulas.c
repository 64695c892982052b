int f(int n, int m)
{
#pragma cll a a[0] + a[1]*a[2]*n
    n++;
#pragma cll end a
#pragma cll b b[0] + * n
    n++;
#pragma cll end b
#pragma cll c c[0] + \
    sqrt(n, m)
    n++;
#pragma cll end c
#pragma cll d log(d[0])
    n++;
#pragma cll end d
#pragma cll e e[0]*(e[1] > 1)
    n++;
#pragma cll end e
#pragma cll h h[0] + h[1]*(m = 3)
    n++;
#pragma cll end h
    return n;
}
