task co(int n)
{
#pragma cll co co[0]*n
    n++;
    int x = f(co_await next(n));
    for (int i = 0; i < n; i++)
        co_yield x;
#pragma cll end co
}
