/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lexing of commands. There is no token stream: a formula, a range and a file name are lexed
 * differently, and the command knows which of them comes next. */
#include "llac/cursor.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/misprint.h"
#include "llac/commands.h"

/* Bytes of other alphabets are letters, as in formulas and in C. */
static bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_name_part(char c)
{
    return is_name_start(c) || isdigit((unsigned char)c);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

bool cursor_next_command(const struct source *source, size_t *at, struct span *command)
{
    const char *s = source->text;
    size_t i = *at, n = source->size;
    for (;;) {
        while (i < n && (is_blank(s[i]) || s[i] == ';'))
            i++;
        if (i >= n || s[i] != '#')
            break;
        while (i < n && s[i] != '\n')
            i++;
    }
    command->begin = i;
    char quote = 0;
    for (; i < n && s[i] != '\n'; i++) {
        if (quote) {
            if (s[i] == quote)
                quote = 0;
        } else if (s[i] == '"' || s[i] == '\'') {
            quote = s[i];
        } else if (s[i] == ';' || (s[i] == '#' && i > command->begin && is_blank(s[i - 1]))) {
            break;
        }
    }
    command->end = i;
    while (i < n && s[i] == '#')
        while (i < n && s[i] != '\n')
            i++;
    *at = i;
    while (command->end > command->begin && is_blank(s[command->end - 1]))
        command->end--;
    return command->end > command->begin;
}

int cursor_error(const struct cursor *c, struct span where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(c->arena, format, args);
    va_end(args);
    return diag_add(c->diag, SEVERITY_ERROR, c->source, where, "%s", text);
}

char *cursor_text(const struct cursor *c, struct span where)
{
    return arena_strndup(c->arena, c->source->text + where.begin, where.end - where.begin);
}

bool cursor_done(struct cursor *c)
{
    while (c->at < c->end && is_blank(c->source->text[c->at]))
        c->at++;
    return c->at >= c->end;
}

int cursor_no_condition(const struct cursor *c, struct span where)
{
    const struct command *command = c->command ? command_find(c->command) : NULL;
    const char **keywords = command ? command_keywords(command, c->arena) : NULL;
    for (; keywords && *keywords; keywords++)
        if (strcmp(*keywords, "where") == 0)
            return cursor_error(c, where, "'where' cannot stand here; 'help %s' shows the syntax",
                                c->command);
    return cursor_error(c, where,
                        "'%s' takes no condition; the command 'where CONDITION' before it chooses "
                        "samples for all commands",
                        c->command ? c->command : "this command");
}

int cursor_finish(struct cursor *c)
{
    if (cursor_done(c))
        return 0;
    struct span rest = {c->at, c->end};
    const struct command *command = c->command ? command_find(c->command) : NULL;
    struct cursor ahead = *c;
    const char *word = command ? cursor_name(&ahead, NULL) : NULL;
    const char **keywords = word ? command_keywords(command, c->arena) : NULL;
    const char *meant = word ? misprint_meant(word, keywords) : NULL;
    if (meant)
        return cursor_error(c, rest, "'%s' is not understood; did you mean '%s'?", word, meant);
    for (; keywords && *keywords; keywords++)
        if (strcmp(*keywords, word) == 0)
            return cursor_error(c, rest, "'%s' cannot stand here; 'help %s' shows the syntax", word,
                                c->command);
    if (word && strcmp(word, "where") == 0)
        return cursor_no_condition(c, rest);
    return cursor_error(c, rest,
                        "this part of the command is not understood; 'help%s%s' shows its syntax",
                        c->command ? " " : "", c->command ? c->command : "");
}

char *cursor_name(struct cursor *c, struct span *where)
{
    if (cursor_done(c) || !is_name_start(c->source->text[c->at]))
        return NULL;
    struct span w = {c->at, c->at};
    while (w.end < c->end && is_name_part(c->source->text[w.end]))
        w.end++;
    c->at = w.end;
    if (where)
        *where = w;
    return cursor_text(c, w);
}

char *cursor_experiment(struct cursor *c, struct span *where)
{
    const char *s = c->source->text;
    struct span w;
    if (!cursor_name(c, &w))
        return NULL;
    while (c->at < c->end && s[c->at] == '@' && c->at + 1 < c->end && !is_blank(s[c->at + 1]))
        while (c->at < c->end && !is_blank(s[c->at]) && !strchr("[]()\"',", s[c->at]))
            c->at++;
    w.end = c->at;
    *where = w;
    return cursor_text(c, w);
}

bool cursor_keyword(struct cursor *c, const char *word)
{
    size_t n = strlen(word);
    if (cursor_done(c) || c->end - c->at < n || memcmp(c->source->text + c->at, word, n) != 0)
        return false;
    if (c->at + n < c->end && is_name_part(c->source->text[c->at + n]))
        return false;
    c->at += n;
    return true;
}

bool cursor_is_next(const struct cursor *c, const char *word)
{
    struct cursor ahead = *c;
    return cursor_keyword(&ahead, word) && !cursor_punctuation(&ahead, '=');
}

bool cursor_punctuation(struct cursor *c, char which)
{
    if (cursor_done(c) || c->source->text[c->at] != which)
        return false;
    c->at++;
    return true;
}

char *cursor_path(struct cursor *c, struct span *where)
{
    if (cursor_done(c))
        return NULL;
    const char *s = c->source->text;
    char quote = s[c->at] == '"' || s[c->at] == '\'' ? s[c->at] : 0;
    struct span w = {c->at + (quote != 0), c->at + (quote != 0)};
    while (w.end < c->end && (quote ? s[w.end] != quote : !is_blank(s[w.end])))
        w.end++;
    if (quote && w.end >= c->end) {
        struct span open = {c->at, c->end};
        return diag_null(cursor_error(c, open, "the closing %c is missing", quote));
    }
    c->at = w.end + (quote != 0);
    if (where)
        *where = w;
    return cursor_text(c, w);
}

static bool stop_word(const struct cursor *c, size_t at, const char *const *stops)
{
    const char *s = c->source->text;
    if (!is_name_start(s[at]) ||
        (at > 0 && (is_name_part(s[at - 1]) || s[at - 1] == '.' || s[at - 1] == '>')))
        return false;
    size_t end = at;
    while (end < c->end && is_name_part(s[end]))
        end++;
    size_t next = end;
    while (next < c->end && is_blank(s[next]))
        next++;
    if (next < c->end && s[next] == '(')
        return false;
    for (; *stops; stops++)
        if (strlen(*stops) == end - at && memcmp(*stops, s + at, end - at) == 0)
            return true;
    return false;
}

struct span cursor_expression(struct cursor *c, const char *const *stops)
{
    const char *s = c->source->text;
    cursor_done(c);
    if (c->at < c->end && (s[c->at] == '"' || s[c->at] == '\'')) {
        struct span whole = {c->at, c->at};
        return cursor_path(c, &whole) ? whole : (struct span){c->at, c->at};
    }
    struct span w = {c->at, c->at};
    int depth = 0;
    for (; w.end < c->end; w.end++) {
        if (s[w.end] == '(' || s[w.end] == '[')
            depth++;
        else if (s[w.end] == ')' || s[w.end] == ']')
            depth--;
        else if (depth <= 0 && stop_word(c, w.end, stops))
            break;
    }
    c->at = w.end;
    while (w.end > w.begin && is_blank(s[w.end - 1]))
        w.end--;
    return w;
}

char *cursor_variable(struct cursor *c, struct span *where)
{
    const char *s = c->source->text;
    cursor_done(c);
    struct span w = {c->at, c->at};
    while (w.end < c->end && !is_blank(s[w.end]) && s[w.end] != '=')
        w.end++;
    struct span name = w;
    while (w.end < c->end && is_blank(s[w.end]))
        w.end++;
    if (w.end >= c->end || s[w.end] != '=' || name.end == name.begin) {
        if (strcmp(cursor_text(c, name), "where") == 0)
            cursor_no_condition(c, name);
        else
            cursor_error(c, name, "VARIABLE=VALUE is expected here");
        return NULL;
    }
    c->at = w.end + 1;
    *where = name;
    return cursor_text(c, name);
}

static bool is_operator(char c)
{
    return c && strchr("+-*/^:,", c);
}

/* Whether VARIABLE= comes after the comma at c->at: then it ends the value. */
static bool variable_follows(const struct cursor *c)
{
    const char *s = c->source->text;
    size_t i = c->at + 1;
    while (i < c->end && is_blank(s[i]))
        i++;
    if (i >= c->end || !is_name_start(s[i]))
        return false;
    while (i < c->end && !is_blank(s[i]) && !strchr("=,:+*/^()", s[i]))
        i++;
    while (i < c->end && is_blank(s[i]))
        i++;
    return i < c->end && s[i] == '=' && (i + 1 == c->end || s[i + 1] != '=');
}

struct span cursor_value(struct cursor *c)
{
    const char *s = c->source->text;
    cursor_done(c);
    struct span w = {c->at, c->at};
    int depth = 0;
    for (char last = 0; !cursor_done(c); c->at++) {
        char next = s[c->at];
        bool apart = w.end > w.begin && c->at > w.end;
        if (apart && depth <= 0 && !is_operator(next) && !is_operator(last))
            break;
        if (next == ',' && depth <= 0 && w.end > w.begin && variable_follows(c)) {
            c->at++;
            return w;
        }
        depth += (next == '(') - (next == ')');
        last = next;
        w.end = c->at + 1;
    }
    c->at = w.end;
    return w;
}

struct span cursor_token(struct cursor *c)
{
    cursor_done(c);
    struct span w = {c->at, c->at};
    while (w.end < c->end && !is_blank(c->source->text[w.end]))
        w.end++;
    c->at = w.end;
    return w;
}
