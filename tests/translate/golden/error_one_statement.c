int f(int n)
{
    if (n)
#pragma cll a
        n++;
        n--;
#pragma cll end a
    if (n)
#pragma cll b
#pragma cll end b
        n++;
    if (n)
#pragma cll report all
        n++;
    while (n)
#pragma cll end c
        n--;
    return n;
}
