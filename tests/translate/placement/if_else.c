/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
static int f(int n)
{
    int r = 0;
    if (n > 1)
        r = 1;
    else if (n)
        r = 2;
    else {
        r = 3;
    }
    if (n)
        if (n > 2)
            r++;
        else
            r--;
    return r;
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
