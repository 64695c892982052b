#include <stdio.h>
static int h(int n)
{
    int r = 0;
    if (n > 1)
        r = 2;
    else
#pragma cll G G[0] + G[1]*n
        r = 1;
#pragma cll end G
    for (int i = 0; i < n; i++)
#pragma cll outer
#pragma cll inner inner[0]
        while (r < i)
            r++;
#pragma cll end inner
#pragma cll end outer
    if (n)
#pragma cll G G[0] + G[1]*n
    {
        r++;
        r++;
    }
#pragma cll end G
    else
        r--;
    return r;
}
int main(void)
{
    printf("%d %d %d %d\n", h(0), h(1), h(2), h(9));
    return 0;
}
