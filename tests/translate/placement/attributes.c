/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
static int f(int n)
{
    __attribute__((unused)) int u = n;
    int w __attribute__((aligned(8))) = 2;
    __asm__ volatile("" : : : "memory");
    switch (n) {
    case 1: w++; __attribute__((fallthrough));
    case 2: __asm__ goto("" : : : : over); w += 2;
    }
over:
    return w;
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
