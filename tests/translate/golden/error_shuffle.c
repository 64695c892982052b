int f(int n)
{
#pragma cll for (n = 1; n < 2; n++) shufle
    n++;
#pragma cll end for
#pragma cll for (n = 1; n < 2; n++) shuffle twice
    n++;
#pragma cll end for
#pragma cll for shuffle (n = 1; n < 2; n++)
    n++;
#pragma cll end for
#pragma cll for (n = 1; n < 2; n++) (shuffle)
    n++;
#pragma cll end for
    return n;
}
