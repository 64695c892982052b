int out(int n)
{
#pragma cll a
    asm goto("" : : "r"(n) : : done);
    n++;
#pragma cll b
    if (n > 3)
        __asm__ volatile goto("" : : : : inside, later);
    n++;
inside:
    n++;
#pragma cll end b
later:
    n++;
#pragma cll end a
done:
    return n;
}
int loop(int n)
{
#pragma cll for (n = 0; n < 3; n++)
    asm goto("" : : : : done);
#pragma cll end for
done:
    return n;
}
