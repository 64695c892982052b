#include <stdio.h>
int main(void)
{
    int n = 1, r = 0;
#pragma cll C C[0] + C[1]*n
    r += n;
#pragma cll end C
    n = 10;
#pragma cll C C[0]+C[1] * n
    r += n;
#pragma cll end C
    printf("%d\n", r);
    return 0;
}
