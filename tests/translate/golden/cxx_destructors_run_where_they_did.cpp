// c++11
#include <cstdio>
#include <memory>
struct Log {
    const char *name;
    explicit Log(const char *n) : name(n) { std::printf("+%s\n", name); }
    ~Log() { std::printf("-%s\n", name); }
};
static const char *kept(const Log &l)
{
    return l.name;
}
int main()
{
    for (int n = 1; n < 4; n++) {
#pragma cll object object[0]*n
        Log a("a");
#pragma cll end object
#pragma cll reference reference[0]*n
        const Log &b = Log("b");
        std::printf("%s\n", kept(b));
#pragma cll end reference
#pragma cll pointer pointer[0]*n
        std::unique_ptr<Log> c(new Log("c"));
        if (n == 2)
            continue;
        int one = n, &alias = one;
#pragma cll end pointer
#pragma cll scalars scalars[0]*n
        int two = alias;
        static Log s("s");
        std::printf("%d\n", two + one);
#pragma cll end scalars
#pragma cll own own[0]*n
        {
            Log d("d");
        }
#pragma cll end own
        std::printf("end of the block\n");
        Log e("e");
    }
    return 0;
}
