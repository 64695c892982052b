#include <stdio.h>
static int fib(int n)
{
    int r;
#pragma cll fib fib[0] + fib[1]*n
#pragma cll part
    if (n < 2)
        return n;
#pragma cll end part
    r = fib(n - 1) + fib(n - 2);
#pragma cll end fib
    return r;
}
int main(void)
{
    printf("%d\n", fib(12));
    return 0;
}
