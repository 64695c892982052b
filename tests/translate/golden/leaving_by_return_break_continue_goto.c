#include <stdio.h>
#define LEAVE(x) if ((x) == 6) return -6
static int f(int n)
{
    int k = 0;
#pragma cll whole whole[0] + whole[1]*n
    for (k = 0; k < n; k++) {
#pragma cll body
        if (k == 1)
            continue;
        if (k == 5)
            break;
        if (n == 3)
            goto out;
        if (n == 4)
            return 40;
        LEAVE(n);
#pragma cll end body
    }
#pragma cll end whole
out:
    return k;
}
int main(void)
{
    for (int n = 0; n < 9; n++)
        printf("%d ", f(n));
    printf("\n");
    return 0;
}
