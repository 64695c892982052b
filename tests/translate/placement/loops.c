/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
static int f(int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (j == 2)
                break;
            else
                r += j;
    while (r > 2) {
        r--;
        if (r == 5)
            continue;
        if (r == 4)
            return r;
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
