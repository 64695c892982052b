int out(int n)
{
#pragma cll a
    asm goto("" : : "r"(n) : : done);
    n++;
#pragma cll b
    if (n > 3)
        __asm__ volatile goto("" : : : : inside, later);
    n++;
inside:
    n++;
#pragma cll end b
later:
    n++;
#pragma cll end a
done:
    return n;
}
int in_lambda(int n)
{
#pragma cll c
    auto g = [&]() {
        asm goto("" : : : : done);
        n++;
    done:
        n++;
    };
    g();
#pragma cll end c
    return n;
}
