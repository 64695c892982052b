/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A built program says what it is in notes of ELF, or in constants if it is Fortran: its driver and its
 * numbers of processors come from translated sources, its MPI library from the piece of the run-time that is linked. If the regions
 * are in shared libraries, these have the notes; the dynamic linker tells which libraries there are.
 */
#define _GNU_SOURCE /* memmem */
#include "call/run/built.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "call/cc/language.h"
#include "call/cc/translate.h"

enum { NOTE_TYPE = 1, MOST_PROCS = 10000 };

bool built_is_program(const char *path)
{
    static const char *const others[] = {".o", ".a", ".so", ".s", ".S", ".lo", ".la"};
    struct stat st;
    if (source_kind(path, NULL, false) != SOURCE_NONE || strstr(path_base(path), ".so."))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (text_ends_with(path, others[i]))
            return false;
    return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* ---- notes ---- */

static void take_procs(struct arena *a, const char *text, struct cc_program *kind)
{
    struct range found = {.values = arena_alloc(a, strlen(text) / 2 + 1, sizeof *found.values)};
    char *end;
    for (unsigned long p; (p = strtoul(text, &end, 10)) > 0 && end != text && found.n < MOST_PROCS;
         text = end)
        found.values[found.n++] = (double)p;
    cc_program_add(a, kind, NULL, false, &found);
}

static void take_note(struct arena *a, const char *text, struct built *out)
{
    static const struct range none = {0};
    size_t word = strcspn(text, " ");
    const char *rest = text + word + (text[word] == ' ');
    const struct driver *driver = driver_find(rest);
    out->instrumented = true;
    if (!strncmp(text, "driver ", 7) && driver)
        cc_program_add(a, &out->kind, driver->prefix ? driver : NULL, driver == driver_openmp,
                       &none);
    else if (!strncmp(text, "flavour ", 8))
        out->kind.flavour = arena_strdup(a, rest);
    else if (!strncmp(text, "procs ", 6))
        take_procs(a, rest, &out->kind);
}

static void read_notes(struct arena *a, Elf_Data *data, struct built *out)
{
    GElf_Nhdr header;
    size_t at = 0, name, text;
    while (data && (at = gelf_getnote(data, at, &header, &name, &text)) > 0) {
        const char *bytes = data->d_buf;
        if (header.n_type != NOTE_TYPE || header.n_namesz != sizeof "CALL" ||
            memcmp(bytes + name, "CALL", sizeof "CALL") != 0 || !header.n_descsz)
            continue;
        take_note(a, arena_strndup(a, bytes + text, strnlen(bytes + text, header.n_descsz)), out);
    }
}

/* Translated Fortran sources have their notes in constants: "cll-notes:NOTE;NOTE|". */
static void read_constants(struct arena *a, const Elf_Data *data, struct built *out)
{
    static const char head[] = "cll-notes:";
    const char *at = data ? data->d_buf : NULL, *end = at ? at + data->d_size : NULL;
    while (at && (at = memmem(at, (size_t)(end - at), head, sizeof head - 1))) {
        at += sizeof head - 1;
        const char *stop = memchr(at, '|', (size_t)(end - at));
        if (!stop)
            return;
        for (const char *next; at < stop; at = next + (next < stop)) {
            next = memchr(at, ';', (size_t)(stop - at));
            next = next ? next : stop;
            take_note(a, arena_strndup(a, at, (size_t)(next - at)), out);
        }
    }
}

/* ---- the file ---- */

/* A program or a library. Sets *linked: the dynamic linker starts it. */
static void read_sections(struct arena *a, Elf *elf, struct built *out, bool *linked)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names))
        return;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
        GElf_Shdr header;
        if (!gelf_getshdr(s, &header))
            continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (header.sh_type == SHT_NOTE && name && !strcmp(name, ".note.cll"))
            read_notes(a, elf_getdata(s, NULL), out);
        if (header.sh_type == SHT_PROGBITS && name && !strncmp(name, ".rodata", 7))
            read_constants(a, elf_getdata(s, NULL), out);
        *linked |= name && !strcmp(name, ".interp");
    }
}

/* 0, or -1 with errno. A file that may only be executed, or that is not one of ELF, says nothing. */
static int read_file(struct arena *a, const char *path, struct built *out, bool *linked)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == EACCES ? 0 : -1;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF)
        read_sections(a, elf, out, linked);
    elf_end(elf);
    close(file);
    errno = EIO;
    return elf ? 0 : -1;
}

/* ---- libraries ---- */

/* What the dynamic linker would load, as ldd prints it: lines "NAME => PATH (ADDRESS)". */
static void read_libraries(struct arena *a, const char *path, struct built *out)
{
    static const char *const environment[] = {"LD_TRACE_LOADED_OBJECTS=1", NULL};
    struct words w = {0};
    words_add(a, &w, path);
    const char *text = process_output(a, &w, environment);
    bool ignored = false;
    for (const char *line = text; line && *line;) {
        const char *end = line + strcspn(line, "\n"), *arrow = strstr(line, "=> "),
                   *address = strstr(line, " (0x");
        if (arrow && address && arrow < address && address < end)
            read_file(a, arena_strndup(a, arrow + 3, (size_t)(address - arrow - 3)), out, &ignored);
        line = end + (*end == '\n');
    }
}

int built_read(struct arena *a, const char *path, struct built *out)
{
    bool linked = false;
    *out = (struct built){0};
    if (read_file(a, path, out, &linked))
        return -1;
    if (linked && !(out->instrumented && out->kind.processes))
        read_libraries(a, path, out);
    return 0;
}
