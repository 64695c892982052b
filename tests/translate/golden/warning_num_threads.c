#pragma cll parallel OpenMP
int many(void);
void f(int n)
{
#pragma cll a a[0]*n
#pragma omp parallel num_threads(many())
    many();
#pragma cll end a
#pragma cll b b[0]*n
    int t = n;
#pragma omp parallel num_threads(t)
    many();
#pragma cll end b
#pragma cll c c[0]*n
#pragma omp parallel num_threads(omp_get_max_threads() / 2)
    many();
#pragma cll end c
}
