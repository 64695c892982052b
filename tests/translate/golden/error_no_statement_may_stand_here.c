#define TWICE(s) s s
int f(int n)
{
    TWICE(n++;
#pragma cll a
    )
#pragma cll end a
    if
#pragma cll b
        (n)
        n++;
#pragma cll end b
    switch (n) {
    case 1:
        n++;
        __attribute__((fallthrough));
#pragma cll report all
    case 2:
        n++;
    }
    {
#pragma cll c
        __label__ out;
        if (n)
            goto out;
#pragma cll end c
    out:
        n++;
    }
    n = ({
        n++;
        n;
#pragma cll report all
    });
    return n;
}
