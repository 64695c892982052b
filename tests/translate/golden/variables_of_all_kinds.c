#include <stdio.h>
#define SIZE 12
enum { COUNT = 4 };
struct inner { unsigned bits : 5; long n; };
struct matrix { int rows; struct inner in, *far; double len[3]; };
static int use(register int r, struct matrix *m, const double v[])
{
    int i = 1, sum = 0;
    static const float half = 0.5f;
#pragma cll f(rows = m->rows, area = m->rows * (m->rows + 1)) f[0] + f[1]*rows*area + f[2]*m->in.n + f[3]*m->far->n + f[4]*m->len[i] + f[5]*r + f[6]*SIZE + f[7]*COUNT + f[8]*m->in.bits + f[9]*v[2] + f[10]*half + f[11]*P
    for (i = 0; i < r; i++)
        sum += i;
#pragma cll end f
    return sum;
}
int main(void)
{
    struct inner far = { 1, 9 };
    struct matrix m = { 3, { 2, 7 }, &far, { 1, 2, 3 } };
    double v[3] = { 4, 5, 6 };
    printf("%d\n", use(5, &m, v));
    return 0;
}
