#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf out;
static void deep(int n)
{
#pragma cll f f[0] + f[1]*n
    if (n == 2)
        longjmp(out, 1);
    if (n == 3)
        exit(7);
#pragma cll end f
}
int main(void)
{
    volatile int n = 0;
    if (setjmp(out))
        printf("back at %d\n", n);
    while (n < 5)
        deep(++n);
    return 1;
}
