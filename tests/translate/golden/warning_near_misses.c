#include <stdio.h>
#pragma once_more
#pragma parallel
#pragma call f
#pragma report me
#pragma omp parallel
int main(void)
{
#pragma CLL f
#pragma cll g 7
    int N = 1;
#pragma cll end g
    printf("%d\n", N);
    return 0;
}
