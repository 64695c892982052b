#include <stdio.h>
#define ON 1
int main(void)
{
    int n = 2;
#if ON
#pragma cll f f[0]*n
    n++;
#else
#pragma cll f f[0]*n
    n--;
#endif
#pragma cll end f
#ifdef OFF
    for (;;) {
#pragma cll g g[0]*n
        n = 0;
#pragma cll end g
    }
#endif
#pragma cll h
#ifdef OFF
    if (n) {
#pragma cll end h
    }
#else
    n++;
#pragma cll end h
#endif
    printf("%d\n", n);
    return 0;
}
