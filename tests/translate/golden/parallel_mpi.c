#pragma cll parallel MPI procs = 1:32:2
typedef struct communicator *MPI_Comm;
void work(int n);
void step(MPI_Comm row, int n)
{
#pragma cll sync f f[0] + f[1]*log(P)*n
    work(n);
#pragma cll end f
#pragma cll sync(row) g g[0] + g[1]*n/P
    work(n);
#pragma cll end g
#pragma cll sync ( row ) g0 g0[0]
    work(n);
#pragma cll end g0
#pragma cll h h[0]*P
    work(n);
#pragma cll end h
#pragma cll report f, g
#pragma cll report all
}
