/* SPDX-License-Identifier: GPL-3.0-or-later */
int printf(const char *, ...);
static int measured = 1;
static int f(int n)
{
    typedef int number;
    static int calls;
    number a[] = {[1] = 1, 2, 3}, *p = a;
    struct s {
        int x, y;
    } s = {.x = n, .y = 2};
    enum { one = 1, two };
    int v[n + 1];
    extern int printf(const char *, ...);
    _Static_assert(sizeof(int) > 1, "int");
    v[n] = s.x + p[two] + one;
    calls++;
    return v[n] + calls + (struct s){1, 2}.y;
}
int main(void)
{
    measured = 2;
    for (int k = 0; k < 6; k++)
        printf("%d ", f(k));
    return measured & 0;
}
