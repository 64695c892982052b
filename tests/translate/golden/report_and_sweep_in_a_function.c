#include <stdio.h>
static int total;
static void sweep(int n)
{
    #pragma cll for (n = 1; n < 100; n = n * 2)
    if (n == 3)
        return;
    for (int i = 0; i < n; i++) {
        if (i == 2)
            break;
        total++;
    }
    #pragma cll end for
}
int main(void)
{
    sweep(4);
    printf("%d\n", total > 0);
    return 0;
}
