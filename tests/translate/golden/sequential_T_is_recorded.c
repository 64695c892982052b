#include <stdio.h>
int main(void)
{
    int n = 3;
#pragma cll sync(anything) f f[0]*n/(P*T)
    n++;
#pragma cll end f
    printf("%d\n", n);
    return 0;
}
