#include <stdio.h>
static int kr(a, b)
    int a;
    char b;
{
#pragma cll kr kr[0]*a
    a += b;
#pragma cll end kr
    return a;
}
static int vla(int n)
{
    int s = 0;
#pragma cll vla vla[0]*n
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma cll end vla
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
static int expression(int n)
{
    return ({
        int r = n;
#pragma cll inside inside[0]*n
        r *= 2;
#pragma cll end inside
        r;
    }) + 1;
}
static int assembly(int n)
{
#pragma cll asm_ asm_[0]
    __asm__ volatile("" : "+r"(n) : : "memory");
#pragma cll end asm_
    return n;
}
int main(void)
{
    printf("%d %d %d %d\n", kr(1, 2), vla(4), expression(3), assembly(5));
    return 0;
}
