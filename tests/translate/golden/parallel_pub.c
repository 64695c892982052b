typedef struct t_bsp {
    void *object;
} t_bsp;
#pragma cll parallel PUB gbsp\
    procs = 1:32:2 trace
void work(int n);
int nprocs(t_bsp *bsp);
void solve(t_bsp *gbsp, int n)
{
    t_bsp sub;
    if (nprocs(gbsp) > 1) {
#pragma cll A A[0]
        work(n);
#pragma cll end A
#pragma cll sync(&sub) D D[0] + D[1]*n
        work(n);
#pragma cll end D
    } else
#pragma cll G G[0] + G[1]*n*log(n)
        work(n);
#pragma cll end G
}
void run(t_bsp *gbsp, int n)
{
#pragma cll sync f f[0]+f[1]*log(P)+\
                   f[2]*(n/P)*log(n/P)
    solve(gbsp, n);
#pragma cll end f
#pragma cll uses_p uses_p[0]*P
    work(n);
#pragma cll end uses_p
#pragma cll report all
}
