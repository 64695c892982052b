/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A dependency file is lines "target...: prerequisite...", continued by backslashes. In a name,
 * make takes $$ for $, \# for #, and 2n + 1 backslashes before a blank for n of them and the blank;
 * other backslashes stand for themselves. Words are kept as they are but those below the tree.
 */
#include "call/cc/depend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/printable.h"
#include "call/cc/translate.h"

/* The next word of the rule, escapes kept; NULL at the end of the logical line. */
static const char *next_word(const char **p, size_t *n)
{
    const char *s = *p;
    for (;;) {
        while (*s == ' ' || *s == '\t' || *s == '\r')
            s++;
        if (s[0] == '\\' && s[1] == '\n')
            s += 2;
        else if (s[0] == '\\' && s[1] == '\r' && s[2] == '\n')
            s += 3;
        else
            break;
    }
    const char *begin = s;
    while (*s && *s != '\n' && *s != ' ' && *s != '\t' && *s != '\r' &&
           !(s[0] == '\\' && (s[1] == '\n' || (s[1] == '\r' && s[2] == '\n'))))
        s += s[0] == '\\' && s[1] && s[1] != '\n' ? 2 : 1;
    *n = (size_t)(s - begin);
    *p = s;
    return *n ? begin : NULL;
}

/* The word without make's escapes. */
static void unescape(struct text *out, const char *s, size_t n)
{
    text_clear(out);
    for (size_t i = 0; i < n; i++) {
        size_t slashes = 0;
        while (i + slashes < n && s[i + slashes] == '\\')
            slashes++;
        i += slashes;
        char next = i < n ? s[i] : '\0';
        size_t kept =
            next == ' ' || next == '\t' ? slashes / 2 : slashes - (next == '#' && slashes);
        for (size_t k = 0; k < kept; k++)
            text_addc(out, '\\');
        if (next == '$' && i + 1 < n && s[i + 1] == '$')
            i++;
        if (next)
            text_addc(out, next);
    }
}

static void escape(struct text *out, const char *s)
{
    size_t slashes = 0; /* just before s */
    for (; *s; s++) {
        bool blank = *s == ' ' || *s == '\t';
        for (size_t k = 0; blank && k < slashes; k++)
            text_addc(out, '\\');
        if (blank || *s == '#')
            text_addc(out, '\\');
        else if (*s == '$')
            text_addc(out, '$');
        text_addc(out, *s);
        slashes = *s == '\\' ? slashes + 1 : 0;
    }
}

/* Adds a word to the rule, in a new line if this one becomes too long. */
static void put(struct text *rule, const char *s, size_t n)
{
    const char *feed = strrchr(rule->s, '\n');
    size_t width = feed ? strlen(feed + 1) : rule->n;
    if (rule->n)
        text_add(rule, width + n > 76 ? " \\\n " : " ");
    text_addn(rule, s, n);
}

void depend_rewrite(const char *text, const char *tree, depend_name *name, void *user,
                    struct text *out)
{
    TEXT_LOCAL struct text plain = text_new(), escaped = text_new(), rule = text_new();
    size_t tree_size = strlen(tree), n;
    while (*text) {
        bool first = true, dropped = false;
        const char *word;
        text_clear(&rule);
        while ((word = next_word(&text, &n))) {
            bool colon = first && n && word[n - 1] == ':';
            unescape(&plain, word, n - colon);
            if (!strncmp(plain.s, tree, tree_size)) {
                const char *instead = name(user, plain.s);
                if (!instead) {
                    dropped |= first;
                    continue;
                }
                text_clear(&escaped);
                escape(&escaped, instead);
                if (colon)
                    text_addc(&escaped, ':');
                put(&rule, escaped.s, escaped.n);
            } else {
                put(&rule, word, n);
            }
            first = false;
        }
        if (!dropped)
            text_add(out, rule.s);
        if (*text == '\n') {
            text++;
            if (!dropped)
                text_addc(out, '\n');
        }
    }
}

/* ---- the outputs of a command ---- */

struct corrector {
    struct arena *arena;
    const struct cc_args *args;
    const struct translation *list; /* one per source */
    const char *temporary;          /* the folder of all trees */
    bool incomplete;                /* an output could not be corrected */
};

/* The user's name of a path below the temporary folder; NULL for what exists only there. */
static const char *user_name(void *user, const char *path)
{
    const struct corrector *c = user;
    const char *found = NULL;
    char *real = realpath(path, NULL);
    for (size_t i = 0; i < c->args->nsources && !found; i++)
        for (size_t f = 0; c->list[i].tree && f < c->list[i].shadow.nfiles && !found; f++) {
            const struct shadow_file *file = &c->list[i].shadow.files[f];
            char *copy = real && file->copy ? realpath(file->copy, NULL) : NULL;
            if ((file->copy && !strcmp(file->copy, path)) || (copy && !strcmp(copy, real)) ||
                (real && !strcmp(file->real, real)))
                found = file->path;
            free(copy);
        }
    free(real);
    return found;
}

static void cannot_write(struct corrector *c, const char *path)
{
    say("call cc: cannot write %s: %s\n", path, destination_error(errno));
    c->incomplete = true;
}

static void replace_file(struct corrector *c, const char *path, const struct text *t)
{
    if (outfile_replace(path, t->s, t->n))
        cannot_write(c, path);
}

static void correct_dependencies(struct corrector *c, const char *path)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (source_read(path, SOURCE_LIMIT, &text, &size))
        return;
    if (strstr(text, c->temporary)) {
        TEXT_LOCAL struct text t = text_new();
        depend_rewrite(text, c->temporary, user_name, c, &t);
        replace_file(c, path, &t);
    }
}

/* Compilers differ in how they name a dependency file that has no -MF: whichever of these names our
 * folder. */
static void correct_all_dependencies(struct corrector *c)
{
    struct arena *a = c->arena;
    const struct cc_args *args = c->args;
    if (args->dependencies)
        correct_dependencies(c, args->dependencies);
    if (!args->writes_dependencies)
        return;
    if (args->output) {
        correct_dependencies(c, arena_printf(a, "%s.d", path_stem(a, args->output)));
        correct_dependencies(c, arena_printf(a, "%s.d", args->output));
    }
    for (size_t i = 0; i < args->nsources; i++) {
        const char *base = path_stem(a, path_base(args->sources[i].path));
        correct_dependencies(c, arena_printf(a, "%s.d", base));
        correct_dependencies(
            c, arena_printf(a, "%s-%s.d", args->output ? path_stem(a, args->output) : "a", base));
        if (args->output)
            correct_dependencies(c, arena_printf(a, "%s-%s.d", args->output, base));
    }
}

/* The line markers of -E output: the user's names instead of those in the temporary folder. */
static void correct_markers(const struct corrector *c, const char *text, struct text *out)
{
    size_t n = strlen(c->temporary);
    const char *p;
    while ((p = strstr(text, c->temporary))) {
        text_addn(out, text, (size_t)(p - text));
        size_t length = strcspn(p, "\"\n");
        char *path = arena_strndup(c->arena, p, length);
        const char *name = user_name((void *)c, path);
        text_add(out, name ? name : path_base(path));
        text = p + (length > n ? length : n);
    }
    text_add(out, text);
}

static void correct_preprocessed(struct corrector *c, const char *captured)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    const char *path = captured ? captured : c->args->output;
    if (!path || source_read(path, (size_t)SOURCE_LIMIT * 4, &text, &size))
        return;
    TEXT_LOCAL struct text t = text_new();
    correct_markers(c, text, &t);
    if (!captured)
        replace_file(c, path, &t);
    else if (fwrite(t.s, 1, t.n, stdout) != t.n || fflush(stdout))
        cannot_write(c, "the standard output");
}

int depend_correct(struct arena *a, const struct cc_args *args, const struct translation *list,
                   const char *captured)
{
    struct corrector c = {a, args, list, process_temporary(a), false};
    correct_all_dependencies(&c);
    if (args->preprocess_only)
        correct_preprocessed(&c, captured);
    return c.incomplete;
}
