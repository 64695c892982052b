/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text that cube_dump prints of a profile of Score-P or Scalasca, in two of its forms:
 *
 *     human = { "Print out the data of the metric" NAME, blank line, names of the threads or
 *               "All threads", line of dashes, { REGION "(id=" number ")" number... } }
 *     csv2  = "Cnode ID, Thread ID," METRIC,... { number,number,number... }
 *             (without threads: "Cnode ID," METRIC,...)
 *
 * Before them, `-w` prints the call tree, from which nodes get their call paths:
 *
 *     tree  = "CALL TREE" line, { { ["|"] "  " } ["|-"] REGION "  [ ( id=" number "," ... }
 *
 * where each "  " is one level. Each thread is a sample, with the thread as its rank, and P is their
 * number. A value of 0 states that a thread did not execute the call path: it is left out.
 */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "data/import/fields.h"
#include "data/import/place.h"

enum { MOST_NODES = 100000, MOST_DEPTH = 1000 };

enum state { STATE_OTHER, STATE_TREE, STATE_THREADS, STATE_ROWS, STATE_CSV };

struct node {
    const char *path; /* NULL: no call tree was printed */
    struct import_region *region;
};

struct cube {
    struct import *in;
    struct import_place place; /* of the file */
    struct import_place here;  /* with P, for `processors` */
    double processors;
    enum state state;
    bool flat; /* the rows are regions, not nodes */
    const char *metric;
    struct node *nodes; /* by id */
    size_t nodes_capacity;
    const char *open[MOST_DEPTH]; /* paths from the root to the last node of the tree */
    struct span *fields;          /* csv2: of the present row */
    const char **columns;         /* csv2: names */
    size_t ncolumns;
    bool has_threads;
};

static const char metric_line[] = "Print out the data of the metric ";

static struct span first_line(const char *text, size_t size)
{
    struct span line = {0, 0};
    size_t at = 0;
    while (import_next_line(text, size, &at, &line)) {
        line = fields_trim(text, line);
        if (line.begin < line.end)
            return line;
    }
    return (struct span){0, 0};
}

bool import_is_cube(const char *text, size_t size)
{
    static const char *const starts[] = {"Cnode ID,",
                                         "=============== CUBE ATTRIBUTES",
                                         "=============== METRIC DIMENSION",
                                         "=============== CALLTREE DIMENSION",
                                         "=============== FLAT PROFILE",
                                         "===================== DATA ===",
                                         metric_line};
    struct span line = first_line(text, size);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fields_begins(text, line, starts[i]))
            return true;
    return false;
}

/* The node of this id; NULL with an error. */
static struct node *node_of(struct cube *c, struct span where, double id)
{
    if (!(id >= 0 && id < MOST_NODES) || floor(id) != id)
        return diag_null(
            import_error(c->in, where, "an id of a node is a number from 0 to %d", MOST_NODES - 1));
    size_t i = (size_t)id;
    if (i >= c->nodes_capacity) {
        size_t capacity = mem_grown(c->nodes_capacity, i + 1);
        struct node *more = arena_zalloc(c->in->scratch, capacity, sizeof *more);
        if (c->nodes_capacity)
            memcpy(more, c->nodes, c->nodes_capacity * sizeof *more);
        c->nodes = more;
        c->nodes_capacity = capacity;
    }
    return &c->nodes[i];
}

/* "... MARK number" in the line: the number, and where MARK begins; false if it is not there. */
static bool find_id(const char *s, struct span line, const char *mark, size_t *at, double *id,
                    size_t *after)
{
    size_t n = strlen(mark);
    for (size_t i = line.end; i-- > line.begin;) {
        if (line.end - i < n || memcmp(s + i, mark, n) != 0)
            continue;
        size_t end = i + n;
        while (end < line.end && s[end] >= '0' && s[end] <= '9')
            end++;
        if (end > i + n && import_number(s + i + n, s + end, id)) {
            *at = i;
            *after = end;
            return true;
        }
    }
    return false;
}

static int read_tree_line(struct cube *c, struct span line)
{
    struct import *in = c->in;
    const char *s = in->text;
    size_t depth = 0, begin = line.begin, at, after;
    double id;
    if (!find_id(s, line, "[ ( id=", &at, &id, &after))
        return 0; /* an attribute or a parameter of the node above */
    for (;; depth++) {
        size_t bar = begin < at && s[begin] == '|';
        if (at - begin < bar + 2 || s[begin + bar] != ' ' || s[begin + bar + 1] != ' ')
            break;
        begin += bar + 2;
    }
    if (at - begin >= 2 && s[begin] == '|' && s[begin + 1] == '-')
        begin += 2;
    const char *name = fields_text(in, fields_trim(s, (struct span){begin, at}));
    if (depth >= MOST_DEPTH)
        return import_error(in, line, "the call tree is deeper than %d", MOST_DEPTH);
    if (depth > 0 && !c->open[depth - 1])
        return import_error(in, line, "this node of the call tree has no parent above");
    struct node *node = node_of(c, line, id);
    if (!node)
        return -1;
    /* A path that is too long stays so: the error comes when the node is measured. */
    node->path = depth ? arena_printf(in->scratch, "%.*s->%.*s", IMPORT_MAX_NAME,
                                      c->open[depth - 1], IMPORT_MAX_NAME, name)
                       : name;
    c->open[depth] = node->path;
    for (size_t i = depth + 1; i < MOST_DEPTH && c->open[i]; i++)
        c->open[i] = NULL;
    return 0;
}

/* Whether the path is that of a region already. */
static bool is_taken(const struct cube *c, const char *path)
{
    return lookup_find(&c->in->paths, path, strlen(path)) != SIZE_MAX;
}

static void set_processors(struct cube *c, double processors)
{
    if (c->here.n && c->processors == processors)
        return;
    c->processors = processors;
    c->here = c->place;
    import_place_processors(&c->here, processors);
}

/* Two nodes of one name are two experiments: without a call tree their ids tell them apart. */
static int open_region(struct cube *c, struct node *node, const char *name, double id,
                       struct span where)
{
    bool has_path = node->path && !c->flat;
    const char *path = has_path ? node->path : name;
    bool again = !has_path && is_taken(c, path);
    if (again)
        path = arena_printf(c->in->scratch, "%s(id=%.0f)", path, id);
    node->region =
        import_region_over(c->in, path, again ? name : NULL, c->here.names, c->here.n, where);
    return node->region ? 0 : -1;
}

static int put_value(struct cube *c, struct node *node, const char *metric, double thread, double x,
                     struct span where)
{
    struct import *in = c->in;
    size_t observable, row;
    double scale;
    if (x == 0)
        return 0;
    if (import_metric(in, node->region, metric, where, &observable, &scale) ||
        import_row(in, node->region, c->here.values, thread, 0, observable, where, &row))
        return -1;
    import_put(node->region, observable, row, x * scale);
    return 0;
}

static int read_number(struct import *in, struct span f, double *x)
{
    if (!import_number(in->text + f.begin, in->text + f.end, x) || !isfinite(*x))
        return import_error(in, f, "'%.40s' is not a finite number", fields_text(in, f));
    return 0;
}

/* REGION(id=N) number...; numbers are separated by blanks. */
static int read_human_row(struct cube *c, struct span line)
{
    struct import *in = c->in;
    size_t at, after, n = 0;
    double id, x;
    if (fields_begins(in->text, fields_trim(in->text, line), "Subroutines"))
        return 0;
    if (!find_id(in->text, line, "(id=", &at, &id, &after) || after >= line.end ||
        in->text[after] != ')')
        return import_error(in, line, "REGION(id=NUMBER) is expected here");
    struct span f;
    size_t from = after + 1;
    while (import_next_word(in->text, &from, line.end, &f))
        n++;
    if (n == 0)
        return import_error(in, line, "the row has no value");
    set_processors(c, c->has_threads ? (double)n : 1);
    const char *name = fields_text(in, fields_trim(in->text, (struct span){line.begin, at}));
    struct node *node = node_of(c, line, id);
    if (!node || (!node->region && open_region(c, node, name, id, line)))
        return -1;
    from = after + 1;
    for (size_t thread = 0; import_next_word(in->text, &from, line.end, &f); thread++)
        if (read_number(in, f, &x) || put_value(c, node, c->metric, (double)thread, x, f))
            return -1;
    return 0;
}

static int open_csv(struct cube *c, struct span line)
{
    struct import *in = c->in;
    size_t n = import_split(in->text, line, ',', NULL, 0);
    if (n > IMPORT_MAX_COLUMNS)
        return import_error(in, line, "more than %d metrics", IMPORT_MAX_COLUMNS);
    c->fields = arena_alloc(in->scratch, n, sizeof *c->fields);
    c->columns = arena_alloc(in->scratch, n, sizeof *c->columns);
    c->ncolumns = import_split(in->text, line, ',', c->fields, n);
    for (size_t i = 0; i < n; i++)
        c->columns[i] = fields_text(in, c->fields[i]);
    c->has_threads = n > 1 && strcmp(c->columns[1], "Thread ID") == 0;
    if (n < (c->has_threads ? 3u : 2u))
        return import_error(in, line, "the names of the metrics are missing");
    c->state = STATE_CSV;
    return 0;
}

/* The number of threads is one more than the greatest id of the rows. */
static void count_threads(struct cube *c, size_t at)
{
    struct span line, fields[2];
    double most = 0, x;
    while (c->has_threads && import_next_line(c->in->text, c->in->size, &at, &line)) {
        if (import_split(c->in->text, line, ',', fields, 2) < 2 ||
            !import_number(c->in->text + fields[1].begin, c->in->text + fields[1].end, &x))
            break;
        if (x > most && x < 1e9)
            most = x;
    }
    set_processors(c, c->has_threads ? floor(most) + 1 : 1);
}

static int read_csv_row(struct cube *c, struct span line)
{
    struct import *in = c->in;
    struct span *f = c->fields;
    size_t n = import_split(in->text, line, ',', f, c->ncolumns), first = c->has_threads ? 2 : 1;
    double id, thread = 0, x;
    if (n != c->ncolumns)
        return import_error(in, line, "the row has %zu fields, not %zu", n, c->ncolumns);
    if (read_number(in, f[0], &id) || (c->has_threads && read_number(in, f[1], &thread)))
        return -1;
    struct node *node = node_of(c, f[0], id);
    if (!node)
        return -1;
    if (!(thread >= 0 && thread < 1e9) || floor(thread) != thread)
        return import_error(in, f[1], "the id of a thread is a number from 0");
    if (!node->region &&
        open_region(c, node, arena_printf(in->scratch, "cnode %.0f", id), id, line))
        return -1;
    for (size_t i = first; i < n; i++)
        if (read_number(in, f[i], &x) || put_value(c, node, c->columns[i], thread, x, f[i]))
            return -1;
    return 0;
}

/* A line that opens another part; 1 if it was one. */
static int open_part(struct cube *c, struct span line, size_t next)
{
    struct import *in = c->in;
    struct span word = fields_trim(in->text, line);
    if (fields_begins(in->text, word, metric_line)) {
        word.begin += strlen(metric_line);
        c->metric = fields_text(in, fields_trim(in->text, word));
        c->state = STATE_THREADS;
        return 1;
    }
    if (fields_begins(in->text, word, "Cnode ID,")) {
        if (open_csv(c, line))
            return -1;
        count_threads(c, next);
        return 1;
    }
    if (fields_begins(in->text, word, "=====")) {
        c->state = STATE_OTHER;
        c->flat = strstr(fields_text(in, word), "FLAT PROFILE") != NULL;
        for (size_t i = 0; c->flat && i < c->nodes_capacity; i++)
            c->nodes[i].region = NULL;
        return 1;
    }
    if ((c->state == STATE_OTHER || c->state == STATE_TREE) &&
        fields_begins(in->text, word, "-----")) {
        bool tree = strstr(fields_text(in, word), " CALL TREE ") ||
                    strstr(fields_text(in, word), " TASKS TREE ");
        c->state = tree ? STATE_TREE : STATE_OTHER;
        memset(c->open, 0, sizeof c->open);
        return 1;
    }
    return 0;
}

static int read_line(struct cube *c, struct span line, size_t next)
{
    struct span word = fields_trim(c->in->text, line);
    if (word.begin == word.end)
        return 0;
    int opened = open_part(c, line, next);
    if (opened)
        return opened < 0 ? -1 : 0;
    switch (c->state) {
    case STATE_OTHER: return 0;
    case STATE_TREE: return read_tree_line(c, line);
    case STATE_THREADS:
        if (fields_begins(c->in->text, word, "-----"))
            c->state = STATE_ROWS;
        else
            c->has_threads = !fields_begins(c->in->text, word, "All threads");
        return 0;
    case STATE_ROWS: return read_human_row(c, line);
    case STATE_CSV: return read_csv_row(c, line);
    }
    return 0;
}

int import_read_cube(struct import *in)
{
    struct cube *c = arena_zalloc(in->scratch, 1, sizeof *c);
    struct span line;
    size_t at = in->begin;
    c->in = in;
    if (import_place_of_file(in, &c->place))
        return -1;
    for (size_t n = 0; import_next_line(in->text, in->size, &at, &line); n++) {
        if ((n & 0xfff) == 0 && interrupt_came())
            return 0;
        if (read_line(c, line, at))
            return -1;
    }
    return 0;
}
