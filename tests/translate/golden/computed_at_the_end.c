#include <stddef.h>
#include <stdio.h>
#include <string.h>
enum { STEP = 3 };
typedef struct {
    int at, used[2];
    unsigned low : 3;
} lexer;
#define SIZE(l, member) ((l)->member[0] + (l)->member[1])
static int limit = 5;
static long position(const lexer *l)
{
    return l->at * 10L;
}
static int is_odd(int n)
{
    return n % 2;
}
static int count(const int *a, int n, int (*counts)(int))
{
    int found = 0;
    for (int i = 0; i < n; i++)
        found += counts(a[i]);
    return found;
}
static int summed(int n) /* names that have no address elsewhere */
{
    register int list = n, sum = limit;
    return list + sum;
}
static int scan(lexer *l, int n)
{
    const char *text = "abc";
    double part[3] = { 0.5 };
#pragma cll scan(n, pos := position(l) + STEP, size := SIZE(l, used) + offsetof(lexer, at), low := l->low + 0, length := strlen(text), \
                 half := part[l->at % 3] / 2, both := (int)sizeof(lexer) > limit && n > 1, at := l->at) \
    scan[0] + scan[1]*pos
    for (int i = 0; i < n; i++) {
        l->at++, l->used[i % 2]++, l->low++;
        part[1] = i;
        if (i == limit)
            return (int)position(l);
    }
    text = "longer";
#pragma cll end scan
    return n + (int)strlen(text) + (int)part[1];
}
#define node(x) (x)
#define gone 7
#undef gone
typedef struct cell {
    int n;
    struct cell *next;
} cell;
static int walk(cell *cell) /* names that are those of types and macros elsewhere */
{
    int node = 0, gone = 1;
#pragma cll walk(node := node + 0, here := node(cell)->n + 0, gone := gone + (int)sizeof node, cast := (long)gone) walk[0]*node
    for (; cell->next; cell = cell->next)
        node++, gone += 2;
#pragma cll end walk
    return cell->n + node + gone;
}
static int unbraced(int n)
{
    struct pair { int a, b; } p = { 0, 0 }, *q = &p;
    int list[9];
    list[0] = 1;
#pragma cll unbraced(odd := count(&n, 1, is_odd), sum := q->a * 100 + p.b, first := sizeof list * 0 + list[0]) unbraced[0]*sum
    int kept = n;
    for (; kept > 3; kept /= 2)
        p.a++, p.b += 2;
    list[0] += kept;
#pragma cll end unbraced
    kept += q->a + count(&n, 1, is_odd);
    q = 0; /* the scope ends later: the value is not computed again */
    return kept + list[0] + !q;
}
static int ways(int way)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
#pragma cll ways(way, twice := 2 * n) ways[0] + ways[1]*twice
        n += 10;
        if (way == 1 && i == 1)
            break;
        if (way == 2)
            continue;
        if (way == 3 && i == 1)
            goto out;
        if (way == 4)
            return n++;
        n++;
#pragma cll end ways
    }
out:
    switch (n) {
    case 33:
#pragma cll labelled(n := -n) labelled[0]
        n++;
#pragma cll end labelled
    }
    return n;
}
int main(void)
{
    int sum = 0;
    for (int n = 0; n < 9; n += 2) {
        lexer l = { .at = 0 };
        printf("%d\n", scan(&l, n));
    }
    printf("%d %d %d\n", unbraced(100), unbraced(7), summed(1));
    cell list[3] = { { 1, list + 1 }, { 2, list + 2 }, { 3, NULL } };
    printf("%d\n", walk(list));
    for (int way = 0; way < 5; way++)
        sum += ways(way);
    printf("%d\n", sum);
    return 0;
}
