/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words 'picture ...' of the command obsp. */
#ifndef LLAC_OBSP_PICTURE_COMMAND_H
#define LLAC_OBSP_PICTURE_COMMAND_H

#include <jansson.h>

#include "llac/session.h"
#include "obsp/evaluate.h"

struct picture_words {
    bool asked;
    bool data;        /* instead of a drawing: picture_draw makes the data of one */
    const char *path; /* NULL: none, which is for data */
    bool measured;
    double from, until; /* seconds; until 0: the end */
    struct span where;  /* of the words */
};

/* What is drawn. */
struct picture_subject {
    const char *name; /* of the file */
    const struct obsp_request *request;
    const struct obsp_result *result;
    /* The source, from its beginning, which others free; NULL with an error. */
    struct obsp_source *(*begin_again)(void *user);
    void *user;
};

/* After the word 'picture': [FILE] [measured] [from TIME] [until TIME], up to the end of the command.
 * 0, or -1 with an error. */
int picture_read(struct cursor *c, struct picture_words *out);

/* Draws into the file, or sets *json to the data of a drawing (words->data). With --json nothing is printed, and *json
 * gets the shares of the picture; else it stays as it is. 0, or -1 with an error. */
int picture_draw(struct session *s, struct cursor *c, const struct picture_words *words,
                 const struct picture_subject *subject, json_t **json);

#endif
