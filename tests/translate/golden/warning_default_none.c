#include <stdio.h>
int main(void)
{
    int n = 4, m = 2;
#pragma omp parallel default(none) shared(n)
    {
        int own = 1;
#pragma cll a a[0]*n*m*own
        n = 4;
#pragma cll end a
    }
    printf("%d\n", n + m);
    return 0;
}
