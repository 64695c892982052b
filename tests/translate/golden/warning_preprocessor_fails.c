#include "there_is_no_such_header.h"
#define K 3
int main(void)
{
    int n = 0;
#pragma cll f f[0]*n + f[1]*K*P
    n++;
#pragma cll end f
#ifdef X
#pragma cll g
    n--;
#pragma cll end g
#else
    n++;
#endif
    return n;
}
