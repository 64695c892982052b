int f(int n)
{
    return ({
#pragma cll g
        n++;
#pragma cll end g
    });
}
