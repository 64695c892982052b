#include <stdio.h>
int main(void)
{
    int n = 2;
#pragma cll f f[0] + \
  f[1]*n
    n++;
#pragma cll end f
    printf("%d\n", n);
    return 0;
}