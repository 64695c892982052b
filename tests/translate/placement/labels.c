/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
static int f(int n)
{
    int r = 0;
again:
    r += n;
    if (r < 5 && n)
        goto again;
    {
        __label__ out;
        if (n == 3)
            goto out;
        r++;
    out:
    other:
        r--;
    }
    return r;
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
