#include <stdio.h>
#include <math.h>
static double work(int n)
{
    double s = 0;
	for (int i = 0; i < n; i++)	/* tabs stay */
		s += sqrt(i);
    return s;
}
int main(void)
{
    double r = 0;
    int N = 8;
    #pragma cll for (N = 1; N <= 64; N *= 2)
    #pragma cll f f[0] + f[1]*N*log(N) + f[2]*N
    r += work(N);
    #pragma cll end f
    #pragma cll end for
    printf("%s %d %d\n", __FILE__, __LINE__, r >= 0);
    #pragma cll report f
    return 0;
}
