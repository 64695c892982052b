/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
int g();
int g(a, b)
int a;
int b;
{
    return a - b;
}
static int __attribute__((noinline)) h(int (*call)(), int x)
{
    return call(x, 1);
}
static int f(int n)
{
    int nested(int x)
    {
        return x + n;
    }
    return h(g, nested(n));
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
