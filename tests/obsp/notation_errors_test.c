/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every message about a notation, with its place. */
#include <signal.h>

#include "base/interrupt.h"
#include "notation_events.h"

struct error_case {
    const char *text, *message; /* the place without the name of the file */
};

static void expect_all(const struct error_case *list, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct text expected;
        text_init(&expected);
        text_printf(&expected, "test.obsp:%s\n", list[k].message);
        expect_error(list[k].text, expected.s);
        text_free(&expected);
    }
}
#define EXPECT_ALL(list) expect_all(list, sizeof(list) / sizeof *(list))

static void names_that_cannot_be_given(void **state)
{
    (void)state;
    static const struct error_case list[] = {
        {"param P = 1\ni = 2\n",
         "2:1: error: 'i' is the number of the processor; choose another name"},
        {"param P = 1\nP = 2\n",
         "2:1: error: 'P' is the number of processors; choose another name"},
        {"param P = 1\nparam group = 2\n",
         "2:7: error: 'group' is the number of the group; choose another name"},
        {"param P = 1\nwork = 2\n",
         "2:1: error: 'work' is a word of the notation; choose another name"},
        {"param P = 1\nif = 2\n",
         "2:1: error: 'if' is a word of the notation; choose another name"},
        {"param P = 1\nfor to = 1 to 2\nend\n",
         "2:5: error: 'to' is a word of the notation; choose another name"},
        {"param P = 1\nproc f(i)\nend\n",
         "2:8: error: 'i' is the number of the processor; choose another name"},
        {"param P = 1\nparam N = 1\nN = 2\n",
         "3:1: error: 'N' is a parameter, and stays as it is; choose another name"},
        {"param P = 1\nfor k = 1 to 2\nk = 2\nend\n",
         "3:1: error: 'k' counts the loop around this line, which alone may change it; choose "
         "another name"},
    };
    EXPECT_ALL(list);
}

static void names_that_have_no_value(void **state)
{
    (void)state;
    static const struct error_case list[] = {
        {"param P = 1\nparam size = 4\nwork 2*sise\n",
         "3:8: error: there is no 'sise' here; did you mean 'size'?"},
        {"param P = 1\nwork p\n", "2:6: error: there is no 'p' here; did you mean 'P'?"},
        {"param P = 1\nlevel = 4\nwork lebel\n",
         "3:6: error: there is no 'lebel' here; did you mean 'level'?"},
        {"param P = 1\nwork bytes\n",
         "2:6: error: there is no 'bytes' here; declare it as a parameter, 'param bytes = ...', or "
         "give it a value, 'bytes = ...', above"},
        {"param P = 1\nwork a.b\n",
         "2:6: error: there is no 'a.b' here; declare it as a parameter, 'param a.b = ...', or give "
         "it a value, 'a.b = ...', above"},
        {"param P = 1\nproc f()\nx = 1\nend\nwork x\n",
         "5:6: error: there is no 'x' here; declare it as a parameter, 'param x = ...', or give it a "
         "value, 'x = ...', above"},
        {"param size = 2\nparam P = sice\n",
         "2:11: error: there is no 'sice' here; did you mean 'size'?"},
        {"param P = i + 1\n",
         "1:11: error: 'i' is not a parameter that was declared above; the value of a parameter may "
         "depend only on such parameters"},
        {"param P = 1\nparam a = b\nparam b = 1\n",
         "2:11: error: 'b' is declared further down; move its 'param' up"},
        {"param P = 2\nx = 1 if i == 0\nwork x\n",
         "3:6: error: 'x' has no value yet; give it one above (processor 1 of m, superstep 1)"},
    };
    EXPECT_ALL(list);
}

static void missing_parts(void **state)
{
    (void)state;
    static const struct error_case list[] = {
        {"param P = 1\nx =\n", "2:4: error: the formula of the value is missing here"},
        {"param P = 1\nwork\n",
         "2:5: error: the time of a computation, in seconds, is missing here"},
        {"param P = 1\nstart\n",
         "2:6: error: the time at which the processor starts, in seconds, is missing here"},
        {"param P = 1\nsend : 8\n", "2:6: error: the number of a processor is missing here"},
        {"param P = 1\nsend 0, : 8\n", "2:8: error: the number of a processor is missing here"},
        {"param P = 1\nsend 0 to : 8\n",
         "2:10: error: the number of the last processor is missing here"},
        {"param P = 1\nsend 0 :\n",
         "2:9: error: the number of bytes of the message is missing here"},
        {"param P = 1\nsend 0\n",
         "2:7: error: how many bytes? Write them after a colon, as in 'send i + 1 : 8*N'"},
        {"param P = 1\nproc f(x, y)\nend\nf(1,)\n", "4:5: error: an argument is missing here"},
        {"param P = 1\nfor k = to 1\nend\n", "2:9: error: the first value is missing here"},
        {"param P = 1\nfor k = 1 to\nend\n", "2:13: error: the last value is missing here"},
        {"param P = 1\nfor k = 1 to 2 step\nend\n", "2:20: error: the step is missing here"},
        {"param P = 1\nsplit in\nend\n", "2:9: error: the number of groups is missing here"},
        {"param P = 1\nsplit at\nend\n", "2:9: error: the number of a processor is missing here"},
        {"param P = 1\nif\nend\n", "2:3: error: a condition is missing here, such as i == 0"},
        {"param P = 1\nwork 1 if\n", "2:10: error: a condition is missing here, such as i == 0"},
        {"param P =\n", "1:10: error: the value of 'P' is missing here"},
    };
    EXPECT_ALL(list);
}

static void formulas_that_are_wrong(void **state)
{
    (void)state;
    static const struct error_case list[] = {
        {"param P = 1\nwork 2**3\n", "2:7: error: a power is written with '^', as in N^2"},
        {"param P = 1\nif 3\nend\n", "2:4: error: a condition is expected here, such as N >= 4096"},
        {"param P = 1\nwork nix(3)\n",
         "2:6: error: there is no function 'nix'; there are mod, xor, bit, bitand, bitor, uniform, "
         "log (natural), ln, log2, log10, sqrt, cbrt, exp, pow, abs, floor, ceil, min, max, and lat, "
         "bw, g, L, barrier and others that ask the machine; a variable is multiplied with '*'"},
        {"param P = 1\nwork xor(1)\n", "2:6: error: xor takes 2 arguments, not 1"},
        {"param P = 1\nparam x = 1/(P - 1)\n",
         "2:11: error: 1/(P - 1) with P = 1 has no value; correct the formula, or what it depends on"},
        {"param P = 1\nwork 1/i\n",
         "2:6: error: 1/i with i = 0 has no value; correct the formula, or add a condition (processor "
         "0 of m, superstep 1)"},
        {"param P = 2\nsync\nwork xor(i, 0.5)\n",
         "3:6: error: xor(i, 0.5) with i = 0 has no value; correct the formula, or add a condition (processor "
         "0 of m, superstep 2)"},
        {"param P = 1\nwork mod(1, i)\n",
         "2:6: error: mod(1, i) with i = 0 has no value; correct the formula, or add a condition (processor "
         "0 of m, superstep 1)"},
        {"param P = 1\nwork bit(1, i - 1)\n",
         "2:6: error: bit(1, i - 1) with i = 0 has no value; correct the formula, or add a condition (processor "
         "0 of m, superstep 1)"},
    };
    EXPECT_ALL(list);
}

static void statements_that_are_wrong(void **state)
{
    (void)state;
    static const struct error_case list[] = {
        {"param P = 1\nwrok 1\n", "2:1: error: 'wrok' is not a statement; did you mean 'work'?"},
        {"param P = 1\n+ 3\n",
         "2:1: error: a statement is expected here: param, start, work, send, sync, oblsync, for, "
         "if, else, split, proc, end, NAME = FORMULA or PROCEDURE(...)"},
        {"param P = 1\nN == 3\n",
         "2:1: error: a statement is expected here: param, start, work, send, sync, oblsync, for, "
         "if, else, split, proc, end, NAME = FORMULA or PROCEDURE(...)"},
        {"param P = 1\nsync 3\n", "2:6: error: 'sync' is the whole statement; remove this"},
        {"param P = 1\nparam 3\n",
         "2:7: error: a parameter is written 'param NAME = FORMULA' or 'param NAME'"},
        {"param P = 1\nparam N 3\n",
         "2:7: error: a parameter is written 'param NAME = FORMULA' or 'param NAME'"},
        {"param P = 1\nif P == 1\nparam N = 3\nend\n",
         "3:1: error: a parameter belongs to the file; move it out of the block"},
        {"param P = 1\nparam N = 1\nparam N = 2\n",
         "3:7: error: the parameter 'N' is declared twice; remove one"},
        {"param P = 1\nparam N\n",
         "2:7: error: 'N' has no value; give it one with the command, N=..., or here, 'param N = "
         "...'"},
        {"param P = 1.5\n", "1:7: error: P must be an integer from 1 to 1048576, not 1.5"},
        {"param P = 0\n", "1:7: error: P must be an integer from 1 to 1048576, not 0"},
        {"param P = 2^20 + 1\n", "1:7: error: P must be an integer from 1 to 1048576, not 1048577"},
        {"param P = 1\nproc f()\nstart 1\nend\n",
         "3:1: error: processors start at the beginning of the file, not in a procedure; write "
         "'start' there"},
        {"param P = 1\nsplit in 1\nstart 1\nend\n",
         "3:1: error: processors start at the beginning of the file, not in a group; write 'start' "
         "there"},
    };
    EXPECT_ALL(list);
}

static void procedures_that_are_wrong(void **state)
{
    (void)state;
    static const struct error_case list[] = {
        {"param P = 1\nproc f\nend\n",
         "2:6: error: a procedure is written 'proc NAME(ARGUMENT, ...)', and ends with 'end'"},
        {"param P = 1\nproc\nend\n",
         "2:5: error: a procedure is written 'proc NAME(ARGUMENT, ...)', and ends with 'end'"},
        {"param P = 1\nproc work()\nend\n",
         "2:6: error: a procedure is written 'proc NAME(ARGUMENT, ...)', and ends with 'end'"},
        {"param P = 1\nproc f(a b)\nend\n", "2:8: error: the name of an argument is expected here"},
        {"param P = 1\nproc f(a, a)\nend\n",
         "2:11: error: there are two arguments 'a'; rename one"},
        {"param P = 1\nif P == 1\nproc f()\nend\nend\n",
         "3:1: error: a procedure belongs to the file; move it out of the block"},
        {"param P = 1\nproc f()\nend\nproc f()\nend\n",
         "4:6: error: the procedure 'f' is defined twice; remove one"},
        {"param P = 1\nproc level()\nend\nlevle()\n",
         "4:1: error: there is no procedure 'levle'; did you mean 'level'?"},
        {"param P = 1\nsort(3)\n",
         "2:1: error: there is no procedure 'sort'; define it, 'proc sort(...)', with its lines and "
         "an 'end'"},
        {"param P = 1\nproc f(a)\nend\nf(1, 2)\n", "4:1: error: f has 1 argument, not 2"},
        {"param P = 1\nproc f(a, b)\nend\nf()\n", "4:1: error: f has 2 arguments, not 0"},
        {"param P = 1\nproc f()\nend\nf(\n",
         "4:3: error: ')' is missing here, to close the arguments of f"},
        {"param P = 1\nproc f()\nend\nf() + 1\n",
         "4:8: error: ')' is missing here, to close the arguments of f"},
    };
    EXPECT_ALL(list);
}

static void blocks_that_are_wrong(void **state)
{
    (void)state;
    static const struct error_case list[] = {
        {"param P = 1\nend\n",
         "2:1: error: this 'end' has no 'for', 'if', 'split' or 'proc'; remove it"},
        {"param P = 1\nif P == 1\nfor k = 1 to 2\nend if\nend\n",
         "4:5: error: the block that ends here is the 'for' of line 3; write 'end' or 'end for'"},
        {"param P = 1\nfor k = 1 to 2\n", "2:1: error: this 'for' has no 'end'; add one"},
        {"param P = 1\nfor k in 3\nend\n",
         "2:5: error: a loop is written 'for NAME = FIRST to LAST', and ends with 'end'"},
        {"param P = 1\nfor\nend\n",
         "2:1: error: a loop is written 'for NAME = FIRST to LAST', and ends with 'end'"},
        {"param P = 1\nelse\n", "2:1: error: this 'else' has no 'if'; remove it"},
        {"param P = 1\nif P == 1\nelse\nelse\nend\n",
         "4:1: error: this 'if' has an 'else' already; remove one"},
        {"param P = 1\nif P == 1\nelse work 3\nend\n",
         "3:6: error: 'else' is the whole line, or 'if' and a condition follow"},
        {"param P = 1\nsplit\nend\n",
         "2:1: error: groups are written 'split in NUMBER' or 'split at FIRST PROCESSOR OF THE SECOND "
         "GROUP, ...', and end with 'end'"},
        {"param P = 4\nsplit at 1 to 2\nend\n", "2:15: error: a bound is one number, without 'to'"},
    };
    EXPECT_ALL(list);
    struct text text;
    text_init(&text);
    text_add(&text, "param P = 1\n");
    for (int k = 0; k <= NOTATION_MAX_BLOCKS; k++)
        text_add(&text, "if P == 1\n");
    expect_error(text.s, "test.obsp:2:1: error: this 'if' has no 'end'; add one\n");
    for (int k = 0; k < NOTATION_MAX_BLOCKS; k++)
        text_add(&text, "end\n");
    expect_error(text.s,
                 "test.obsp:102:1: error: there are more than 100 blocks around this line; use "
                 "procedures\n");
    text_free(&text);
}

static void quantities_that_cannot_be(void **state)
{
    (void)state;
    static const struct error_case list[] = {
        {"param P = 2\nwork 1 - 2*i\n",
         "2:6: error: a time cannot be negative, and this is -1; add a condition, or use max "
         "(processor 1 of m, superstep 1)"},
        {"param P = 2\nsend 0 : -8\n",
         "2:10: error: a number of bytes cannot be negative, and this is -8; add a condition, or use "
         "max (processor 0 of m, superstep 1)"},
        {"param P = 2\nsend all : 0 - i\nsync\n",
         "2:12: error: a number of bytes cannot be negative, and this is -1; add a condition, or use "
         "max (processor 1 of m, superstep 1)"},
        {"param P = 1\nstart -1\n",
         "2:7: error: the time of a start cannot be negative, and this is -1; add a condition, or "
         "use max (processor 0 of m, superstep 1)"},
        {"param P = 1\nwork 1\nstart 1\n",
         "3:1: error: the processor has begun already; move 'start' before its first work, send, "
         "synchronisation and split (processor 0 of m, superstep 1)"},
        {"param P = 2\nsend i/2 : 8\nsync\n",
         "2:6: error: the number of a processor is an integer, and this is 0.5; use floor "
         "(processor 1 of m, superstep 1)"},
        {"param P = 2\nsync\nsend i + 1 : 8\nsync\n",
         "3:6: error: there is no processor 2: the object has the processors 0 to 1; add a condition, "
         "such as 'if i + 1 < P' (processor 1 of m, superstep 2)"},
        {"param P = 4\nsplit in 2\nsend 0, i - 1 : 8\nsync\nend\n",
         "3:9: error: there is no processor -1: the object has the processors 0 to 1; add a "
         "condition, such as 'if i + 1 < P' (processor 0 of m.1:0, superstep 1)"},
        {"param P = 2\nsend 0 to 2 : 8\nsync\n",
         "2:11: error: there is no processor 2: the object has the processors 0 to 1; add a "
         "condition, such as 'if i + 1 < P' (processor 0 of m, superstep 1)"},
        {"param P = 1\nfor k = 1 to 3 step i\nend\n",
         "2:21: error: the step is 0, and the loop would never end (processor 0 of m, superstep 1)"},
        {"param P = 4\nsplit in 5\nend\n",
         "2:10: error: the number of groups is an integer from 1 to P, and this is 5 with P = 4 "
         "(processor 0 of m, superstep 1)"},
        {"param P = 4\nsplit in 1.5\nend\n",
         "2:10: error: the number of groups is an integer from 1 to P, and this is 1.5 with P = 4 "
         "(processor 0 of m, superstep 1)"},
        {"param P = 4\nsplit at 2, 2\nend\n",
         "2:13: error: a group begins at an integer between the one before and P, and this is 2 with "
         "P = 4 (processor 0 of m, superstep 1)"},
        {"param P = 4\nsplit at 4\nend\n",
         "2:10: error: a group begins at an integer between the one before and P, and this is 4 with "
         "P = 4 (processor 0 of m, superstep 1)"},
        {"param P = 4\nsplit at 1 + i\nend\n",
         "2:1: error: processor 1 splits m in another way than processor 0; the groups must not "
         "depend on i (processor 1 of m, superstep 1)"},
        {"param P = 2\nsplit in i + 1\nend\n",
         "2:1: error: processor 1 splits m in another way than processor 0; the groups must not "
         "depend on i (processor 1 of m, superstep 1)"},
        {"param P = 2\nsend 1 : 8 if i == 0\noblsync 1\n",
         "3:9: error: processor 0 of m expects 1 message, and 0 come; correct the number or leave it "
         "out (processor 0 of m, superstep 1)"},
        {"param P = 2\nsend 1 : 8 if i == 0\noblsync 2*i\n",
         "3:9: error: processor 1 of m expects 2 messages, and 1 comes; correct the number or leave "
         "it out (processor 1 of m, superstep 1)"},
    };
    EXPECT_ALL(list);
}

static void processors_that_disagree(void **state)
{
    (void)state;
    static const struct error_case list[] = {
        {"param P = 2\nsync if i == 0\noblsync if i == 1\n",
         "3:1: error: processor 1 is at this 'oblsync', and processor 0 at the 'sync' of line 2; all "
         "processors of an object end a superstep in the same way, and split together (processor 1 "
         "of m, superstep 1)"},
        {"param P = 2\nsync if i == 0\nsplit in 2\nend\n",
         "3:1: error: processor 1 is at this 'split', and processor 0 at the 'sync' of line 2; all "
         "processors of an object end a superstep in the same way, and split together (processor 1 "
         "of m, superstep 1)"},
        {"param P = 2\nif i == 0\nsplit in 2\nend\nelse\nsplit in 2\nend\nend\n",
         "6:1: error: processor 1 is at this 'split', and processor 0 at the 'split' of line 3; all "
         "processors of an object end a superstep in the same way, and split together (processor 1 "
         "of m, superstep 1)"},
        {"param P = 2\nsync if i == 0\n",
         "3:1: error: processor 0 of m is at the 'sync' of line 2, and processor 1 ends without it; "
         "all processors of an object have the same number of supersteps (processor 1 of m, "
         "superstep 1)"},
        {"param P = 2\nsync if i == 1\n",
         "2:1: error: 1 of the 2 processors of m have ended without this 'sync'; all processors of an "
         "object have the same number of supersteps (processor 1 of m, superstep 1)"},
        {"param P = 4\nsplit in 2\noblsync if i == 0\nend\n",
         "4:1: error: processor 0 of m.1:0 is at the 'oblsync' of line 3, and processor 1 leaves the "
         "group without it; all processors of an object have the same number of supersteps "
         "(processor 1 of m.1:0, superstep 1)"},
        {"param P = 4\nsplit in 2\noblsync if i == 1\nend\nsync\n",
         "3:1: error: 1 of the 2 processors of m.1:0 have left the group without this 'oblsync'; all "
         "processors of an object have the same number of supersteps (processor 1 of m.1:0, superstep "
         "1)"},
        {"param P = 2\nsync\nsend 0 : 8\n",
         "3:1: error: no synchronisation of m follows this 'send', so the message is never received; "
         "add 'sync' or 'oblsync' after it (processor 0 of m, superstep 2)"},
        {"param P = 2\nsplit in 2\nsend 0 : 8\nend\nsync\n",
         "3:1: error: no synchronisation of m.1:0 follows this 'send', so the message is never "
         "received; add 'sync' or 'oblsync' after it (processor 0 of m.1:0, superstep 1)"},
    };
    EXPECT_ALL(list);
}

/* Much less than what users have. */
static const struct notation_limits small = {
    .statements = 2000, .supersteps = 100, .messages = 50, .values = 2000, .events = 40};

static void what_never_ends(void **state)
{
    (void)state;
    limits_of_test = &small;
    static const struct error_case list[] = {
        {"param P = 1\nproc f(n)\nf(n + 1)\nend\nf(1)\n",
         "3:1: error: procedures and splits are more than 500 levels deep; does the recursion of f "
         "end? (processor 0 of m, superstep 1)"},
        {"param P = 1\nfor k = 1 to 1e18\nend\n",
         "2:1: error: more than 2000 statements in one superstep; does the loop or the recursion "
         "around this line end, and should it have a synchronisation? (processor 0 of m, superstep "
         "1)"},
        {"param P = 1\nfor k = 1 to 1e18\nsync\nend\n",
         "3:1: error: m has more than 100 supersteps; does the loop end? (processor 0 of m, "
         "superstep 101)"},
        {"param P = 4\nfor k = 1 to 20\nsend 0 : 1\nend\nsync\n",
         "3:1: error: the object sends more than 50 messages in one superstep; combine messages or "
         "take fewer processors (processor 2 of m, superstep 1)"},
    };
    EXPECT_ALL(list);
    limits_of_test = &notation_limits;
    expect_error(
        "param P = 1\nproc f()\nsplit in 1\nf()\nend\nend\nproc h()\nf()\nend\nh()\n",
        "test.obsp:3:1: error: procedures and splits are more than 500 levels deep; does the "
        "recursion end? (processor 0 of m.1:0.1:0");
}

/* Many values in each of many processors. */
static void memory_is_bounded(void **state)
{
    (void)state;
    struct text text;
    text_init(&text);
    text_add(&text, "param P = 2^20\n");
    for (int k = 0; k < 33; k++)
        text_printf(&text, "a%d = 1\n", k);
    expect_error(text.s,
                 "error: test.obsp has 33 names, which are too many for 1048576 processors; "
                 "take fewer\n");
    text_clear(&text);
    text_add(&text, "param P = 2^5\nproc f(n)\n");
    for (int k = 0; k < 20; k++)
        text_printf(&text, "a%d = 1\n", k);
    text_add(&text, "if n > 1\n f(n - 1)\nelse\nsync\nend\nend\nf(20)\n");
    limits_of_test = &small;
    expect_error(text.s,
                 "test.obsp:24:2: error: the calls of all processors need too much memory; call "
                 "less deep, or take fewer processors (processor ");
    limits_of_test = &notation_limits;
    text_free(&text);
}

/* Processor 1 is asked first: the supersteps of group 0 come before its event. */
static void waiting_events_are_bounded(void **state)
{
    (void)state;
    struct diag *diag = diag_create();
    limits_of_test = &small;
    struct obsp_source *s = notation_of("param P = 2\nsplit in 2\nif group == 0\nfor k = 1 to 50\n"
                                        "sync\nend\nend\nend\nsync\n",
                                        NULL, diag);
    struct obsp_event e;
    assert_true(s->next(s, 1, &e) && e.kind == OBSP_PARTITION);
    assert_true(s->next(s, 1, &e) && e.kind == OBSP_DONE);
    assert_false(s->next(s, 1, &e));
    assert_string_equal(
        diag_first(diag, SEVERITY_ERROR),
        "some processors are too many supersteps ahead of others, which wait for them "
        "without a superstep of their own; take fewer processors or supersteps "
        "(processor 0 of m.1:0, superstep 40)");
    limits_of_test = &notation_limits;
    s->free(s);
    diag_destroy(diag);
}

static void an_interrupt_ends_the_execution(void **state)
{
    (void)state;
    static volatile sig_atomic_t flag = 1;
    interrupt_set(&flag);
    expect_error("param P = 1\nfor k = 1 to 1e6\nend\n", "test.obsp:");
    interrupt_set(NULL);
    flag = 0;
}

static void values_of_the_command(void **state)
{
    (void)state;
    static const char *const names[] = {"sise", "M", "P"};
    static const double numbers[] = {2, 3, 1e9};
    struct obsp_values values = {.names = names, .values = numbers, .n = 1};
    const char *text = "param P = 2\nparam size = 1\nsync\n";
    expect_error_with(text, &values,
                      "error: test.obsp has no parameter 'sise'; did you mean 'size'?\n");
    values = (struct obsp_values){.names = names + 1, .values = numbers, .n = 1};
    expect_error_with(text, &values,
                      "error: test.obsp has no parameter 'M'; its parameters are P, size\n");
    values = (struct obsp_values){.names = names + 2, .values = numbers + 2, .n = 1};
    expect_error_with("sync\n", &values,
                      "error: P must be an integer from 1 to 1048576, not 1000000000\n");
    expect_error("sync\n",
                 "error: test.obsp: the number of processors is missing; write 'param P = 8' in "
                 "the file, or give P=8 with the command\n");
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    struct diag *diag = diag_create();
    assert_null(obsp_notation_open("/nonexistent/x.obsp", NULL, diag));
    assert_string_equal(diag_first(diag, SEVERITY_ERROR),
                        "cannot read /nonexistent/x.obsp: No such file or directory");
    diag_clear(diag);
    assert_null(obsp_notation_open("/dev/zero", NULL, diag));
    assert_string_equal(
        diag_first(diag, SEVERITY_ERROR),
        "cannot read /dev/zero: it has more than 1 MB, which is too long for a notation");
    diag_destroy(diag);
}

/* One run reports the errors of all lines. */
static void all_lines_are_reported(void **state)
{
    (void)state;
    struct diag *diag = diag_create();
    assert_null(notation_of("param P = 2\nwork x\nwork 1\nsend 1\nwrok\n", NULL, diag));
    assert_int_equal(diag_count(diag, SEVERITY_ERROR), 3);
    diag_destroy(diag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_cannot_be_given),
        cmocka_unit_test(names_that_have_no_value),
        cmocka_unit_test(missing_parts),
        cmocka_unit_test(formulas_that_are_wrong),
        cmocka_unit_test(statements_that_are_wrong),
        cmocka_unit_test(procedures_that_are_wrong),
        cmocka_unit_test(blocks_that_are_wrong),
        cmocka_unit_test(quantities_that_cannot_be),
        cmocka_unit_test(processors_that_disagree),
        cmocka_unit_test(what_never_ends),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(waiting_events_are_bounded),
        cmocka_unit_test(an_interrupt_ends_the_execution),
        cmocka_unit_test(values_of_the_command),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(all_lines_are_reported),
    };
    return RUN(tests);
}
