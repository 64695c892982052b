/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes of AArch64 instructions. Names decide: all loads start with ld, all stores with st, all
 * floating-point operations with f, except the conversions from integers. Instructions newer than
 * Capstone 4 (atomics, pointer authentication, half precision) are recognised by their encoding: "Arm
 * Architecture Reference Manual for A-profile", chapter C4.
 */
#include <string.h>

#include "count/decode.h"

static const char *const others[] = {
    "nop", "hint", "yield", "wfe", "wfi", "sev",  "sevl",  "svc",  "hvc",   "smc",
    "brk", "hlt",  "udf",   "dmb", "dsb", "isb",  "clrex", "prf*", "mrs",   "msr",
    "sys", "sysl", "dc",    "ic",  "at",  "tlbi", "eret",  "drps", "dcps*", NULL};
static const char *const divisions[] = {"sdiv", "udiv", "fdiv", "fsqrt", NULL};
static const char *const conversions[] = {"scvtf", "ucvtf", NULL};
/* Operations of two operands, or of one: one for each element. */
static const char *const single[] = {"fadd*", "fsub",  "fmul*", "fnmul",  "fdiv",    "fsqrt",
                                     "fmax*", "fmin*", "fabd",  "frecpe", "frsqrte", NULL};
static const char *const fused[] = {"fmadd", "fmsub", "fnmadd", "fnmsub",  "fmla",
                                    "fmls",  "fmlal", "frecps", "frsqrts", NULL};

static unsigned bits_of_vector(arm64_vas vas)
{
    switch (vas) {
    case ARM64_VAS_8B:
    case ARM64_VAS_4H:
    case ARM64_VAS_2S:
    case ARM64_VAS_1D: return 64;
    case ARM64_VAS_16B:
    case ARM64_VAS_8H:
    case ARM64_VAS_4S:
    case ARM64_VAS_2D:
    case ARM64_VAS_1Q: return 128;
    default: return 0;
    }
}

static unsigned elements_of_vector(arm64_vas vas)
{
    switch (vas) {
    case ARM64_VAS_8B:
    case ARM64_VAS_8H: return 8;
    case ARM64_VAS_16B: return 16;
    case ARM64_VAS_4H:
    case ARM64_VAS_4S: return 4;
    case ARM64_VAS_2S:
    case ARM64_VAS_2D: return 2;
    default: return 1;
    }
}

static bool is_register(const cs_arm64_op *op, arm64_reg first, arm64_reg last)
{
    return op->type == ARM64_OP_REG && op->reg >= first && op->reg <= last;
}

/* The widest operand. A register v0 without an arrangement is that of `mov v0.16b, v1.16b`: there the
 * encoding tells the width. */
static unsigned width(const cs_insn *decoded)
{
    const cs_arm64 *d = &decoded->detail->arm64;
    unsigned widest = 0;
    for (int k = 0; k < d->op_count; k++) {
        const cs_arm64_op *op = &d->operands[k];
        bool element =
            op->vector_index >= 0; /* v0.s[1]; Capstone 5 says that it is arranged as 1S */
        unsigned bits = element ? 0 : bits_of_vector(op->vas);
        if (is_register(op, ARM64_REG_Q0, ARM64_REG_Q31))
            bits = 128;
        else if (!bits && !element && is_register(op, ARM64_REG_V0, ARM64_REG_V31))
            bits = decoded->bytes[3] & 0x40 ? 128 : 64;
        if (bits > widest)
            widest = bits;
    }
    return widest;
}

/* Of the first operand, which is the result. A scalar result of a vector (faddp d0, v1.2d; fmaxv) takes
 * one operation less than the vector has elements. */
static unsigned operations(const cs_insn *decoded)
{
    const cs_arm64 *d = &decoded->detail->arm64;
    unsigned each = classes_match_name(decoded->mnemonic, fused) ? 2 : 1;
    if (each == 1 && !classes_match_name(decoded->mnemonic, single))
        return 0;
    if (d->op_count == 2 && bits_of_vector(d->operands[1].vas) &&
        !bits_of_vector(d->operands[0].vas))
        return elements_of_vector(d->operands[1].vas) - 1;
    return each * (d->op_count ? elements_of_vector(d->operands[0].vas) : 1);
}

static bool in_group(const cs_insn *decoded, unsigned group)
{
    for (int k = 0; k < decoded->detail->groups_count; k++)
        if (decoded->detail->groups[k] == group)
            return true;
    return false;
}

static const char *const multiplications[] = {"mul",    "mneg",   "madd",   "msub",   "smul*",
                                              "umul*",  "smadd*", "umadd*", "smsub*", "umsub*",
                                              "smneg*", "umneg*", NULL};

static enum instruction_class class_of(const cs_insn *decoded)
{
    const char *name = decoded->mnemonic;
    if (strcmp(name, "bl") == 0 || strcmp(name, "blr") == 0)
        return CLASS_CALL;
    if (in_group(decoded, ARM64_GRP_JUMP) || strcmp(name, "ret") == 0)
        return CLASS_BRANCH;
    if (classes_match_name(name, others))
        return CLASS_OTHER;
    if (classes_match_name(name, divisions))
        return CLASS_DIVISION;
    if (name[0] == 'f' || classes_match_name(name, conversions))
        return CLASS_FLOAT;
    if (strncmp(name, "ld", 2) == 0)
        return CLASS_LOAD;
    return strncmp(name, "st", 2) == 0 ? CLASS_STORE : CLASS_INTEGER;
}

void aarch64_classify(struct instruction *i, const cs_insn *decoded)
{
    i->class = class_of(decoded);
    i->reads = i->class == CLASS_LOAD;
    i->writes = i->class == CLASS_STORE;
    if (i->class != CLASS_OTHER)
        i->simd = width(decoded);
    i->multiplies = i->class == CLASS_INTEGER && !i->simd &&
                    classes_match_name(decoded->mnemonic, multiplications);
    if (i->class == CLASS_FLOAT || i->class == CLASS_DIVISION)
        i->flops = operations(decoded);
}

/* ---- what Capstone does not know */

static void atomic(struct instruction *i, uint32_t word)
{
    unsigned operation = word >> 12 & 15;
    if (operation == 12) { /* ldapr */
        i->class = CLASS_LOAD;
        i->reads = true;
    } else if (operation <= 8) { /* ldadd and the like; 8: swp */
        i->class = operation == 8 ? CLASS_STORE : CLASS_INTEGER;
        i->reads = i->writes = true;
    }
}

/* fadd h0, h1, h2 and the like: 2 bits of the encoding tell the precision. */
static void half_precision(struct instruction *i, uint32_t word)
{
    unsigned operation = word >> 12 & 15;
    bool arithmetic = (word & 0x5f200c00) == 0x1e200800; /* two operands */
    bool root = (word & 0x5f3ffc00) == 0x1e21c000;
    bool is_fused = (word & 0x5f000000) == 0x1f000000;
    i->class = (arithmetic && operation == 1) || root ? CLASS_DIVISION : CLASS_FLOAT;
    i->flops = is_fused ? 2 : arithmetic || root;
}

void aarch64_classify_unknown(struct instruction *i, uint32_t word)
{
    static const struct {
        uint32_t mask, value;
        enum instruction_class class;
        bool reads, writes;
    } known[] = {
        {0x3fa07c00, 0x08a07c00, CLASS_INTEGER, true, true},  /* cas */
        {0xbfa07c00, 0x08207c00, CLASS_INTEGER, true, true},  /* casp */
        {0xff200400, 0xf8200400, CLASS_LOAD, true, false},    /* ldraa, ldrab */
        {0xfefff000, 0xd63f0000, CLASS_CALL, false, false},   /* blraa and the like */
        {0xfe000000, 0xd6000000, CLASS_BRANCH, false, false}, /* braa, retaa */
    };
    i->class = CLASS_OTHER;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if ((word & known[k].mask) == known[k].value) {
            i->class = known[k].class;
            i->reads = known[k].reads;
            i->writes = known[k].writes;
            return;
        }
    if ((word & 0x3f200c00) == 0x38200000)
        atomic(i, word);
    else if ((word & 0x5e000000) == 0x1e000000 && (word & 0x00c00000) == 0x00c00000)
        half_precision(i, word);
}
