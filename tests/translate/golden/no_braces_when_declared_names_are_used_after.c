#include <stdio.h>
int main(void)
{
    int n = 3;
#pragma cll f f[0] + f[1]*n
    int square = n * n;
    enum { SEVEN = 7 };
    struct pair { int a, b; } p = { square, SEVEN };
#pragma cll end f
    struct pair q = p;
    printf("%d %d %d\n", square, q.a, SEVEN);
    return 0;
}
