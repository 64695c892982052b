int g(int, int);
int f(int n)
{
    n = n +
#pragma cll a a[0]
        1;
#pragma cll end a
    return g(n,
#pragma cll b
        2);
}
