#include <stdio.h>
#pragma parallel PUB gbsp
#pragma ll end D
int main(void)
{
    printf("1\n");
    return 0;
}
