#define BEGIN_TIMED _Pragma("cll f f[0]")
#define END_TIMED _Pragma("cll end f")
int f(int n)
{
#pragma cll g
    n++;
#pragma cll end g
    BEGIN_TIMED
    n++;
    END_TIMED
    return n;
}
