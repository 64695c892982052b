int f(int n)
{
    void *to = &&one;
    if (n)
        goto *to;
#pragma cll a
    goto *to;
#pragma cll end a
#pragma cll b
one:
    n++;
#pragma cll end b
    return n;
}
