/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
static int f(int n)
{
    int r = n, x = 1;
    {
        int x = 3;
        r += x;
        {
            int *p = &x;
            r += *p;
        }
    }
    if (x) {
    } else
        ;
    ;
    {
    }
    return r + x;
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
