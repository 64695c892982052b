#include <stdio.h>
int main(void)
{
    int n = 3, r = 0;
#pragma cll a a[0] + /* a comment
    over lines */ a[1]*n // and one more
    r += n;
#pragma cll end /* of */ a
  #  pragma   cll   b   b[0] \
    + b[1] * \
      n
    r += n;
	#	pragma	cll	end	b
%:pragma cll c c[0]*n
    r += n;
%:pragma cll end c
    _Pragma("cll d d[0]*n") r += n; _Pragma("cll end d") r++;
    _Pragma ( "cll e e[0]*n" )
    r += n;
    _Pragma("cll end e")
#pragma \
cll f f[0]*n
    r += n;
#pragma cll end f
    printf("%d %d\n", r, __LINE__);
    return 0;
}
