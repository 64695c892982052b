/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The thresholds of fits, predictions, warnings, search, compare and advise. Those of the numerical
 * part are in numeric/thresholds.h, which also explains the words Measured, Covered, Derived and
 * Judgement.
 *
 * Warnings: a correct formula on good data must cause none. model.warnings checks this on 100
 * synthetic data sets, so every value here is at least not too low for those.
 */
#ifndef MODEL_THRESHOLDS_H
#define MODEL_THRESHOLDS_H

#include "numeric/thresholds.h"

/* ---- Points (points.c) ---- */

/* Samples of a point that are kept for intervals of single runs and for modes. It bounds memory.
 * Judgement. */
#define POINTS_KEPT 2048

/* Up to this many samples keep their run, for the bootstrap and for slow phases. It bounds memory.
 * Judgement. */
#define POINTS_WITH_RUNS 200000

/* A point shorter than this many overheads, after one was subtracted, gets one more overhead of standard deviation, and does
 * not count where values are to be steady. Covered: model.fit, model.steady. */
#define TRUSTED_OVERHEADS 5

/* The power with which the ratio of a variable of the program to a setting of the command line may grow, so that they mean the same
 * size: the bytes of a text with so many lines. A term over both would be a guess at this small power. Judgement. */
#define REPEATS_PART 0.05

/* ---- Steady values (steady.c) ---- */

/* Seconds of a block of rounds, and how few and how many blocks there are. Slow phases of a machine last for seconds.
 * Judgement. */
#define STEADY_SECONDS      4.0
#define STEADY_LEAST_BLOCKS 3
#define STEADY_MOST_BLOCKS  8

/* Draws of blocks, and the share of them that must agree with the value. Judgement. */
#define STEADY_DRAWS 200
#define STEADY_SHARE 0.9

/* A point of fewer overheads is short: more rounds hardly help it. Judgement. */
#define SHORT_OVERHEADS 50

/* ---- Compositions (compose_walk.c) ---- */

/* Relative: values of variables, and sums of shares, that differ by less are the same. It allows for
 * rounding. Judgement. */
#define COMPOSE_SAME_PLACE 1e-9

/* derive: the part of the points within the uncertainty from which the whole difference counts as
 * uncertainty, and the part of the difference that a block must explain to be named. Judgement. */
#define DERIVE_INSIDE   0.8
#define DERIVE_EXPLAINS 0.5

/* ---- Disturbed samples (disturbed.c) ---- */

/* The part of its time that a sample must have been without its core, and seconds: less is not
 * visible beside the noise. Covered: model.disturbed. */
#define AWAY_SHARE 0.02
#define AWAY_LEAST 5e-6

/* preempted: the share of long samples above which the machine counts as busy. Judgement. */
#define PREEMPTED_MOST_SHARE 0.5

/* ---- First executions (first.c) ---- */

/* How many times slower they are than later ones, and the chance that first ones are that often the
 * slowest by accident. Covered: model.first. */
#define FIRST_TIMES 1.1
#define FIRST_LEVEL 0.01

/* The same chance without the opening executions of runs: these alone do not show that all first
 * executions differ. Covered: model.first. */
#define FIRST_REST_LEVEL 0.05

/* In more samples they do not matter. It bounds memory. Judgement. */
#define FIRST_MOST_SAMPLES 2000000

/* ---- Ranks (ranks.c) ---- */

/* Executions of a point that are enough to look at its ranks, and to compare the shapes of its
 * distributions. Measured: bench/ranks. */
#define RANKS_LEAST_EXECUTIONS 10
#define RANKS_LEAST_SHAPE      20

/* Ranks are alike if the slowest one exceeds what order statistics say by at most this part of it:
 * at each P, and on average. Measured: bench/ranks. */
#define RANKS_MOST_EXCESS      0.5
#define RANKS_MOST_MEAN_EXCESS 0.25

/* ... and if the variance between them, against that inside them, is at most so many times that of
 * equal ranks. Measured: bench/ranks. */
#define RANKS_MOST_DIFFERENCE 2.0

/* Quantiles follow P if the shapes are at least so many times nearer to those of independent
 * disturbances. Measured: bench/ranks. */
#define RANKS_EVIDENCE 1.5

/* ... and the power that fits best is at least this. Phases of the machine also
 * cause lower ones. Judgement, after bench/ranks. */
#define RANKS_LEAST_INDEPENDENCE 0.75

/* Values mean what the statistic means at so many times the largest P. Measured: bench/ranks. */
#define RANKS_REACH 2

/* How many times longer the slowest rank must take; less does not matter. Judgement. */
#define RANKS_LEAST_TIMES 1.03

/* Samples and pairs of points that are looked at. They bound time and memory. Judgement. */
#define RANKS_MOST_SAMPLES  4000000
#define RANKS_MOST_COMPARED 1000000
#define RANKS_KEPT          4096

/* ---- The fit (fit.c) ---- */

/* Rounds of weights, solution and noise. Judgement. */
#define FIT_MOST_ROUNDS 60

/* The relative noise of the first round. Judgement. */
#define FIT_FIRST_NOISE 0.05

/* The least relative noise that weights assume. Judgement. */
#define LEAST_RELATIVE_NOISE 1e-3

/* The expected time of a point stays within this factor of the measured time, so that one bad round
 * cannot run away. Judgement. */
#define FIT_EXPECTED_FACTOR 3.0

/* How often the search for boundaries is repeated until the error that is shown is the one allowed.
 * Judgement. */
#define THRESHOLD_ROUNDS 4

/* Intervals on one variable by default. Judgement. */
#define DEFAULT_MAX_INTERVALS 6

/* ---- Exponents (exponents.c) ---- */

/* Exponents that are tried first: the smallest, the largest, and the step with one exponent and
 * with several. Judgement. */
#define EXPONENT_FROM      (-3.0)
#define EXPONENT_TO        6.0
#define EXPONENT_STEP      0.125
#define EXPONENT_STEP_WIDE 0.75

/* Rounds until the exponents are found, and a change that counts as none. Judgement. */
#define EXPONENT_ROUNDS 30
#define EXPONENT_CHANGE 1e-9

/* The most that an exponent may move in one round. Judgement. */
#define EXPONENT_MOVE 0.5

/* max() and min() of constants (choices.c): steps from one begin, the most points that are tried with, the
 * most constants inside, how many points more than it has constants an operand must count at, and by
 * how much an operand must lower Akaike's criterion; the sum of squares of the formula against that of
 * the linear one around its constants that counts as the same. Judgement. */
#define CHOICE_ROUNDS      40
#define CHOICE_POINTS      400
#define CHOICE_CONSTANTS   4
#define CHOICE_MORE_POINTS 2
#define CHOICE_EVIDENCE    10
#define CHOICE_SETTLED     1.05

/* Factors in the argument of a function that asks the machine (lat(f[2]*N)): the grid, from one byte
 * for 16 units on, the step where one factor is unknown and where several constants are, how often
 * the step around the best place is halved, and the most that the logarithm of a factor may move in one
 * round after that. Judgement: the sizes of a machine file are about as far apart as the step. */
#define FACTOR_FROM      0.0625
#define FACTOR_TO        65536.0
#define FACTOR_STEP      1.189207115002721
#define FACTOR_STEP_WIDE 2.0
#define FACTOR_HALVINGS  6
#define FACTOR_MOVE      0.02

/* ---- Noise (noise.c) ---- */

/* With this many degrees of freedom, or more, the residuals alone give the noise. Covered:
 * bench/coverage. */
#define NOISE_ENOUGH_DOF 10.0

/* With fewer, repetitions are pooled with them unless the residuals are larger at this level of an
 * F test. Covered: bench/coverage. */
#define NOISE_F_LEVEL 0.25

/* Repetitions count as at most this many degrees of freedom, or points. Covered: bench/intervals,
 * bench/search. */
#define NOISE_MOST_WEIGHT 10

/* A standard error of a quantile is known less well than that of a mean: its degrees of freedom are
 * divided by this. Judgement. */
#define NOISE_QUANTILE_DIVISOR 2

/* With fewer samples, the interval of a single run is at least that of a log-normal distribution:
 * 80 samples have 2 beyond each end. Covered: bench/coverage. */
#define SINGLE_FEW_SAMPLES 80

/* Samples that the interval of a single run uses. It bounds time. Judgement. */
#define SINGLE_MOST_SAMPLES 400000

/* The largest relative noise that residuals can give. Judgement. */
#define NOISE_MOST 10.0

/* Less relative noise than this counts as none. Judgement. */
#define NOISE_FREE 1e-10

/* Before the fit, the clock counts against at least this relative noise. Judgement. */
#define NOISE_SCALE_LEAST 0.01

/* ---- Points with few and with many samples (uneven.c) ---- */

/* Numbers of samples that differ by less than this factor count as equal. Judgement. */
#define UNEVEN_LEAST_RATIO 2

/* Points with so many samples show what fewer samples would give, and this many of them are used.
 * Judgement. */
#define UNEVEN_MANY_SAMPLES 10
#define UNEVEN_MOST_POOL    32

/* They show it for up to this many samples. Judgement: a quantile of more samples hardly differs. */
#define UNEVEN_FEW_SAMPLES 64

/* The probability below one standard deviation above the mean. Derived. */
#define ONE_SIGMA_ABOVE 0.8413

/* Points with few samples may be noisier than the others by at most this factor. Judgement. */
#define UNEVEN_MOST_NOISIER 3.0

/* ---- How the noise differs (noise_shape.c) ---- */

/* Points differ by at least this relative noise, however many samples they have. Judgement. */
#define UNEVEN_LEAST_NOISE 0.01

/* Points with fewer samples do not show how large the noise is. Judgement. */
#define GROWTH_LEAST_SAMPLES 4

/* So many samples are worth one degree of freedom of the noise. Derived: the efficiency of the
 * distance between two quantiles. */
#define GROWTH_DOF_DIVISOR 4

/* Points shorter than this many clock resolutions do not show how the noise grows. Judgement. */
#define GROWTH_LEAST_FLOORS 100

/* Fewer points, or residuals with fewer degrees of freedom, do not show whether the noise grows.
 * Judgement. */
#define GROWTH_LEAST_DOF 6

/* Chance gives a growth in this share of the fits, by the samples alone, and with the residuals. Measured: bench/coverage
 * other, seeds from 20001. */
#define GROWTH_BY_CHANCE      0.02
#define GROWTH_BY_CHANCE_BOTH 0.05

/* Noise that differs with the time is not used if the points are then farther off, on average, by this factor and by so
 * many percent. Covered: model.noise. */
#define GROWTH_WORSE         1.1
#define GROWTH_WORSE_PERCENT 0.5

/* Powers of the time that are tried: from minus this to this, and the steps to each side.
 * Judgement. */
#define GROWTH_MOST  0.6
#define GROWTH_STEPS 24

/* ---- Whole runs (runs.c) ---- */

/* Rounds of medians over points and runs. Judgement. */
#define RUN_ROUNDS 3

/* A sample's distance counts as at most this many times the median one. Judgement. */
#define RUN_REST_MOST 4.5

/* Variance of a median against that of a mean. Derived: pi / 2. */
#define MEDIAN_VARIANCE 1.5708

/* The most that runs can explain of the residuals' variance. Judgement. */
#define RUN_MOST_OF_RESIDUALS 0.9

/* A combination of values is far from the points if its leverage is this many times the largest one
 * of theirs. Judgement. */
#define FAR_TIMES_LEVERAGE 4.0

/* A place is far beyond the data, so that constants may have changed on the way, if a variable or the
 * predicted value is this many times the largest of the data: the levels of a memory hierarchy are
 * about the first apart, and a region takes at least as many times longer as it touches more memory.
 * Judgement. */
#define FAR_TIMES_VARIABLE 4.0
#define FAR_TIMES_VALUE    8.0

/* The shares of a constant's pieces add up to 1, but for this. Derived: rounding. */
#define SHARES_ROUNDING 1e-9

/* ---- Points left out (leave_out.c) ---- */

/* Where intervals were chosen, points are left out in turn: this many points are fitted in all, and
 * at least so many are left out. Judgement: it bounds time. */
#define LEAVE_OUT_POINTS 4000
#define LEAVE_OUT_LEAST  16

/* With more points, one of them hardly decides where a boundary is. Judgement. */
#define LEAVE_OUT_MOST 3000

/* ---- Derived variables (derived.c) ---- */

/* Derived variables that one search for boundaries tries. More would take longer and find more false boundaries. Judgement. */
#define DERIVED_MOST 4

/* ---- A missing term (missing_term.c) ---- */

/* Whether intervals are made beside a missing term (the warning needs only a better criterion): by how much the criterion of
 * one more term must be better than that of intervals; by less than this the formula with the term may still improve with
 * intervals. Covered: bench/intervals. */
#define MISSING_TERM_MARGIN 6.0

/* The warning also names a term whose criterion is so little worse than that of intervals, if the mean
 * error with neither is below so many percent: the data do not tell which of them is right. Measured:
 * bench/unnoticed, bench/intervals (choice). */
#define MISSING_TERM_CLOSE   6.0
#define MISSING_TERM_PERCENT 20.0

/* Where the mean error with neither is at least so many percent, intervals are made if the mean error with them is at most
 * so many times that with the term: then they are as likely, and the formula was written for them. Covered:
 * bench/intervals (choice), model.intervals. */
#define MISSING_TERM_MUCH_PERCENT 10.0
#define MISSING_TERM_AS_GOOD      2.0

/* By so many powers of a variable a proposed term may grow faster, or slower, than the terms of the formula. If it grows
 * faster it has no logarithm, except V*log(V). Judgement. */
#define MISSING_TERM_POWERS 1.0

/* Something remains beside a missing term if its residuals are so many times what the repetitions
 * explain, and more than MISFIT_PERCENT. It is less than MISFIT_TIMES because intervals are the cautious
 * choice. Covered: bench/intervals (scatter); chosen after the data of one study were seen. */
#define MISSING_TERM_TIMES 2.0

/* ---- Classes of values (divisible.c) ---- */

/* divisible: distinct values in the class and outside it, and how often membership changes along the
 * variable; fewer changes are boundaries. Covered: bench/divisible. */
#define DIVISIBLE_LEAST_VALUES  3
#define DIVISIBLE_LEAST_CHANGES 3

/* divisible: classes are powers of two and multiples of 2 to this power of two. A page has 4096
 * bytes. Judgement. */
#define DIVISIBLE_MOST_MULTIPLE 4096.0

/* divisible: the chance of the finding, over all classes that are tried; and the chance at which
 * llac looks whether a class explains the data better than boundaries. Covered: bench/divisible. */
#define DIVISIBLE_LEVEL       0.01
#define DIVISIBLE_LEVEL_TRIED 0.05

/* divisible: below this chance, but not below the one above, a class is compared with so many random
 * ones, if there are at most so many points. It bounds time. Covered: bench/divisible. */
#define DIVISIBLE_LEVEL_RANDOM  0.2
#define DIVISIBLE_RANDOM        1999
#define DIVISIBLE_RANDOM_POINTS 100

/* divisible: by what part the class must be slower or faster. Judgement. */
#define DIVISIBLE_LEAST_CHANGE 0.05

/* divisible: and how far the ranks of its residuals must be from those of the others, in standard
 * deviations. Covered: bench/divisible. */
#define DIVISIBLE_LEAST_RANKS 2.0

/* divisible: a simpler class is preferred if twice its log-likelihood is less by at most this.
 * Judgement. */
#define DIVISIBLE_SAME 2.0

/* divisible: by how much the criterion with a class must be better than that of boundaries.
 * Covered: bench/divisible. */
#define DIVISIBLE_MARGIN 6.0

/* divisible: with more points, so many of them are drawn, and where the random numbers begin. It
 * bounds time. Judgement. */
#define DIVISIBLE_MOST_POINTS 3000
#define DIVISIBLE_SEED        2463534242u

/* divisible: values that the text names; and up to this factor it states a percentage. Judgement. */
#define DIVISIBLE_NAMED_VALUES 6
#define DIVISIBLE_AS_TIMES     1.5

/* ---- Terms that ask the machine (machine_term.c) ---- */

/* machine-term: a formula whose leave-one-out error is below this percentage needs no further term; the
 * error must fall by this factor, and by exp(nats / points), which so many candidates do not reach by
 * chance; a candidate that the data can hardly tell from the formula's terms does not count.
 * Judgement. */
#define MACHINE_TERM_PERCENT   1.0
#define MACHINE_TERM_GAIN      1.25
#define MACHINE_TERM_NATS      6.0
#define MACHINE_TERM_CONDITION 1e4

/* machine-term: from this power of a variable on, the working set grows with its square. Judgement. */
#define MACHINE_TERM_SQUARE 1.5

/* machine-flat: a figure that changes by less than this part over the points tells nothing; and the
 * bytes that an element has at most in usual programs. Also of predictions beyond the cache of a
 * device. Judgement. */
#define MACHINE_TERM_FLAT  0.1
#define MACHINE_TERM_USUAL 32.0

/* machine-term: more points are not examined: it bounds time. Judgement. */
#define MACHINE_TERM_POINTS 5000

/* vague-factor: ratio of the ends of a factor's interval; and of the leave-one-out error to the error of
 * the fit (at least 1 %), from which on a few points determine the factor. Judgement. */
#define MACHINE_FACTOR_WIDE     2.0
#define MACHINE_FACTOR_LEFT_OUT 20.0

/* ---- The end of the data, predicted from the rest (backtest.c) ---- */

/* Fits that know only a part of the data: they leave out one, two, four and eight doublings of a variable, at most this part of all; and
 * they have so many values of it. Judgement. */
#define BACKTEST_CUTS         4
#define BACKTEST_PART         0.67
#define BACKTEST_LEAST_VALUES 3

/* The points at the largest value are a surprise if more than this part of them, above less below, is outside the interval. Judgement. */
#define BACKTEST_MOST_INSIDE 0.5

/* Points at the largest value that are compared: it bounds time. Judgement. */
#define BACKTEST_MOST_POINTS 100

/* Further beyond the data than the longest part that was left out, a prediction may be off by at most so many times as much. Judgement. */
#define BACKTEST_AGAIN 2.0

/* ---- Resampling (resample.c) ---- */

/* Fewer runs than this are not resampled; residuals are. Covered: bench/coverage. */
#define RESAMPLE_FEWEST_RUNS 4

/* Resamples of a model: this many points are fitted in all, within the two limits. Covered:
 * bench/coverage. */
#define RESAMPLE_POINTS 8000
#define RESAMPLE_LEAST  16
#define RESAMPLE_MOST   48

/* With more points than this, so many of them are drawn, and the variance is that of the part.
 * Judgement: it bounds time and memory. */
#define RESAMPLE_SUBSET 500

/* Where the random numbers begin: the same data give the same answer. Judgement. */
#define RESAMPLE_SEED 88172645463325252u

/* A residual is freed of the shrinking that fitting causes (1 - leverage), which counts as at least
 * this. Judgement. */
#define RESAMPLE_LEAST_ROOM 0.1

/* A resampled value is at most this many times smaller than the fitted one. Judgement. */
#define RESAMPLE_MOST_TIMES 10.0

/* ---- Warnings about the formula (diagnose.c, residuals.c) ---- */

/* nearly-collinear: condition number of the columns, scaled to length 1. Covered: model.warnings.
 * */
#define COLLINEAR_CONDITION 1e3

/* nearly-collinear: constants with at least this part of the weakest direction are named.
 * Judgement. */
#define COLLINEAR_PART 0.3

/* unused-variable: it has at most this many values, and the means of the residuals at these differ
 * by this much. Judgement. */
#define UNUSED_MOST_VALUES  12
#define UNUSED_LEAST_CHANGE 0.05

/* misfit: mean error in percent, with repetitions. Covered: model.warnings. */
#define MISFIT_PERCENT 5.0

/* misfit: residuals over what repetitions explain. Covered: model.warnings. */
#define MISFIT_TIMES 3.0

/* misfit: mean error in percent, without repetitions. Covered: model.warnings. */
#define MISFIT_PERCENT_ALONE 20.0

/* independent: the value changes by less than this while a variable at least doubles. Covered:
 * model.warnings. */
#define INDEPENDENT_CHANGE 0.05

/* independent: or by less than this many times the relative noise. Judgement. */
#define INDEPENDENT_TIMES_NOISE 3.0

/* independent: the relative noise counts as at most this. Judgement. */
#define INDEPENDENT_MOST_NOISE 0.1

/* independent: the factor by which the variable grows. Judgement. */
#define INDEPENDENT_RANGE 2.0

/* many-intervals: a variable has more intervals than this. The papers say that a machine has few
 * regimes. Judgement; covered: model.intervals. */
#define MANY_INTERVALS 3

/* trend, slow-phase: chance gives the finding in this share of the fits. Derived: normal
 * distribution; covered: model.warnings. */
#define FINDING_BY_CHANCE 1e-3

/* trend: distinct values of the variable, and values beyond the number of constants. Judgement. */
#define TREND_LEAST_VALUES 8
#define TREND_SPARE_VALUES 4

/* trend: root mean square of the relative residuals. Smaller ones do not matter. Judgement. */
#define TREND_LEAST_SIZE 0.01

/* adds-nothing: the largest share of a term in any point. Judgement. */
#define TERM_NEGLIGIBLE 0.02

/* ---- Launches that did not fill a device (unfilled.c) ---- */

/* A region waits for its kernels if they take more than this part of the time of its clock. Judgement. */
#define UNFILLED_WAITED 0.5

/* Prediction: launches that grow by less than this part do not matter. Judgement. */
#define UNFILLED_SHOWN 0.1

/* ---- Outliers that take part again (fit.c) ---- */

/* Relative error of an outlier in the model made without it, in medians of the others' (2.7 standard deviations of normal noise).
 * Covered: model.derived. */
#define OUTLIER_PREDICTED 4.0

/* ---- Warnings about points and samples (diagnose.c, residuals.c) ---- */

/* outlier: level of the test, two-sided, divided by the number of points. Derived: Student's t. */
#define OUTLIER_LEVEL 0.01

/* outlier: degrees of freedom that the test needs. Judgement. */
#define OUTLIER_LEAST_DOF 3

/* outlier: smaller relative residuals do not matter, however exact the data are. Judgement; covered:
 * model.warnings. */
#define OUTLIER_NEGLIGIBLE 0.05

/* outlier, left-out: points that the text names, the farthest from the model first. Judgement. */
#define WARNING_NAMED_POINTS 3

/* A difference below this part of a point is rounding. Derived: digits of the data file. */
#define VISIBLE_PART 1e-9

/* cold: how many times slower the first point is than the others predict. Covered: model.warnings.
 * */
#define COLD_TIMES 1.3

/* cold: and by how many standard deviations. Covered: model.warnings. */
#define COLD_DEVIATIONS 2.0

/* cold: points that there must be, and runs that are looked at. Judgement. */
#define COLD_LEAST_POINTS 4
#define COLD_MOST_RUNS    10000

/* slow-phase: how many times slower than usual a slow sample is. Judgement. */
#define SLOW_TIMES 1.2

/* slow-phase: samples in a row. Judgement. */
#define SLOW_LEAST_SAMPLES 6

/* slow-phase: this many samples at the usual speed end it. Judgement. */
#define SLOW_CALM_SAMPLES 2

/* slow-phase: if this share of all samples is slow, that is the usual speed. Judgement. */
#define SLOW_MOST_SHARE 0.8

/* slow-phase: the usual time of a point is this quantile of its samples. Judgement. */
#define SLOW_USUAL_QUANTILE 0.25

/* slow-phase: points with fewer samples are not used. Judgement. */
#define SLOW_LEAST_REPETITIONS 4

/* ---- Warnings about the host (diagnose.c) ---- */

/* stolen: the share of the time that the cores wanted to work. Judgement. */
#define STOLEN_SHARE 0.03

/* stolen: and seconds in all. The system counts in hundredths of a second. Judgement. */
#define STOLEN_LEAST_SECONDS 0.1

/* frequency: by what part the frequency at the end of a run differs between runs. Judgement. */
#define FREQUENCY_CHANGE 0.1

/* ---- Search (search/) ---- */

/* Points that a search needs. Covered: model.search. */
#define SEARCH_MIN_POINTS 5

/* Terms beside the constant by default. Covered: bench/search. */
#define SEARCH_DEFAULT_TERMS 3

/* Points that the search uses; the fits use all. Covered: model.search. */
#define SEARCH_MOST_POINTS 400

/* Points that remain beside the constants of a formula. Covered: bench/search beyond (5 points). */
#define SEARCH_SPARE_POINTS 2

/* Terms with other exponents that one search adds to the library; it bounds memory. Judgement. */
#define SEARCH_MORE_TERMS 6000

/* How many sums of each length get other exponents, how many steps at once (where a logarithm takes the
 * place of a power, or the reverse: from the exponent that changes least), and how often. Judgement. */
#define SEARCH_CLIMBED         8
#define SEARCH_CLIMB_STEPS     6
#define SEARCH_CLIMB_LOG_STEPS 2
#define SEARCH_CLIMB_ROUNDS    8

/* How many sums of each length get exponents by least squares. Covered: bench/search beyond (three
 * variables). */
#define SEARCH_REFINED 4

/* Its steps, the first damping, the most by which a step changes an exponent or the logarithm of a
 * constant, the part of the squares that ends it, and the least share with which a term begins.
 * Judgement. */
#define SEARCH_REFINE_STEPS   12
#define SEARCH_REFINE_DAMPING 0.01
#define SEARCH_REFINE_MOST    0.5
#define SEARCH_REFINE_ENOUGH  1e-3
#define SEARCH_REFINE_LEAST   0.01

/* The prior follows the noise of the best sum if its square differs by more than this factor, at most
 * so often. With so many points beside the constants, that noise is also the expected one.
 * Judgement. */
#define SEARCH_SHRINK_RATIO 3.0
#define SEARCH_NOISE_ROUNDS 4
#define SEARCH_NOISE_POINTS 5

/* ln of the prior probability that the largest size is disturbed or begins another regime, and the
 * factor by which its time may then differ. Judgement. */
#define SEARCH_LAST_PRIOR  (-2.0)
#define SEARCH_LAST_FACTOR 3.0

/* Points along lines: those at most this many times as far from the middle of all ranges as the nearest one tell the time
 * there. Judgement. */
#define SEARCH_NEAR_MIDDLE 1.1

/* Draws of constants that predictions after a search use. Judgement. */
#define SEARCH_DRAWS 1000

/* The part of the draws that ignores how several variables are expected to combine. Measured: bench/search
 * few; 0 covers 88 instead of 92 %, and 0.5 errs more. */
#define SEARCH_PLAIN_SHARE 0.3

/* Fewer points are not searched for intervals. Judgement. */
#define SEARCH_INTERVAL_POINTS 8

/* Sums of one and of two terms that are tried with intervals. Covered: bench/search (time). */
#define SEARCH_DIVIDED_SINGLES 30
#define SEARCH_DIVIDED_PAIRS   4

/* Points times variables times such sums; it bounds time. Judgement. */
#define SEARCH_DIVIDED_POINTS 3000

/* Terms of each half of the data that are tried as the forms on both sides of a boundary, and pairs
 * of them that are kept. Judgement. */
#define SEARCH_FORMS_OF_HALF 12
#define SEARCH_FORMS_KEPT    20

/* Values of the variable on each side of such a boundary, and ln of the prior probability of two
 * forms. Judgement. */
#define SEARCH_FORM_POINTS 4
#define SEARCH_FORMS_PRIOR (-4.0)

/* By how much (ln) a sum with intervals must be more plausible than the best one without. Covered:
 * bench/search. */
#define SEARCH_INTERVAL_MARGIN 1.0

/* Sums that are kept for the report and for predictions; a power of two. Judgement: it bounds memory. */
#define SEARCH_POOL 4096

/* Formulas that are reported, the best included. Judgement. */
#define SEARCH_MAX_FOUND 8

/* A formula is a rival if its criterion is worse than the best by at most this: the best is at most
 * 20 times as likely. Derived; covered: bench/search (among, enclosed). */
#define SEARCH_SAME 6.0

/* How many times beyond the data formulas are compared. Judgement. */
#define SEARCH_BEYOND 8.0

/* How far apart the ends of an interval inside the data must be before search says that the points do
 * not tell how the variables combine. Judgement. */
#define SEARCH_APART 2.0

/* How often the search is repeated without the outliers of its best formula. Judgement. */
#define SEARCH_REPEATS 2

/* ---- Predictions after a search (average.c) ---- */

/* Formulas with intervals that are fitted again for predictions. It bounds time. Judgement. */
#define AVERAGE_MOST_DIVIDED 4

/* Fewer draws than this have a value: the formula alone predicts. Judgement. */
#define AVERAGE_LEAST_DRAWS 100

/* The prediction is the value with most draws near it: the weight of a draw falls with its distance
 * (in the logarithm) as a normal distribution with this standard deviation. Where the logarithms of the
 * draws between two quantiles, 80 % of them, differ by less than the second number, it is the median.
 * Measured: bench/search beyond (other seeds). */
#define AVERAGE_NEAR          0.2
#define AVERAGE_NARROW        0.1
#define AVERAGE_LOW_QUANTILE  0.1
#define AVERAGE_HIGH_QUANTILE 0.9

/* Values from which the search for it begins, its steps, and the step that ends it. Judgement. */
#define AVERAGE_STARTS 40
#define AVERAGE_STEPS  50
#define AVERAGE_ENOUGH 1e-4

/* With so many degrees of freedom Student's t is the normal distribution of the draws. Derived. */
#define AVERAGE_NORMAL_DOF 1e6

/* ---- Constants that the data do not determine (undetermined.c) ---- */

/* So many of them are tried: all formulas with and without their terms. It bounds time. Judgement. */
#define UNDETERMINED_MOST 4

/* Costs are not negative: a negative constant is taken for one if it is this many standard errors from 0.
 * Measured: bench/undetermined (other seeds). */
#define UNDETERMINED_NEGATIVE 4.0

/* A formula with less than this share is left out: intervals contain those of all that remain. Measured:
 * bench/undetermined (other seeds). */
#define UNDETERMINED_LEAST_SHARE 0.1

/* The terms are named if the formulas with and without them differ by more than this part of the prediction.
 * Judgement. */
#define UNDETERMINED_SHOWN 0.01

/* ---- Compare (compare.c) ---- */

/* The data cannot decide between formulas whose AICc differs by at most this: the better one is at
 * most 20 times as likely. Derived; covered: model.compare. */
#define COMPARE_SAME 6.0

/* A formula is better at the largest sizes if the other's error there is this many times larger,
 * and this many times its leave-one-out error. Covered: model.compare. */
#define COMPARE_BETTER 2.0

/* Leave-one-out errors count as at least this many percent. Judgement. */
#define COMPARE_LEAST_PERCENT 1e-4

/* The largest sizes are the last 1 / this of the distinct values of a variable that has at least
 * this many. Judgement. */
#define COMPARE_LARGEST_PART 4

/* How many times beyond the data undecided formulas are compared. Judgement. */
#define COMPARE_BEYOND 4.0

/* ---- Advise (advise.c) ---- */

/* Points that are advised. Judgement. */
#define ADVISE_MAX_POINTS 24

/* Combinations of values that are considered. It bounds time. Judgement. */
#define ADVISE_MAX_CANDIDATES 4000

/* More combinations than this many times as many, with the coarsest grid, are refused. Judgement.
 * */
#define ADVISE_TOO_MANY 64

/* Values of a variable that are considered: at most, and where thinning of all values begins.
 * Judgement. */
#define ADVISE_MOST_VALUES 256
#define ADVISE_FEW_VALUES  64

/* Steps per doubling of a variable, and steps in all. Judgement. */
#define ADVISE_STEPS_PER_DOUBLING 4
#define ADVISE_MOST_STEPS         96

/* How many times the largest measured value a candidate may be. Judgement. */
#define ADVISE_BEYOND 4.0

/* By what part a point must reduce the variance of the prediction. Covered: bench/advise. */
#define ADVISE_LEAST_GAIN 0.02

/* Rounds of exchanging points. Judgement. */
#define ADVISE_EXCHANGES 4

/* Points that form a range. Judgement. */
#define ADVISE_RANGE 3

/* ---- Check (check.c) ---- */

/* With this chance the intervals of all rows of a check hold. They decide, so the rest, halved, is the chance
 * that a check of two runs of the same code calls something slower. Measured: bench/check. */
#define CHECK_CONFIDENCE 0.99

/* Times of one run differ from those of the next by at least this part, even where few runs do not
 * show it; and by this part where there is one run, which shows nothing. Measured: bench/check. */
#define CHECK_RUN_SPREAD    0.01
#define CHECK_SINGLE_SPREAD 0.08

/* The uncertainty that whole runs cause is found by leaving rounds out where there are this many of them;
 * one by one below CHECK_MANY_ROUNDS, else a third of them in CHECK_SUBSETS ways. Measured: bench/check. */
#define CHECK_FEWEST_ROUNDS 3
#define CHECK_MANY_ROUNDS   8
#define CHECK_SUBSETS       64

/* What the samples show of the differences of runs counts as so many further runs, because few runs show
 * it badly. Measured: bench/check. */
#define CHECK_KNOWN_DOF 4

/* Rounds that were not measured by turns may differ by this part, however many there are: the machine
 * was another one on that day. Judgement. */
#define CHECK_APART_SPREAD 0.015

/* A run is in a slow phase at a point if all its samples there take this many times the value of the
 * point. Slow phases explain at least the second figure (docs/user/measuring.md). Judgement. */
#define CHECK_SLOW       1.1
#define CHECK_SLOW_TIMES 1.8

/* With fewer than CHECK_FEWEST_ROUNDS rounds nothing shows how often slow phases come: only a difference
 * beyond this many times counts. Measured: bench/check. */
#define CHECK_FEW_TIMES 3

/* Which quantile of its samples tells by how much a run is slower than others. Judgement. */
#define CHECK_RUN_QUANTILE 0.25

/* The distance of the median from POINT_QUANTILE, in standard deviations of a normal distribution.
 * Derived. */
#define CHECK_QUANTILE_DISTANCE 1.2816

/* A slowdown below this part does not fail the check, unless --threshold says otherwise. Values are the
 * same if their ratio is known to be nearer to 1 than the threshold, which counts here as at least
 * CHECK_SAME and at most CHECK_THRESHOLD. Judgement. */
#define CHECK_THRESHOLD 0.05
#define CHECK_SAME      0.02

/* Half the width of the interval of a ratio, as a logarithm, up to which it is shown. Judgement. */
#define CHECK_MOST_REACH 2

/* ---- Rounding ---- */

/* outlier: if a point explains all but this of the residuals, its distance is infinite. Derived. */
#define STUDENTISED_ROOM 1e-9

/* The fit ends when no constant changes by more than this part. Derived: double precision. */
#define FIT_SETTLED 1e-10

/* In a relation of dependent columns, smaller parts are rounding. Derived: double precision. */
#define RELATION_TOLERANCE 1e-8

/* A prediction depends on constants that cannot be told apart if their parts do not cancel up to
 * this. Derived: double precision. */
#define ESTIMABLE_TOLERANCE 1e-9

/* A place is outside the data if it is beyond them by more than this part. Derived. */
#define EXTRAPOLATION_SLACK 1e-9

/* Rounds over less than this part of the time of the fit are a burst. Judgement. */
#define BURST_SPAN 0.5

/* So many windows of a burst's length are looked at. It bounds time. Judgement. */
#define BURST_MOST_WINDOWS 50

/* A point with so many times fewer samples than those of the fit is held against the interval of few runs. Covered:
 * model.noise. */
#define FEW_RUNS_RATIO 1.5

/* How often samples are drawn for that interval, and how many samples count. They bound time. Judgement. */
#define FEW_RUNS_DRAWS 1000
#define FEW_RUNS_MOST  100

/* A formula is off by about this part at a place that is as far beyond the data as these are wide, in doublings of a
 * variable, however precise they are: no typical interval there is narrower. Judgement, after merge sort, a matrix product
 * and a hash table (bench/bursts.sh) on an Arm Neoverse N1, whose times repeat to 0.1 %: four times beyond sizes over 8, 2.3
 * and 2.3 doublings they are off by 0.1, 4 and 7 %. */
#define FORMULA_ERROR 0.1

/* Where clock and overhead leave no error, the floor is this part of the smallest point. Derived.
 * */
#define FLOOR_PART 1e-9

/* And in weights this part of the expected time. Derived. */
#define WEIGHT_FLOOR_PART 1e-12

/* The relative noise that residuals can give at least. Derived. */
#define NOISE_LEAST 1e-12

/* Values of a variable that differ by less than this part are one candidate; steps of a range are
 * equal up to it. Derived. */
#define ADVISE_SAME_VALUE 1e-9

/* An exchange must reduce the variance by more than this part. Derived. */
#define ADVISE_EXCHANGE_GAIN 1e-6

#endif
