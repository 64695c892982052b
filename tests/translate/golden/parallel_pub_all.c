#pragma cll parallel obsp
#pragma cll parallel OpenMP
void work(int n);
void step(int n)
{
#pragma cll sync f f[0] + f[1]*n/(P*T)
#pragma omp parallel
    work(n);
#pragma cll end f
#pragma cll report all
}
