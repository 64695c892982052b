/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes of x86-64 instructions, by their names in Intel's syntax. AVX names are those of SSE after a
 * v. The suffix tells the type: ss and sd are scalar, ps and pd are vectors of floating-point numbers;
 * names with p (paddd) are vectors of integers, even if they end with sd (pmaxsd: signed doublewords).
 * The first operand is the result: an operand in memory there is written, and read as well, unless the
 * tables below say that it is only the one or the other.
 */
#include <string.h>

#include "base/text.h"
#include "count/decode.h"

static const char *const others[] = {
    "nop",     "endbr*",  "pause",    "cpuid",    "rdtsc*",   "rdpmc",    "syscall",   "sysenter",
    "int*",    "hlt",     "ud*",      "mfence",   "lfence",   "sfence",   "prefetch*", "clflush*",
    "clwb",    "xgetbv",  "xsetbv",   "emms",     "vzero*",   "fxsave*",  "fxrstor*",  "xsave*",
    "xrstor*", "ldmxcsr", "stmxcsr",  "vldmxcsr", "vstmxcsr", "fldcw",    "fn*",       "wait",
    "rdrand",  "rdseed",  "enter",    "xbegin",   "xend",     "xabort",   "xtest",     "in",
    "out",     "invlpg",  "rdfsbase", "rdgsbase", "wrfsbase", "wrgsbase", NULL};
/* Operands in memory that are addresses only. */
static const char *const no_access[] = {"lea",  "nop",    "prefetch*", "clflush*",
                                        "clwb", "invlpg", NULL};
static const char *const divisions[] = {"div",   "idiv",  "fdiv*",  "fidiv*", "fsqrt",
                                        "divs*", "divp*", "sqrts*", "sqrtp*", NULL};
/* They copy: with an operand in memory they are loads or stores. */
static const char *const moves[] = {"mov*",     "lddqu",      "fld",       "fild",        "fst",
                                    "fstp",     "fist*",      "fbld",      "fbstp",       "pextr*",
                                    "extract*", "broadcast*", "maskmov*",  "pmaskmov*",   "gather*",
                                    "pgather*", "scatter*",   "pscatter*", "pbroadcast*", NULL};
static const char *const x87_stores[] = {"fst*", "fist*", "fbst*", "fnst*", "fxsave*", NULL};
static const char *const written[] = {"set*", "stmxcsr", "cvtps2ph", "pmov*", "xsave*", NULL};
static const char *const only_read[] = {"cmp", "test", "bt",      "mul",     "imul",
                                        "div", "idiv", "ldmxcsr", "xrstor*", NULL};
/* Logic and shuffles of vectors whose names have a floating-point suffix. */
static const char *const bitwise[] = {"and*",   "or*",     "xor*",     "unpck*",     "shuf*",
                                      "blend*", "insert*", "extract*", "broadcast*", "movmsk*",
                                      "test*",  "p*",      NULL};
static const char *const single[] = {"add*", "sub*", "mul*",   "div*",  "sqrt*", "min*",
                                     "max*", "rcp*", "rsqrt*", "hadd*", "hsub*", NULL};
static const char *const fused[] = {"fmadd*", "fmsub*", "fnmadd*", "fnmsub*", "dpp*", NULL};
static const char *const x87_arithmetic[] = {"fadd*", "fsub*",  "fmul*", "fdiv*",  "fsqrt",
                                             "fiadd", "fisub*", "fimul", "fidiv*", NULL};
/* They work on one element, though their names do not end with ss or sd. */
static const char *const scalar[] = {"movd",      "movq",     "pextr*",  "pinsr*",
                                     "extractps", "insertps", "cvtss2*", "cvtsd2*",
                                     "cvttss2*",  "cvttsd2*", NULL};

/* What the tables are asked about. */
struct subject {
    const cs_x86 *operands;
    const char *name; /* without prefixes such as lock or rep */
    const char *base; /* of a vector instruction: the name without v */
    unsigned vector;  /* bits of the widest vector register; 0: none */
    int memory;       /* index of the operand in memory; -1: none */
};

static unsigned register_bits(x86_reg reg)
{
    if (reg >= X86_REG_ZMM0 && reg <= X86_REG_ZMM31)
        return 512;
    if (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM31)
        return 256;
    if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM31)
        return 128;
    return reg >= X86_REG_MM0 && reg <= X86_REG_MM7 ? 64 : 0;
}

static struct subject subject_of(const cs_insn *decoded)
{
    const char *space = strrchr(decoded->mnemonic, ' ');
    struct subject s = {.operands = &decoded->detail->x86, .memory = -1};
    s.name = s.base = space ? space + 1 : decoded->mnemonic;
    for (int k = 0; k < s.operands->op_count; k++) {
        const cs_x86_op *op = &s.operands->operands[k];
        if (op->type == X86_OP_MEM && s.memory < 0)
            s.memory = k;
        if (op->type == X86_OP_REG && register_bits(op->reg) > s.vector)
            s.vector = register_bits(op->reg);
    }
    if (s.name[0] == 'v' && s.vector)
        s.base++;
    return s;
}

static bool float_suffix(const char *base)
{
    return text_ends_with(base, "ss") || text_ends_with(base, "sd") || text_ends_with(base, "ps") ||
           text_ends_with(base, "pd");
}

static bool is_x87(const struct subject *s)
{
    return s->name[0] == 'f' && !s->vector;
}

static bool is_float(const struct subject *s)
{
    if (is_x87(s))
        return true;
    if (!s->vector || classes_match_name(s->base, bitwise))
        return false;
    return float_suffix(s->base) || strncmp(s->base, "cvt", 3) == 0;
}

/* movs, stos, lods, cmps, scas: with a suffix for the size, and without a vector. */
static bool is_string(const struct subject *s, const char *stem)
{
    size_t n = strlen(stem);
    return !s->vector && s->memory >= 0 && strncmp(s->name, stem, n) == 0 && s->name[n] != '\0' &&
           s->name[n + 1] == '\0' && strchr("bwdq", s->name[n]);
}

/* rep stos and rep movs are blocks of memory; callgrind counts each step. */
static void set_block(struct instruction *i, const struct subject *s, const char *stem)
{
    static const char sizes[] = "bwdq";
    unsigned bytes = 1u << (strchr(sizes, s->name[strlen(stem)]) - sizes);
    if (strncmp(i->name, "rep ", 4) != 0 || !i->writes)
        return;
    i->set = i->reads ? 0 : bytes;
    i->copied = i->reads ? bytes : 0;
}

/* Instructions that access memory in their own ways. True if this is one. */
static bool classify_special(struct instruction *i, const struct subject *s)
{
    static const struct {
        const char *stem;
        enum instruction_class class;
        bool reads, writes;
    } strings[] = {
        {"movs", CLASS_STORE, true, true},    {"stos", CLASS_STORE, false, true},
        {"lods", CLASS_LOAD, true, false},    {"cmps", CLASS_INTEGER, true, false},
        {"scas", CLASS_INTEGER, true, false},
    };
    for (size_t k = 0; k < sizeof strings / sizeof *strings; k++)
        if (is_string(s, strings[k].stem)) {
            i->class = strings[k].class;
            i->reads = strings[k].reads;
            i->writes = strings[k].writes;
            set_block(i, s, strings[k].stem);
            return true;
        }
    if (strncmp(s->name, "push", 4) == 0) {
        i->class = CLASS_STORE;
        i->writes = true;
        i->reads = s->memory >= 0;
    } else if (strcmp(s->name, "leave") == 0 ||
               (strncmp(s->name, "pop", 3) == 0 && strcmp(s->name, "popcnt") != 0)) {
        i->class = s->memory >= 0 ? CLASS_STORE : CLASS_LOAD;
        i->reads = true;
        i->writes = s->memory >= 0;
    } else if (strcmp(s->name, "xchg") == 0 && s->memory >= 0) {
        i->class = CLASS_STORE;
        i->reads = i->writes = true;
    } else {
        return false;
    }
    return true;
}

static bool is_move(const struct subject *s)
{
    return classes_match_name(s->base, moves) && strncmp(s->base, "movmsk", 6) != 0;
}

static void memory_access(struct instruction *i, const struct subject *s)
{
    if (s->memory < 0 || classes_match_name(s->name, no_access))
        return;
    if (is_x87(s)) {
        i->writes = classes_match_name(s->name, x87_stores);
        i->reads = !i->writes;
    } else if (s->memory > 0 || classes_match_name(s->name, only_read)) {
        i->reads = true;
    } else {
        i->writes = true;
        i->reads = !is_move(s) && !classes_match_name(s->base, written);
    }
}

/* Jumps and calls. True if this is one. */
static bool classify_transfer(struct instruction *i, const struct subject *s)
{
    if (strncmp(s->name, "call", 4) == 0) {
        i->class = CLASS_CALL;
        i->writes = true; /* the return address */
    } else if (strncmp(s->name, "ret", 3) == 0) {
        i->class = CLASS_BRANCH;
        i->reads = true;
    } else if (s->name[0] == 'j' || strncmp(s->name, "loop", 4) == 0) {
        i->class = CLASS_BRANCH;
    } else {
        return false;
    }
    i->reads |= s->memory >= 0;
    return true;
}

static unsigned operations(const struct subject *s, unsigned simd)
{
    if (is_x87(s))
        return classes_match_name(s->name, x87_arithmetic);
    if (!float_suffix(s->base))
        return 0;
    unsigned each = classes_match_name(s->base, fused) ? 2 : classes_match_name(s->base, single);
    return !simd ? each : each * simd / (text_ends_with(s->base, "ps") ? 32 : 64);
}

static unsigned width(const struct subject *s)
{
    if (classes_match_name(s->base, scalar))
        return 0;
    if (classes_match_name(s->base, bitwise)) /* pmaxsd, broadcastsd */
        return s->vector;
    return text_ends_with(s->base, "ss") || text_ends_with(s->base, "sd") ||
                   strstr(s->base, "comis") || strstr(s->base, "si2s")
               ? 0
               : s->vector;
}

static const char *const multiplications[] = {"mul", "imul", "mulx", NULL}; /* of integers */

static enum instruction_class class_of(const struct instruction *i, const struct subject *s)
{
    if (classes_match_name(s->name, others))
        return CLASS_OTHER;
    if (classes_match_name(s->base, divisions))
        return CLASS_DIVISION;
    if (is_move(s) && (i->reads || i->writes))
        return i->writes ? CLASS_STORE : CLASS_LOAD;
    return is_float(s) ? CLASS_FLOAT : CLASS_INTEGER;
}

void x86_classify(struct instruction *i, const cs_insn *decoded)
{
    struct subject s = subject_of(decoded);
    if (classify_transfer(i, &s) || classify_special(i, &s))
        return;
    memory_access(i, &s);
    i->class = class_of(i, &s);
    if (i->class == CLASS_OTHER)
        return;
    i->simd = width(&s);
    i->multiplies = !i->simd && classes_match_name(s.name, multiplications);
    if (i->class == CLASS_FLOAT || i->class == CLASS_DIVISION)
        i->flops = operations(&s, i->simd);
}
