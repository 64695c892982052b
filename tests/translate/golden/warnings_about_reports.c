/* A reported experiment that is not in the file may be in another one: a warning, with what may be meant. */
int main(void)
{
    int n = 0;
#pragma cll work work[0]
    n++;
#pragma cll end work
#pragma cll report work
#pragma cll report wrok, elsewhere
    return n - 1;
}
