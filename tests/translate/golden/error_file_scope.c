#pragma cll a a[0]
int x;
#pragma cll end a
#pragma cll report all
#pragma cll for (;;)
int f(void)
{
    return x;
}
