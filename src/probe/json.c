/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/printable.h"

static void add_string(struct text *out, const char *s)
{
    size_t left = strlen(s);
    text_addc(out, '"');
    while (left) {
        size_t n = printable_length(s, left);
        if (*s == '"' || *s == '\\')
            text_printf(out, "\\%c", *s), n = 1;
        else if (n)
            text_addn(out, s, n);
        else if ((unsigned char)*s < 0x80)
            text_printf(out, "\\u%04x", (unsigned char)*s), n = 1;
        else
            text_add(out, "\\ufffd"), n = 1;
        s += n;
        left -= n;
    }
    text_addc(out, '"');
}

static void begin(struct probe_json_writer *w, const char *key)
{
    if (w->inside)
        text_add(w->out, w->flat ? ", " : ",");
    if (!w->flat && w->depth)
        text_printf(w->out, "\n%*s", (int)w->depth, "");
    w->inside = true;
    if (key) {
        add_string(w->out, key);
        text_add(w->out, ": ");
    }
}

void probe_json_open(struct probe_json_writer *w, const char *key, char bracket)
{
    begin(w, key);
    text_addc(w->out, bracket);
    w->depth++;
    w->inside = false;
}

void probe_json_close(struct probe_json_writer *w, char bracket)
{
    w->depth--;
    if (!w->flat && w->inside)
        text_printf(w->out, "\n%*s", (int)w->depth, "");
    text_addc(w->out, bracket);
    w->inside = true;
}

void probe_json_string(struct probe_json_writer *w, const char *key, const char *value)
{
    begin(w, key);
    add_string(w->out, value);
}

void probe_json_number(struct probe_json_writer *w, const char *key, double value, int digits)
{
    begin(w, key);
    text_add(w->out, isfinite(value) ? number_digits(value, digits, NUMBER_BUFFER) : "null");
}

void probe_json_integer(struct probe_json_writer *w, const char *key, uint64_t value)
{
    begin(w, key);
    text_printf(w->out, "%" PRIu64, value);
}

void probe_json_boolean(struct probe_json_writer *w, const char *key, bool value)
{
    begin(w, key);
    text_add(w->out, value ? "true" : "false");
}
