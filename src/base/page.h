/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HTML pages that need no other file: a frame with marks <!--@NAME--> in whose places parts are written.
 *
 *     const struct page_part parts[] = {{"title", write_title, report}, {"data", write_data, report}};
 *     page_write(out, frame, parts, 2);
 *
 * Data are JSON in a script element that no browser runs. Nothing in them can end that element: <, > and & become
 * \u003c and so on.
 */
#ifndef BASE_PAGE_H
#define BASE_PAGE_H

#include <stddef.h>
#include <stdio.h>

struct page_part {
    const char *name;
    void (*write)(FILE *out, const void *what);
    const void *what;
};

/* A mark without a part leaves nothing in its place. */
void page_write(FILE *out, const char *frame, const struct page_part *parts, size_t n);

/* A part: the text `what`, as it is. */
void page_put_text(FILE *out, const void *what);
/* Writes a piece of JSON to the stream `to`, escaped for a script element; json_dump_callback of jansson calls it.
 * 0, or -1 if the stream has an error. */
int page_put_json(const char *piece, size_t size, void *to);

#endif
