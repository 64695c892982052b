#pragma cll parallel OpenMP
#define WORK n++
void f(int n)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma cll sync a a[0]
            WORK;
#pragma cll end a
        }
#pragma omp single
        {
#pragma cll sync b b[0]
            WORK;
#pragma cll end b
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma cll sync c c[0]
                WORK;
#pragma cll end c
            }
        }
#pragma omp master
#pragma cll sync d d[0]
        WORK;
#pragma cll end d
#pragma omp critical (name)
        {
#pragma cll sync e e[0]
            WORK;
#pragma cll end e
        }
#pragma omp task
        {
#pragma cll sync g g[0]
            WORK;
#pragma cll end g
#pragma omp parallel num_threads(2)
            {
#pragma cll sync allowed allowed[0]
                WORK;
#pragma cll end allowed
            }
        }
#pragma cll sync(n) h h[0]
        WORK;
#pragma cll end h
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma cll sync i i[0]
        WORK;
#pragma cll end i
    }
}
