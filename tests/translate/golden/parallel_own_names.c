#pragma cll parallel MPI
#pragma cll parallel OpenMP
void work(int n);
void step(int P, int T, int n)
{
#pragma cll f f[0]*P*T*n
    work(n + P + T);
#pragma cll end f
}
