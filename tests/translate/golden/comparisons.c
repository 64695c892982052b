#include <stdio.h>
static int f(int n, int m, int P)
{
#pragma cll a a[0] + a[1]*(P > 1)*n
    n++;
#pragma cll end a
#pragma cll b (n == 3)*b[0] + (n != 3 and m >= 2)*b[1]*n
    n++;
#pragma cll end b
#pragma cll c CLOCK, CPUTIME = c[0]*(1 <= m < 4) + c[1]; page-faults = c[0]*(n <= 4 || !(m > 2))
    n++;
#pragma cll end c
#pragma cll d(big = n >= 4, m) d[0] + d[1]*big
    n++;
#pragma cll end d
    return n;
}
int main(void)
{
    printf("%d\n", f(1, 2, 3));
    return 0;
}
