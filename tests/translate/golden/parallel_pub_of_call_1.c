typedef struct t_bsp {
    void *object;
} t_bsp;
static t_bsp bsp;
#pragma cll parallel PUB_BSP BSP_MACHINE = "&bsp" trace procs = 4
_Pragma("cll parallel PUB BSP_MACHINE = \"&bsp\"")
void work(int n);
void step(int n)
{
#pragma cll sync f f[0]*P
    work(n);
#pragma cll end f
#pragma cll report f
}
