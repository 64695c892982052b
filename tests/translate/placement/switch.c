/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
static int f(int n)
{
    int r = 0;
    switch (n) {
    case 0: r = 1;
    case 1 ... 2: r++; break;
    case 3: {
        r = 7;
        break;
    }
    default:;
    }
    switch (n)
    case 4: r = 9; return r;
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
