#include <stdio.h>
#pragma parallel PUB gbsp
_Pragma("parallel MPI")
#pragma parallel shared(a) local(i)
#pragma parallel always
#if 0
#pragma parallel PUB
#endif
int main(void)
{
    int N = 1, D = 0;
#pragma omp parallel
    D++;
#pragma ll D D[0] + D[1]*N
#pragma CLL end D
#pragma report all
#pragma sync f f[0]
#pragma cll g g[0]
    N++;
#pragma cll end g
    printf("%d\n", N);
    return 0;
}
