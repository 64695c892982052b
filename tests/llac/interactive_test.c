/* SPDX-License-Identifier: GPL-3.0-or-later */
/* llac on a terminal: prompt, errors that do not end the session, completion, history,
 * Ctrl-D. interrupt.sh has Ctrl-C. */
#define _GNU_SOURCE
#include "harness/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* A running llac and what it has printed since the last `expect`. */
struct terminal {
    pid_t pid;
    int fd;
    char seen[1 << 16];
    size_t n;
};

static char home[] = "/tmp/cll-test-home-XXXXXX";

static void start_with(struct terminal *t, const char *kind, const char *data)
{
    struct winsize size = {.ws_row = 24, .ws_col = 100};
    memset(t, 0, sizeof *t);
    t->pid = forkpty(&t->fd, NULL, NULL, &size);
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        setenv("HOME", home, 1);
        setenv("TERM", kind, 1);
        setenv("LC_ALL", "C", 1);
        unsetenv("NO_COLOR");
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* seconds at each end */
        setenv("INPUTRC", "/dev/null", 1);
        unsetenv("XDG_STATE_HOME");
        setenv("PAGER", "", 0);
        unsetenv("DISPLAY");
        execl(LLAC_PROGRAM, "llac", data, (char *)NULL);
        _exit(127);
    }
}

static void start(struct terminal *t, const char *data)
{
    start_with(t, "dumb", data);
}

static void type(struct terminal *t, const char *keys)
{
    size_t n = strlen(keys);
    assert_true(write(t->fd, keys, n) == (ssize_t)n);
}

/* Waits (generously: a loaded machine) until the text has come. */
static void expect(struct terminal *t, const char *text)
{
    for (;;) {
        char *found = memmem(t->seen, t->n, text, strlen(text));
        if (found) {
            size_t rest = t->n - (size_t)(found - t->seen) - strlen(text);
            memmove(t->seen, found + strlen(text), rest);
            t->n = rest;
            return;
        }
        struct pollfd p = {.fd = t->fd, .events = POLLIN};
        ssize_t got =
            poll(&p, 1, 20000) > 0 ? read(t->fd, t->seen + t->n, sizeof t->seen - 1 - t->n) : 0;
        if (got <= 0) {
            t->seen[t->n] = 0;
            kill(t->pid, SIGKILL);
            fail_msg("'%s' did not come; seen: %s", text, t->seen);
        }
        t->n += (size_t)got;
    }
}

static int wait_end(struct terminal *t)
{
    int status;
    char rest[4096];
    while (read(t->fd, rest, sizeof rest) > 0)
        ;
    assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
    close(t->fd);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void commands_run_and_errors_do_not_end_the_session(void **state)
{
    struct terminal t;
    (void)state;
    start(&t, DEMO_DATA);
    expect(&t, "1 file, 3 experiments, 236 samples. 'help' lists the commands.");
    expect(&t, "llac> ");
    type(&t, "fit nothing\n");
    expect(&t, "there is no experiment 'nothing'");
    expect(&t, "llac> ");
    type(&t, "fit sort\n");
    expect(&t, "12 points, 96 samples");
    expect(&t, "llac> ");
    type(&t, "quit\n");
    assert_int_equal(wait_end(&t), 0);
}

static void end_of_input_leaves(void **state)
{
    struct terminal t;
    (void)state;
    start(&t, DEMO_DATA);
    expect(&t, "llac> ");
    type(&t, "\004");
    assert_int_equal(wait_end(&t), 0);
}

static void tab_completes_commands_experiments_variables_and_files(void **state)
{
    struct terminal t;
    (void)state;
    start(&t, DEMO_DATA);
    expect(&t, "llac> ");
    type(&t, "pred\tso\t\b");
    type(&t, " N=4096\n");
    expect(&t, "predict sort");
    expect(&t, "0.0001319 s");
    expect(&t, "llac> ");
    type(&t, "show init on pag\t\n");
    expect(&t, "show init on page-faults");
    expect(&t, "samples");
    expect(&t, "llac> ");
    type(&t, "ranks mea\t\n");
    expect(&t, "the mean over the ranks counts");
    expect(&t, "llac> ");
    type(&t, "outli\tkee\t\n");
    expect(&t, "are kept in fits");
    expect(&t, "llac> ");
    type(&t, "load " DEMO_FOLDER "/dem\t\n");
    expect(&t, "/demo.dat");
    expect(&t, "236 samples");
    expect(&t, "llac> ");
    type(&t, "obsp " TRACE_BUT_ITS_END "\th ma\tpict\tx.doc\n");
    expect(&t, ".trace h max picture x.doc");
    expect(&t, "the name must end in .svg");
    expect(&t, "llac> ");
    type(&t, "quit\n");
    assert_int_equal(wait_end(&t), 0);
}

static void history_is_kept_privately(void **state)
{
    struct terminal t;
    struct stat st;
    char path[128], line[64];
    (void)state;
    start(&t, DEMO_DATA);
    expect(&t, "llac> ");
    type(&t, "statistic median\n");
    expect(&t, "llac> ");
    type(&t, "quit\n");
    wait_end(&t);
    snprintf(path, sizeof path, "%s/.local/state/llac_history", home);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    FILE *f = fopen(path, "r");
    bool found = false;
    while (fgets(line, sizeof line, f))
        found = found || strcmp(line, "statistic median\n") == 0;
    fclose(f);
    assert_true(found);
    start(&t, DEMO_DATA);
    expect(&t, "llac> ");
    type(&t, "\020\020\n"); /* Ctrl-P: the line before `quit` */
    expect(&t, "median of its samples");
    expect(&t, "llac> ");
    type(&t, "quit\n");
    wait_end(&t);
}

static void tab_completes_by_context(void **state)
{
    struct terminal t;
    (void)state;
    start(&t, DEMO_DATA);
    expect(&t, "llac> ");
    type(&t, "fit sort = sor\t0] + sort[1]*N*sq\tN)\n");
    expect(&t, "fit sort = sort[0] + sort[1]*N*sqrt(N)");
    expect(&t, "12 points");
    expect(&t, "llac> ");
    type(&t, "compare sort \"sort[0]*N*sq\tN)\" \"sort[0]*N\"\n");
    expect(&t, "sort[0]*N*sqrt(N)");
    expect(&t, "llac> ");
    type(&t, "predict so\tN=4096 o\t\b\b\b\n");
    expect(&t, "predict sort N=4096 on");
    expect(&t, " s   typical ");
    expect(&t, "llac> ");
    type(&t, "plot sort sma\t\n");
    expect(&t, "CLOCK of sort (s)");
    expect(&t, "llac> ");
    type(&t, "quit\n");
    assert_int_equal(wait_end(&t), 0);
}

static void undo_that_fails_changes_nothing(void **state)
{
    struct terminal t;
    char copy[128], command[256];
    (void)state;
    snprintf(copy, sizeof copy, "%s/copy.dat", home);
    snprintf(command, sizeof command, "cp " DEMO_DATA " %s", copy);
    assert_int_equal(system(command), 0);
    start(&t, copy);
    expect(&t, "llac> ");
    type(&t, "load " DEMO_FOLDER "/grid.dat\n");
    expect(&t, "920 samples");
    expect(&t, "llac> ");
    type(&t, "fit both = both[0]*N\n");
    expect(&t, "both[0]");
    expect(&t, "llac> ");
    type(&t, "undo\n");
    expect(&t, "undone: fit both");
    assert_int_equal(unlink(copy), 0);
    type(&t, "undo\n");
    expect(&t, "No such file");
    expect(&t, "cannot be read again, so nothing was undone");
    expect(&t, "llac> ");
    type(&t, "predict both N=64 P=2\n");
    expect(&t, "typical");
    expect(&t, "llac> ");
    type(&t, "list\n");
    expect(&t, "460 samples");
    expect(&t, "llac> ");
    type(&t, "quit\n");
    assert_int_equal(wait_end(&t), 0);
}

/* A pager that shows what it got: between marks. */
static void long_output_goes_to_the_pager(void **state)
{
    struct terminal t;
    (void)state;
    setenv("PAGER", "echo BEGIN; cat; echo END", 1);
    start_with(&t, "xterm", DEMO_DATA);
    expect(&t, "llac> ");
    type(&t, "help\n"); /* more than 24 lines */
    expect(&t, "BEGIN");
    expect(&t, "  load");
    expect(&t, "  quit");
    expect(&t, "END");
    expect(&t, "llac> ");
    type(&t, "list\n"); /* fits */
    expect(&t, "96 samples");
    expect(&t, "llac> ");
    type(&t, "fit nothing\n");
    expect(&t, "there is no experiment");
    expect(&t, "llac> ");
    t.seen[t.n] = 0;
    assert_null(strstr(t.seen, "BEGIN"));
    type(&t, "quit\n");
    assert_int_equal(wait_end(&t), 0);
    setenv("PAGER", "head -n 2; echo LEFT", 1); /* the user leaves it early */
    start_with(&t, "xterm", DEMO_DATA);
    expect(&t, "llac> ");
    type(&t, "help\n");
    expect(&t, "LEFT");
    expect(&t, "llac> ");
    type(&t, "quit\n");
    assert_int_equal(wait_end(&t), 0);
    unsetenv("PAGER");
}

static void output_is_shown_without_a_pager(void **state)
{
    static const char *const pagers[] = {"", "cat", "/no/such/pager"};
    struct terminal t;
    (void)state;
    for (size_t i = 0; i < sizeof pagers / sizeof *pagers; i++) {
        setenv("PAGER", pagers[i], 1);
        start_with(&t, "xterm", DEMO_DATA);
        expect(&t, "llac> ");
        type(&t, "help\n");
        expect(&t, "  load ");
        expect(&t, "  quit ");
        expect(&t, "llac> ");
        type(&t, "quit\n");
        assert_int_equal(wait_end(&t), 0);
    }
    setenv("PAGER", "echo BEGIN; cat", 1); /* a dumb terminal has none */
    start(&t, DEMO_DATA);
    expect(&t, "llac> ");
    type(&t, "help\n");
    expect(&t, "help\r\n  load ");
    expect(&t, "llac> ");
    type(&t, "quit\n");
    assert_int_equal(wait_end(&t), 0);
    unsetenv("PAGER");
}

static void long_work_shows_its_progress(void **state)
{
    struct terminal t;
    char fifo[128], command[160];
    (void)state;
    snprintf(fifo, sizeof fifo, "%s/slow", home);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    start_with(&t, "xterm", DEMO_DATA);
    expect(&t, "llac> ");
    int writer = open(fifo, O_RDWR);
    assert_true(writer >= 0);
    snprintf(command, sizeof command, "load %s\n", fifo);
    type(&t, command);
    expect(&t, "\r\033[Kllac: load ");
    expect(&t, " s, files 0 %"); /* a busy machine skips seconds */
    type(&t, "\003");
    expect(&t, "\r\033[K");
    expect(&t, "llac> ");
    type(&t, "quit\n");
    assert_int_equal(wait_end(&t), 0);
    close(writer);
    unlink(fifo);
}

static void terminals_have_colours(void **state)
{
    (void)state;
    struct terminal t;
    start_with(&t, "xterm", DEMO_DATA);
    expect(&t, "llac> ");
    type(&t, "fit nothing\n");
    expect(&t, "\033[1;31merror\033[0m: there is no experiment 'nothing'");
    type(&t, "fit init = init[0] + init[1]*N where CLOCK < 1\n");
    expect(&t,
           "\033[33mwarning: \033[0m"); /* of the fit, which comes before those of the command */
    expect(&t, "\033[33mwarning\033[0m: samples are left out");
    type(&t, "list\n");
    expect(&t, "\033[1msort\033[0m   96 samples");
    type(&t, "fit sort\n");
    expect(&t, "\033[1msort\033[0m = sort[0]");
    expect(&t, "\033[1m  "); /* a heading */
    type(&t, "quit\n");
    wait_end(&t);
    start(&t, DEMO_DATA); /* a dumb terminal has none */
    expect(&t, "llac> ");
    type(&t, "fit nothing; list\n");
    expect(&t, "error: there is no experiment 'nothing'");
    expect(&t, "  sort   96 samples");
    type(&t, "quit\n");
    wait_end(&t);
}

/* Three regions with long names and terms; the path of the file is in *path. */
static void write_regions(char *path, size_t size)
{
    static const char *const names[] = {"multiply_blocks_of_the_large_matrix",
                                        "exchange_of_the_boundaries", "tiny"};
    snprintf(path, size, "%s/regions.dat", home);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("# cll-data 1\n", out);
    for (int k = 0; k < 3; k++)
        fprintf(out,
                "# experiment: %s\n# variables: %s N\n# formula: %s CLOCK %s[0]*N^%d/(1 + 1/N)\n",
                names[k], names[k], names[k], names[k], 3 - k);
    fputs("experiment run seq start nested P rank thread count N CLOCK\n", out);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 24; i++) {
            int n = 100 << i % 4;
            double power = k == 0 ? (double)n * n * n : k == 1 ? (double)n * n : n;
            fprintf(out, "%s %d %d 0 0 1 0 0 1 %d %.9g\n", names[k], i / 4, i, n,
                    1.2345678e-9 * power / (1 + 1.0 / n) * (1 + 0.001 * (i % 7)));
        }
    assert_int_equal(fclose(out), 0);
}

/* What comes before the next prompt has no line that is wider than the terminal. */
static void expect_no_wide_line(struct terminal *t, size_t columns)
{
    size_t width = 0;
    while (!memmem(t->seen, t->n, "llac> ", 6)) {
        struct pollfd p = {.fd = t->fd, .events = POLLIN};
        assert_true(poll(&p, 1, 20000) > 0);
        ssize_t got = read(t->fd, t->seen + t->n, sizeof t->seen - 1 - t->n);
        assert_true(got > 0);
        t->n += (size_t)got;
    }
    for (size_t i = 0; i < t->n; i++) {
        width = t->seen[i] == '\n' || t->seen[i] == '\r' ? 0 : width + 1;
        if (width > columns)
            fail_msg("a line of more than %zu columns: %.*s", columns, (int)t->n, t->seen);
    }
    expect(t, "llac> ");
}

static void rows_of_rank_do_not_wrap(void **state)
{
    (void)state;
    static const unsigned short columns[] = {80, 100};
    struct terminal t;
    char path[128];
    write_regions(path, sizeof path);
    start(&t, path);
    expect(&t, "llac> ");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        struct winsize size = {.ws_row = 24, .ws_col = columns[i]};
        assert_int_equal(ioctl(t.fd, TIOCSWINSZ, &size), 0);
        type(&t, "rank N=1e9\n");
        expect(&t, "region ");
        expect_no_wide_line(&t, columns[i]);
    }
    type(&t, "quit\n");
    assert_int_equal(wait_end(&t), 0);
    unlink(path);
}

static int make_home(void **state)
{
    (void)state;
    return mkdtemp(home) ? 0 : -1;
}

static int remove_home(void **state)
{
    char path[160];
    static const char *const parts[] = {"/.local/state/llac_history", "/.local/state", "/.local",
                                        ""};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s%s", home, parts[i]);
        remove(path);
    }
    return 0;
}

/* A container may have none. */
static bool has_terminals(void)
{
    int master = -1, slave = -1;
    if (openpty(&master, &slave, NULL, NULL, NULL))
        return false;
    close(master);
    close(slave);
    return true;
}

int main(void)
{
    if (!has_terminals()) {
        puts("skipped: there are no pseudo-terminals here");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_run_and_errors_do_not_end_the_session),
        cmocka_unit_test(end_of_input_leaves),
        cmocka_unit_test(tab_completes_commands_experiments_variables_and_files),
        cmocka_unit_test(history_is_kept_privately),
        cmocka_unit_test(tab_completes_by_context),
        cmocka_unit_test(undo_that_fails_changes_nothing),
        cmocka_unit_test(long_output_goes_to_the_pager),
        cmocka_unit_test(output_is_shown_without_a_pager),
        cmocka_unit_test(long_work_shows_its_progress),
        cmocka_unit_test(terminals_have_colours),
        cmocka_unit_test(rows_of_rank_do_not_wrap),
    };
    return RUN_WITH(tests, make_home, remove_home);
}
