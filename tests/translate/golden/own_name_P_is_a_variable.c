#include <stdio.h>
#define T 3
int main(void)
{
    int P = 4, r = 0;
#pragma cll f f[0]*P*T
    r += P;
#pragma cll end f
    printf("%d\n", r);
    return 0;
}
