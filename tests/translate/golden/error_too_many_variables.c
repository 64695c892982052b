int f(int a, int b, int c, int d, int e)
{
    int v[20];
#pragma cll x x[0]*a*b*c*d*e*v[0]*v[1]*v[2]*v[3]*v[4]*v[5]*v[6]*v[7]*v[8]*v[9]*v[10]*v[11]
    a++;
#pragma cll end x
    return a + b + c + d + e;
}
