#include <stdio.h>
int main(void)
{
    int n = 4, s = 0;
#pragma omp parallel
#pragma cll team team[0]*n
    {
#pragma omp critical
        s = 4;
    }
#pragma cll end team
#pragma omp parallel default(none) shared(n, s)
    {
#pragma cll inside inside[0]*n
#pragma omp atomic
        s += 0;
#pragma cll end inside
    }
    printf("%d\n", s);
    return 0;
}
