#pragma cll parallel MPI procs = 1:32:2
#pragma cll parallel SEQ trace
#pragma cll parallel omp trace
#pragma cll parallel HAL
#pragma cll parallel SEQ procs = 1:
#pragma cll parallel SEQ procs = 0,1
#pragma cll uses magic
#pragma cll parallel MPI openmp procs = 1:8
int x;
