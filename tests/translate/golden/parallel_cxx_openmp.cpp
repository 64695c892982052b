#pragma cll parallel OpenMP procs = 1:4:2
template <class T> T sum(const T *a, int n)
{
    T s = 0;
#pragma cll sync sum sum[0] + sum[1]*n/P
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma cll end sum
#pragma omp parallel
    {
#pragma cll part part[0] + part[1]*n*T
        n = n;
#pragma cll end part
    }
    return s;
}
