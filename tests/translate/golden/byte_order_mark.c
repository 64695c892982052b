#include <stdio.h>
int main(void)
{
#pragma cll f
    printf("bom\n");
#pragma cll end f
    return 0;
}
