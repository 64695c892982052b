/* A variable that a region declares and only a later pragma names: its scope must not end with the region. */
static int work(int n)
{
    return n > 1 ? work(n / 2) + 1 : 0;
}

int main(void)
{
    int n = 100;
#pragma cll first first[0]*n
    int half = n / 2, steps = work(n);
#pragma cll end first
#pragma cll second second[0]*half
    steps += work(n);
#pragma cll end second
    return steps;
}
