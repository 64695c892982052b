/* P is the number of processors: no statement can mean the members and the parameters of prototypes of this name. */
#include <stdio.h>

struct grid {
    int P, Q;
    union { int P[2]; } of;
    enum { first } kind;
};
struct sides { enum { T = 3 } k; };
void info(const struct grid *g, int *P, int (*f)(int T), int Q), other(int P);

void info(const struct grid *g, int *p, int (*f)(int), int q)
{
    (void)f;
    *p = g->P + q;
}

int main(void)
{
    struct grid g = {.P = 2, .Q = 3, .of = {{1, 2}}, .kind = first};
    int n = 100, p = 0;
    double s = 0;
#pragma cll sum sum[0] + sum[1]*n/P + sum[2]*T
    for (int i = 0; i < n; i++)
        s += i;
#pragma cll end sum
    info(&g, &p, NULL, 1);
    printf("%g %d %d\n", s, p, g.P);
    return 0;
}
