int f(int n)
{
#ifdef ORDERED
#pragma cll for (n = 1; n < 4; n++)
#else
#pragma cll for (n = 1; n < 2; n++) shuffle
#endif
    n++;
#pragma cll end for
    return n;
}
