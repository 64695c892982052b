#include <stdio.h>
#define BEGIN {
#define END }
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define REPEAT do
#define UNTIL(x) while (!(x))
int main(void)
BEGIN
    int n = 0;
    EACH(i, 3)
#pragma cll f
        n += i;
#pragma cll end f
    if (n)
    BEGIN
#pragma cll g g[0]
        n++;
#pragma cll end g
    END
    REPEAT BEGIN
#pragma cll h
        n++;
#pragma cll end h
    END UNTIL(n > 10);
    printf("%d\n", n);
    return 0;
END
