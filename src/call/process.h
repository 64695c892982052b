/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other programs, and the temporary folder of one command. A signal that would end `call` is passed
 * on to the program that runs, which is waited for, and killed if it does not end; the command then
 * cleans up and dies by the same signal (process_leave). When the reader of our output is gone,
 * writing fails, and nothing else happens.
 */
#ifndef CALL_PROCESS_H
#define CALL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/resource.h>

#include "base/memory.h"

/* A list of words for exec, always ended by NULL. In the arena. */
struct words {
    const char **list;
    size_t n, capacity;
};
void words_add(struct arena *a, struct words *w, const char *word);
void words_add_all(struct arena *a, struct words *w, const struct words *more);
/* A list that ends with NULL; and the words themselves: WORDS_ADD(a, &w, "-o", path). */
void words_add_list(struct arena *a, struct words *w, const char *const *list);
#define WORDS_ADD(a, w, ...) words_add_list(a, w, (const char *const[]){__VA_ARGS__, NULL})
/* One word, as printf makes it. */
void words_printf(struct arena *a, struct words *w, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Does a word that begins with '-' contain this text? */
bool words_have_flag(const struct words *w, const char *part);

/* The signal that came, 0 = none. */
int process_signal(void);
/* What came is dealt with: programs may be started again. */
void process_forget_signal(void);

enum process_stream { PROCESS_KEEP, PROCESS_NULL, PROCESS_FILE };
struct process_options {
    enum process_stream in, out, err;
    const char *in_file, *out_file, *err_file; /* PROCESS_FILE */
    const char *const *environment; /* NAME=VALUE added to it, ended by NULL; may be NULL */
    unsigned limit;                 /* seconds after which it is ended; 0 = none */
    bool
        group; /* it has a process group of its own, which is ended with it; it cannot read the terminal */
    void (*tick)(void *user); /* called a few times in a second while it runs; NULL = none */
    void *user;
    struct rusage
        *usage; /* gets what it used, with the processes that it waited for; may be NULL */
};

/* Runs the words and waits. Returns wait's status, or -1 with errno if it could not be started. */
int process_run(const struct words *w, const struct process_options *options);

/* What a program prints that reads nothing and whose messages are dropped; NULL if it cannot be run, or fails. `environment`: as
 * above. In the arena. */
char *process_output(struct arena *a, const struct words *w, const char *const *environment);

/* Was the program that ran last ended because of its limit? */
bool process_reached_limit(void);

/* Before exec: the other program gets SIGPIPE and SIGXFSZ as we got them. */
void process_show_pipe(void);

/* What a shell would say for a status of wait: the exit status, or 128 + the signal. */
int process_exit_status(int status);

/* A new folder under $TMPDIR (/tmp); NULL with errno. In the arena. Removed by process_leave and at
 * exit. */
const char *process_temporary(struct arena *a);
void process_remove_temporary(void);
/* Something in it is needed: it stays. */
void process_keep_temporary(void);

/* Makes all folders above `path`. 0, or -1 with errno. */
int process_make_folders(const char *path);

/* source_read into the arena. */
int process_read(struct arena *a, const char *path, size_t limit, char **text, size_t *size);

/* Writes a whole file. 0, or -1 with errno. */
int process_write(const char *path, const char *text, size_t size);

/* The same for files and new folders that a command cannot do without. `self`: the command. 0, or -1 after a message. */
int process_save(const char *self, const char *path, const char *text, size_t size);
int process_new_folder(const char *self, const char *path);

/* Removes the temporary folder; then dies by the signal that came, if one did, else returns. */
void process_leave(void);

/* Removes a folder and all in it. */
void process_remove_tree(const char *path);

#endif
