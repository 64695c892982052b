/* Variables with the names that a generated macro could give to its parameters, and macros of any name. */
#include <stdio.h>
#define unused __attribute__((unused))
#define cleanup 1
#define r 2
#define v 3
#define e 4
struct s {
    int n;
};
int main(void)
{
    struct s v1 = {5}, *v0 = &v1, m[2] = {{6}, {7}};
    int last = 8, region unused = 9, values = r + v + e + cleanup;
#pragma cll f f[0]*v1.n + f[1]*v0->n + f[2]*m[1].n + f[3]*last + f[4]*values
    int after = v0->n;
    last++;
#pragma cll end f
    printf("%d %d\n", after, last);
    return 0;
}
