#include <stdio.h>
#pragma cll parallel OpenMP procs = 1,2,4
int main(void)
{
    double s = 0;
    int n = 100, wanted = 2;
#pragma cll around around[0] + around[1]*n/P
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += i;
#pragma cll end around
#pragma cll clause clause[0]*T
#pragma omp parallel num_threads(wanted + 1)
    {
#pragma cll sync inside inside[0] + inside[1]*n/P
#pragma omp for
        for (int i = 0; i < n; i++)
            (void)i;
#pragma cll end inside
    }
#pragma cll end clause
    if (n)
#pragma cll sync single single[0]
        s++;
#pragma cll end single
    goto next;
next:
#pragma cll sync labelled labelled[0]
    s++;
#pragma cll end labelled
    printf("%g\n", s);
    return 0;
}
