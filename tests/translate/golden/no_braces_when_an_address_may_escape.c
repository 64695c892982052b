#include <stdio.h>
int main(void)
{
    int *kept, *first;
#pragma cll f
    int value = 5;
    int list[3] = { 1, 2, 3 };
    kept = &value;
    first = list;
#pragma cll end f
    printf("%d %d\n", *kept, first[2]);
    return 0;
}
