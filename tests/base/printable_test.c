/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"
#include "base/printable.h"
#include "base/text.h"
#include "harness/unit.h"

static const struct {
    const char *raw, *shown;
} cases[] = {
    {"plain", "plain"},
    {"gr\303\266\303\237e", "gr\303\266\303\237e"},
    {"\342\202\254 \360\237\230\200", "\342\202\254 \360\237\230\200"},
    {"\033[31mred", "\\x1b[31mred"},
    {"bell\a del\177", "bell\\x07 del\\x7f"},
    {"\302\233"
     "31m",
     "\\xc2\\x9b31m"},                            /* C1: CSI */
    {"\302\205", "\\xc2\\x85"},                   /* C1: next line */
    {"\342\200\256evil", "\\xe2\\x80\\xaeevil"},  /* right to left */
    {"\342\201\246x", "\\xe2\\x81\\xa6x"},        /* isolate */
    {"\342\200\213x", "\\xe2\\x80\\x8bx"},        /* no width */
    {"\377\200x", "\\xff\\x80x"},                 /* not UTF-8 */
    {"\300\257", "\\xc0\\xaf"},                   /* longer than needed */
    {"\340\200\257", "\\xe0\\x80\\xaf"},          /* the same */
    {"\355\240\200", "\\xed\\xa0\\x80"},          /* surrogate */
    {"\364\220\200\200", "\\xf4\\x90\\x80\\x80"}, /* beyond Unicode */
    {"\303", "\\xc3"},                            /* cut off */
    {"\360\237\230", "\\xf0\\x9f\\x98"},
    {"\303(", "\\xc3("},
    {"", ""},
};

static void what_is_not_printable_is_escaped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t;
        text_init(&t);
        text_add_printable(&t, cases[i].raw, strlen(cases[i].raw));
        assert_string_equal(t.s, cases[i].shown);
        text_free(&t);
    }
}

/* In one piece, and byte by byte, so that characters come in parts. */
static void a_stream_escapes_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int unbuffered = 0; unbuffered <= 1; unbuffered++) {
            char *text = NULL;
            size_t size;
            FILE *to = open_memstream(&text, &size), *f = printable_stream(to);
            if (unbuffered)
                setvbuf(f, NULL, _IONBF, 0);
            for (const char *s = cases[i].raw; *s; s++)
                fputc(*s, f);
            assert_int_equal(fclose(f), 0);
            fclose(to);
            assert_string_equal(text, cases[i].shown);
            free(text);
        }
}

static void a_stream_keeps_lines_and_tabs(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size), *f = printable_stream(to);
    fputs("a\tb\nc\rd\n", f);
    fclose(f);
    fclose(to);
    assert_string_equal(text, "a\tb\nc\\x0dd\n");
    free(text);
}

static void a_stream_reports_what_cannot_be_written(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    FILE *f = printable_stream(full);
    fputs("text", f);
    assert_int_not_equal(fflush(f), 0);
    fclose(f);
    fclose(full);
}

static void messages_and_names_of_sources_are_printable(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct diag *d = diag_create();
    struct source s = {"x\033]0;title\a.dat", "N\033[2J \377x\n", 9};
    diag_add(d, SEVERITY_ERROR, &s, (struct span){7, 8}, "no '%s'", "a\nb\302\233");
    diag_print(d, out, 0);
    diag_destroy(d);
    fclose(out);
    assert_string_equal(text, "x\\x1b]0;title\\x07.dat:1:8: error: no 'a\\x0ab\\xc2\\x9b'\n"
                              "  N?[2J ?x\n         ^\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_printable_is_escaped),
        cmocka_unit_test(a_stream_escapes_the_same),
        cmocka_unit_test(a_stream_keeps_lines_and_tabs),
        cmocka_unit_test(a_stream_reports_what_cannot_be_written),
        cmocka_unit_test(messages_and_names_of_sources_are_printable),
    };
    return RUN(tests);
}
