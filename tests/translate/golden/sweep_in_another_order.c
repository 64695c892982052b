/* Loops with shuffle: nested, as one statement, after a label, with continued lines, left by return and goto. */
#include <stdio.h>
static long total;
static int leave(int n)
{
#pragma cll for (n = 1; n < 100; n = n * 2) shuffle
    if (n == 4)
        return 0;
    if (n == 200)
        goto out;
#pragma cll end for
out:
    return 0;
}
static int repeated(int n)
{
#pragma cll for (int round = 0; round < 3; round++)
#ifdef TWICE
#pragma cll for (int again = 0; again < 2; again++)
#endif
#pragma cll for (n = 1; n < 9; n *= 2) shuffle
    total++;
#pragma cll end for
#ifdef TWICE
#pragma cll end for
#endif
#pragma cll for (n = 1; n < 9; n *= 2)
    total++;
#pragma cll end for
#pragma omp parallel default(none) shared(total)
    {
#pragma cll for (int m = 1; m < 9; m *= 2) shuffle
        total++;
#pragma cll end for
    }
#pragma cll end for
#pragma cll for (n = 1; n < 9; n *= 2)
    total++;
#pragma cll end for
    return n;
}
int main(void)
{
    int N = 3, M = 2;
#pragma cll for (N = 1; N <= 64; N *= 2) shuffle
    %:pragma cll for (M = 0; \
                      M < 3; M++) /* the columns */ shuffle
#pragma cll f f[0] + f[1]*N + f[2]*M
    total += N;
#pragma cll end f
#pragma cll end for
#pragma cll end for
    if (N > 1)
#pragma cll for (N = 9; N > 0; N -= 3) shuffle
        total++;
#pragma cll end for
    else
        total--;
    switch (M) {
    default:
        _Pragma("cll for (int i = 1; i < 3; i++) shuffle")
        total++;
        _Pragma("cll end for")
        if (total < 0)
            goto end;
    }
end:
#ifdef OTHER
#pragma cll for (N = 1; N < 3; N++) shuffle
#else
#pragma cll for (N = 1; N < 4; N++) shuffle
#endif
    total++;
#pragma cll end for
    printf("%d\n", total > leave(0) + repeated(0) * 0);
    return 0;
}
