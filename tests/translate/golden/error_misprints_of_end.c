/* A misprint of 'end' is one error; a region that is only named alike is none. */
int f(int n)
{
#pragma cll h h[0]
    n++;
#pragma cll edn h
#pragma cll g g[0]
#pragma cll h h[0]
    n++;
#pragma cll ennd h
    n++;
#pragma cll end g
#pragma cll send send[0]*n
    n++;
#pragma cll end send
    return n;
}
