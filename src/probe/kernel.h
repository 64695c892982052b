/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What keeps a compiler from removing or changing a measured loop. KEEP makes a value opaque at this
 * place: it must be in a register, and nothing is known about it afterwards. So each operation
 * between two KEEPs happens, on its own, in this order of dependences.
 */
#ifndef PROBE_KERNEL_H
#define PROBE_KERNEL_H

#if defined __x86_64__ || defined __i386__
#define KEEP_FP(x) __asm__ volatile("" : "+x"(x))
#elif defined __aarch64__
#define KEEP_FP(x) __asm__ volatile("" : "+w"(x))
#elif defined __powerpc64__ || defined __riscv
#define KEEP_FP(x) __asm__ volatile("" : "+f"(x))
#else
#define KEEP_FP(x) __asm__ volatile("" : "+m"(x))
#endif
#define KEEP_INT(x) __asm__ volatile("" : "+r"(x))
/* The value is used. */
#define USE_INT(x) __asm__ volatile("" : : "r"(x) : "memory")

#define TIMES_8(statement)                                                                         \
    statement statement statement statement statement statement statement statement
#define TIMES_16(statement) TIMES_8(statement) TIMES_8(statement)

/* The measured functions are not inlined, cloned or specialised. */
#if defined __clang__
#define KERNEL __attribute__((noinline))
#else
#define KERNEL __attribute__((noinline, noclone))
#endif

/* NOLINTBEGIN(bugprone-macro-parentheses): types, declarators and statements cannot have any */
/* LATENCY(name, type, KEEP, first, second, statement): a loop name_latency of sixteen statements per
 * step, and each changes x; y is the other operand. */
#define LATENCY(name, type, keep, first, second, statement)                                        \
    static KERNEL void name##_latency(uint64_t n)                                                  \
    {                                                                                              \
        type x = first, y = second;                                                                \
        keep(x);                                                                                   \
        keep(y);                                                                                   \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            TIMES_16(statement; keep(x);)                                                          \
        }                                                                                          \
    }
/* THROUGHPUT: the loop name_throughput; eight values take turns as x. */
#define ONE(v, keep, statement)                                                                    \
    {                                                                                              \
        x = v;                                                                                     \
        statement;                                                                                 \
        keep(x);                                                                                   \
        v = x;                                                                                     \
    }
#define EIGHT(keep, statement)                                                                     \
    ONE(a, keep, statement)                                                                        \
    ONE(b, keep, statement)                                                                        \
    ONE(c, keep, statement)                                                                        \
    ONE(d, keep, statement)                                                                        \
    ONE(e, keep, statement)                                                                        \
    ONE(f, keep, statement)                                                                        \
    ONE(g, keep, statement)                                                                        \
    ONE(h, keep, statement)
#define THROUGHPUT(name, type, keep, first, second, statement)                                     \
    static KERNEL void name##_throughput(uint64_t n)                                               \
    {                                                                                              \
        type x = first, y = second;                                                                \
        keep(x);                                                                                   \
        keep(y);                                                                                   \
        type a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x;                               \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            EIGHT(keep, statement)                                                                 \
            EIGHT(keep, statement)                                                                 \
        }                                                                                          \
    }
#define OPERATION(name, type, keep, first, second, statement)                                      \
    LATENCY(name, type, keep, first, second, statement)                                            \
    THROUGHPUT(name, type, keep, first, second, statement)
/* NOLINTEND(bugprone-macro-parentheses) */

/* The two entries of a table of operations. */
#define BOTH(name, count, available)                                                               \
    {#name ".latency", name##_latency, count, available},                                          \
    {                                                                                              \
#name ".throughput", name##_throughput, count, available                                   \
    }

#endif
