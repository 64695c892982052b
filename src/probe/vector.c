/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors of two doubles, which every x86-64 and AArch64 processor has, and fused multiplication and
 * addition, which on x86-64 not every processor has: those loops are compiled for it, and run only
 * where the processor says that it does.
 */
#include "probe/operations.h"

#include "probe/kernel.h"

typedef double v2 __attribute__((vector_size(16)));

/* clang-format off */
#if defined __x86_64__ || defined __aarch64__
OPERATION(vector_add, v2, KEEP_FP, ((v2){1, 2}), ((v2){1e-3, 1e-3}), x = x + y)
OPERATION(vector_mul, v2, KEEP_FP, ((v2){1.5, 1.6}), ((v2){0.99999999999, 0.99999999999}), x = x * y)
#endif

#if defined __aarch64__
OPERATION(fp_fma, double, KEEP_FP, 0.5, 0.99999999999, x = __builtin_fma(x, y, y))
#elif defined __x86_64__
#undef KERNEL
#define KERNEL __attribute__((noinline, target("avx2,fma")))
typedef double v4 __attribute__((vector_size(32)));
OPERATION(fp_fma, double, KEEP_FP, 0.5, 0.99999999999,
          __asm__ volatile("vfmadd213sd %1, %1, %0" : "+x"(x) : "x"(y)))
OPERATION(vector4_add, v4, KEEP_FP, ((v4){1, 2, 3, 4}), ((v4){1e-3, 1e-3, 1e-3, 1e-3}), x = x + y)
OPERATION(vector4_fma, v4, KEEP_FP, ((v4){0.5, 0.5, 0.5, 0.5}), ((v4){0.9, 0.9, 0.9, 0.9}),
          __asm__ volatile("vfmadd213pd %1, %1, %0" : "+x"(x) : "x"(y)))

static bool has_fma(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif
/* clang-format on */

const struct probe_operation probe_vector[] = {
#if defined __x86_64__ || defined __aarch64__
    BOTH(vector_add, 16, NULL),
    BOTH(vector_mul, 16, NULL),
#endif
#if defined __aarch64__
    BOTH(fp_fma, 16, NULL),
#elif defined __x86_64__
    BOTH(fp_fma, 16, has_fma),
    BOTH(vector4_add, 16, has_fma),
    BOTH(vector4_fma, 16, has_fma),
#endif
    {NULL, NULL, 0, NULL},
};
