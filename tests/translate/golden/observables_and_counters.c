#include <stdio.h>
int main(void)
{
    int n = 5, r = 0;
#pragma cll a PAPI_L1_DCM = a[0] + a[1]*n
    r += n;
#pragma cll end a
#pragma cll b CLOCK, CPUTIME = b[0]*n; page-faults = b[0] + b[1]*n; context-switches =
    r += n;
#pragma cll end b
#pragma cll c (c[0] + c[1]*n)*log(n)
    r += n;
#pragma cll end c
    printf("%d\n", r);
    return 0;
}
