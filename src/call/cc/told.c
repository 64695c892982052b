/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts a call at the begin of the functions of a list (told.h). The compiler preprocesses the source, so macros are expanded, branches of
 * #if are decided, and headers are there: a function is where its name is on its line, with parameters and a body behind it. The
 * compiler itself decides which arguments are integers. Where a body is not found, or the compiler refuses the result (cc.c), the source
 * is compiled as it is.
 */
#include "call/cc/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/source.h"
#include "base/text.h"
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

struct wanted {
    unsigned line;
    const char *name, *path;
};

struct teller {
    struct arena *arena;
    enum language language;
    const char *text;
    struct tokens t;
    struct wanted *list;
    size_t nlist, capacity;
    struct text out;
    size_t copied, told; /* bytes of the text; functions */
};

static void read_list(struct teller *s, const char *list)
{
    for (const char *line = list; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        struct wanted w = {0};
        char name[256];
        int path = 0;
        // NOLINTNEXTLINE(cert-err34-c): call discover has written the number
        if (sscanf(line, "%u %255s %n", &w.line, name, &path) < 2 || !path)
            continue;
        w.name = arena_strdup(s->arena, name);
        w.path = arena_strndup(s->arena, line + path, strcspn(line + path, "\n"));
        ARENA_ADD(s->arena, s->list, s->nlist, &s->capacity, w);
    }
}

/* ---- tokens ---- */

static bool is_punctuator(const struct token *t, uint32_t c)
{
    return t->kind == TOKEN_PUNCTUATOR && t->id == c;
}

static bool is_word(const struct teller *s, size_t i, const char *word)
{
    const struct token *t = &s->t.list[i];
    size_t n = strlen(word);
    return t->kind == TOKEN_NAME && t->end - t->begin == n && !memcmp(s->text + t->begin, word, n);
}

static bool is_one_of(const struct teller *s, size_t i, const char *const *words, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (is_word(s, i, words[k]))
            return true;
    return false;
}
#define IS_ONE_OF(s, i, words) is_one_of(s, i, words, sizeof(words) / sizeof *(words))

/* The token that closes what opens here; t.n without one. */
static size_t closing(const struct tokens *t, size_t open)
{
    size_t depth = 0;
    for (size_t i = open; i < t->n; i++) {
        const struct token *k = &t->list[i];
        depth += is_punctuator(k, '(') || is_punctuator(k, '[') || is_punctuator(k, '{');
        depth -= is_punctuator(k, ')') || is_punctuator(k, ']') || is_punctuator(k, '}');
        if (!depth)
            return i;
    }
    return t->n;
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

/* In C an argument that is no integer counts as 0; in C++ a template decides. */
static void add_call(struct teller *s, const struct wanted *w, const char *const *names, size_t n)
{
    TEXT_LOCAL struct text what = text_new();
    struct text *out = &s->out;
    text_printf(&what, "%u %s ", w->line, w->name);
    for (size_t i = 0; i < n; i++)
        text_printf(&what, "%s%s", i ? "," : "", names[i]);
    text_printf(&what, " %s", w->path);
    text_add(out, " static struct cll_told cll_told_here = {");
    emit_string(out, what.s);
    text_printf(
        out, "}; int cll_told_now __attribute__((unused)) = cll_told_call(&cll_told_here, %zu", n);
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

/* The parameters of a definition whose types come between them and the body. */
static bool has_only_names(const struct teller *s, size_t open, size_t close)
{
    for (size_t i = open + 1; i < close; i++)
        if ((s->t.list[i].kind == TOKEN_NAME) != ((i - open) % 2 == 1))
            return false;
    return true;
}

/* The name of a function of the list is this token, on its line. */
static void tell(struct teller *s, size_t name, const struct wanted *w)
{
    const struct tokens *t = &s->t;
    const char *names[TOLD_MOST];
    bool old;
    size_t open = name + 1, close, body, n;
    if (open >= t->n || !is_punctuator(&t->list[open], '(') || (close = closing(t, open)) == t->n ||
        (body = find_body(s, close, &old)) == t->n || is_forbidden(s, name, body) ||
        (old && !has_only_names(s, open, close)))
        return;
    n = read_parameters(s, open, close, old, names);
    if (!n || t->list[body].end < s->copied)
        return;
    text_addn(&s->out, s->text + s->copied, t->list[body].end - s->copied);
    s->copied = t->list[body].end;
    add_call(s, w, names, n);
    s->told++;
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

static void tell_all(struct teller *s)
{
    struct place p = {0};
    for (size_t i = 0; i < s->t.n; i++) {
        const struct token *k = &s->t.list[i];
        if (k->kind == TOKEN_DIRECTIVE && k->id == DIRECTIVE_LINE)
            read_marker(s, k, &p);
        for (size_t w = 0; k->kind == TOKEN_NAME && p.file && w < s->nlist; w++)
            if (p.line + (k->line - p.from) == s->list[w].line && is_word(s, i, s->list[w].name) &&
                !strcmp(p.file, s->list[w].path))
                tell(s, i, &s->list[w]);
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
    text_printf(&s->out, "%s%s", told_text, cxx ? "}\n" : "");
}

char *told_put(struct arena *a, enum language language, bool threads, const char *list,
               const char *text, size_t size, size_t *new_size)
{
    struct teller s = {.arena = a, .language = language, .text = text, .out = text_new()};
    read_list(&s, list);
    s.t = lex(a, names_create(a, language), text, size);
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
                                const char *list)
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
        text = told_put(a, k->language, threads, list, text, size, &new_size);
    return text && !process_make_folders(path) && !process_write(path, text, new_size) ? path
                                                                                       : NULL;
}

struct words told_words(struct arena *a, const struct cc_args *args)
{
    struct words out = {0};
    MEM_LOCAL char *list = NULL;
    size_t size, next = 0;
    bool compiles = !args->preprocess_only && !args->only_dependencies && !args->syntax_only;
    if (!compiles || source_read(getenv(TOLD_VARIABLE), most_bytes, &list, &size))
        return args->words;
    for (size_t i = 0; i < args->words.n; i++) {
        bool is_source = next < args->nsources && i == args->sources[next].word;
        const char *path = is_source ? write_source(a, args, next, list) : NULL;
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
