/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
#define TWICE(s)  s s
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int f(int n)
{
    int r = ({
        int t = n;
        t++;
        t * 2;
    });
    TWICE(r++;)
    r += _Generic(n, int : 1, default : 2), r = n ? r : MAX(r, n);
    return r + sizeof(char[3]);
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
