module;
#include <cstdio>
export module numbers;
int f(int n)
{
#pragma cll f f[0]*n
    n++;
#pragma cll end f
    return n;
}
