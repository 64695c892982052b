int f(int n)
{
#pragma cll end nothing
#pragma cll open open[0]
    n++;
#pragma cll outer
#pragma cll inner
    n++;
#pragma cll end outer
#pragma cll end inner
#pragma cll end for
    return n;
}
