#pragma cll parallel MPI
#pragma cll parallel OpenMP
typedef struct communicator *MPI_Comm;
void f(MPI_Comm row, int n)
{
#pragma omp parallel
    {
#pragma cll sync(row) a a[0]
        n++;
#pragma cll end a
#pragma cll report all
    }
}
