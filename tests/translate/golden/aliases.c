#include <stdio.h>
#include <string.h>
#define dictSize(d) ((d)->used[0] + (d)->used[1])
struct dict { unsigned long used[2]; };
static int f(struct dict *d, const char *word, int level, int count)
{
#pragma cll keys(n = dictSize(d)) keys[0] + keys[1]*n
    count++;
#pragma cll end keys
#pragma cll length(n = strlen(word), level) length[0] + length[1]*n
    count++;
#pragma cll end length
#pragma cll z(level)
    count++;
#pragma cll end z
#pragma cll both(level , count) both[0]*level
    count++;
#pragma cll end both
#pragma cll formula(level)*formula[0] + formula[1]
    count++;
#pragma cll end formula
    return count;
}
int main(void)
{
    struct dict d = { { 3, 4 } };
    printf("%d\n", f(&d, "four", 5, 6));
    return 0;
}
