/* Names may hold letters of every language, also where a name is a whole variable. */
#include <stdio.h>

struct feld {
    int größe;
};

static int länge(const struct feld *ö, int größe)
{
#pragma cll größer größer[0] + größer[1]*größe + größer[2]*ö->größe
    größe += ö->größe;
#pragma cll end größer
#pragma cll g(число = größe * 2) g[0]*число
    größe++;
#pragma cll end g
    return größe;
}

int main(void)
{
    struct feld f = {3};
    printf("%d\n", länge(&f, 4));
    return 0;
}
