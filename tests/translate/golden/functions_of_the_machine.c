/* Formulas may ask the machine, and variables may have the names of its functions. */
#include <stdio.h>

struct sizes {
    int w;
};

int main(void)
{
    struct sizes f = {2};
    int g = 3, L = 4, N = 5, lat = 6;
#pragma cll f f[0] + f[1]*g*L*lat + f[2]*N*lat(8*N, P) + f[3]*N/bw(f.w*N) + f[4]*g(P) + flop() + f[5]*f.w
    N += g * L + lat + f.w;
#pragma cll end f
    printf("%d\n", N);
    return 0;
}
