int f(int n)
{
    int N = 0;
    while (n--) {
#pragma cll for (N = 1; N < 10; N++)
        if (n == 3)
            break;
        if (n == 4)
            continue;
        switch (n) {
        case 1: break;
        }
        int late = N;
#pragma cll end for
        n += late;
    }
    return n;
}
