int f(int n)
{
    if (n == 9)
        goto out;
#pragma cll a
    int x = n;
#pragma cll end a
    n += x;
out:
    switch (n) {
    case 1:
        ;
#pragma cll b
        int y = 2;
#pragma cll end b
        n += y;
    }
    {
#pragma cll c
        int z = n;
        if (z)
            goto after;
#pragma cll end c
        n = z;
after:
        n++;
    }
    return n;
}
