/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pipe can be read once. In the first run a process of ours is between it and the program: it
 * passes on every byte as it comes and writes it to a file, which the later runs read. Reading the
 * pipe to its end before the first run would be simpler, but a program that never reads its input
 * must not wait for the end of one that stays open.
 *
 * Each piece is in the file before the program can see it, so the file holds at least what the
 * first run read.
 */
#define _GNU_SOURCE 1 /* pipe2 */
#include "base/outfile.h"
#include "base/printable.h"
#include "call/run/input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void run_input_open(struct run_input *in, struct arena *a, const char *temporary)
{
    struct stat st;
    *in = (struct run_input){.kind = RUN_INPUT_ONCE, .again = "/dev/null", .end = -1};
    if (fstat(STDIN_FILENO, &st)) { /* closed */
        in->begun = true;
        return;
    }
    if (S_ISREG(st.st_mode)) {
        in->kind = RUN_INPUT_FILE;
        in->again = arena_printf(a, "/proc/%ld/fd/0", (long)getpid());
    } else if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) {
        in->kind = RUN_INPUT_PIPE;
        in->again = arena_printf(a, "%s/input", temporary);
    }
}

static int write_whole(int fd, const char *text, size_t n)
{
    while (n) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        text += done;
        n -= (size_t)done;
    }
    return 0;
}

/* In the feeder, which is killed when the run is over. */
static void feed(int file, int pipe)
{
    char piece[65536];
    for (;;) {
        ssize_t n = read(STDIN_FILENO, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        if (file >= 0 && write_whole(file, piece, (size_t)n)) {
            say("call run: the program's input cannot be kept for all runs: %s\n", strerror(errno));
            close(file);
            file = -1;
        }
        if (write_whole(pipe, piece, (size_t)n))
            return;
    }
}

static int start_feeder(struct run_input *in)
{
    int fds[2], file = open(in->again, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0)
        return -1;
    if (pipe2(fds, O_CLOEXEC)) {
        close(file);
        return -1;
    }
    output_flush();
    in->feeder = fork();
    if (in->feeder == 0) {
        close(fds[0]);
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        feed(file, fds[1]);
        _exit(0);
    }
    int error = errno;
    close(fds[1]);
    close(file);
    if (in->feeder < 0) {
        close(fds[0]);
        errno = error;
        return -1;
    }
    in->end = fds[0];
    return 0;
}

int run_input_begin(struct run_input *in, struct process_options *o)
{
    bool first = !in->begun;
    in->begun = true;
    if (!first) {
        o->in = PROCESS_FILE;
        o->in_file = in->again;
    } else if (in->kind == RUN_INPUT_PIPE) {
        if (start_feeder(in))
            return -1;
        snprintf(in->end_path, sizeof in->end_path, "/proc/self/fd/%d", in->end);
        o->in = PROCESS_FILE;
        o->in_file = in->end_path;
    }
    return 0;
}

void run_input_end(struct run_input *in)
{
    if (in->end < 0)
        return;
    kill(in->feeder, SIGKILL);
    while (waitpid(in->feeder, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(in->end);
    in->end = -1;
}
