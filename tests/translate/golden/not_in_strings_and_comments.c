#include <stdio.h>
/*
#pragma cll f f[0]
*/
// #pragma cll f \
#pragma cll f f[0]
int main(void)
{
    const char *s = "\
#pragma cll f f[0]\
";
    char c = '"'; /* "
#pragma cll end f
    " */
    printf("%s %c\n", s, c);
#if 0
#pragma cll f it does not matter
#else
#pragma cll g
    printf("else\n");
#pragma cll end g
#endif
    return 0;
}
