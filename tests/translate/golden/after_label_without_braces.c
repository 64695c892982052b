/* gcc only */
#include <stdio.h>
int main(void)
{
    int r = 0;
again:
#pragma cll three three[0]
    int more = r + 1;
#pragma cll end three
    r += more;
    if (r < 100)
        goto again;
    printf("%d %d\n", r, more);
    return 0;
}
