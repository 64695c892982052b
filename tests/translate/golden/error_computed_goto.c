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
int into_a_sweep(int n)
{
    static void *const where[] = {&&inside};
    if (n > 3)
        goto *where[0];
#pragma cll for (n = 0; n < 3; n++) shuffle
    n++;
inside:
    n++;
#pragma cll end for
#pragma cll for (n = 0; n < 3; n++)
    n++;
#pragma cll end for
    return n;
}
