/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identifiers for exported code, and text in its comments (see names.h). Data may come from
 * anywhere: no name in it may become code. */
#include "llac/export/names.h"

#include <ctype.h>
#include <string.h>

#include "base/printable.h"
#include "base/text.h"

/* Words that are not free as the name of an argument: keywords, and what the functions use. */
static const char *const reserved[] = {
    /* C and C++ */
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
    "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
    "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
    "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typeid", "typename", "typeof", "typeof_unqual", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "linux", "unix", "i386",
    /* math.h, and what the expressions call */
    "NAN", "INFINITY", "HUGE", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "MAXFLOAT", "DOMAIN", "SING",
    "OVERFLOW", "UNDERFLOW", "TLOSS", "PLOSS", "X_TLOSS", "math_errhandling", "abs", "cbrt", "ceil",
    "exp", "fabs", "floor", "fmax", "fmin", "log", "log10", "log2", "pow", "sqrt", "cll_cbrt",
    "cll_log2", "cll_max", "cll_min", "isfinite", "cll_value",
    /* Python */
    "False", "None", "True", "as", "assert", "async", "await", "def", "del", "elif", "except",
    "finally", "from", "global", "import", "in", "is", "lambda", "nonlocal", "pass", "raise",
    "with", "yield", "match", "type", "math", "max", "min", "__debug__", "ArithmeticError",
    "ValueError",
    /* JavaScript */
    "arguments", "debugger", "eval", "extends", "function", "implements", "instanceof", "interface",
    "let", "null", "package", "super", "undefined", "var", "Infinity", "CLL", "Map", "models",
    "remarks", "NoValue",
    /* gnuplot */
    "pi", "NaN", "sum", "sgn", "eq", "ne"};

static bool is_reserved(const char *identifier)
{
    return identifier[0] == '_' || strncmp(identifier, "M_", 2) == 0 ||
           strncmp(identifier, "FP_", 3) == 0 || strncmp(identifier, "MATH_", 5) == 0 ||
           strncmp(identifier, "GPVAL_", 6) == 0 ||
           text_is_in(reserved, sizeof reserved / sizeof *reserved, identifier);
}

/* Whether `longer` is the other identifier with _interval added. */
static bool is_interval_of(const char *longer, const char *identifier)
{
    size_t n = strlen(identifier);
    return strncmp(longer, identifier, n) == 0 && strcmp(longer + n, "_interval") == 0;
}

static bool is_taken(const struct export_names *list, const char *identifier)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->identifiers[i], identifier) == 0 ||
            (list->intervals && (is_interval_of(identifier, list->identifiers[i]) ||
                                 is_interval_of(list->identifiers[i], identifier))))
            return true;
    return false;
}

static struct export_names make_list(struct arena *a, size_t most)
{
    return (struct export_names){.arena = a,
                                 .names = arena_alloc(a, most + 1, sizeof(char *)),
                                 .identifiers = arena_alloc(a, most + 1, sizeof(char *))};
}

static const char *identifier_of(struct arena *a, const char *prefix, const char *name)
{
    TEXT_LOCAL struct text t = text_new();
    formula_identifier(&t, name);
    return arena_printf(a, "%s%s", prefix, t.s);
}

/* Adds the identifier, changed until it is free. */
static void add(struct export_names *list, const char *name, const char *identifier)
{
    const char *free = identifier;
    if (is_reserved(identifier))
        free = identifier =
            arena_printf(list->arena, "%s%s_", identifier[0] == '_' ? "v" : "", identifier);
    for (int i = 2; is_taken(list, free); i++)
        free = arena_printf(list->arena, "%s_%d", identifier, i);
    list->names[list->n] = name;
    list->identifiers[list->n++] = free;
}

struct export_names export_arguments(struct arena *a, const struct model *m)
{
    size_t n;
    const char **variables = model_variables(a, m, &n);
    struct export_names list = make_list(a, n);
    for (size_t i = 0; i < n; i++)
        add(&list, variables[i], identifier_of(a, "", variables[i]));
    return list;
}

struct export_names export_functions(struct arena *a, struct fit_state *const *fits, size_t n)
{
    struct export_names list = make_list(a, n);
    list.intervals = true;
    for (size_t i = 0; i < n; i++) {
        const char *name = identifier_of(a, "predict_", fits[i]->experiment);
        if (strcmp(fits[i]->observable, "CLOCK") != 0)
            name = identifier_of(a, arena_printf(a, "%s_", name), fits[i]->observable);
        add(&list, fits[i]->experiment, name);
    }
    return list;
}

const char *export_identifier(const struct export_names *list, const char *name)
{
    size_t i = text_find(list->names, list->n, name);
    return i < list->n ? list->identifiers[i] : identifier_of(list->arena, "unknown_", name);
}

void export_comment(struct text *out, const char *text)
{
    TEXT_LOCAL struct text t = text_new();
    text_add_printable(&t, text, strlen(text));
    for (const char *s = t.s; *s; s++) {
        /* a line ended by a backslash goes on; gnuplot replaces what is between ` and after @ */
        text_addc(out, strchr("\\`@", *s) ? '?' : *s);
        if ((*s == '*' && s[1] == '/') || (*s == '/' && s[1] == '*') || (*s == '?' && s[1] == '?'))
            text_addc(out, ' ');
    }
}

void export_csv_field(FILE *out, const char *text)
{
    bool quoted = text[strcspn(text, ",\"\r\n")] != 0;
    if (quoted)
        fputc('"', out);
    /* Spreadsheets would compute it; a signed number is one. */
    bool number = (*text == '+' || *text == '-') && isdigit((unsigned char)text[1]);
    if (*text && strchr("=+-@\t\r", *text) && !number)
        fputc('\'', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    if (quoted)
        fputc('"', out);
}
