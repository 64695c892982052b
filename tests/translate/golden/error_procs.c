#pragma cll parallel MPI procs = 1:32:2
#pragma cll parallel OpenMP procs = 1,2
#pragma cll parallel MPI procs = 1,2,4
#pragma cll parallel MPI procs = 1:2000:+1
#pragma cll parallel MPI procs = 1:8:1.5
typedef int MPI_Comm;
void work(void)
{
#pragma cll f f[0] + f[1]*P
    ;
#pragma cll end f
}
