/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes that nobody asked for. At 128, 256, 512, ... an array that doubles its room copies n - 1 elements, and at
 * multiples of 64 there are n/64 blocks; where P is 1, 2, 4, ... as well, n - n%P is n: formulas that are wrong at all other sizes. So
 * prime numbers between the sizes are counted as well, where all of them are multiples of one number or powers of one. A program may not take them: it fails,
 * or does something else, and then they are left out.
 *
 * Nor for one beyond them: where a part of the program begins, or a table is full, no smaller size shows it, so what holds at all of them is
 * compared with the counts at 4 times the largest sizes, or at twice these. They refute formulas, and counts that depend on data are
 * described up to there.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "call/discover/discover.h"
#include "call/discover/thresholds.h"

/* ---- what the sizes have in common ---- */

int64_t extra_divisor(const struct range *sizes)
{
    int64_t x = 0;
    for (size_t i = 0; i < sizes->n; i++)
        x = discover_divisor(x, (int64_t)sizes->values[i]);
    return x;
}

int64_t extra_ratio(const struct range *sizes)
{
    int64_t first = (int64_t)sizes->values[0];
    int64_t ratio = sizes->n > 2 && first > 0 ? (int64_t)sizes->values[1] / first : 0;
    for (size_t i = 1; i < sizes->n && ratio; i++)
        if (sizes->values[i] != sizes->values[i - 1] * (double)ratio)
            ratio = 0;
    return ratio;
}

/* Are they all products of one or two numbers and powers of 2, as 197, 396, 792, 1584, 3168? All these have four ones as binary
 * numbers, and many counts are the size and the number of these. */
bool extra_few_times_two(const struct range *sizes)
{
    double odd[2];
    size_t n = 0;
    if (sizes->n < 4)
        return false;
    for (size_t i = 0; i < sizes->n; i++) {
        double x = sizes->values[i];
        bool is_known = false;
        while (x > 0 && fmod(x, 2) == 0)
            x /= 2;
        for (size_t k = 0; k < n; k++)
            is_known |= odd[k] == x;
        if (!is_known && n == 2)
            return false;
        if (!is_known)
            odd[n++] = x;
    }
    return true;
}

/* Have the sizes something in common that may give them formulas which are wrong at others? */
static bool are_special(const struct range *sizes)
{
    return sizes->n > 2 &&
           (extra_divisor(sizes) > 1 || extra_ratio(sizes) > 1 || extra_few_times_two(sizes));
}

/* Has the place what all sizes have in common? */
static bool is_alike(const struct range *sizes, double place)
{
    int64_t ratio = extra_ratio(sizes), divisor = extra_divisor(sizes);
    double x = sizes->values[0];
    if (ratio < 2)
        return divisor > 1 && fmod(place, (double)divisor) == 0;
    while (x < place)
        x *= (double)ratio;
    return x == place;
}

/* ---- the size ---- */

static bool is_prime(int64_t x)
{
    for (int64_t k = 2; k * k <= x; k++)
        if (x % k == 0)
            return false;
    return x > 1;
}

/* A prime number near the middle of two sizes; its remainders by 3 and by 4 differ from those of `other`. 0 if no number
 * between the sizes is such a prime. */
static int64_t prime_between(double low, double high, int64_t other)
{
    int64_t x = (int64_t)fmax(sqrt(fmax(low, 1) * high), low + 1);
    while ((!is_prime(x) || (other && (x % 3 == other % 3 || x % 4 == other % 4))) &&
           (double)x < high)
        x++;
    return (double)x > low && (double)x < high ? x : 0;
}

/* Is the mark at `s` a number of its own in the word, as in "{n}", "-n{n}" and "rows={n}"? In "data{n}.txt" it is a part of a name,
 * and the program needs a file for each size. */
static bool is_number(const char *word, const char *s, size_t length)
{
    bool is_option = s - word == 2 && word[0] == '-';
    return (s == word || is_option || strchr(" =,:'\"(", s[-1])) &&
           strchr(" ,:;'\")|&", s[length]); /* or its end */
}

/* Can the program have any size? If --prepare makes its input, it can. */
static bool takes_all_sizes(const struct request *q, const char *name)
{
    const char *mark = arena_printf(q->arena, "{%s}", name);
    size_t length = strlen(mark);
    if (q->prepare && strstr(q->prepare, mark))
        return true;
    for (size_t i = 0; i < q->command.n; i++) {
        const char *word = q->command.list[i];
        for (const char *s = word; (s = strstr(s, mark)); s++)
            if (!is_number(word, s, length))
                return false;
    }
    return true;
}

/* Is there a file of the name that a size makes of a word, and nothing that makes others? */
static bool is_name_of_file(struct request *q)
{
    if (q->prepare)
        return false;
    struct words w = vary_words(&q->plan, &q->command, q->rows[0]);
    for (size_t i = 0; i < w.n; i++)
        if (strcmp(w.list[i], q->command.list[i]) != 0 && !access(w.list[i], F_OK))
            return true;
    return false;
}

/* The rows that differ from one in this variable alone. */
static bool is_beside(const struct request *q, size_t row, const int64_t *other, size_t v)
{
    for (size_t i = 0; i < q->nvariables; i++)
        if (i != v && q->rows[row][i] != other[i])
            return false;
    return true;
}

/* A row with this size, and the others of `like`, before the first one of these that has a larger size. */
static void insert_row(struct request *q, size_t v, int64_t size, const int64_t *like)
{
    int64_t(*rows)[DISCOVER_MOST_VARIABLES] = arena_alloc(q->arena, q->nrows + 2, sizeof *rows);
    size_t at = 0;
    while (at < q->nrows && !(q->rows[at][v] > size && is_beside(q, at, like, v)))
        at++;
    memcpy(rows, q->rows, at * sizeof *rows);
    memcpy(rows[at], like, sizeof *rows);
    rows[at][v] = size;
    memcpy(rows + at + 1, q->rows + at, (q->nrows - at) * sizeof *rows);
    q->rows = rows;
    q->nrows++;
}

/* The largest sizes of the others, not all the smallest ones, with which --vary has a smaller and a larger size of the variable;
 * NULL: none. */
static const int64_t *largest_others(const struct request *q, size_t v, int64_t size)
{
    const int64_t *best = NULL;
    double most = 0;
    for (size_t i = 0; i < q->nrows; i++) {
        bool has_smaller = false;
        double sum = 0;
        if (q->rows[i][v] < size || is_beside(q, i, q->rows[0], v))
            continue;
        for (size_t k = 0; k < i; k++)
            has_smaller |= q->rows[k][v] < size && is_beside(q, k, q->rows[i], v);
        for (size_t k = 0; k < q->nvariables; k++)
            sum +=
                k == v ? 0 : (double)q->rows[i][k] / (double)q->sizes[k].values[q->sizes[k].n - 1];
        if (has_smaller && sum > most) {
            most = sum;
            best = q->rows[i];
        }
    }
    return best;
}

/* Two of them, because one that contradicts a formula does not tell which one is right; both also with other sizes of the
 * other variables, because one processor leaves nothing of n/P. */
static void plan_variable(struct request *q, size_t v)
{
    const struct range *sizes = &q->sizes[v];
    size_t middle = sizes->n / 2, beside = middle > 1 ? middle - 1 : middle + 1;
    int64_t *extra = q->extra[v];
    extra[0] = prime_between(sizes->values[middle - 1], sizes->values[middle], 0);
    extra[1] = prime_between(sizes->values[beside - 1], sizes->values[beside], extra[0]);
    for (size_t k = 0; k < EXTRA_MOST; k++)
        if (extra[k])
            insert_row(q, v, extra[k], q->rows[0]);
    for (size_t k = 0; k < EXTRA_MOST && v != q->processors; k++) {
        const int64_t *others = extra[k] ? largest_others(q, v, extra[k]) : NULL;
        if (others)
            insert_row(q, v, extra[k], others);
    }
}

void extra_plan(struct request *q)
{
    if (q->as_given || is_name_of_file(q))
        return;
    for (size_t v = 0; v < q->nvariables; v++) {
        if (are_special(&q->sizes[v]) && takes_all_sizes(q, q->names[v]))
            plan_variable(q, v);
    }
}

size_t extra_variable(const struct request *q, size_t row)
{
    for (size_t v = 0; v < q->nvariables; v++)
        for (size_t k = 0; k < EXTRA_MOST; k++)
            if (q->extra[v][k] && q->rows[row][v] == q->extra[v][k])
                return v;
    return SIZE_MAX;
}

/* ---- what it shows ---- */

bool extra_is_alike(const struct request *q)
{
    for (size_t v = 0; v < q->nvariables; v++)
        if (q->extra_end[v] == EXTRA_COUNTED && !is_alike(&q->sizes[v], q->place[v]))
            return false;
    return true;
}

bool extra_refutes(const struct request *q, size_t row, const struct counted *c)
{
    double place[DISCOVER_MOST_VARIABLES];
    plan_place_of_row(q, row, place);
    return q->done[row] && extra_variable(q, row) != SIZE_MAX &&
           discover_value(&c->formula, place) != (double)c->at[row];
}

static double counts_of(const struct request *q, size_t row)
{
    double sum = 0;
    for (size_t i = 0; i < q->counts.n; i++)
        sum += (double)q->counts.list[i].at[row];
    return sum;
}

/* The nearest row that differs in this size alone, with a smaller (-1) or larger (1) one, and was counted; SIZE_MAX: none. */
static size_t neighbour(const struct request *q, size_t row, size_t v, int direction)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < q->nrows; i++) {
        bool is_there = q->done[i] && (q->rows[i][v] - q->rows[row][v]) * direction > 0;
        for (size_t k = 0; k < q->nvariables; k++)
            is_there &= k == v || q->rows[i][k] == q->rows[row][k];
        if (is_there && (best == SIZE_MAX || (q->rows[best][v] - q->rows[i][v]) * direction > 0))
            best = i;
    }
    return best;
}

bool extra_is_other_work(const struct request *q, size_t row, size_t v)
{
    size_t below = neighbour(q, row, v, -1), above = neighbour(q, row, v, 1);
    if (below == SIZE_MAX || above == SIZE_MAX)
        return true;
    double here = counts_of(q, row), x = counts_of(q, below), y = counts_of(q, above);
    return here * EXTRA_OTHER_WORK < fmin(x, y) || here > EXTRA_OTHER_WORK * fmax(x, y);
}

/* ---- beyond the sizes ---- */

/* May this variable have so many times its largest size? */
static bool goes_beyond(const struct request *q, size_t v, double times)
{
    const struct range *sizes = &q->sizes[v];
    return v != q->processors && sizes->n > 2 && takes_all_sizes(q, q->names[v]) &&
           times * sizes->values[sizes->n - 1] <= q->place[v];
}

/* What --save and --check say must not depend on how long a run takes. */
void extra_plan_beyond(struct request *q)
{
    bool any = false;
    for (size_t v = 0; v < q->nvariables; v++)
        any |= goes_beyond(q, v, BEYOND_LEAST_TIMES);
    if (q->as_given || q->save || q->compare || !q->at || !any || is_name_of_file(q))
        return;
    int64_t(*rows)[DISCOVER_MOST_VARIABLES] = arena_zalloc(q->arena, q->nrows + 2, sizeof *rows);
    memcpy(rows, q->rows, q->nrows * sizeof *rows);
    q->beyond = rows[q->nrows + 1];
    q->rows = rows;
}

static bool is_largest(const struct request *q, size_t row, size_t v)
{
    return (double)q->rows[row][v] == q->sizes[v].values[q->sizes[v].n - 1];
}

/* The row that was counted with the largest sizes of the most variables, and of these the one that does most; SIZE_MAX: none. */
static size_t largest_row(const struct request *q)
{
    size_t best = SIZE_MAX, most = 0;
    for (size_t i = 0; i < q->nrows; i++) {
        size_t n = 0;
        for (size_t v = 0; v < q->nvariables; v++)
            n += is_largest(q, i, v);
        if (!q->done[i] || n < most || !n ||
            (n == most && best != SIZE_MAX && counts_of(q, i) < counts_of(q, best)))
            continue;
        best = i;
        most = n;
    }
    return best;
}

/* How many times as long the run takes with so many times this size: the counts go on growing as between the two largest sizes.
 * Infinite: not known. */
static double growth_beyond(const struct request *q, size_t row, size_t v, double times)
{
    size_t before = neighbour(q, row, v, -1);
    if (before == SIZE_MAX)
        return INFINITY;
    double counts = fmax(counts_of(q, row) / fmax(counts_of(q, before), 1), 1),
           sizes = (double)q->rows[row][v] / (double)q->rows[before][v];
    return pow(times, log(counts) / log(sizes));
}

bool extra_takes_beyond(struct request *q, double times)
{
    size_t last = largest_row(q);
    double seconds = q->longest, bytes = last == SIZE_MAX ? 0 : q->memory[last],
           all = fmax(ROUNDS_MOST_TIMES * q->longest, ROUNDS_SHORT_SECONDS),
           memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    bool any = false;
    if (last == SIZE_MAX)
        return false;
    memcpy(q->beyond, q->rows[last], sizeof *q->rows);
    for (size_t v = 0; v < q->nvariables; v++) {
        if (!goes_beyond(q, v, times) || !is_largest(q, last, v))
            continue;
        any = true;
        q->beyond[v] = (int64_t)(times * (double)q->rows[last][v]);
        seconds *= growth_beyond(q, last, v, times);
        bytes *= times * times;
    }
    return any && seconds <= BEYOND_MOST_TIME * all && bytes <= BEYOND_MOST_MEMORY * memory;
}

/* Has the place there what the sizes have in common that were run? */
static bool is_alike_beyond(const struct request *q)
{
    for (size_t v = 0; v < q->nvariables; v++)
        if (q->extra_end[v] == EXTRA_COUNTED && !is_alike(&q->sizes[v], (double)q->beyond[v]))
            return false;
    return true;
}

/* What the formula of a count is there; nan: it has none that is exact, or sums of arguments, which are not known there. */
static double value_beyond(const struct request *q, const struct counted *c)
{
    double place[DISCOVER_MOST_VARIABLES];
    const struct chain *chain = c->chain;
    bool is_alike_there = !c->only_given || is_alike_beyond(q);
    plan_place_of_row(q, q->nrows + 1, place);
    if (!chain)
        return c->formula.verdict <= DISCOVER_STEPS && is_alike_there
                   ? discover_value(&c->formula, place)
                   : NAN;
    double sum = (double)chain->constant;
    for (size_t v = 0; v < q->nvariables; v++)
        sum += (double)chain->sizes[v] * place[v];
    for (size_t i = 0; i < chain->nparts; i++) {
        const struct chain_part *p = &chain->parts[i];
        if (p->of->argument)
            return NAN;
        double times = p->times ? discover_value(p->times, place) : 1;
        uint64_t count = p->entries ? p->of->entries[q->nrows + 1] : p->of->at[q->nrows + 1];
        sum += (double)p->factor * times * (double)count;
    }
    return sum;
}

static bool is_right_beyond(const struct request *q, const struct counted *c, double value)
{
    double count = (double)c->at[q->nrows + 1];
    return fabs(value - count) < 0.5 + 1e-12 * count;
}

bool extra_holds_beyond(struct request *q, struct counted *c)
{
    double value = q->beyond_end == EXTRA_COUNTED ? value_beyond(q, c) : NAN;
    if (isnan(value) || is_right_beyond(q, c, value))
        return true;
    q->beyond_wrong += !c->wrong_beyond;
    c->wrong_beyond = true;
    if (!c->chain) {
        c->formula.verdict = DISCOVER_REFUTED;
        c->only_below = true;
        c->foreseen = value;
    }
    c->chain = NULL; /* else the count is what its own formula says */
    c->here = report_here(q, c);
    return false;
}

/* A formula that is near all of them; else that of the sizes stays, as far from the count beyond as it is. */
static void extend(const struct request *q, struct counted *c, const struct discover_points *p,
                   const uint64_t *counts)
{
    struct discover_formula f;
    double place[DISCOVER_MOST_VARIABLES];
    discover_find(q->arena, p, counts, true, &f);
    if (f.text || !c->formula.text) {
        c->formula = f;
        return;
    }
    plan_place_of_row(q, q->nrows + 1, place);
    double part = (double)c->at[q->nrows + 1] / discover_value(&c->formula, place);
    c->formula.scatter = fmax(c->formula.scatter, fmax(part, 1 / part) - 1);
}

/* Few counts are most of the work; programs of others have thousands of small ones, and finding a formula takes a while. */
void extra_extend_to_beyond(struct request *q)
{
    double all = 0;
    if (q->beyond_end != EXTRA_COUNTED)
        return;
    struct plan_rows rows = plan_rows_to_beyond(q, 0);
    struct discover_points p = plan_points(q, &rows);
    struct lookup known = {0};
    struct runs_progress progress = runs_begin(q, "finding formulas of data", q->counts.n);
    for (size_t i = 0; i < q->counts.n; i++)
        all += (double)q->counts.list[i].at[q->nrows + 1];
    for (size_t i = 0; i < q->counts.n && !process_signal(); i++) {
        struct counted *c = &q->counts.list[i];
        runs_show_part(&progress, i);
        if (c->formula.verdict != DISCOVER_DATA || c->damaged ||
            !((double)c->at[q->nrows + 1] > EXTRA_LEAST_PART * all))
            continue;
        const uint64_t *counts = plan_counts(q, &rows, c->at);
        const char *key = plan_counts_text(q, counts, rows.n);
        size_t same = lookup_find(&known, key, strlen(key));
        if (same == SIZE_MAX) {
            extend(q, c, &p, counts);
            lookup_add(&known, q->arena, key, i);
        } else {
            c->formula = q->counts.list[same].formula;
        }
        c->to_beyond = true;
        c->here = report_here(q, c);
    }
    runs_show_part(&progress, SIZE_MAX);
}

double extra_part_beyond(const struct request *q, const struct counted *c)
{
    double place[DISCOVER_MOST_VARIABLES];
    if (!c->to_beyond || c->formula.verdict != DISCOVER_DATA || !c->formula.text)
        return 1;
    plan_place_of_row(q, q->nrows + 1, place);
    return (double)c->at[q->nrows + 1] / discover_value(&c->formula, place);
}

void extra_add_beyond(struct request *q, const struct counted *never, size_t n)
{
    struct counts_table *t = &q->counts;
    for (size_t i = 0; i < n && q->beyond_end == EXTRA_COUNTED; i++) {
        if (!never[i].at[q->nrows + 1])
            continue;
        struct counted c = never[i];
        c.formula = (struct discover_formula){.text = "0", .verdict = DISCOVER_REFUTED};
        c.only_below = true;
        c.here = report_here(q, &c);
        t->list = arena_grow(t->arena, t->list, t->n, &t->capacity, t->n + 1, sizeof *t->list);
        t->list[t->n++] = c;
        q->beyond_wrong++;
    }
}

/* How much larger the place is, in the variable of which it is most. */
static double far_beyond(const struct request *q)
{
    double most = 1;
    for (size_t v = 0; v < q->nvariables; v++)
        most = fmax(most, q->place[v] / fmax((double)q->beyond[v], 1));
    return most;
}

struct extra_change extra_change_beyond(const struct request *q, const struct counted *const *work,
                                        size_t n)
{
    struct extra_change change = {0};
    double sum = 0, most = 0;
    if (q->beyond_end != EXTRA_COUNTED)
        return change;
    for (size_t i = 0; i < (work ? n : q->counts.n); i++) {
        const struct counted *c = work ? work[i] : &q->counts.list[i];
        double count = (double)c->at[q->nrows + 1];
        double foreseen = c->only_below ? c->foreseen : count;
        sum += foreseen;
        change.more += fmax(count - foreseen, 0);
        change.less += fmax(foreseen - count, 0);
        if (fabs(count - foreseen) > most) {
            most = fabs(count - foreseen);
            change.most = c;
        }
    }
    change.more /= fmax(sum, 1);
    change.less /= fmax(sum, 1);
    change.more_there = change.more * far_beyond(q);
    change.less_there = change.less * far_beyond(q);
    return change;
}

size_t extra_count_right_beyond(const struct request *q)
{
    size_t n = 0;
    for (size_t i = 0; i < q->counts.n; i++)
        n += !isnan(value_beyond(q, &q->counts.list[i]));
    return n;
}
