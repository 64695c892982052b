#include <stdio.h>

int main(void)
{
    int n = 3, setting = 4; /* n is not the n of f's formula */
#pragma cll f(setting n) f[0] + f[1]*n
    n++;
#pragma cll end f
#pragma cll g(size = n, setting m, setting k) g[0]*m*size + g[1]*log(k)
    n++;
#pragma cll end g
#pragma cll h(setting) h[0]*setting
    n++;
#pragma cll end h
#pragma cll i(setting = n) i[0]*setting
    n++;
#pragma cll end i
    printf("%d\n", n);
    return 0;
}
