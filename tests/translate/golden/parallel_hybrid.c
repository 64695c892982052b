#pragma cll parallel MPI
#pragma cll parallel OMP
typedef struct communicator *MPI_Comm;
void work(int n);
void step(MPI_Comm row, int n)
{
#pragma cll sync f f[0] + f[1]*n/(P*T)
#pragma omp parallel
    work(n);
#pragma cll end f
#pragma cll sync(row) g g[0]
    work(n);
#pragma cll end g
#pragma omp parallel
    {
#pragma cll sync h h[0]
        work(n);
#pragma cll end h
    }
}
