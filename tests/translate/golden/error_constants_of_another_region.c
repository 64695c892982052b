#include <stddef.h>

static double sum;

/* w[1] and weight[0] are elements of arrays; those of g are constants of another region. */
static void work(int n, const double *w)
{
    static int weight[2];
#pragma cll f f[0] + g[1]*n
    sum += n;
#pragma cll end f
#pragma cll g g[0] + g[1]*w[1] + g[2]*weight[0]
    sum += n;
#pragma cll end g
#pragma cll h h[0] + h[1]*n + x[2]*n
    sum += n;
#pragma cll end h
}
