/* Declarators in parentheses: what they declare is used after the region. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
typedef int number;
static int one(int x) { return x + 1; }
int main(void)
{
    int n = 3;
#pragma cll a a[0]
    size_t(*known)[4] = calloc(n, sizeof *known);
#pragma cll end a
#pragma cll b b[0]
    number (*f)(int) = one;
#pragma cll end b
#pragma cll c c[0]
    number (plain) = 2;
#pragma cll end c
#pragma cll d d[0]
    printf("%d\n", f(plain));
#pragma cll end d
    known[0][1] = 3;
    free(known);
    return f(plain) != 3;
}
