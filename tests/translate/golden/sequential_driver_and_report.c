#include <stdio.h>
#pragma cll parallel seq procs = 1:8:2
int main(void)
{
    int n = 5, r = 0;
#pragma cll sync f f[0]*n
    r += n;
#pragma cll end f
#pragma cll sync(world) g g[0]*n
    r += n;
#pragma cll end g
    printf("%d\n", r);
#pragma cll report f, g
#pragma cll report all
    return 0;
}
