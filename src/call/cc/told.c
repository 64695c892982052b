/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts a call at the start of the functions of a list (told.h), before their loops (told_heads.c) and into their calls of malloc. The
 * compiler preprocesses the source, so macros are expanded, branches of #if are decided, and headers are there: a function is where its
 * name is on its line, with parameters and a body behind it. The compiler itself decides which arguments are integers. Where a body is not
 * found, or the compiler refuses the result (cc.c), the source is compiled as it is.
 */
#include "call/cc/told_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "base/source.h"
#include "call/cc/language.h"
#include "translate/emit.h"

extern const char told_text[]; /* told.inc, made by CMake */

static const size_t most_bytes = (size_t)1 << 30;

bool told_is_asked(void)
{
    const char *value = getenv(TOLD_VARIABLE);
    return value && *value;
}

/* ---- the list ---- */

static void read_list(struct teller *s, const char *list)
{
    for (const char *line = list; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        struct told_wanted w = {0};
        char name[256], what[8];
        int path = 0;
        // NOLINTNEXTLINE(cert-err34-c): call discover has written the number
        if (sscanf(line, "%u %255s %7s %n", &w.line, name, what, &path) < 3 || !path)
            continue;
        w.name = arena_strdup(s->arena, name);
        w.path = arena_strndup(s->arena, line + path, strcspn(line + path, "\n"));
        w.loops = strchr(what, 'l');
        w.bytes = strchr(what, 'b');
        ARENA_ADD(s->arena, s->list, s->nlist, &s->capacity, w);
    }
}

/* ---- functions ---- */

/* The brace of the body after the parameters; t.n: this is no definition. `old`: types of parameters come between. */
static size_t find_body(const struct teller *s, size_t close, bool *old)
{
    const struct tokens *t = &s->t;
    bool initialises = false; /* members of a constructor: a{1}, b(2) */
    *old = false;
    for (size_t i = close + 1; i < t->n; i++) {
        const struct token *k = &t->list[i], *before = &t->list[i - 1];
        bool first = i == close + 1;
        if (is_punctuator(k, '{')) {
            if (!initialises || !(before->kind == TOKEN_NAME || is_punctuator(before, '>')))
                return i;
            i = closing(t, i);
        } else if (is_punctuator(k, '(') || is_punctuator(k, '[')) {
            if (first && is_punctuator(k, '('))
                return t->n;
            i = closing(t, i);
        } else if (is_punctuator(k, ':')) {
            initialises = true;
        } else if (is_punctuator(k, ';') && s->language == LANGUAGE_C && !first) {
            *old = true;
        } else if (is_punctuator(k, ';') || is_punctuator(k, '}') || is_punctuator(k, ')') ||
                   is_punctuator(k, '=') || k->kind == TOKEN_END ||
                   (first && k->kind != TOKEN_NAME && k->id != PUNCT_ARROW && k->id != '&' &&
                    k->id != PUNCT_AND_AND)) {
            return t->n;
        }
    }
    return t->n;
}

/* Does a word before the name forbid variables in the body? */
static bool is_forbidden(const struct teller *s, size_t name, size_t open)
{
    static const char *const words[] = {"constexpr", "consteval", "naked", "__naked__", "try"};
    for (size_t i = name; i < open; i++)
        if (is_word(s, i, "try"))
            return true;
    for (size_t i = name; i-- > 0;) {
        const struct token *k = &s->t.list[i];
        if (is_punctuator(k, ';') || is_punctuator(k, '}') || is_punctuator(k, '{') ||
            k->kind == TOKEN_DIRECTIVE)
            return false;
        if (IS_ONE_OF(s, i, words))
            return true;
    }
    return false;
}

/* The name of a parameter that may be an integer; NULL: of no other one, and of none without a name. */
static const char *parameter(const struct teller *s, size_t begin, size_t end, bool old)
{
    static const char *const qualifiers[] = {"const", "volatile", "register", "struct",  "union",
                                             "enum",  "class",    "typename", "restrict"};
    static const char *const types[] = {"int",  "char",     "short",  "long",  "unsigned",
                                        "bool", "signed",   "_Bool",  "const", "volatile",
                                        "void", "restrict", "double", "float"};
    size_t names = 0, last = end;
    for (size_t i = begin; i < end && !is_punctuator(&s->t.list[i], '='); i++) {
        const struct token *k = &s->t.list[i];
        if (k->kind == TOKEN_NAME) {
            names += !IS_ONE_OF(s, i, qualifiers);
            last = i;
        } else if (k->id != PUNCT_SCOPE && k->id != '<' && k->id != '>' && k->id != ',') {
            return NULL; /* a pointer, an array, a reference, a function */
        } else {
            last = end;
        }
        if (is_word(s, i, "double") || is_word(s, i, "float"))
            return NULL;
    }
    if (last == end || names < (old ? 1 : 2) || IS_ONE_OF(s, last, types) ||
        (last > begin && is_punctuator(&s->t.list[last - 1], PUNCT_SCOPE)))
        return NULL;
    return arena_strndup(s->arena, s->text + s->t.list[last].begin,
                         s->t.list[last].end - s->t.list[last].begin);
}

static size_t read_parameters(const struct teller *s, size_t open, size_t close, bool old,
                              const char **names)
{
    size_t n = 0, begin = open + 1;
    for (size_t i = begin, depth = 0; i <= close && n < TOLD_MOST; i++) {
        const struct token *k = &s->t.list[i];
        bool ends = i == close || (is_punctuator(k, ',') && !depth);
        if (ends) {
            const char *name = parameter(s, begin, i, old);
            if (name)
                names[n++] = name;
            begin = i + 1;
            continue;
        }
        depth += is_punctuator(k, '(') || is_punctuator(k, '[') || is_punctuator(k, '{') ||
                 is_punctuator(k, '<');
        if (is_punctuator(k, ')') || is_punctuator(k, ']') || is_punctuator(k, '}') ||
            is_punctuator(k, '>'))
            depth -= depth > 0;
    }
    return n;
}

/* ---- what is put in ---- */

static void copy_to(struct teller *s, uint32_t end)
{
    text_addn(&s->out, s->text + s->copied, end - s->copied);
    s->copied = end;
}

/* Adds "{"31 sort 35:n,p->len /home/me/pairs.c"}". `where`: "35", "malloc"; of arguments "". */
static void add_record(struct teller *s, const struct told_wanted *w, const char *where,
                       const char *const *names, size_t n)
{
    TEXT_LOCAL struct text what = text_new();
    text_printf(&what, "%u %s %s:", w->line, w->name, where);
    for (size_t i = 0; i < n; i++)
        text_printf(&what, "%s%s", i ? "," : "", names[i]);
    text_printf(&what, " %s", w->path);
    text_add(&s->out, "static struct cll_told cll_told_here = {");
    emit_string(&s->out, what.s);
    text_add(&s->out, "}; ");
}

/* In C a value that is no integer counts as 0; in C++ a template decides. */
static void add_call(struct teller *s, const char *const *names, size_t n)
{
    struct text *out = &s->out;
    text_printf(out, "cll_told_call(&cll_told_here, %zu", n);
    for (size_t i = 0; i < TOLD_MOST; i++)
        if (i >= n)
            text_add(out, ", 0");
        else if (s->language == LANGUAGE_C)
            text_printf(out,
                        ", (unsigned long long)__builtin_choose_expr("
                        "__builtin_classify_type(%s) == 1, %s, 0)",
                        names[i], names[i]);
        else
            text_printf(out, ", cll_told_value(%s)", names[i]);
    text_add(out, ");");
}

/* ---- allocations ---- */

static const char *const allocators[] = {"malloc", "calloc", "realloc", "new"};
enum { FUNCTIONS_OF_C = 3, ALLOCATORS = 4 };

/* The bracket of new T[n]; 0: this is no array. */
static size_t array_bracket(const struct teller *s, size_t i)
{
    const struct token *t = s->t.list;
    if (is_punctuator(&t[i + 1], '(')) /* where it is put */
        i = closing(&s->t, i + 1);
    for (i++; i < s->t.n; i++)
        if (is_punctuator(&t[i], '['))
            return is_punctuator(&t[i + 1], ']') ? 0 : i;
        else if (t[i].kind != TOKEN_NAME && !is_punctuator(&t[i], PUNCT_SCOPE) &&
                 !is_punctuator(&t[i], '*') && !is_punctuator(&t[i], '<') &&
                 !is_punctuator(&t[i], '>') && !is_punctuator(&t[i], ','))
            return 0;
    return 0;
}

/* Returns 1 for a call of malloc, 2 for calloc, 3 for realloc and 4 for new T[n], whose bracket is *bracket; else 0. A member or a
 * declaration of such a name is no call. */
static size_t allocator_at(const struct teller *s, size_t i, size_t *bracket)
{
    static const char *const before[] = {"return", "else", "do", "case", "throw"};
    const struct token *t = s->t.list;
    size_t a = 0;
    while (a < ALLOCATORS && !is_word(s, i, allocators[a]))
        a++;
    *bracket = 0;
    if (a == ALLOCATORS || i < 2)
        return 0;
    if (a >= FUNCTIONS_OF_C) {
        bool plain = s->language == LANGUAGE_CXX && !is_word(s, i - 1, "operator");
        return plain && (*bracket = array_bracket(s, i)) ? a + 1 : 0;
    }
    if (!is_punctuator(&t[i + 1], '(') || s->own_names)
        return 0;
    const struct token *k = &t[i - 1];
    if (k->kind == TOKEN_NAME)
        return IS_ONE_OF(s, i - 1, before) ? a + 1 : 0;
    if (k->id == PUNCT_SCOPE) /* of a namespace or class, std, or none */
        return t[i - 2].kind != TOKEN_NAME || is_word(s, i - 2, "std") ? a + 1 : 0;
    return k->id == '*' || k->id == '.' || k->id == '&' || k->id == PUNCT_ARROW ? 0 : a + 1;
}

static bool has_allocation(const struct teller *s, size_t begin, size_t end)
{
    size_t bracket;
    for (size_t i = begin; i < end && s->t.list[i].kind != TOKEN_END; i++)
        if (s->t.list[i].kind == TOKEN_NAME && allocator_at(s, i, &bracket))
            return true;
    return false;
}

/* Is one of these names that of a variable here, as void *(*malloc)(size_t)? */
static bool has_own_names(const struct teller *s)
{
    const struct token *t = s->t.list;
    for (size_t i = 1; i < s->t.n; i++)
        for (size_t a = 0; t[i].kind == TOKEN_NAME && a < FUNCTIONS_OF_C; a++)
            if (is_word(s, i, allocators[a]) && !is_punctuator(&t[i + 1], '(') &&
                (t[i - 1].kind == TOKEN_NAME || is_punctuator(&t[i - 1], '*')))
                return true;
    return false;
}

/* The parameters of a definition whose types come between them and the body. */
static bool has_only_names(const struct teller *s, size_t open, size_t close)
{
    for (size_t i = open + 1; i < close; i++)
        if ((s->t.list[i].kind == TOKEN_NAME) != ((i - open) % 2 == 1))
            return false;
    return true;
}

/* The body of a function that tells. */
struct body {
    const struct told_wanted *wanted;
    size_t end;         /* token */
    struct body *outer; /* a function may be inside of another one */
    bool has_pragma; /* what stands before a loop must be its pragma, in this body from here on */
};

/* The name of a function of the list is this token, on its line. Returns the body inside of which more may tell, or the one that
 * there was. */
static struct body *tell(struct teller *s, size_t name, const struct told_wanted *w,
                         struct body *outer)
{
    const struct tokens *t = &s->t;
    const char *names[TOLD_MOST];
    bool old;
    size_t open = name + 1, close, begin, end, n;
    if (open >= t->n || !is_punctuator(&t->list[open], '(') || (close = closing(t, open)) == t->n ||
        (begin = find_body(s, close, &old)) == t->n || is_forbidden(s, name, begin) ||
        (old && !has_only_names(s, open, close)) || t->list[begin].end < s->copied)
        return outer;
    end = closing(t, begin);
    if (!w->loops && (s->alone || !has_allocation(s, begin, end)))
        return outer;
    n = w->loops ? read_parameters(s, open, close, old, names) : 0;
    copy_to(s, t->list[begin].end);
    text_addc(&s->out, ' ');
    add_record(s, w, "", names, n);
    text_add(&s->out, "int cll_told_now __attribute__((unused)) = ");
    add_call(s, names, n);
    s->told++;
    struct body *body = arena_alloc(s->arena, 1, sizeof *body);
    *body = (struct body){.wanted = w, .end = end, .outer = outer};
    return body;
}

/* In front of a loop, as a statement of it: an `else` behind the loop stays that of the `if` before. */
static void tell_loop(struct teller *s, size_t keyword, unsigned line, const struct told_wanted *w)
{
    const char *names[TOLD_MOST];
    size_t n = told_heads_read(s, keyword, names);
    if (!n)
        return;
    copy_to(s, s->t.list[keyword].begin);
    text_add(&s->out, "if (__extension__ ({ ");
    add_record(s, w, arena_printf(s->arena, "%u", line), names, n);
    add_call(s, names, n);
    text_add(&s->out, " })) ; else ");
}

/* malloc(n) becomes cll_told_malloc(RECORD, n), and new T[n] new T[cll_told_new(RECORD) = n]. */
static void tell_allocation(struct teller *s, size_t i, const struct told_wanted *w)
{
    const struct token *t = s->t.list;
    size_t bracket, a = w->bytes ? allocator_at(s, i, &bracket) : 0;
    if (!a)
        return;
    copy_to(s, bracket ? t[bracket].end : t[i].begin);
    text_add(&s->out, bracket ? "cll_told_new(" : "cll_told_");
    copy_to(s, bracket ? t[bracket].end : t[i + 1].end);
    text_add(&s->out, "__extension__ ({ ");
    add_record(s, w, allocators[a - 1], &(const char *){bracket ? "elements" : "bytes"}, 1);
    text_printf(&s->out, "&cll_told_here; })%s", bracket ? ") = " : ", ");
}

/* ---- the text ---- */

/* A place in the files of the user, from the last line marker: # 12 "a.c" 2 */
struct place {
    char *file; /* its real path; NULL: not known */
    unsigned line;
    uint32_t from; /* the line of the text after the marker */
};

static void read_marker(const struct teller *s, const struct token *k, struct place *p)
{
    char name[4096];
    const char *at = s->text + k->begin + 1;
    at += strspn(at, " \tline");
    // NOLINTNEXTLINE(cert-err34-c): the preprocessor has written the number
    if (sscanf(at, "%u \"%4095[^\"]\"", &p->line, name) < 2)
        return;
    free(p->file);
    p->file = realpath(name, NULL);
    p->from = k->line + 1;
}

/* The function of the list whose name is this token; NULL: none. */
static const struct told_wanted *find_wanted(const struct teller *s, size_t i, const char *file,
                                             unsigned line)
{
    for (size_t w = 0; w < s->nlist; w++)
        if (s->list[w].line == line && is_word(s, i, s->list[w].name) &&
            !strcmp(file, s->list[w].path))
            return &s->list[w];
    return NULL;
}

static void tell_all(struct teller *s)
{
    struct place p = {0};
    struct body *body = NULL;
    for (size_t i = 0; i < s->t.n; i++) {
        const struct token *k = &s->t.list[i];
        while (body && i > body->end)
            body = body->outer;
        if (k->kind == TOKEN_DIRECTIVE && k->id == DIRECTIVE_LINE)
            read_marker(s, k, &p);
        else if (k->kind == TOKEN_DIRECTIVE && body)
            body->has_pragma = true;
        if (k->kind != TOKEN_NAME || !p.file)
            continue;
        unsigned line = p.line + (k->line - p.from);
        const struct told_wanted *w = find_wanted(s, i, p.file, line);
        if (w)
            body = tell(s, i, w, body);
        if (!body || k->begin < s->copied)
            continue;
        w = body->wanted;
        if (s->alone)
            continue;
        if (!is_word(s, i, "for") && !is_word(s, i, "while"))
            tell_allocation(s, i, w);
        else if (w->loops && !body->has_pragma && !strcmp(p.file, w->path))
            tell_loop(s, i, line, w);
    }
    free(p.file);
}

/* Threads add at the same time. */
static void add_begin(struct teller *s, bool threads)
{
    static const char *const types[] = {
        "char",     "signed char", "unsigned char", "short",     "unsigned short",     "int",
        "unsigned", "long",        "unsigned long", "long long", "unsigned long long", "bool"};
    bool cxx = s->language == LANGUAGE_CXX;
    if (cxx) {
        text_add(&s->out,
                 "template <class T> static __inline__ __attribute__((unused)) unsigned long "
                 "long cll_told_value(const T &) { return 0; }\n");
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            text_printf(&s->out,
                        "static __inline__ __attribute__((unused)) unsigned long long "
                        "cll_told_value(%s x) { return x; }\n",
                        types[i]);
        text_add(&s->out, "extern \"C\" {\n");
    }
    text_printf(&s->out,
                "static __inline__ __attribute__((always_inline, unused)) void "
                "cll_told_sum(unsigned long long *at, unsigned long long x) { %s; }\n",
                threads ? "__atomic_fetch_add(at, x, 0)" : "*at += x");
    text_add(&s->out, told_text);
    if (cxx)
        text_add(
            &s->out,
            "}\n"
            "namespace std { using ::cll_told_malloc; using ::cll_told_calloc; using ::cll_told_realloc; }\n"
            "struct cll_told_new {\n"
            "    struct cll_told *told;\n"
            "    explicit cll_told_new(struct cll_told *t) : told(t) {}\n"
            "    template <class T> T operator=(T n) { cll_told_call(told, 1, cll_told_value(n), 0, 0, 0); return n; }\n"
            "};\n");
}

char *told_put(struct arena *a, enum language language, bool threads, bool alone, const char *list,
               const char *text, size_t size, size_t *new_size)
{
    struct teller s = {
        .arena = a, .language = language, .alone = alone, .text = text, .out = text_new()};
    read_list(&s, list);
    s.t = lex(a, names_create(a, language), text, size);
    s.own_names = has_own_names(&s);
    add_begin(&s, threads);
    tell_all(&s);
    text_addn(&s.out, text + s.copied, size - s.copied);
    *new_size = s.out.n;
    char *result = text_keep(&s.out, a);
    return s.told ? result : NULL;
}

/* ---- the command ---- */

/* What the preprocessor makes of a source; NULL: it fails, and the compiler says why. */
static char *preprocessed(struct arena *a, const struct cc_args *args, size_t source, size_t *size)
{
    struct words w = cc_args_preprocess(a, args, source);
    const char *path = arena_printf(a, "%s/preprocessed", process_temporary(a));
    char *text;
    WORDS_ADD(a, &w, "-E", "-o", path);
    struct process_options o = {.in = PROCESS_NULL, .err = PROCESS_NULL};
    return process_run(&w, &o) || process_read(a, path, most_bytes, &text, size) ? NULL : text;
}

/* A file that takes the place of the source; NULL: none does. */
static const char *write_source(struct arena *a, const struct cc_args *args, size_t source,
                                const char *list, bool alone)
{
    const struct cc_source *k = &args->sources[source];
    bool threads =
        words_have_flag(&args->words, "openmp") || words_have_flag(&args->words, "pthread");
    size_t size = 0, new_size;
    if (k->language == LANGUAGE_FORTRAN || args->nvcc || !process_temporary(a))
        return NULL;
    const char *path = arena_printf(a, "%s/told.%zu/%s", process_temporary(a), source,
                                    path_base(k->path)); /* objects have its name */
    char *text = preprocessed(a, args, source, &size);
    if (text)
        text = told_put(a, k->language, threads, alone, list, text, size, &new_size);
    return text && !process_make_folders(path) && !process_write(path, text, new_size) ? path
                                                                                       : NULL;
}

struct words told_words(struct arena *a, const struct cc_args *args, bool alone)
{
    struct words out = {0};
    MEM_LOCAL char *list = NULL;
    size_t size, next = 0;
    bool compiles = !args->preprocess_only && !args->only_dependencies && !args->syntax_only;
    if (!compiles || source_read(getenv(TOLD_VARIABLE), most_bytes, &list, &size))
        return args->words;
    for (size_t i = 0; i < args->words.n; i++) {
        bool is_source = next < args->nsources && i == args->sources[next].word;
        const char *path = is_source ? write_source(a, args, next, list, alone) : NULL;
        if (path)
            WORDS_ADD(a, &out, "-x",
                      args->sources[next].language == LANGUAGE_C ? "cpp-output" : "c++-cpp-output",
                      path, "-x", "none");
        else
            words_add(a, &out, args->words.list[i]);
        next += is_source;
    }
    words_add(a, &out, "-w");
    return out;
}
