/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After the run of call count: the dumps become the report and the data file. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/path.h"
#include "base/printable.h"
#include "call/count/count.h"
#include "count/graph.h"
#include "count/page.h"
#include "count/report.h"
#include "data/load.h"

/* The samples of a run that is not complete: its data files and spools. */
static size_t read_part(struct count_request *c, struct dataset *d, const char *folder,
                        struct diag *diag)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort);
    size_t read = 0;
    for (int i = 0; i < n; i++) {
        if (!strncmp(entries[i]->d_name, "data", 4))
            read +=
                !dataset_load(d, arena_printf(c->run.arena, "%s/%s", folder, entries[i]->d_name),
                              NULL, c->run.arena, diag);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return read;
}

/* The data files of all runs; NULL after a message if none can be read. */
static struct dataset *read_data(struct count_request *c, struct diag *diag)
{
    struct dataset *d = dataset_create();
    const struct words *files = &c->run.files, *parts = &c->run.parts;
    size_t read = 0;
    for (size_t i = 0; i < files->n; i++)
        read += !dataset_load(d, files->list[i], NULL, c->run.arena, diag);
    for (size_t i = 0; i < parts->n; i++)
        read += read_part(c, d, parts->list[i], diag);
    if (read)
        return d;
    dataset_destroy(d);
    return NULL;
}

/* The lines that have pragmas: "x.c:12-14". */
static void leave_out_pragmas(struct counts *counts, const struct dataset *d, struct arena *a)
{
    for (size_t i = 0; i < d->nexperiments; i++)
        for (size_t k = 0; k < d->experiments[i]->nsources; k++) {
            const char *source = d->experiments[i]->sources[k], *colon = strrchr(source, ':');
            char *end;
            if (!colon)
                continue;
            const char *file = arena_strndup(a, source, (size_t)(colon - source));
            counts_leave_out(counts, file, strtoul(colon + 1, &end, 10));
            if (*end == '-')
                counts_leave_out(counts, file, strtoul(end + 1, NULL, 10));
        }
}

static int read_dumps(struct count_request *c, struct counts *counts, struct diag *diag)
{
    struct dirent **entries;
    int n = scandir(c->dumps, &entries, NULL, alphasort), read = 0;
    for (int i = 0; i < n; i++) {
        if (!strncmp(entries[i]->d_name, "callgrind.", 10))
            read += !counts_read(
                counts, arena_printf(c->run.arena, "%s/%s", c->dumps, entries[i]->d_name), diag);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    counts_finish(counts);
    return read ? 0 : -1;
}

/* ---- output ---- */

static const char *output_path(const struct count_request *c, const char *ending)
{
    struct arena *a = c->run.arena;
    return arena_printf(a, "%s.count.%s", run_path(a, c->outdir, c->run.program_name), ending);
}

static int cannot_write(const char *path)
{
    return say("call count: cannot write %s: %s\n", path, destination_error(errno));
}

static void put_json(FILE *out, const json_t *report)
{
    json_dumpf(report, out, JSON_INDENT(1));
    fputc('\n', out);
}

/* The report in one of its forms. */
static int write_report(const struct count_request *c, const char *ending,
                        void (*put)(FILE *out, const json_t *report), const json_t *report)
{
    const char *path = output_path(c, ending);
    struct outfile f;
    if (outfile_open(&f, path))
        return cannot_write(path);
    put(f.stream, report);
    return outfile_commit(&f) ? cannot_write(path) : 0;
}

static int write_data(const struct count_request *c, const struct dataset *d)
{
    const char *path = output_path(c, "dat");
    return dataset_save(d, path, NULL, NULL) ? cannot_write(path) : 0;
}

static void print_report(const struct count_request *c, const json_t *report)
{
    if (c->json) {
        put_json(stdout, report);
    } else {
        count_report_print(stdout, report);
        if (c->graph)
            count_graph_print(stdout, report);
        if (!c->quiet)
            printf("\nfiles: %s, %s%s%s%s%s\n", output_path(c, "json"), output_path(c, "dat"),
                   c->html ? ", " : "", c->html ? output_path(c, "html") : "", c->graph ? ", " : "",
                   c->graph ? output_path(c, "dot") : "");
    }
}

static int report_all(struct count_request *c, struct counts *counts, const struct dataset *data,
                      struct diag *diag)
{
    struct count_about about = {.program = path_base(c->run.sources.list[0]),
                                .command = c->command,
                                .flags = c->flags,
                                .machine = c->machine_name,
                                .d1 = c->d1,
                                .ll = c->ll};
    size_t errors = diag_count(diag, SEVERITY_ERROR);
    const struct count_sites *sites =
        count_sites_make(c->run.arena, counts, c->run.sources.list, c->run.sources.n, diag);
    json_t *report = NULL;
    if (diag_count(diag, SEVERITY_ERROR) == errors)
        report = count_report_make(c->run.arena, counts, sites, data, &about, diag);
    if (!report)
        return 1;
    struct dataset *d = count_report_data(c->run.arena, counts, sites, data, c->flags);
    if (c->assign)
        count_assignment_apply(report, c->assign, diag);
    int result = write_report(c, "json", put_json, report) || write_data(c, d) ||
                 (c->html && write_report(c, "html", count_page_write, report)) ||
                 (c->graph && write_report(c, "dot", count_graph_draw, report));
    if (!result)
        print_report(c, report);
    json_decref(report);
    dataset_destroy(d);
    return result || diag_count(diag, SEVERITY_ERROR) > 0 || c->run.failed;
}

int count_results(struct count_request *c)
{
    DIAG_LOCAL struct diag *diag = diag_create();
    struct counts *counts = counts_create(c->run.arena, c->run.program, c->is_based);
    struct dataset *data = read_data(c, diag);
    int status = 1;
    if (data) {
        leave_out_pragmas(counts, data, c->run.arena);
        read_dumps(c, counts, diag);
        for (size_t i = 0; i < data->files[0].nsettings; i++) /* the same in all runs */
            counts_set(counts, data->files[0].settings[i].name, data->files[0].settings[i].value);
        if (counts->nexecutions)
            status = report_all(c, counts, data, diag);
        else
            say("call count: no execution of a region was counted%s\n",
                c->run.failed ? ": the program ended too early" : "");
    }
    diag_print(diag, stderr, 0);
    dataset_destroy(data);
    return status;
}
