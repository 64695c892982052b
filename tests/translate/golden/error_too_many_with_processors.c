#pragma cll parallel MPI world
#pragma cll parallel OpenMP
int f(int a, int b, int c, int d, int e, int g, int h, int i, int j, int k, int l, int m, int n, int o, int p)
{
#pragma cll f f[0]*a*b*c*d*e*g*h*i*j*k*l*m*n*o*p
    a++;
#pragma cll end f
    return a;
}
