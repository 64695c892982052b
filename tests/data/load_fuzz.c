/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a data file: loaded or refused; what is loaded can be fitted and saved. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "harness/synthetic/synth.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("fuzz", 0);
    if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, bytes, n, 0) != (ssize_t)n ||
        lseek(fd, 0, SEEK_SET) != 0)
        return 0;
    struct synth s = synth_begin();
    if (load_dat(s.data, fd, "fuzz.dat", s.arena, s.diag) == 0) {
        for (size_t i = 0; i < s.data->nexperiments; i++) {
            const struct experiment *e = s.data->experiments[i];
            struct points_request r = {.dataset = s.data, .experiment = e, .observable = "CLOCK"};
            const struct observable_formula *f = experiment_formula(e, "CLOCK");
            const struct formula *formula =
                formula_parse_text(s.arena, f ? f->text : "x", e->name, NULL);
            struct fit_request request = {.points = r, .formula = formula, .nonneg = n & 1};
            if (formula)
                model_fit(s.arena, &request, s.diag);
        }
        dataset_save(s.data, "/dev/null", NULL, NULL);
    } else if (diag_count(s.diag, SEVERITY_ERROR) == 0) {
        __builtin_trap(); /* refused without a reason */
    }
    synth_end(&s);
    return 0;
}
