/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a statement of C++ declares. Which names are types is not known: `a b`, `a<b> c` and `a * b` at
 * the start of a statement are taken for declarations. If one is not, this costs a region its braces at
 * worst.
 */
#include "translate/structure.h"

struct reader {
    const struct unit *unit;
    const struct stream *s;
    size_t at, end;
    declare_found *found;
    void *user;
    bool has_type;   /* a type was read */
    bool is_scalar;  /* it surely is a number, an enumeration or nothing */
    bool is_static;  /* the object lives on whatever happens */
    bool is_typedef; /* no object is declared */
};

static bool is_punct(const struct reader *r, size_t at, uint32_t id)
{
    return at < r->end && r->s->list[at].kind == ITEM_PUNCTUATOR && r->s->list[at].id == id;
}

static uint32_t word(const struct reader *r, size_t at)
{
    bool is_word =
        at < r->end && r->s->list[at].kind == ITEM_NAME && r->s->list[at].id < WORD_COUNT;
    return is_word ? r->s->list[at].id : WORD_NONE;
}

static bool is_plain(const struct reader *r, size_t at)
{
    return at < r->end && r->s->list[at].kind == ITEM_NAME && r->s->list[at].id >= WORD_COUNT;
}

static size_t after(const struct reader *r, size_t at)
{
    size_t close = r->s->closing[at];
    return close < r->end ? close + 1 : r->end;
}

/* ["::"] NAME ["<" ... ">"] {"::" ["template"] NAME ["<" ... ">"]}: what follows; `at` without one. */
static size_t path(const struct reader *r, size_t at)
{
    size_t i = at + is_punct(r, at, PUNCT_SCOPE);
    for (;;) {
        if (!is_plain(r, i))
            return at;
        i++;
        if (is_punct(r, i, '<')) {
            size_t close = cxx_skip_angles(r->s, i);
            if (!close || close > r->end)
                return i;
            i = close;
        }
        if (!is_punct(r, i, PUNCT_SCOPE))
            return i;
        i++;
        if (word(r, i) == WORD_TEMPLATE)
            i++;
    }
}

/* class, struct, union or enum at r->at: its name and its body. */
static void read_tagged(struct reader *r)
{
    bool is_enum = word(r, r->at) == WORD_ENUM;
    r->at++;
    if (word(r, r->at) == WORD_CLASS || word(r, r->at) == WORD_STRUCT)
        r->at++;
    while (is_punct(r, r->at, '[') || word(r, r->at) == WORD_ALIGNAS23 ||
           word(r, r->at) == WORD_ATTRIBUTE_ || word(r, r->at) == WORD_ATTRIBUTE)
        r->at = is_punct(r, r->at, '[')       ? after(r, r->at)
                : is_punct(r, r->at + 1, '(') ? after(r, r->at + 1)
                                              : r->at + 1;
    size_t name = r->at;
    r->at = path(r, r->at);
    size_t i = r->at;
    while (i < r->end && !is_punct(r, i, '{') && !is_punct(r, i, ';') && !is_punct(r, i, '=') &&
           !is_punct(r, i, '(') && (i == r->at || !is_plain(r, i) || is_punct(r, r->at, ':')))
        i++;
    r->has_type = true;
    r->is_scalar = is_enum;
    if (!is_punct(r, i, '{') || (i > r->at && !is_punct(r, r->at, ':') && !is_plain(r, r->at)))
        return;
    if (is_plain(r, name))
        r->found(r->user, name, DECLARE_NAME);
    size_t close = after(r, i);
    for (size_t k = i + 1; is_enum && k < close; k++)
        if (is_plain(r, k) && (is_punct(r, k - 1, '{') || is_punct(r, k - 1, ',')))
            r->found(r->user, k, DECLARE_NAME);
    r->at = close;
}

/* Storage classes, qualifiers and a type that begins with a word of the language. */
static void read_specifiers(struct reader *r)
{
    for (;;) {
        uint32_t id = word(r, r->at);
        if (is_punct(r, r->at, '[') && is_punct(r, r->at + 1, '[')) {
            r->at = after(r, r->at);
            continue;
        }
        bool is_word = (id >= WORD_TYPEDEF && id < WORD_STATIC_ASSERT) ||
                       (id >= WORD_CLASS && id <= WORD_VIRTUAL);
        if (!is_word)
            return;
        if (id == WORD_CLASS || id == WORD_STRUCT || id == WORD_UNION || id == WORD_ENUM) {
            read_tagged(r);
            continue;
        }
        r->is_static |= id == WORD_STATIC || id == WORD_EXTERN || id == WORD_THREAD_LOCAL23;
        r->is_typedef |= id == WORD_TYPEDEF;
        if ((id >= WORD_VOID && id < WORD_STATIC_ASSERT) || (id >= WORD_WCHAR && id <= WORD_CHAR32))
            r->is_scalar = r->has_type = true;
        r->has_type |= id == WORD_AUTO || id == WORD_AUTO_TYPE || id == WORD_DECLTYPE ||
                       id == WORD_DECLTYPE_ || (id >= WORD_TYPEOF && id <= WORD_TYPEOF_UNQUAL);
        r->at++;
        if (is_punct(r, r->at, '(') && id != WORD_CONST && id < WORD_VIRTUAL &&
            !(id >= WORD_VOID && id < WORD_STATIC_ASSERT))
            r->at = after(r, r->at);
        if (id == WORD_TYPENAME) {
            r->at = path(r, r->at);
            r->has_type = true;
        }
    }
}

/* What may come after the name that a declaration declares. */
static bool follows_name(const struct reader *r, size_t at)
{
    return at >= r->end || is_punct(r, at, ';') || is_punct(r, at, '=') || is_punct(r, at, '(') ||
           is_punct(r, at, '{') || is_punct(r, at, '[') || is_punct(r, at, ',') ||
           is_punct(r, at, ':') || is_punct(r, at, ')') || word(r, at) == WORD_ATTRIBUTE_ ||
           word(r, at) == WORD_ASM || word(r, at) == WORD_ASM__;
}

/* One declarator from r->at on. Returns false if what is there cannot be one. `sure`: the type was one. */
static bool read_declarator(struct reader *r, bool sure)
{
    bool pointer = false, reference = false;
    size_t at = r->at;
    for (;; at++) {
        pointer |= is_punct(r, at, '*');
        reference |= is_punct(r, at, '&') || is_punct(r, at, PUNCT_AND_AND);
        if (is_punct(r, at, '(') && sure)
            continue;
        if (is_punct(r, at, '[') && is_punct(r, at + 1, '[')) {
            at = after(r, at) - 1;
            continue;
        }
        uint32_t id = word(r, at);
        if (!is_punct(r, at, '*') && !is_punct(r, at, '&') && !is_punct(r, at, PUNCT_AND_AND) &&
            id != WORD_CONST && id != WORD_VOLATILE && id != WORD_RESTRICT_ &&
            id != WORD_RESTRICT__ && id != WORD_CONST__ && id != WORD_ATTRIBUTE_)
            break;
        if (id == WORD_ATTRIBUTE_ && is_punct(r, at + 1, '('))
            at = after(r, at + 1) - 1;
    }
    bool trivial = r->is_static || r->is_typedef || ((pointer || r->is_scalar) && !reference);
    enum declare_life life = trivial ? DECLARE_NAME : DECLARE_OBJECT;
    if (is_punct(r, at, '[') && sure) { /* auto [a, b] */
        size_t close = after(r, at);
        for (size_t i = at + 1; i + 1 < close; i++)
            if (is_plain(r, i))
                r->found(r->user, i, life);
        r->at = close;
        return true;
    }
    if (!is_plain(r, at) || !(sure || follows_name(r, at + 1)))
        return false;
    if (trivial && is_punct(r, at + 1, '[') && !r->is_static && !r->is_typedef)
        life = DECLARE_ARRAY;
    r->found(r->user, at, life);
    r->at = at + 1;
    return true;
}

/* The declarators after the first one: after each comma outside of brackets. */
static void read_more(struct reader *r)
{
    while (r->at < r->end) {
        if (is_punct(r, r->at, ',')) {
            r->at++;
            read_declarator(r, true);
        } else if (is_punct(r, r->at, '(') || is_punct(r, r->at, '[') || is_punct(r, r->at, '{')) {
            r->at = after(r, r->at);
        } else {
            r->at++;
        }
    }
}

bool cxx_declare(const struct unit *u, const struct stream *s, size_t begin, size_t end,
                 declare_found *found, void *user)
{
    struct reader r = {.unit = u, .s = s, .at = begin, .end = end, .found = found, .user = user};
    uint32_t first = word(&r, begin);
    if (first == WORD_USING || first == WORD_NAMESPACE) {
        /* using a = b; namespace a = b; using a::b; using namespace a; */
        size_t i = begin + 1;
        while (i < end && !is_punct(&r, i, '=') && !is_punct(&r, i, ';'))
            i++;
        found(user, is_plain(&r, i - 1) ? i - 1 : begin, DECLARE_ARRAY);
        return true;
    }
    read_specifiers(&r);
    if (!r.has_type) {
        size_t type = path(&r, r.at);
        if (type == r.at)
            return false;
        bool specified = r.at > begin;
        r.at = type;
        if (!read_declarator(&r, false) && !specified)
            return false;
    } else if (r.at < end && !is_punct(&r, r.at, ';')) {
        read_declarator(&r, true);
    }
    read_more(&r);
    return true;
}
