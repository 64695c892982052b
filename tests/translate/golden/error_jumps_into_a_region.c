int f(int n, int k)
{
    if (k)
        goto in;
#pragma cll a
    n++;
in:
    n--;
#pragma cll end a
    switch (k) {
#pragma cll b
    case 1:
        n++;
#pragma cll end b
        break;
    case 2:
#pragma cll c
        n--;
    default:
        n++;
#pragma cll end c
    }
    return n;
}
