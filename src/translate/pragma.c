/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recursive descent over the bytes of a pragma. Comments and continuations inside it are blanked
 * first, in place, so that every offset keeps meaning the byte the user wrote.
 *
 *     pragma  = "parallel" DRIVER [machine] ["procs" "=" RANGE] ["trace"]
 *             | "uses" "PAPI"
 *             | "report" ("all" | NAME {"," NAME})
 *             | "for" "(" INIT ";" COND ";" STEP ")" ["shuffle"]
 *             | "end" ("for" | NAME)
 *             | ["sync" ["(" MACHINE ")"]] NAME [aliases] [part {";" part}]
 *     machine = MACHINE | WORD "=" '"' MACHINE '"'
 *     aliases = "(" alias {"," alias} ")"
 *     alias   = ALIAS [("=" | ":=") EXPR] | "setting" NAME
 *     part    = [OBS {"," OBS} "="] [FORMULA]
 */
#include "translate/pragma_reader.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/misprint.h"
#include "base/text.h"
#include "translate/driver.h"
#include "translate/list.h"
#include "translate/procs.h"
/* ---- near misses ---- */

/* Is `name[` in the rest of the pragma, as a constant of an experiment of that name would be? */
static bool has_constant(const struct pragma_reader *r, const char *name)
{
    const char *text = r->source->text;
    size_t n = strlen(name);
    for (size_t i = r->at; i + n < r->end; i++)
        if (text[i + n] == '[' && !memcmp(text + i, name, n) && !pragma_is_name_byte(text[i - 1]))
            return true;
    return false;
}

/* Does the rest read as a cll pragma without its `cll`? */
static bool reads_as_ours(struct pragma_reader r)
{
    struct span span;
    const char *word = pragma_read_word(&r, &span);
    return word && (pragma_is_reserved(word) || has_constant(&r, word));
}

/* `parallel PUB`, `report all`, `sync f f[0]`: it was meant, and `cll` is missing. */
static bool lacks_cll(struct pragma_reader r, const char *word)
{
    struct span span;
    const char *second = pragma_read_word(&r, &span);
    if (!second)
        return false;
    if (!strcmp(word, "parallel"))
        return driver_find(second) != NULL;
    return !strcmp(word, "report") || !strcmp(word, "sync");
}

/* The pragma is not ours: was it meant to be? */
static void find_near_miss(const struct pragma_reader *r, const char *word)
{
    struct pragma *out = r->out;
    if (misprint_is_one(word, "cll") || !strcasecmp(word, "cll")) {
        out->meant = "cll";
        out->surely_meant = reads_as_ours(*r);
    } else if (lacks_cll(*r, word)) {
        out->meant = arena_printf(r->arena, "cll %s", word);
        out->surely_meant = !strcmp(word, "parallel") || reads_as_ours(*r);
    }
}

/* ---- the kinds ---- */

/* Is `word` at `at`, as a word of its own? */
static bool word_at(const struct pragma_reader *r, size_t at, const char *word)
{
    const char *text = r->source->text;
    size_t n = strlen(word);
    return at + n <= r->end && !(r->fortran ? strncasecmp : strncmp)(text + at, word, n) &&
           isspace((unsigned char)text[at - 1]) &&
           (at + n == r->end || !(isalnum((unsigned char)text[at + n]) || text[at + n] == '_'));
}

/* "procs" "=" RANGE begins at `at`. */
static bool procs_at(const struct pragma_reader *r, size_t at)
{
    if (!word_at(r, at, "procs"))
        return false;
    for (at += 5; at < r->end && isspace((unsigned char)r->source->text[at]);)
        at++;
    return at < r->end && r->source->text[at] == '=';
}

/* "trace" at `at`, as a clause: nothing follows but another clause. */
static bool trace_at(const struct pragma_reader *r, size_t at)
{
    if (!word_at(r, at, "trace"))
        return false;
    for (at += 5; at < r->end && isspace((unsigned char)r->source->text[at]);)
        at++;
    return at == r->end || procs_at(r, at);
}

/* The machine of WORD = "MACHINE"; false after a complaint. */
static bool unwrap_machine(struct pragma_reader *r, const struct driver *driver,
                           struct span *machine)
{
    const char *text = r->source->text, *word = driver->machine_word;
    size_t at = machine->begin;
    if (!word || !word_at(r, at, word))
        return true;
    struct span inside = pragma_trimmed(r, (struct span){at + strlen(word), machine->end});
    if (inside.begin == inside.end || text[inside.begin] != '=')
        return true; /* a variable of that name */
    inside.begin++;
    inside = pragma_trimmed(r, inside);
    if (inside.end - inside.begin < 3 || text[inside.begin] != '"' || text[inside.end - 1] != '"')
        return REFUSE(
            r, inside.begin < inside.end ? inside : (struct span){at, at + strlen(word)},
            "'%s =' must be followed by the machine in quotes, such as \"&bsp\"; the machine alone is also possible",
            word);
    *machine = pragma_trimmed(r, (struct span){inside.begin + 1, inside.end - 1});
    return true;
}

/* Is the machine the name of a driver that has no machines, as in 'parallel MPI OpenMP'? (A variable may be called bsp.) */
static bool names_driver(const struct pragma_reader *r, struct span machine)
{
    const char *word =
        arena_strndup(r->arena, r->source->text + machine.begin, machine.end - machine.begin);
    const struct driver *driver = driver_find(word);
    return driver && !driver->prefix && !strcasecmp(word, driver->name);
}

/* [MACHINE] ["procs" "=" RANGE] ["trace"], after the driver. */
static bool parse_machine(struct pragma_reader *r, const struct driver *driver)
{
    struct span machine = {r->at, r->end}, range = {r->end, r->end}, trace = {0, 0};
    bool good = true;
    for (size_t i = r->at; i < r->end; i++) {
        if (range.begin == r->end && procs_at(r, i)) {
            machine.end = trace.end ? machine.end : i;
            const char *equals = strchr(r->source->text + i, '=');
            range = (struct span){(size_t)(equals - r->source->text) + 1, r->end};
        } else if (trace_at(r, i)) {
            trace = (struct span){i, i + 5};
            *(range.begin < r->end ? &range.end : &machine.end) = i;
        }
    }
    if (trace.end && driver->has_trace) {
        r->out->trace = true;
    } else if (trace.end) {
        good = REFUSE(r, trace, "%s programs have no trace", driver->name);
    }
    machine = pragma_trimmed(r, machine);
    if (!unwrap_machine(r, driver, &machine)) {
        good = false;
    } else if (machine.begin < machine.end && !driver->prefix) {
        good = REFUSE(r, machine,
                      "only 'procs = RANGE' may follow %s, which has no machines to choose from",
                      driver->name);
    } else if (machine.begin < machine.end && names_driver(r, machine)) {
        good = REFUSE(r, machine,
                      "a second driver has a pragma of its own: '#pragma cll parallel %.*s'",
                      (int)(machine.end - machine.begin), r->source->text + machine.begin);
    } else if (machine.begin < machine.end) {
        r->out->machine = machine;
    }
    if (range.begin < r->end && sweep_processors(r->arena, r->source, pragma_trimmed(r, range),
                                                 r->diag, &r->out->processes))
        good = false;
    r->at = r->end;
    return good;
}

static bool parse_parallel(struct pragma_reader *r)
{
    struct span span;
    const char *name = pragma_read_word(r, &span);
    const struct driver *driver = name ? driver_find(name) : NULL;
    if (!driver)
        return REFUSE(r, name ? span : pragma_here(r), "one of the drivers %s is expected here",
                      driver_list(r->arena));
    r->out->driver = driver;
    r->out->word = span;
    return parse_machine(r, driver);
}

static bool parse_uses(struct pragma_reader *r)
{
    struct span span;
    const char *name = pragma_read_word(r, &span);
    if (!name || !pragma_is_word(r, name, "PAPI"))
        return REFUSE(r, name ? span : pragma_here(r), "'uses' must be followed by PAPI");
    return pragma_expect_end(r, "'uses PAPI'");
}

static bool parse_report(struct pragma_reader *r)
{
    struct span span;
    struct text list = text_new();
    bool good = true, all = false;
    do {
        const char *name = pragma_read_keyword(r, &span);
        if (name && !strcmp(name, "all") && !list.n) {
            all = true;
            break;
        }
        if (!name || pragma_is_reserved(name)) {
            good = REFUSE(
                r, name ? span : pragma_here(r),
                "'report' must be followed by 'all' or by the names of experiments, separated by "
                "commas");
            break;
        }
        text_printf(&list, "%s%s", list.n ? "," : "", name);
        ADD(r->arena, r->out, names, (struct pragma_name){name, span});
        pragma_skip_blanks(r);
    } while (pragma_ahead(r) == ',' && r->at++ < r->end);
    const char *names = text_keep(&list, r->arena);
    r->out->reported = all ? NULL : names;
    return good && pragma_expect_end(r, "the names");
}

/* ["shuffle"], after the loop's parentheses. */
static bool parse_shuffle(struct pragma_reader *r)
{
    struct span span;
    size_t start = r->at;
    const char *clause = pragma_read_word(r, &span);
    if (!clause)
        return pragma_expect_end(r, "the loop's ')'");
    if (pragma_is_word(r, clause, "shuffle") && r->out->parts[0].begin >= r->out->parts[0].end)
        return REFUSE(
            r, span,
            "'shuffle' begins the loop again for each of its values, but this loop has no INIT; "
            "write it as in (n = first; n <= last; n *= 2)");
    if (pragma_is_word(r, clause, "shuffle")) {
        r->out->shuffle = true;
        return pragma_expect_end(r, "'shuffle'");
    }
    r->at = start;
    return REFUSE(r, span, "only 'shuffle' may follow the loop's ')' in this pragma");
}

/* INIT and STEP are assignments of Fortran. */
static bool check_fortran_loop(struct pragma_reader *r)
{
    const char *text = r->source->text;
    for (size_t i = 0; i < 3; i++) {
        struct span part = r->out->parts[i];
        bool assigns = false, other = false;
        for (size_t k = part.begin; k < part.end; k++) {
            char next = k + 1 < part.end ? text[k + 1] : '\0';
            assigns |= text[k] == '=' && next != '=' && !strchr("=<>/+-*", text[k - 1]);
            other |= (text[k] == '+' && next == '+') || (text[k] == '-' && next == '-') ||
                     (next == '=' && strchr("+-*", text[k]));
        }
        if (other || (i != 1 && !assigns) || part.begin >= part.end)
            return REFUSE(
                r, part.begin < part.end ? part : r->out->word,
                "the loop is written as in (n = 1; n <= 100; n = n*2): two assignments and a "
                "condition of Fortran");
    }
    return true;
}

static bool parse_for(struct pragma_reader *r, struct span word)
{
    pragma_skip_blanks(r);
    const char *text = r->source->text;
    size_t close =
        pragma_ahead(r) == '(' ? pragma_find_outside(text, r->at + 1, r->end, ')') : r->end;
    if (close >= r->end)
        return REFUSE(r, word, "'cll for' must be followed by (INIT; CONDITION; STEP)");
    size_t one = pragma_find_outside(text, r->at + 1, close, ';');
    size_t two = one < close ? pragma_find_outside(text, one + 1, close, ';') : close;
    if (two >= close || pragma_find_outside(text, two + 1, close, ';') < close)
        return REFUSE(r, (struct span){r->at, close + 1},
                      "the loop needs exactly three parts: (INIT; CONDITION; STEP)");
    r->out->header = (struct span){word.begin, close + 1};
    r->out->parts[0] = pragma_trimmed(r, (struct span){r->at + 1, one});
    r->out->parts[1] = pragma_trimmed(r, (struct span){one + 1, two});
    r->out->parts[2] = pragma_trimmed(r, (struct span){two + 1, close});
    if (r->fortran && !check_fortran_loop(r))
        return false;
    r->at = close + 1;
    return parse_shuffle(r);
}

static bool parse_end(struct pragma_reader *r)
{
    struct span span;
    size_t start = r->at;
    const char *name = pragma_read_keyword(r, &span);
    if (name && !strcmp(name, "for")) {
        r->out->kind = PRAGMA_END_FOR;
        r->out->word = (struct span){r->out->word.begin, span.end};
        return pragma_expect_end(r, "'end for'");
    }
    r->at = start;
    name = pragma_read_name(r, &span);
    if (!name)
        return false;
    r->out->name = name;
    r->out->word = span;
    return pragma_expect_end(r, "the name");
}
/* "sync" ["(" MACHINE ")"], then the region. A sequential program has nothing to synchronise. */
static bool parse_sync(struct pragma_reader *r)
{
    bool good = true;
    r->out->sync = true;
    r->out->sync_word = r->out->word;
    pragma_skip_blanks(r);
    if (pragma_ahead(r) == '(') {
        size_t close = pragma_find_outside(r->source->text, r->at + 1, r->end, ')');
        if (close >= r->end)
            return REFUSE(r, pragma_here(r), "this '(' is not closed");
        r->out->machine = pragma_trimmed(r, (struct span){r->at + 1, close});
        if (r->out->machine.begin == r->out->machine.end) {
            good = REFUSE(r, (struct span){r->at, close + 1},
                          "a machine is expected between the parentheses; 'sync' alone means all");
        }
        r->at = close + 1;
    }
    return pragma_parse_begin(r) && good;
}

static bool parse_kind(struct pragma_reader *r)
{
    static const struct {
        const char *word;
        enum pragma_kind kind;
        bool (*parse)(struct pragma_reader *r);
    } kinds[] = {{"parallel", PRAGMA_PARALLEL, parse_parallel},
                 {"uses", PRAGMA_USES, parse_uses},
                 {"report", PRAGMA_REPORT, parse_report},
                 {"end", PRAGMA_END, parse_end},
                 {"sync", PRAGMA_BEGIN, parse_sync}};
    struct span span;
    pragma_skip_blanks(r);
    size_t start = r->at;
    const char *word = pragma_read_keyword(r, &span);
    if (word) {
        r->out->word = span;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (!strcmp(word, kinds[i].word)) {
                r->out->kind = kinds[i].kind;
                return kinds[i].parse(r);
            }
        if (!strcmp(word, "for")) {
            r->out->kind = PRAGMA_FOR;
            return parse_for(r, span);
        }
    }
    r->at = start;
    r->out->kind = PRAGMA_BEGIN;
    return pragma_parse_begin(r);
}

/* The string of a _Pragma: \" and \\ lose their backslash, which becomes a blank before them, and
 * so does the backslash of a continued line. */
static void blank_escapes(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i + 1 < end; i++)
        if (text[i] == '\\' && text[i + 1] && strchr("\"\\\r\n", text[i + 1]))
            text[i++] = ' ';
}

static size_t operator_end(const char *text, const struct token *t)
{
    size_t end = t->end;
    while (end > t->body && text[end - 1] != '"')
        end--;
    return end > t->body ? end - 1 : t->body;
}

bool pragma_parse(struct arena *a, const struct source *source, char *text, const struct token *t,
                  struct diag *diag, struct pragma *out)
{
    memset(out, 0, sizeof *out);
    bool is_operator = t->id == DIRECTIVE_PRAGMA_OPERATOR;
    size_t end = is_operator ? operator_end(text, t) : t->end;
    struct pragma_reader r = {a, source, diag, t->body, end, out, t->id == DIRECTIVE_FORTRAN};
    struct span span = {t->begin, t->begin + 1};
    if (is_operator)
        blank_escapes(text, t->body, end);
    else if (!r.fortran)
        lex_blank(text, t->begin, end);
    out->word = span;
    const char *word = pragma_read_word(&r, &span);
    if (word)
        out->word = span;
    if (!word || strcmp(word, "cll")) {
        if (word)
            find_near_miss(&r, word);
        return false;
    }
    out->is_operator = is_operator;
    out->whole = (struct span){t->begin, t->end};
    out->first_line = out->last_line = t->line;
    for (size_t i = t->begin; i < t->end; i++)
        out->last_line += text[i] == '\n';
    out->bad = !parse_kind(&r);
    return true;
}
