/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
static int f(int n)
{
    int r = 0;
    do
        r += n--;
    while (n > 3);
    do {
        if (n == 2)
            continue;
        r++;
    } while (n-- > 0);
    while (n++ < 2)
        ;
    return r;
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
