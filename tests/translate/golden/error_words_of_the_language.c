int f(int n)
{
#pragma cll
    n++;
#pragma cll end
#pragma cll report
#pragma cll report f g
#pragma cll for n
#pragma cll for (n = 1; n < 2)
#pragma cll end for
#pragma cll sync all
#pragma cll f(n = n++) f[0]
#pragma cll end f
#pragma cll g(a = n, a = n)
#pragma cll end g
#pragma cll h X Y = h[0]
#pragma cll end h
#pragma cll ennd h
#pragma cll i i[0]; i[1]
#pragma cll end i
    return n;
}
