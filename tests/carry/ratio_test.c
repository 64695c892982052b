/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of operations, and ratios of constants, on machines whose figures are known. */
#include <math.h>

#include "carry/carry.h"
#include "harness/unit.h"

/* Machine `slow` takes twice as long for operations that wait, three times for the others, five times
 * for memory, and has four times the g and ten times the L. */
enum { FIGURES = 24, SUMMARY = 4 };
struct box {
    struct machine machine;
    struct machine_figure figures[FIGURES], summary[SUMMARY];
};

static void add(struct box *b, const char *family, const char *name, double value)
{
    b->figures[b->machine.nfigures++] = (struct machine_figure){
        .family = family, .name = name, .unit = "s", .value = value, .low = value, .high = value};
}

static void add_memory(struct box *b, const char *name, uint64_t bytes, double value)
{
    add(b, "memory", name, value);
    struct machine_figure *f = &b->figures[b->machine.nfigures - 1];
    f->has_bytes = true;
    f->bytes = bytes;
    f->cores = 1;
}

static void add_bsp(struct box *b, const char *name, int processes, double value)
{
    b->summary[b->machine.nsummary++] = (struct machine_figure){
        .family = "bsp", .name = name, .unit = "s", .processes = processes, .value = value};
}

static struct box *box(struct arena *a, const char *name, double serial, double overlapped,
                       double memory, double g, double l)
{
    struct box *b = arena_zalloc(a, 1, sizeof *b);
    b->machine = (struct machine){
        .name = name, .architecture = "x", .figures = b->figures, .summary = b->summary};
    add(b, "operations", "int_add.latency", 1e-9 * serial);
    add(b, "operations", "int_add.throughput", 0.25e-9 * overlapped);
    add(b, "operations", "int_mul.latency", 3e-9 * serial);
    add(b, "operations", "int_mul.throughput", 1e-9 * overlapped);
    add(b, "operations", "fp_add.latency", 4e-9 * serial);
    add(b, "operations", "fp_add.throughput", 1e-9 * overlapped);
    add(b, "operations", "fp_mul.latency", 6e-9 * serial);
    add(b, "operations", "fp_mul.throughput", 1e-9 * overlapped);
    add(b, "operations", "fp_div.latency", 20e-9 * serial);
    add(b, "operations", "int_div.latency", 30e-9 * serial);
    add(b, "operations", "load.latency", 4e-9 * serial);
    add(b, "operations", "load.throughput", 0.5e-9 * overlapped);
    add(b, "operations", "store.throughput", 1e-9 * overlapped);
    add_memory(b, "latency", 4096, 4e-9);
    add_memory(b, "latency", 1 << 28, 100e-9 * memory);
    add_memory(b, "read", 1 << 28, 64 / (10e-9 * memory));
    add_bsp(b, "g.random", 2, 1e-9 * g);
    add_bsp(b, "L.random", 2, 1e-6 * l);
    add_bsp(b, "g.random", 8, 4e-9 * g);
    add_bsp(b, "L.random", 8, 4e-6 * l);
    return b;
}

static bool is(double x, double y)
{
    return fabs(x / y - 1) < 1e-9;
}

static void a_mix_costs_what_its_operations_do(void **state)
{
    struct arena *a = arena_create();
    struct box *b = box(a, "one", 1, 1, 1, 1, 1);
    struct operation_mix mix = {.instructions = 6};
    struct cost c;
    (void)state;
    mix.of[OPERATION_INTEGER] = 2;
    mix.of[OPERATION_FLOAT] = 2;
    mix.of[OPERATION_LOAD] = 1;
    mix.of[OPERATION_DIVISION] = 1;
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 2e-9 + 10e-9 + 4e-9 + 20e-9));
    assert_true(is(c.overlapped, 2e-9 + 20e-9)); /* floats; integers and loads go on beside them */
    mix.multiplies = 1;                          /* one of the two integer operations */
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 1e-9 + 3e-9 + 10e-9 + 4e-9 + 20e-9));
    mix.multiplies = 0;
    mix.of[OPERATION_FLOAT] = 0; /* then the division is one of integers */
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 2e-9 + 4e-9 + 30e-9));
    arena_destroy(a);
}

/* 1 GB/s in a cache, 0.25 GB/s in memory; a byte that is copied counts twice. */
static void blocks_cost_what_their_bytes_take(void **state)
{
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct box *b = box(a, "one", 1, 1, 1, 1, 1);
    struct operation_mix mix = {.set = 8};
    struct cost c;
    (void)state;
    assert_false(cost_of_mix(&b->machine, &mix, 0, diag, &c));
    assert_non_null(
        strstr(diag_first(diag, SEVERITY_ERROR), "machine one has no figures for bw_write()"));
    add_memory(b, "write", 4096, 1e9);
    add_memory(b, "write", 1 << 28, 0.25e9);
    add_memory(b, "copy", 4096, 2e9);
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 8e-9) && is(c.overlapped, 8e-9));
    assert_true(cost_of_mix(&b->machine, &mix, 1 << 25, NULL, &c)); /* 2^28 bytes in all */
    assert_true(is(c.serial, 32e-9));
    mix.copied = 4;
    mix.instructions = mix.of[OPERATION_INTEGER] = 1;
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 8e-9 + 4e-9 + 1e-9));
    assert_true(is(c.overlapped, 8e-9 + 4e-9));
    diag_destroy(diag);
    arena_destroy(a);
}

/* Two of ten integer instructions multiply. A price of them is no price of the additions, and the other way round. */
static void prices_of_multiplications_count_once(void **state)
{
    static const struct mnemonic list[] = {{"imul", OPERATION_INTEGER, 2},
                                           {"add", OPERATION_INTEGER, 8}};
    struct arena *a = arena_create();
    struct box *b = box(a, "one", 1, 1, 1, 1, 1);
    struct operation_mix mix = {.instructions = 10,
                                .multiplies = 2,
                                .mnemonics = list,
                                .nmnemonics = 2,
                                .architecture = "x"};
    struct cost c;
    (void)state;
    mix.of[OPERATION_INTEGER] = 10;
    b->machine.architecture = "x";
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 2 * 3e-9 + 8 * 1e-9));
    add(b, "operations", "imul.latency", 7e-9);
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 2 * 7e-9 + 8 * 1e-9));
    add(b, "operations", "add.latency", 2e-9);
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 2 * 7e-9 + 8 * 2e-9));
    arena_destroy(a);
}

/* W = sum of w times p: fpmul has a price on machines of its architecture, fpodd counts as a class. */
static void instructions_with_prices_cost_these(void **state)
{
    static const struct mnemonic list[] = {
        {"fpmul", OPERATION_FLOAT, 3}, {"fpodd", OPERATION_FLOAT, 1}, {"ldl", OPERATION_LOAD, 2}};
    struct arena *a = arena_create();
    struct box *b = box(a, "one", 1, 1, 1, 1, 1);
    struct operation_mix mix = {.instructions = 6, .mnemonics = list, .nmnemonics = 3};
    struct cost c;
    size_t at = 0;
    (void)state;
    mix.of[OPERATION_FLOAT] = 4;
    mix.of[OPERATION_LOAD] = 2;
    mix.architecture = "x-1";
    b->machine.architecture = "x_1";
    assert_null(cost_unpriced(&b->machine, &mix, &at)); /* it prices none */
    add(b, "operations", "fpmul.latency", 7e-9);
    add(b, "operations", "ldl.latency", 2e-9);
    add(b, "operations", "ldl.throughput", 1e-9);
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 3 * 7e-9 + 5e-9 + 2 * 2e-9));
    assert_true(is(c.overlapped, 3 * 7e-9 + 1e-9)); /* the loads go on beside them */
    const struct mnemonic *unpriced = cost_unpriced(&b->machine, &mix, &at);
    assert_non_null(unpriced);
    assert_string_equal(unpriced->name, "fpodd");
    assert_null(cost_unpriced(&b->machine, &mix, &at));
    struct mnemonic call[] = {list[0], {"gcall", OPERATION_CALL, 1}};
    struct operation_mix calls = {
        .instructions = 4, .mnemonics = call, .nmnemonics = 2, .architecture = "x-1"};
    struct diag *diag = diag_create();
    calls.of[OPERATION_FLOAT] = 3;
    calls.of[OPERATION_CALL] = 1;
    assert_false(cost_of_mix(&b->machine, &calls, 0, diag, &c));
    assert_string_equal(
        diag_first(diag, SEVERITY_ERROR),
        "machine one has no price of the instruction 'gcall', and no figure for its "
        "class 'call'; add gcall.latency to the operations of its file");
    diag_destroy(diag);
    mix.architecture = "other"; /* its mul is another one */
    assert_true(cost_of_mix(&b->machine, &mix, 0, NULL, &c));
    assert_true(is(c.serial, 4 * 5e-9 + 2 * 4e-9));
    arena_destroy(a);
}

static void a_figure_that_is_missing_is_named(void **state)
{
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct box *b = box(a, "one", 1, 1, 1, 1, 1);
    struct operation_mix mix = {.instructions = 1};
    struct cost c;
    (void)state;
    mix.of[OPERATION_CALL] = 1;
    assert_false(cost_of_mix(&b->machine, &mix, 0, diag, &c));
    assert_non_null(
        strstr(diag_first(diag, SEVERITY_ERROR), "machine one has no figure for operations call"));
    diag_destroy(diag);
    arena_destroy(a);
}

static void communication_is_taken_between_processes_in_ratio(void **state)
{
    struct arena *a = arena_create();
    struct box *b = box(a, "one", 1, 1, 1, 1, 1);
    double g, l;
    (void)state;
    assert_true(cost_of_communication(&b->machine, 4, &g, &l));
    assert_true(is(g, 2e-9) && is(l, 2e-6));
    assert_true(cost_of_communication(&b->machine, 64, &g, &l));
    assert_true(is(g, 4e-9) && is(l, 4e-6));
    assert_true(cost_of_communication(&b->machine, 1, &g, &l));
    assert_true(is(g, 1e-9));
    b->machine.nsummary = 0;
    assert_false(cost_of_communication(&b->machine, 4, &g, &l));
    arena_destroy(a);
}

/* The constant f[0] executes 4 integer operations: 4 ns serial, 1 ns overlapped. */
struct study {
    struct arena *arena;
    struct diag *diag;
    struct carry_request request;
    struct report_experiment experiment;
    struct report_constant counted;
};

static void study_begin(struct study *s)
{
    *s = (struct study){.arena = arena_create(), .diag = diag_create()};
    s->request.from = &box(s->arena, "fast", 1, 1, 1, 1, 1)->machine;
    s->request.to = &box(s->arena, "slow", 2, 3, 5, 4, 10)->machine;
    s->request.spread_from = spread_find(s->request.from);
    s->request.spread_to = spread_find(s->request.to);
    s->request.processes = 8;
    s->counted.name = "f[0]";
    s->counted.mix.instructions = s->counted.mix.of[OPERATION_INTEGER] = 4;
    s->experiment.constants = &s->counted;
    s->experiment.nconstants = 1;
    s->request.counts = &s->experiment;
}

static void study_end(struct study *s)
{
    diag_destroy(s->diag);
    arena_destroy(s->arena);
}

static struct carry_ratio ratio_of(struct study *s, struct carry_constant k)
{
    struct carry_ratio r;
    k.name = "f[0]";
    if (!carry_ratio(s->arena, &s->request, &k, s->diag, &r))
        fail_msg("%s", diag_first(s->diag, SEVERITY_ERROR));
    return r;
}

static void the_measured_time_tells_the_overlap(void **state)
{
    struct study s;
    (void)state;
    study_begin(&s);
    struct carry_ratio r = ratio_of(&s, (struct carry_constant){.value = 1e-9, .in_cache = 1e-9});
    assert_true(r.rule == CARRY_OPERATIONS && r.overlap == 1 && is(r.ratio, 3));
    assert_true(is(r.low, 2) && is(r.high, 3) && r.rest_share == 0);
    r = ratio_of(&s, (struct carry_constant){.value = 4e-9, .in_cache = 4e-9});
    assert_true(is(r.ratio, 2) && r.rest_share == 0);
    r = ratio_of(&s, (struct carry_constant){.value = 2e-9, .in_cache = 2e-9});
    assert_true(is(r.overlap, 0.5) && is(r.ratio, sqrt(6)));
    study_end(&s);
}

static void time_beyond_the_operations_scales_as_memory(void **state)
{
    struct study s;
    (void)state;
    study_begin(&s);
    /* 8 ns beyond the serial cost of 4 ns; both figures of the memory are five times larger */
    struct carry_ratio r = ratio_of(&s, (struct carry_constant){.value = 12e-9, .in_cache = 12e-9});
    assert_true(is(r.rest_share, 2.0 / 3) && is(r.rest, 5));
    assert_true(is(r.ratio, 2.0 / 3 + 10.0 / 3));
    /* an interval that is slower than the fastest one: the difference */
    r = ratio_of(&s, (struct carry_constant){.value = 2e-9, .in_cache = 1e-9});
    assert_true(is(r.rest_share, 0.5) && is(r.ratio, 1.5 + 2.5));
    study_end(&s);
}

static void time_beyond_the_operations_scales_as_communication(void **state)
{
    struct study s;
    (void)state;
    study_begin(&s);
    s.experiment.communicates = true;
    struct carry_ratio r = ratio_of(&s, (struct carry_constant){.value = 8e-9, .in_cache = 8e-9});
    assert_true(r.rest_rule == CARRY_L && is(r.ratio, 1 + 5));
    r = ratio_of(&s, (struct carry_constant){.value = 8e-9, .in_cache = 8e-9, .grows = true});
    assert_true(r.rest_rule == CARRY_G && is(r.ratio, 1 + 2));
    study_end(&s);
}

static void rules_can_be_chosen(void **state)
{
    static const struct {
        enum carry_rule rule;
        double ratio;
    } cases[] = {{CARRY_CYCLE, 2}, {CARRY_LATENCY, 5}, {CARRY_BANDWIDTH, 5},
                 {CARRY_G, 4},     {CARRY_L, 10},      {CARRY_COUNT, 1}};
    struct study s;
    (void)state;
    study_begin(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct carry_ratio r =
            ratio_of(&s, (struct carry_constant){.value = 1, .in_cache = 1, .rule = cases[i].rule});
        assert_true(r.rule == cases[i].rule && is(r.ratio, cases[i].ratio));
    }
    assert_true(ratio_of(&s, (struct carry_constant){.value = 1, .machine_term = true}).ratio == 1);
    study_end(&s);
}

/* Constants of a region that uses an accelerator scale as the accelerator does, or not at all. */
static void regions_of_a_device_scale_as_the_device(void **state)
{
    struct study s;
    (void)state;
    study_begin(&s);
    struct carry_constant start = {.name = "f[0]", .value = 1, .in_cache = 1, .device = true},
                          each = {.value = 1, .in_cache = 1, .device = true, .grows = true};
    struct diag *diag = diag_create();
    struct carry_ratio r;
    assert_false(carry_ratio(s.arena, &s.request, &start, diag, &r));
    assert_non_null(strstr(diag_first(diag, SEVERITY_ERROR), "has no figures of an accelerator"));
    diag_destroy(diag);
    for (int i = 0; i < 2; i++) {
        struct box *b = (struct box *)(i ? s.request.to : s.request.from);
        add(b, "gpu", "launch.latency", i ? 3e-6 : 1e-6);
        add(b, "gpu", "flop_double", i ? 7e-13 : 1e-13);
        add(b, "gpu", "flop_float", i ? 4e-13 : 1e-13);
        add_memory(b, "read", 1 << 20, i ? 1e12 : 2e12);
        struct machine_figure *f = &b->figures[b->machine.nfigures - 1];
        f->family = "gpu";
        f->cores = 0;
    }
    r = ratio_of(&s, start);
    assert_true(r.rule == CARRY_GPU_LAUNCH && is(r.ratio, 3));
    r = ratio_of(&s, each);
    assert_true(r.rule == CARRY_GPU_BANDWIDTH && is(r.ratio, 2) && is(r.low, 2) && is(r.high, 7));
    each.rule = CARRY_GPU_FLOP;
    r = ratio_of(&s, each);
    assert_true(is(r.ratio, 7) && is(r.high, 7));
    study_end(&s);
}

/* A loop that both machines have, of the same mix and time, decides; one of another mix says nothing. */
static void loops_like_it_correct_the_ratio(void **state)
{
    struct study s;
    struct box *from, *to;
    struct carry_constant k = {.value = 2e-9, .in_cache = 2e-9};
    (void)state;
    study_begin(&s);
    from = (struct box *)s.request.from;
    to = (struct box *)s.request.to;
    struct operation_mix *mix = &s.counted.mix;
    double before = ratio_of(&s, k).ratio;
    add(from, "operations", "loop_interaction.throughput", 20e-9);
    add(to, "operations", "loop_interaction.throughput", 200e-9);
    struct carry_ratio r = ratio_of(&s, k);
    assert_true(!r.loop && is(r.ratio, before));
    /* the mix of an update, which takes as long as that loop: the costs of operations count as a loop that is two away */
    *mix = (struct operation_mix){.instructions = 7};
    mix->of[OPERATION_INTEGER] = mix->of[OPERATION_LOAD] = 2;
    mix->of[OPERATION_FLOAT] = mix->of[OPERATION_STORE] = mix->of[OPERATION_BRANCH] = 1;
    before = ratio_of(&s, k).ratio;
    add(from, "operations", "loop_update.throughput", 2e-9);
    r = ratio_of(&s, k);
    assert_true(!r.loop && is(r.ratio, before)); /* the other machine lacks it */
    add(to, "operations", "loop_update.throughput", 9e-9);
    r = ratio_of(&s, k);
    assert_string_equal(r.loop, "update");
    double own = exp(-2), expected = exp((log(4.5) + own * log(before)) / (1 + own));
    assert_true(is(r.ratio, expected));
    assert_true(r.low <= r.ratio && r.high >= r.ratio && is(r.high, 4.5));
    /* the same mix in four times the time is another kind of loop */
    k.value = k.in_cache = 8e-9;
    r = ratio_of(&s, k);
    assert_null(r.loop);
    study_end(&s);
}

/* The rounds of a machine: how much longer the slow ones took, for the kinds of its figures. Five rounds tell it, four do not. */
static void slow_times_are_in_the_bounds(void **state)
{
    static const double throughputs[] = {1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3},
                        latencies[] = {1, 1, 1, 1, 1.5, 1.5}, rates[] = {1, 1, 1, 0.5, 0.5};
    struct study s;
    (void)state;
    study_begin(&s);
    struct spread none = s.request.spread_to;
    assert_true(isnan(none.throughput) && isnan(none.latency) && isnan(none.memory));
    struct box *slow = (struct box *)s.request.to;
    for (size_t i = 0; i < slow->machine.nfigures; i++) {
        struct machine_figure *f = &slow->figures[i];
        bool latency = strstr(f->name, ".latency"), rate = strcmp(f->family, "memory") == 0;
        f->values = rate ? rates : latency ? latencies : throughputs;
        f->rounds = rate ? 5 : latency ? 6 : 11;
    }
    s.request.spread_to = spread_find(s.request.to);
    assert_true(is(s.request.spread_to.throughput, 3) && is(s.request.spread_to.latency, 1.5) &&
                is(s.request.spread_to.memory, 2));
    assert_true(is(spread_of_operations(&s.request.spread_to, 0.5), sqrt(4.5)));
    struct carry_ratio r = ratio_of(&s, (struct carry_constant){.value = 1e-9, .in_cache = 1e-9});
    assert_true(is(r.ratio, 3) && is(r.low, 2) && is(r.high, 9)); /* overlapped */
    r = ratio_of(&s, (struct carry_constant){.value = 1, .in_cache = 1, .machine_term = true});
    assert_true(is(r.ratio, 1) && is(r.low, 1) && is(r.high, 3));
    s.request.spread_from = s.request.spread_to;
    s.request.spread_to = none;
    r = ratio_of(&s, (struct carry_constant){.value = 1, .in_cache = 1, .machine_term = true});
    assert_true(is(r.low, 1.0 / 3) && is(r.high, 1));
    r = ratio_of(&s, (struct carry_constant){.value = 1, .in_cache = 1, .rule = CARRY_LATENCY});
    assert_true(is(r.low, 2.5) && is(r.high, 5));
    for (size_t i = 0; i < slow->machine.nfigures; i++)
        slow->figures[i].rounds = 4;
    assert_true(isnan(spread_find(s.request.to).throughput));
    study_end(&s);
}

/* A tenth of the accesses waits for the memory: 96 ns here, 496 ns there. */
static void misses_in_both_caches_scale_the_memory(void **state)
{
    struct study s;
    static const struct misses here = {0.1, 0.1}, twice = {0.2, 0.2}, none = {0, 0};
    (void)state;
    study_begin(&s);
    s.request.misses = &here;
    s.request.misses_there = &twice;
    /* 8 of 12 ns are of the memory: twice the misses, each of 496 ns or 50 ns instead of 96 ns or 10 ns */
    struct carry_ratio r = ratio_of(&s, (struct carry_constant){.value = 12e-9, .in_cache = 12e-9});
    double serial = 2 * 496.0 / 96, stream = 2 * 50.0 / 10;
    assert_true(is(r.rest, sqrt(serial * stream)) && is(r.rest_share, 8.0 / 12));
    assert_true(is(r.ratio, (4 * r.operations + 8 * r.rest) / 12));
    /* time that the operations explain here, and misses there: 2 accesses for each unit */
    s.request.misses = &none;
    s.request.misses_there = &here;
    s.counted.mix.accesses = 2;
    r = ratio_of(&s, (struct carry_constant){.value = 4e-9, .in_cache = 4e-9});
    assert_true(is(r.misses, 2 * 0.1 * sqrt(496e-9 * 50e-9) / 4e-9) && r.rest_share == 0);
    assert_true(is(r.ratio, 2 + r.misses));
    assert_true(is(r.high, 3 + 2 * 0.1 * 496e-9 / 4e-9) && is(r.low, 2 + 2 * 0.1 * 50e-9 / 4e-9));
    /* the other machine's caches have everything */
    s.request.misses = &here;
    s.request.misses_there = &none;
    r = ratio_of(&s, (struct carry_constant){.value = 12e-9, .in_cache = 12e-9});
    assert_true(r.rest == 0 && is(r.ratio, r.operations / 3));
    study_end(&s);
}

static void without_counts_the_cycle_counts(void **state)
{
    struct study s;
    (void)state;
    study_begin(&s);
    s.request.counts = NULL;
    struct carry_ratio r = ratio_of(&s, (struct carry_constant){.value = 1, .in_cache = 1});
    assert_true(r.rule == CARRY_CYCLE && is(r.ratio, 2) && is(r.low, 2) && is(r.high, 3));
    study_end(&s);
}

static void counts_of_the_other_architecture_are_used(void **state)
{
    struct study s;
    struct report_constant there = {.name = "f[0]"};
    struct report_experiment e = {.constants = &there, .nconstants = 1};
    (void)state;
    study_begin(&s);
    there.mix.instructions = there.mix.of[OPERATION_INTEGER] = 6;
    s.request.counts_there = &e;
    struct carry_ratio r = ratio_of(&s, (struct carry_constant){.value = 4e-9, .in_cache = 4e-9});
    assert_true(is(r.ratio, 2 * 1.5));
    study_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_costs_what_its_operations_do),
        cmocka_unit_test(blocks_cost_what_their_bytes_take),
        cmocka_unit_test(instructions_with_prices_cost_these),
        cmocka_unit_test(prices_of_multiplications_count_once),
        cmocka_unit_test(a_figure_that_is_missing_is_named),
        cmocka_unit_test(communication_is_taken_between_processes_in_ratio),
        cmocka_unit_test(the_measured_time_tells_the_overlap),
        cmocka_unit_test(time_beyond_the_operations_scales_as_memory),
        cmocka_unit_test(time_beyond_the_operations_scales_as_communication),
        cmocka_unit_test(rules_can_be_chosen),
        cmocka_unit_test(regions_of_a_device_scale_as_the_device),
        cmocka_unit_test(loops_like_it_correct_the_ratio),
        cmocka_unit_test(slow_times_are_in_the_bounds),
        cmocka_unit_test(misses_in_both_caches_scale_the_memory),
        cmocka_unit_test(without_counts_the_cycle_counts),
        cmocka_unit_test(counts_of_the_other_architecture_are_used),
    };
    return RUN(tests);
}
