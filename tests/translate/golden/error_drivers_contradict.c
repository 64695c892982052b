typedef struct communicator *MPI_Comm;
#pragma cll parallel MPI
#pragma cll parallel MPI rows
#pragma cll parallel SEQ
#pragma cll parallel OpenMP team
#pragma cll parallel MPI trace
#pragma cll parallel MPI procs = 4 trace
void f(MPI_Comm rows, int n)
{
#pragma cll sync() a a[0]
    n++;
#pragma cll end a
}
