/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A built program says what it is in notes of ELF: its driver and its numbers of processors come from
 * translated sources, its MPI library from the piece of the run-time that is linked. A program whose
 * regions are all in shared libraries has no notes; then the MPI library it is linked with tells that
 * it is an MPI program.
 */
#include "call/run/built.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "call/cc/language.h"
#include "call/cc/translate.h"

enum { NOTE_TYPE = 1, FIRST_OPENMPI = 20, MOST_PROCS = 10000 };

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n > m && !strcmp(s + n - m, end);
}

bool built_is_program(const char *path)
{
    static const char *const others[] = {".o", ".a", ".so", ".s", ".S", ".lo", ".la"};
    struct stat st;
    if (source_kind(path, NULL, false) != SOURCE_NONE || strstr(path_base(path), ".so."))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ends_in(path, others[i]))
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

/* ---- libraries ---- */

/* "openmpi" or "mpich", by the name of the library; NULL if it is neither. */
static const char *flavour_of(const char *library)
{
    if (!strncmp(library, "libmpich", 8))
        return "mpich";
    if (strncmp(library, "libmpi.so.", 10) != 0)
        return NULL;
    return strtol(library + 10, NULL, 10) >= FIRST_OPENMPI ? "openmpi" : "mpich";
}

static void read_libraries(struct arena *a, Elf *elf, const GElf_Shdr *section, Elf_Data *data,
                           const char **mpi, struct built *out)
{
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
        if (entry.d_tag == DT_NULL)
            return;
        const char *name =
            entry.d_tag == DT_NEEDED ? elf_strptr(elf, section->sh_link, entry.d_un.d_val) : NULL;
        if (!name)
            continue;
        out->instrumented |= !strncmp(name, "libcll.so", 9);
        if (flavour_of(name))
            *mpi = arena_strdup(a, flavour_of(name));
    }
}

/* ---- the file ---- */

static void read_sections(struct arena *a, Elf *elf, struct built *out)
{
    static const struct range none = {0};
    size_t names;
    const char *mpi = NULL;
    if (elf_getshdrstrndx(elf, &names))
        return;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
        GElf_Shdr header;
        if (!gelf_getshdr(s, &header))
            continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (header.sh_type == SHT_NOTE && name && !strcmp(name, ".note.cll"))
            read_notes(a, elf_getdata(s, NULL), out);
        else if (header.sh_type == SHT_DYNAMIC)
            read_libraries(a, elf, &header, elf_getdata(s, NULL), &mpi, out);
    }
    if (mpi && !out->kind.processes)
        cc_program_add(a, &out->kind, driver_mpi, false, &none);
    if (mpi && !out->kind.flavour)
        out->kind.flavour = mpi;
}

void built_read(struct arena *a, const char *path, struct built *out)
{
    *out = (struct built){0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    out->known = elf && elf_kind(elf) == ELF_K_ELF;
    if (out->known)
        read_sections(a, elf, out);
    elf_end(elf);
    close(file);
}
