/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
static int f(int n)
{
    static const void *const to[] = {&&one, &&two};
    int r = 0;
    goto *to[n & 1];
one:
    r++;
two:
    r += 2;
    return r;
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
