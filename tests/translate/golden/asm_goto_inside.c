#include <stdio.h>
static int f(int n)
{
#pragma cll f f[0]
    if (n > 3)
        __asm__ volatile goto("" : : : : inside, out);
    n++;
inside:
    n++;
    if (n > 100) {
    out:
        goto done;
    }
#pragma cll end f
    n++;
done:
    return n;
}
int main(void)
{
    printf("%d %d\n", f(1), f(5));
    return 0;
}
