int f(int n)
{
    int s = 0;
#pragma omp parallel for reduction(+ : s)
#pragma cll a a[0]*n
    for (int i = 0; i < n; i++)
        s += i;
#pragma cll end a
#pragma omp atomic
#pragma cll b
    s++;
#pragma cll end b
    return s;
}
