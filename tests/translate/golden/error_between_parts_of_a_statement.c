int g(int);
int f(int n)
{
#pragma cll a a[0]
    if (n)
        n--;
#pragma cll end a
    else
        n++;
    if (n)
        n--;
#pragma cll b
    else
        n++;
#pragma cll end b
    do
        n--;
#pragma cll c
    while (n > 1);
#pragma cll end c
#pragma cll d
    do
        n--;
#pragma cll end d
    while (n > 1);
    if (n)
#pragma cll e
        if (n > 2)
            n--;
#pragma cll end e
        else
            n++;
    if (n)
        n++;
#pragma cll report all
    else
        n--;
    if (n)
#pragma cll good
        n++;
#pragma cll end good
    else
        n--;
    return n;
}
