/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands, and the commands about commands. */

#include <ctype.h>
#include <string.h>

#include "base/misprint.h"
#include "base/text.h"
#include "llac/json.h"
#include "llac/text.h"
#include "llac/commands.h"

const struct command commands[] = {
    {"load", "load FILE... [NAME=VALUE]... [ignore formulas] [as LABEL]",
     "read data files, in place of the data loaded before",
     "Data files (.dat), left-over spools (.spool) and data of other tools (tables,\n"
     "JSON Lines, Extra-P, Google Benchmark, hyperfine, perf stat, Caliper, LIKWID,\n"
     "Cube, CALL 1.0), recognised by content.\n"
     "NAME=VALUE adds what a table does not state: load x.csv time=seconds unit=ms\n"
     "experiment=f variables=N,P. For perf stat, LIKWID and Cube, variables= names the\n"
     "numbers in the name of the file: load sort.1024.8.csv variables=N,P.\n"
     "The samples of several files are merged by experiment. It is an error if an\n"
     "experiment has different formulas in them; 'ignore formulas' takes the first.\n"
     "Names with blanks are quoted: load \"my data.dat\". Other names may be patterns:\n"
     "load run*.dat. 'undo' and 'save session' know which files matched.\n"
     "Files of different code, flags or processors are kept apart as versions, each\n"
     "with a label: its experiments are f@LABEL. 'as LABEL' gives the label and puts\n"
     "all files of the command into this version.",
     command_load},
    {"merge", "merge FILE... [NAME=VALUE]... [ignore formulas] [as LABEL]",
     "read data files in addition to those loaded", "As load, but keeps the data loaded before.",
     command_merge},
    {"list", "list", "the experiments, their variables, samples and formulas", "", command_list},
    {"show", "show [NAME [on OBS] [spread] [where CONDITION]]",
     "the points of an experiment; without a name: the files",
     "For each point (one tuple of values of the variables) the number of samples,\n"
     "the statistic in use, minimum, median and maximum of the samples; points that\n"
     "the fit leaves out and samples in two groups are marked. Then how samples\n"
     "become points: statistic, ranks, rounds, outliers. 'spread' shows the mean, the\n"
     "average difference (mean of |sample - mean|) and the standard deviation of the\n"
     "samples in place of their minimum, median and maximum.",
     command_show},
    {"where", "where [CONDITION | all]", "use only samples that fulfil a condition",
     "Conditions compare expressions over the variables, P, run, seq, start, nested,\n"
     "rank, thread and count: where N >= 4096 and run > 0. They can also use what\n"
     "the file states about its run: simulated, hosts, oversubscribed and\n"
     "hyperthreads, as in where hosts == 1, and observables, as in where CLOCK < 1:\n"
     "this leaves samples out by their own value. Several 'where' apply together; 'where all'\n"
     "removes them; without an argument it shows them. A condition does not apply\n"
     "to an experiment that lacks one of its variables.",
     command_where},
    {"let", "let [NAME = EXPRESSION | none]", "define a name for an expression over the variables",
     "let n = N/P; then: fit f = f[0] + f[1]*n. An expression that uses observables is\n"
     "an observable itself: let bandwidth = 8*N/CLOCK; then: fit f = ... on bandwidth.\n"
     "CLOCK(P=1) is the value of the point where P is 1 and all else the same: let\n"
     "speedup = CLOCK(P=1)/CLOCK. In names write _ for other characters: page_faults.\n"
     "Without an argument it shows the definitions, 'let none' removes them.",
     command_let},
    {"define", "define [NAME[(PARAMETER, ...)] = EXPRESSION | none]",
     "compose a prediction from the models of experiments",
     "The expression may use constants of experiments, A[0], their values, fft(N=N/P),\n"
     "other definitions and sum(i, 0, log2(P)-1, term). Of a version of the code, or\n"
     "of the samples with one value of a variable, they are A@before[0], fft@after(N)\n"
     "and A@level=3[0]; A@\"v1-2\"[0] if the label has '-' or '+'. predict, table, plot,\n"
     "explain and derive take the name. A constant or a value is taken where the variables of\n"
     "the definition are; A[0](n=N/2^i) and fft(N=N/2) are taken elsewhere. Arguments\n"
     "without names are the parameters, or all variables of an experiment, in order.\n"
     "Without an argument it shows the definitions, 'define none' removes them.",
     command_define},
    {"statistic", "statistic [p10 | min | median | mean | difference | deviation]",
     "choose how samples become the value of a point",
     "The default is p10, the 10th percentile: it repeats best on a busy machine.\n"
     "'difference' is the average difference (mean of |sample - mean|), 'deviation' the\n"
     "standard deviation: fit and predict then describe how times spread, and what\n"
     "needs times (define, rank, advise, check, on MACHINE) says so.\n"
     "Without an argument it shows the one in use.",
     command_statistic},
    {"ranks", "ranks [auto | max | mean | min | N]",
     "choose how the ranks of an execution become one sample",
     "max is the slowest rank (a collective operation lasts until its last member is\n"
     "done), then the mean, the fastest, or the rank of this number alone. 'auto' (the\n"
     "default) is max, but if P varies, the values mean the same for every P.\n"
     "Without an argument it shows the one in use.",
     command_ranks},
    {"rounds", "rounds [auto | all | skip K]", "leave out the first executions of each point",
     "'rounds skip 1' leaves out, in each run, the first execution at each point (of\n"
     "each rank and thread): the one that finds caches cold and touches its memory\n"
     "for the first time. 'auto' (the default) does so where first executions are\n"
     "clearly slower than later ones of the same run, or only the opening ones are:\n"
     "the first of the experiment in the run. 'all' uses all. Without an argument it\n"
     "shows what is in use. 'where run > 0' leaves out whole runs.",
     command_rounds},
    {"disturbed", "disturbed [leave | keep]", "leave out samples that were preempted, or keep them",
     "A sample is preempted if the system took its core away and this shows in its\n"
     "time. 'leave' (the default) leaves such samples out of CLOCK; where a point has\n"
     "no others, their CPU time counts. 'keep' uses them as they are. Samples that\n"
     "slept or waited are always used. Without an argument it shows the one in use.",
     command_disturbed},
    {"outliers", "outliers [leave | keep]", "leave outliers out of fits, or keep them",
     "An outlier is far above or far below all its neighbours, while these agree with\n"
     "each other. 'leave' (the default) leaves outliers out of fits and names them;\n"
     "'keep' uses them. Without an argument it shows the one in use.",
     command_outliers},
    {"fit",
     "fit NAME [= FORMULA] [by VAR|version] [on OBS] [where CONDITION] [nonneg]\n"
     "    [intervals auto|always|none|on VAR|VAR at v, v...] [max K] [threshold X%]",
     "find the constants of a formula",
     "Relative weighted least squares on the points. Without a formula it uses the\n"
     "one in the data. OBS is the observable (default CLOCK, or the only one that the\n"
     "data have); SELF is CLOCK without the regions inside. 'nonneg' allows no\n"
     "negative constants. 'intervals auto' (the default) finds which constants vary,\n"
     "along which variables, and where; at most K intervals on a variable (default 6),\n"
     "with 'threshold X%' as few as a mean error of X % needs.\n"
     "'always' makes intervals even where one more term explains the data better.\n"
     "'intervals on VAR' looks along one variable, 'intervals N at 4096, 65536' takes\n"
     "these boundaries, 'none' looks for none; VAR can be an expression: on N/P. A\n"
     "formula without constants is compared with the data.\n"
     "'by VAR' finds one set of constants for each value of a variable: f@VAR=VALUE.\n"
     "'by version' does so for each version of the code: f@LABEL. All commands take\n"
     "these names, and 'predict f VAR=VALUE ...' takes the set of that value.\n"
     "'fit all [on OBS] [where CONDITION]' fits every formula of the data and prints a line\n"
     "for each, the longest times first. It searches for a formula if an experiment has none, and\n"
     "prints each warning about the machine once. 'fit all full' prints the fits in\n"
     "full, 'fit all full small' with a small plot below each.",
     command_fit},
    {"predict",
     "predict NAME [on OBS] VAR=VALUE... [where CONDITION]\n"
     "    [on MACHINE [working set BYTES] [scaling CONSTANT by RULE, ...]]\n"
     "    [before running [on MACHINE]]",
     "predict for other values of the variables, and other machines",
     "Values may be ranges: 1000:8000:2 multiplies, 1:8:+1 adds, 1,2,12 lists; each\n"
     "combination gives a row. A blank or a comma separates variables. A number may be\n"
     "2^20, 1024*1024 or 1M (K, M, G and T are powers of 1024). A variable that never\n"
     "varies in the data may be left out. Two 95 % intervals: 'typical' for the same\n"
     "statistic over the same number of runs, 'single run' for one execution. Remarks\n"
     "name ranges in which constants may change and nothing was measured. Fits first if\n"
     "there is no fit. With 'where' it fits the samples that fulfil the condition, for\n"
     "this prediction alone.\n"
     "'on MACHINE' carries the constants from the machine in use to another one: each\n"
     "is scaled by the operations that it executes (see 'counts') and by memory, and\n"
     "functions of the machine take its figures. 'scaling f[1] by g' chooses what a\n"
     "constant is scaled by: operations, cycle, lat, bw, g, L, gpu_launch, gpu_bw,\n"
     "gpu_flop or count (not scaled).\n"
     "A constant that changes where the working set leaves a cache changes there where\n"
     "it leaves that cache of MACHINE; 'working set 8*N^2' states its bytes (see 'boundaries').\n"
     "'before running' needs no data: it computes from counts and a machine alone.",
     command_predict},
    {"table",
     "table NAME [on OBS] [where CONDITION]\n"
     "    | NAME [on OBS] against FILE... [where CONDITION]\n"
     "        [on MACHINE [working set BYTES] [scaling ...]]\n"
     "    | DEFINITION [against EXPERIMENT [on OBS] [in FILE]]",
     "measured, predicted, error %",
     "error % = 100 (measured - predicted) / measured. Where constants have several\n"
     "values, each row says which interval it used; points that the fit leaves out\n"
     "are marked. With 'where' the rows are all points of the data that fulfil the\n"
     "condition, whether the fit used them or not ('fit f where N <= 1000; table f\n"
     "where N > 1000'): each has the typical interval, or that of a single run if the\n"
     "point was executed once, of few runs if clearly less often than those of the\n"
     "fit, and says whether the measured value is inside. With\n"
     "'against' the measured values come from other files (all their samples that\n"
     "fulfil the condition), the model from the data loaded. Files of one version are\n"
     "taken together, as by 'load'; each version has its own rows.\n"
     "Points that the model cannot predict are listed with the reason.\n"
     "With 'on MACHINE' the files were measured on that machine, and the model is\n"
     "carried to it as by 'predict'. A definition is compared with the points of an\n"
     "experiment, or with the same expression of measured values. Fits first if there\n"
     "is no fit.",
     command_table},
    {"explain", "explain NAME [on OBS] VAR=VALUE... [where CONDITION]",
     "the largest term at a place, and where another takes over",
     "Shows what each term of the formula contributes at this place, the largest\n"
     "first, and the values of each variable, up and down from there (the others do\n"
     "not change), at which another term becomes the largest. 'where' is as in predict.",
     command_explain},
    {"compare",
     "compare NAME \"FORMULA\" \"FORMULA\"... [on OBS] [nonneg] [intervals ...] [max K]\n"
     "    [threshold X%] [where CONDITION]",
     "formulas side by side: errors, constants, a verdict",
     "Each formula is fitted as by 'fit', with the options given. The errors: of the\n"
     "points themselves, of each point left out in turn, and of the largest sizes\n"
     "when all of them are left out. AICc is shown as the difference from the best;\n"
     "up to 6 the data cannot decide. One formula alone is compared with the formula\n"
     "of the experiment.",
     command_compare},
    {"derive", "derive NAME [on OBS] from EXPRESSION, ...",
     "an experiment as a sum of blocks: which explains the difference",
     "The expressions are as in 'define'. Their sum is compared with the measured\n"
     "values and with the fit of the experiment itself. For each expression (of a\n"
     "single one: for each experiment in it) it shows its share, the factor that would\n"
     "bring the sum closest to the measured values, the part of the difference that\n"
     "this explains, and the mean error that is left.",
     command_derive},
    {"search",
     "search NAME [in VAR, VAR...] [terms K] [with TERM, TERM...] [signed] [on OBS]\n"
     "    [intervals auto|none] [max K] [threshold X%] [where CONDITION]",
     "find the formula",
     "Sums of up to K terms (default 3) beside a constant, each a product of powers\n"
     "and logarithms of the variables, with intervals where those explain more. The\n"
     "formula found becomes that of the experiment. It also shows the rivals, which\n"
     "the data cannot tell from it; 'predict' considers all of them. Without 'in' it\n"
     "uses all variables that vary, at most 4; names defined with 'let' may be given.\n"
     "'with' adds terms to the library: with N*(P-1)/P. Constants are costs and not\n"
     "negative; 'signed' allows negative ones. 'search all' searches one for every\n"
     "experiment and prints a line for each, as 'fit all' does.",
     command_search},
    {"advise", "advise NAME [on OBS] for VAR=VALUE... [budget TIME] [beyond K] [where CONDITION]",
     "what to measure next for a better prediction",
     "Names the points whose measurement narrows the interval of this prediction most\n"
     "in the time given (60s, 5min, 2h; default: as long as the data took). The cost\n"
     "of a point is its predicted time. Points go up to K times (default 4) the\n"
     "largest measured value; P has only measured values. Fits first if there is no\n"
     "fit. 'where' is as in predict.",
     command_advise},
    {"rank", "rank VAR=VALUE...", "which regions take most time at a place that was not measured",
     "All experiments in the order of their predicted time at this place, with share,\n"
     "typical interval, growth from the end of the data, number of executions and the\n"
     "largest term; then where one region overtakes another on the way there. Uses the\n"
     "last fit of each experiment, or its own formula; for the others it searches one.\n"
     "Times are without the regions inside (SELF), so that they add up. They are those\n"
     "of one run of the program if each run was at one place, and otherwise those of one\n"
     "execution of each outermost region. A value may be a formula over the values\n"
     "before it: n=N/P. Regions that cannot be predicted are listed with the reason.",
     command_rank},
    {"crossover", "crossover NAME [on OBS] NAME [on OBS] over VAR [VAR=VALUE...] [to VAR=VALUE]",
     "the size at which one model overtakes another",
     "Where the predictions of two experiments cross along a variable, which one is less\n"
     "from there on, and the interval in which the order is not certain. A name may be\n"
     "that of a definition: define device = copy(N=N) + kernel(N=N). VAR=VALUE gives the\n"
     "other variables. It looks 16 times beyond the data of both, or up to the value\n"
     "after 'to'. Inside the data the interval comes from the uncertainty of both\n"
     "models, beyond them from the typical intervals of 'predict'. Fits first if there\n"
     "is no fit.",
     command_crossover},
    {"plot",
     "plot NAME [on OBS] [over VAR] [by VAR|version] [where CONDITION]\n"
     "    [speedup] [log | linear] [to VAR=VALUE] [with FILE... [where CONDITION]]\n"
     "    [to FILE | small]\n"
     "    | DEFINITION [VAR=VALUES... | against EXPERIMENT [in FILE]] [over VAR]\n"
     "    [log | linear] [to FILE]",
     "draw points, model, intervals and errors; plot f[2]: one constant",
     "gnuplot draws into a file (its extension is svg, png or pdf); without a file into\n"
     "a window. 'small', which is usual without a display, draws with a few lines of\n"
     "characters and needs no gnuplot. 'over' is the horizontal axis (default: the\n"
     "first variable that varies), 'by' gives one curve per value; 'by version' gives\n"
     "points and model of each version of the code. After 'fit NAME by VAR' each value\n"
     "has its own model in the picture. Axes are logarithmic if the values span a wide\n"
     "range.\n"
     "'speedup' draws P0*T(P0)/T(P) over P, where P0 is the smallest P. 'to N=1e7'\n"
     "draws the model beyond the data, dashed. With 'where' the points are those of the\n"
     "data that fulfil the condition, as in table; the model is that of the last fit.\n"
     "'with' draws the points of other files (that fulfil the condition after them) on\n"
     "top.\n"
     "plot NAME[i] [over VAR] shows how one constant varies: its values with their\n"
     "95 % intervals, and local estimates from up to three neighbouring values of\n"
     "the variable with the other constants unchanged.\n"
     "A definition is drawn over the values given, or over the measured ones.",
     command_plot},
    {"boundaries",
     "boundaries NAME [VAR=VALUE...] on MACHINE [working set BYTES]\n"
     "    [scaling CONSTANT by RULE, ...]",
     "where constants are expected to change on another machine",
     "A constant has several values if its term walks through more memory than fits\n"
     "into a cache. For each interval of the model: the cache that explains its end,\n"
     "the interval on MACHINE, and the constants there. 'working set 8*N^2' states the\n"
     "bytes; else they are found from the terms and the sizes of the caches. VAR=VALUE\n"
     "gives variables that the working set depends on; others have the middle of the\n"
     "measured values. 'predict ... on MACHINE' uses these intervals.",
     command_boundaries},
    {"counts", "counts [FILE... | none]", "load what the constants execute, from 'call count'",
     "Shows for each constant the instructions in one unit of its term, by class.\n"
     "'predict ... on MACHINE' and 'predict ... before running' use them. Reports for\n"
     "several architectures may be loaded together. 'counts none' removes them.",
     command_counts},
    {"machine",
     "machine show [MACHINE] | list | add FILE [replace] | use MACHINE|none\n"
     "    | compare MACHINE MACHINE | plot memory|gpu [MACHINE] [to FILE]",
     "machines that cllprobe measured",
     "MACHINE is a name in the folder of machines ($CLL_MACHINES, or\n"
     "~/.local/share/cll/machines) or the path of a machine file. 'show' prints the\n"
     "machine (without a name: the one in use): operations, memory against working\n"
     "set and active cores with the levels that the latency shows, OpenMP, MPI, BSP, an\n"
     "accelerator. A star marks a figure that was not steady. 'list' lists the folder,\n"
     "'add' copies a file into it, 'use' chooses a machine for this session (llac\n"
     "--machine NAME and the environment variable CLL_MACHINE do so at the start),\n"
     "'compare' shows two side by side, 'plot memory' draws latency and bandwidth\n"
     "against the working set, 'plot gpu' those of the accelerator.",
     command_machine},
    {"obsp",
     "obsp FILE [NAME=FORMULA]... [on MACHINE] [g=SECONDS] [L=SECONDS] [h max|sum]\n"
     "    [pattern PATTERN] [costs [mean|median] [by process]] [g*F] [L*F] [W*F]\n"
     "    [slower K by F]... [replace K [to K] by FORMULA]... [skip K|startup]\n"
     "    [supersteps all]\n"
     "    [picture OUT [measured] [from TIME] [until TIME]]",
     "the time of a BSP program under the OBSP* model",
     "FILE is a trace of supersteps, which PUB_TRACE=FILE writes, or a notation, NAME.obsp,\n"
     "whose parameters NAME= changes (N=2^20 P=16 n=N/P). Its formulas may ask\n"
     "experiments as 'define' does: G(N=N/P), G[1]; then the OBSP* time has an interval.\n"
     "Prints the OBSP* time,\n"
     "the time of plain BSP, the measured time and the errors, 100 (measured - time) /\n"
     "measured; the critical path; and the supersteps that take longest, or all. W is\n"
     "the time outside the library and in its calls other than synchronisations.\n"
     "g (seconds per byte) and L are numbers, or those of a machine, by pattern and number\n"
     "of processors, or (without 'on', g and L) found from the trace. 'h' chooses whether\n"
     "h is the larger or the sum of the bytes in and out. The pattern (shift, exchange,\n"
     "random) of a machine's figures follows from the number of partners if it is not given.\n"
     "What if: 'g*0.5' halves g, 'L*10' and 'W*2' multiply L and W, 'slower 3 by 2' makes\n"
     "process 3 compute twice as long, 'replace 2 by W - old(N=4K) + new(N=4K)' gives\n"
     "another time to what processes compute in superstep 2, where W was measured.\n"
     "'skip K' takes the first K supersteps of a trace as measured and predicts the others,\n"
     "with g and L from these: the first messages of a program open connections and use new\n"
     "memory. Without it, obsp says so if the first supersteps are much slower than others\n"
     "with the same h; 'skip startup' takes these as measured.\n"
     "In a trace, a synchronisation costs the mean of those with the same h, which contains\n"
     "unusually long ones; with 'costs median' their median, which does not.\n"
     "'by process' finds the costs of each process by itself. If the error is 5 % or more,\n"
     "obsp says whether 'skip', 'by process' or both explain it.\n"
     "'picture' draws when each processor computes, communicates and waits, the messages\n"
     "and the critical path into OUT (svg, png, pdf). 'measured'\n"
     "adds the measured times, 'from 10ms until 20ms' draws a part.",
     command_obsp},
    {"check", "check BEFORE AFTER [at VAR=VALUES...] [threshold X%] [markdown | github]",
     "compare two versions of the code: what got slower?",
     "BEFORE and AFTER are data files, folders of data files, or labels of versions that\n"
     "are loaded; also models that 'export FILE.json' saved. For each experiment:\n"
     "the constants and the predictions at the places given (default: the measured points\n"
     "with the largest and the median time), their ratio with its interval (all of them\n"
     "together hold with 99 %), and a verdict that follows from the interval: faster,\n"
     "slower, same, cannot tell. If a formula does not describe its data, measured values\n"
     "are compared in place of predictions. Something is worse if it is slower and its\n"
     "ratio is above 1 by more than X % (default 5): the exit status of llac is 1 then.\n"
     " 'llac check BEFORE AFTER' does this from the shell.\n"
     "'markdown' prints a table for pull requests, 'github' annotations for GitHub's\n"
     "runner.",
     command_check},
    {"save", "save FILE [version LABEL] [where CONDITION] | session FILE",
     "write the samples as one data file, or a session as a script",
     "Only samples that fulfil 'where'. llac can load the file. FILE must not be one\n"
     "that is loaded. A file has samples of one version. 'save session FILE' writes a script of the commands that made\n"
     "this session; 'source FILE' or llac -f FILE restores it. Commands whose effect\n"
     "a later one has replaced are left out.",
     command_save},
    {"export", "export FILE [NAME...]", "write models: .h .py .js .gp .tex .json .csv",
     "C functions, Python functions, a JavaScript module, gnuplot functions, a LaTeX\n"
     "table, JSON as 'fit --json' prints it, or the constants as CSV: by the\n"
     "extension. The functions choose among several values of a constant as 'predict'\n"
     "does. They have no intervals, but predict_NAME_interval in .js has them; else\n"
     "'predict' with --json has.\n"
     "Without names it writes all fitted experiments, or all that have a formula if\n"
     "none was fitted.",
     command_export},
    {"report", "report FILE [NAME...] [beside FILE...] [rank VAR=VALUE...] [obsp FILE ...]",
     "write a page about models (.html)",
     "FILE.html is one file for a browser: formulas, constants with intervals, points,\n"
     "band and residuals, warnings, speed-up, and predictions for values that the\n"
     "reader chooses; and a tree of the regions that contain each other.\n"
     "Without names it has all fits, fits the experiments that have a\n"
     "formula and no fit, and searches one for those without a formula. 'beside' shows\n"
     "other data with the same formulas at the side, such as those of another machine.\n"
     "'rank' adds where the time goes at a place, as the command rank finds it. 'obsp'\n"
     "adds the picture of supersteps; what follows is as in the command obsp.",
     command_report},
    {"undo", "undo", "take back the last command that changed the session",
     "Takes back load, merge, where, let, define, statistic, ranks, rounds, disturbed,\n"
     "outliers, fit, search, counts, 'machine use', or a whole sourced script. The\n"
     "samples of before are read from their files again. Up to 100 steps, back to the\n"
     "start of llac. Files that were written stay.",
     command_undo},
    {"history", "history [K]", "the commands of this session, or the last K of them",
     "A star marks commands that failed. The last line names the command that 'undo'\n"
     "takes back. At the prompt, the arrow keys also reach earlier sessions.",
     command_history},
    {"source", "source FILE", "run the commands in a file",
     "As llac -f FILE does: it stops at the first command that fails. A script may\n"
     "source others, up to 8 deep. 'undo' takes the whole script back.",
     command_source},
    {"help", "help [COMMAND]", "this list, or more about a command", "'?' is the same: ? fit.",
     command_help},
    {"quit", "quit", "leave (also: exit, Ctrl-D)", "", command_quit},
    {NULL, NULL, NULL, NULL, NULL},
};

const struct command *command_find(const char *name)
{
    if (strcmp(name, "exit") == 0)
        name = "quit";
    for (const struct command *k = commands; k->name; k++)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

const char **command_keywords(const struct command *k, struct arena *a)
{
    const char *p = k->usage + strlen(k->name);
    const char **list = arena_alloc(a, strlen(p) + 1, sizeof *list);
    size_t found = 0;
    while (*p) {
        size_t n = 0, small = 0;
        for (; isalnum((unsigned char)p[n]) || p[n] == '_'; n++)
            small += islower((unsigned char)p[n]) || isdigit((unsigned char)p[n]);
        bool is_word = n > 1 && small == n && islower((unsigned char)p[0]);
        if (is_word && p[n] != '(' && p[n] != '.')
            list[found++] = arena_strndup(a, p, n + (p[n] == '='));
        p += n ? n : 1;
    }
    list[found] = NULL;
    return list;
}

int command_unknown(const struct cursor *c, const char *name, struct span where)
{
    const char *names[sizeof commands / sizeof *commands] = {NULL}, *meant;
    for (size_t i = 0; commands[i].name; i++)
        names[i] = commands[i].name;
    if ((meant = misprint_meant(name, names)))
        return cursor_error(c, where, "there is no command '%s'; did you mean '%s'?", name, meant);
    return cursor_error(c, where, "there is no command '%s'; 'help' lists them", name);
}

static json_t *json_functions(void)
{
    json_t *list = json_array();
    for (const struct formula_function *f = formula_functions; f->name; f++)
        if (f->unit)
            json_add(list, "{name:%s arguments:%s unit:%s meaning:%s}", f->name, f->arguments,
                     f->unit, f->help);
    return list;
}

static json_t *json_command(const struct command *k)
{
    return json_make("{name:%s usage:%s summary:%s details:%s functions?:%p}", k->name, k->usage,
                     k->summary, k->details, k->run == command_machine ? json_functions() : NULL);
}

/* What formulas can ask the machine. */
static void print_functions(FILE *out)
{
    fputs("\n    Formulas can ask the machine in use:\n\n", out);
    for (const struct formula_function *f = formula_functions; f->name; f++) {
        if (!f->unit)
            continue;
        char call[64];
        snprintf(call, sizeof call, "%s(%s)", f->name, f->arguments);
        char first[80];
        snprintf(first, sizeof first, "    %-25s %-3s ", call, f->unit);
        text_wrapped(out, first, "%s", f->help);
    }
    fputc('\n', out);
    text_wrapped(
        out, "    ",
        "BYTES is the working set of each core or of the accelerator, or the size of a message or a "
        "transfer; CORES is the number of active cores (1 if it is left out). Between measured places the "
        "logarithms are interpolated; beyond them a value is constant (the time of a longer message or "
        "transfer grows in proportion), and predict says so. A factor in an argument can be a constant: f[2]*N*lat(f.w*N).");
}

/* Lines that end early end a paragraph; the others are only as long as the source has room for. */
static void print_details(FILE *out, const char *details)
{
    enum { FULL_LINE = 64 };
    TEXT_LOCAL struct text paragraph = text_new();
    for (const char *p = details; *p;) {
        size_t n = strcspn(p, "\n");
        text_addn(&paragraph, p, n);
        p += n + (p[n] == '\n');
        if (*p && n >= FULL_LINE) {
            text_addc(&paragraph, ' ');
            continue;
        }
        text_wrapped(out, "    ", "%s", paragraph.s);
        text_clear(&paragraph);
    }
}

static void print_command(FILE *out, const struct command *k)
{
    text_heading(out, "%s\n", k->usage);
    fprintf(out, "    %s\n", k->summary);
    if (*k->details)
        fprintf(out, "\n");
    print_details(out, k->details);
    if (k->run == command_machine)
        print_functions(out);
}

int command_help(struct session *s, struct cursor *c)
{
    struct span where;
    char *name = cursor_name(c, &where);
    const struct command *one = name ? command_find(name) : NULL;
    if (name && !one)
        return command_unknown(c, name, where);
    if (cursor_finish(c))
        return -1;
    if (s->json && one) {
        json_print(s->out, "%p", json_command(one));
    } else if (s->json) {
        json_t *list = json_array();
        for (const struct command *k = commands; k->name; k++)
            json_array_append_new(list, json_command(k));
        json_print(s->out, "{commands:%p}", list);
    } else if (one) {
        print_command(s->out, one);
    } else {
        for (const struct command *k = commands; k->name; k++) {
            text_styled(s->out, TEXT_NAME, "  %-10s", k->name);
            fprintf(s->out, " %s\n", k->summary);
        }
        fputs("Commands are separated by ';' or lines; '#' starts a comment.\n"
              "'help fit' or '? fit' describes fit.\n",
              s->out);
    }
    return 0;
}

int command_quit(struct session *s, struct cursor *c)
{
    if (cursor_finish(c))
        return -1;
    s->quit = true;
    if (s->json)
        json_print(s->out, "{quit:%i}", 1);
    return 0;
}
