/* call checks the names of functions and the number of their arguments. */
int f(int N)
{
#pragma cll a a[0] + a[1]*lat()
    N++;
#pragma cll end a
#pragma cll b b[0] + b[1]*latency(8*N)
    N++;
#pragma cll end b
#pragma cll c c[0] + c[1]*lat(c[2] + N)
    N++;
#pragma cll end c
#pragma cll d d[0] + d[1]*lat(d[1]*N)
    N++;
#pragma cll end d
    return N;
}
