typedef struct t_bsp {
    void *object;
} t_bsp;
#pragma cll parallel PUB BSP_MACHINE = &bsp
#pragma cll parallel PUB BSP_MACHINE =
#pragma cll parallel MPI BSP_MACHINE = "&bsp"
#pragma cll parallel PUB bsp
#pragma cll parallel PUB trace
#pragma cll parallel PUB bsp trace procs = 1:
void work(int n);
void step(t_bsp *bsp, int n)
{
#pragma omp parallel
    {
#pragma cll sync(bsp) f f[0]*n
        work(n);
#pragma cll end f
    }
}
