/* gcc only */
#include <stdio.h>
int main(void)
{
    int k = 2;
    int times(int n)
    {
        int r = 0;
#pragma cll times times[0]*n
        for (int i = 0; i < n; i++) {
            if (i == 7)
                break;
            r += k;
        }
#pragma cll end times
        return r;
    }
#pragma cll all_of_it
    printf("%d\n", times(9));
#pragma cll end all_of_it
    return 0;
}
