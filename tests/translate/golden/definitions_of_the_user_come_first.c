#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(void)
{
    char *s = NULL;
#pragma cll f
    if (asprintf(&s, "%s", basename("a/b")) < 0)
        return 1;
#pragma cll end f
    printf("%s\n", s);
    free(s);
    return 0;
}
