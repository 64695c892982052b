#include <stdio.h>
static int g(int n)
{
    int r = 0;
    switch (n) {
    case 1:
#pragma cll one one[0]
        r = 1;
#pragma cll end one
        break;
    case 2:
#pragma cll two two[0]
    {
        int local = n;
        r = local * 2;
    }
#pragma cll end two
        break;
    default:
        r = -1;
    }
    if (r > 1000)
        goto done;
again:
#pragma cll three three[0]
    r++;
#pragma cll end three
    if (r < -1000)
        goto again;
done:
#pragma cll four
    r += 100;
    if (r < 0)
        goto last;
last:
#pragma cll end four
    return r;
}
int main(void)
{
    printf("%d %d %d\n", g(1), g(2), g(3));
    return 0;
}
