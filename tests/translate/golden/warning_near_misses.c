#include <stdio.h>
#pragma parallel PUB gbsp
#pragma once_more
int main(void)
{
#pragma ll end D
#pragma CLL f
#pragma cll g 7
    int N = 1;
#pragma cll end g
    printf("%d\n", N);
    return 0;
}
