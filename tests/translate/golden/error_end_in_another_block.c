int f(int n)
{
#pragma cll a
    if (n) {
        n++;
#pragma cll end a
    }
    {
#pragma cll b
        n++;
    }
#pragma cll end b
    return n;
}
