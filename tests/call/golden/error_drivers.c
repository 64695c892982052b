#pragma cll parallel MPI procs = 1:32:2
#pragma cll parallel PUB_BSP BSP_MACHINE = "&bsp"
#pragma cll parallel omp trace
#pragma cll parallel HAL
#pragma cll parallel SEQ procs = 1:
#pragma cll parallel SEQ procs = 0,1
#pragma cll uses magic
int x;
