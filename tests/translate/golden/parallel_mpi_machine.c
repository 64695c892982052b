typedef struct communicator *MPI_Comm;
struct grid {
    MPI_Comm all, row;
};
#pragma cll parallel mpi \
    grid->all /* the machine */
void work(int n);
void step(struct grid *grid, int n)
{
#pragma cll sync f f[0] + f[1]*log(P)*n
    work(n);
#pragma cll end f
#pragma cll sync(grid->row) g g[0] + g[1]*n
    work(n);
#pragma cll end g
#pragma cll uses_p uses_p[0]*P
    work(n);
#pragma cll end uses_p
#pragma cll no_p no_p[0]*n
    work(n);
#pragma cll end no_p
#pragma cll report all
}
