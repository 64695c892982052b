int f(int n)
{
#pragma cll a a[0] + a[1]*n
    n++;
#pragma cll end a
#pragma cll a a[0] + a[1]*n*n
    n++;
#pragma cll end a
    return n;
}
