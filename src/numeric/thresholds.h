/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The thresholds of the numerical part: statistics of samples, boundaries, outliers, sums of terms.
 * model/thresholds.h includes this file and adds those of fits, predictions and warnings.
 *
 * Each threshold has its reason, and then what supports its value:
 *   Measured   a benchmark compared this value with others; docs/results has the figures
 *   Covered    a benchmark or a test measures results with this value; others were not compared
 *   Derived    it follows from mathematics or from the precision of numbers
 *   Judgement  it was chosen, and nothing measured supports it
 *
 * Each folder has the thresholds of its own code. docs/method/thresholds.md is made from all of these
 * files by tools/thresholds, and `make check` compares it and the figures quoted in docs/method with them.
 */
#ifndef NUMERIC_THRESHOLDS_H
#define NUMERIC_THRESHOLDS_H

/* ---- The value of a point (stats.c) ---- */

/* The default statistic: the quantile of the samples that is the value of a point. Low quantiles
 * repeat from run to run on a machine that is not quiet; the minimum drifts with the number of
 * samples. Judgement, from measurements on one shared machine that are not in the repository. */
#define POINT_QUANTILE 0.1

/* The standard error of a minimum comes from its distance to this many next samples. Judgement. */
#define MINIMUM_NEIGHBOURS 4

/* Fewer samples are not examined for two modes. Covered: numeric.stats. */
#define MODES_LEAST_SAMPLES 10

/* Each mode has at least this many samples. Judgement. */
#define MODES_LEAST_GROUP 3

/* Each mode has at least this share of the samples. Judgement. */
#define MODES_LEAST_SHARE 0.1

/* The centres of the modes differ by at least this factor; smaller differences do not matter.
 * Judgement. */
#define MODES_LEAST_RATIO 1.15

/* Modes that are so many times apart are two paths of the program: a neighbour on the core makes it two to three times
  * slower, and preempted samples are left out. Judgement; covered: model.warnings. */
#define MODES_OF_PROGRAM 4.0

/* Ashman's D of two modes with many samples: a normal distribution split in two has 2.6, a uniform
 * one 3.5, an exponential tail less than 4. Derived; covered: numeric.stats. */
#define MODES_LEAST_DISTANCE 5.0

/* For n samples D must exceed the distance above by this number / n: few samples form groups by
 * chance. Covered: numeric.stats, model.warnings. */
#define MODES_FEW_SAMPLES 30.0

/* ---- Intervals ---- */

/* Quantiles at the ends of all intervals, which makes them 95 % intervals. Judgement: the usual
 * level. */
#define INTERVAL_LOW_QUANTILE  0.025
#define INTERVAL_HIGH_QUANTILE 0.975

/* ---- The drift of a machine (drift.c) ---- */

/* Seconds: the shortest time over which the speed of a machine decays that is looked for; each further one doubles. What
 * changes faster is noise: rounds within half of it are one block, or within the time of all rounds divided by
 * DRIFT_BLOCKS, if that is shorter. Judgement. */
#define DRIFT_SHORTEST 0.5
#define DRIFT_BLOCKS   16

/* Seconds: the usual time, and the standard deviation of its logarithm. It counts where the data do not tell. Measured: the
 * correlation of fixed work of 1 ms over 100 s falls to 0.6 after 1 s and to 0.3 after 3 s on two virtual machines; those
 * measurements are not in the repository. Covered: bench/coverage (drift). */
#define DRIFT_USUAL  8.0
#define DRIFT_SPREAD 0.8

/* Rounds that differ by less than this part count as equal. Judgement. */
#define DRIFT_LEAST 1e-7

/* ---- Boundaries on one variable (boundaries.c) ---- */

/* Added to the criterion for each boundary, beyond AICc and the number of possible places.
 * Measured: bench/intervals; 6 and 9 find 97 to 100 % of the structures, 3 and 6 found 91 to 98 %
 * with skewed noise. The values were chosen on the kinds of data of this benchmark. */
#define BOUNDARY_PENALTY 6.0

/* Added for each further constant that changes at the same boundary. Measured: bench/intervals, as
 * for BOUNDARY_PENALTY. */
#define CHANGE_PENALTY 9.0

/* Distinct values of the variable in an interval. Covered: bench/intervals (12 sizes). */
#define INTERVAL_LEAST_VALUES 3

/* The same where each value has enough points. Judgement. */
#define INTERVAL_LEAST_VALUES_REPEATED 2

/* Points per value that are enough for it. Judgement. */
#define INTERVAL_ENOUGH_POINTS 4

/* A variable with at most this many values is divided between any two of them, if each value has
 * enough points: levels, flags, few processors. If the user asks for intervals on the variable, more
 * points than constants are enough. Covered: bench/intervals, model.intervals. */
#define INTERVAL_FEW_VALUES 4

/* Boundaries on one variable, columns and constants of a problem that is searched. They bound time
 * and memory: the search tries every set of constants. Judgement. */
#define BOUNDARIES_MAX           12
#define BOUNDARIES_MAX_COLUMNS   32
#define BOUNDARIES_MAX_CONSTANTS 16

/* Structures that one search returns. Judgement. */
#define BOUNDARIES_MAX_FOUND 64

/* With at least this many distinct values, the search first runs on this many places. Covered:
 * bench/intervals (time of the large set). */
#define BOUNDARIES_COARSE_PLACES 64

/* Places of the second pass, near the boundaries of the first. Covered: as above. */
#define BOUNDARIES_FINE_PLACES 160

/* Structures that are improved further by taking back changes and moving boundaries; all that were
 * found if places were thinned. Judgement. */
#define BOUNDARIES_IMPROVED 4

/* ---- Pieces over several variables (pieces.c) ---- */

/* Variables, boundaries and pieces of a model. They bound time and memory. Judgement. */
#define PIECES_MAX_VARIABLES  12
#define PIECES_MAX_BOUNDARIES 24
#define PIECES_MAX            256

/* Added to the criterion for each boundary on a derived variable, such as N/P: a boundary on N or P that
 * explains the data almost as well is simpler. Judgement; covered: bench/intervals (derived). */
#define DERIVED_PENALTY 4.0

/* With more points than this, about so many of them, drawn at random from this seed, show which
 * constants change where, and all of them place the boundaries. Judgement: it bounds time. */
#define PIECES_MANY_POINTS 6000
#define PIECES_SOME_POINTS 4000
#define PIECES_SOME_SEED   20021115

/* Places of a boundary that are compared at once. Judgement. */
#define PIECES_PLACES 16

/* With more constants than this, not every set of changing constants is tried. Judgement. */
#define PIECES_MANY_CONSTANTS 5

/* Then at most this many constants change at one boundary. Judgement. */
#define PIECES_MOST_CHANGING 2

/* How often the variables are gone through again. Judgement. */
#define PIECES_MOST_ROUNDS 8

/* By how much one signed value per constant must beat all structures without negative constants
 * before negative constants are allowed. Judgement. */
#define PIECES_SIGN_MARGIN 2.0

/* A structure is better if its criterion is less by this. Derived: rounding. */
#define PIECES_LEAST_GAIN 1e-9

/* Of structures whose criteria differ by less, the data do not tell which one is right. Of these, one in which the values of a
 * constant differ by a factor so many times smaller is taken. Judgement. */
#define PIECES_SAME           6.0
#define PIECES_SMALLER_CHANGE 2.0

/* By how much a structure with gradual changes must beat the best one of steps. Judgement. */
#define PIECES_GRADUAL_MARGIN 2.0

/* Columns that are tried beside the formula with no constant below zero, those first that reduce the
 * residuals most without that condition. Judgement. */
#define COLUMNS_TRIED 8

/* ---- Gradual changes (gradual.c) ---- */

/* Added to the criterion for a bend and for a smooth change: the choice of the form, and the
 * sharpness, which is one more number. Derived: 2 ln 3, and 2 for the number. */
#define BEND_PENALTY   2.1972
#define SMOOTH_PENALTY 4.1972

/* The first sharpness of smooth changes that is tried, how many are, each twice as sharp as the one
 * before, and the least and the greatest one. A sharper
 * change is a step. Judgement. */
#define SMOOTH_FIRST 1.0
#define SMOOTH_FORMS 3
#define SMOOTH_LEAST 0.7
#define SMOOTH_MOST  6.0

/* A structure that begins with gradual changes is divided further if it has this part of the gain
 * of the best one of steps. Judgement: it bounds time. */
#define GRADUAL_LEAST_PART 0.5

/* Measured values of the variable: in all, up to a gradual change, and beyond it. With fewer, a
 * gradual change fits any data. Judgement. */
#define GRADUAL_LEAST_VALUES 10
#define GRADUAL_LEAST_BELOW  2
#define GRADUAL_LEAST_ABOVE  3

/* Places that are compared on one variable. Judgement. */
#define GRADUAL_MOST_PLACES 48

/* A change whose criterion cannot be worse than the best by more than this is moved to its best
 * place. Judgement. */
#define GRADUAL_WORTH_MOVING 10.0

/* Steps of that (golden section). Judgement. */
#define GRADUAL_STEPS 14

/* ---- Outliers (outliers.c) ---- */

/* Neighbours that a point is compared with. Covered: model.intervals. */
#define OUTLIER_NEIGHBOURS 4

/* Fewer and more points are not examined: few have no usual difference, and the time grows with
 * their square. Judgement. */
#define OUTLIER_LEAST_POINTS 8
#define OUTLIER_MOST_POINTS  3000

/* An outlier is farther from each neighbour than this many usual differences between neighbours.
 * Covered: model.intervals, model.warnings. */
#define OUTLIER_TIMES_USUAL 8.0

/* The usual difference is this many times the median distance to the closest neighbour. Judgement.
 */
#define OUTLIER_USUAL_FACTOR 1.5

/* An outlier is above its neighbours by at least this much (natural logarithm; a factor of 1.16).
 * Judgement. */
#define OUTLIER_LEAST_ABOVE 0.15

/* An outlier that is too low is so by this factor: disturbances make times longer. Covered:
 * model.warnings. */
#define OUTLIER_LEAST_BELOW 3.0

/* A point whose standard deviation is this many times its value may have any value. Judgement. */
#define OUTLIER_MOST_SIGMA 2.0

/* The rough fit against which points are compared: its rounds, how fast weights fall with the
 * residual, and the least scale as a part of the neighbours' values. Judgement. */
#define ROUGH_FIT_ROUNDS      8
#define ROUGH_FIT_FALLOFF     10.0
#define ROUGH_FIT_LEAST_SCALE 0.25

/* Ratios of measured and fitted values are limited to 1 / this. Judgement. */
#define ROUGH_FIT_LEAST_RATIO 1e-3

/* ---- Classes of values (classes.c) ---- */

/* Degrees of freedom of the test of a class. With more, up to two smooth columns are fitted as well.
 * Covered: bench/divisible. */
#define CLASSES_LEAST_DOF 4

/* Steps until the factor is found; changes of its logarithm that count as none, at best and at the
 * last step; and the largest change of one step. Judgement. */
#define CLASSES_ROUNDS         60
#define CLASSES_SETTLED        1e-10
#define CLASSES_SETTLED_ENOUGH 1e-3
#define CLASSES_MOST_CHANGE    1.0

/* While the factor is not found yet, a time is at least this part of the measured one. Judgement. */
#define CLASSES_LEAST_TIME 0.01

/* A residual is freed of the shrinking that fitting causes (1 - leverage), which counts as at least
 * this. Judgement. */
#define CLASSES_LEAST_ROOM 0.1

/* Random classes: if so many leave residuals as small, no more are drawn; and where the random numbers
 * begin. Judgement. */
#define CLASSES_CLEARLY_MANY 20
#define CLASSES_SEED         362436069u

/* Random classes: steps of the fit of logarithms, the least part of the measured time that is fitted,
 * and the part of a column that must not follow from others. Judgement. */
#define CLASSES_LOG_ROUNDS     20
#define CLASSES_LEAST_LOG_TIME 0.05
#define CLASSES_DEPENDENT      1e-8

/* ---- The library of terms (terms.c) ---- */

/* How usual a factor is in the cost of a program, against V itself. Measured: bench/search; the
 * values were tuned on the truths of this benchmark. */
#define WEIGHT_SQUARE     0.7
#define WEIGHT_INVERSE    0.7
#define WEIGHT_QUARTERS   0.05
#define WEIGHT_CUBE       0.35
#define WEIGHT_ROOT       0.25
#define WEIGHT_POWER_3_2  0.2
#define WEIGHT_THIRDS     0.05
#define WEIGHT_LOG        0.4
#define WEIGHT_LOG_SQUARE 0.12

/* (V - 1)/V, ceil(log2(V)) and V - 1 occur in collective operations. Judgement. */
#define WEIGHT_SHARE    0.1
#define WEIGHT_LEVELS   0.1
#define WEIGHT_LESS_ONE 0.05

/* These, and falling powers, of a variable that is not the number of processors. Judgement. */
#define WEIGHT_FALLING 0.3

/* (V/P)*log(V/P). Judgement. */
#define WEIGHT_OF_SHARES 0.3

/* Points that change several variables against their usual values; fewer do not tell how the variables
 * combine. A grid of 4 x 4 has 9. Judgement. */
#define SEARCH_COMBINED_POINTS 8

/* Where the points do not tell it: a term that multiplies two of them, against a term of one; and ln of the odds
 * against each power with which a term grows when all variables grow together. Measured: bench/search
 * few; with 0.3 and 0, predictions from ten points are off by up to fifty times. */
#define WEIGHT_TOGETHER 0.1
#define WEIGHT_GROWTH   1.0

/* An exponent between the usual ones, which are SEARCH_EXPONENT_STEP apart; the largest exponent.
 * Covered: bench/search beyond. */
#define WEIGHT_EXPONENT      0.02
#define SEARCH_EXPONENT_STEP 0.05
#define SEARCH_MOST_EXPONENT 4.0

/* The least value of a variable above which its collective shapes equal V, 1 and log(V). Judgement.
 */
#define SHAPES_LEAST_VALUE 64

/* Variables that one search uses. It bounds time and memory. Judgement. */
#define SEARCH_MAX_VARIABLES 4

/* A variable with at most this many values has simple factors only: whole powers, log(V) and V*log(V). Judgement;
 * covered: model.search. */
#define TERM_FEW_VALUES 3

/* Terms of the library; a larger product over the variables leaves out the rarer factors. It bounds
 * time and memory. Judgement. */
#define SEARCH_MAX_LIBRARY 4000

/* ---- Sums of terms (sums.c) ---- */

/* Terms of a sum beside the constant. Judgement. */
#define SEARCH_MAX_TERMS 5

/* Sums of each length that are extended further; of single terms, more. Judgement. */
#define SEARCH_BEAM         100
#define SEARCH_BEAM_SINGLES 150

/* Sums of each length that are kept for predictions, and by how much (ln) they may be less plausible
 * than the best one: thousands of them matter together. Measured: bench/search beyond. */
#define SEARCH_MOST_SUMS 2000
#define SEARCH_REMAINING 10.0

/* ln of the prior odds against each term after the first. Measured: bench/search beyond 12 1; less
 * covers more and errs more. */
#define SEARCH_TERM_PENALTY 1.5

/* The same along lines, where each variable may need a term. Measured: bench/search few. */
#define SEARCH_TERM_PENALTY_LINES 0.7

/* Prior probability of a constant term beside one other term, and beside several: one term may well
 * be alone, several without a constant term are rare. Covered: bench/search. */
#define SEARCH_CONSTANT_SHARE        0.5
#define SEARCH_CONSTANT_SHARE_BESIDE 0.85

/* Prior probability of a constant term beside several terms, along lines: what looks like a
 * constant term along one variable is often a term of another one. Measured: bench/search few. */
#define SEARCH_CONSTANT_SHARE_LINES 0.5

/* The relative noise that is expected where repetitions do not tell, and how many points that counts
 * as. Measured: bench/search beyond 12 1; with 0.02, intervals from five points cover 79 to 84 %. */
#define SEARCH_EXPECTED_NOISE  0.04
#define SEARCH_EXPECTED_WEIGHT 1.0

/* The prior of a constant: the standard deviation of the share of the time that its term explains at a
 * typical point, half of a normal distribution. A share at the point where it is largest would say
 * little of a term that grows much faster than the others. Measured: bench/search beyond (other
 * truths); with 0.5, formulas with several intervals are hardly ever found. */
#define SEARCH_USUAL_SHARE 1.0

/* Draws that are tried until no coefficient is negative; then the coefficients are drawn in turn, so
 * often. Judgement. */
#define SEARCH_DRAW_ATTEMPTS 50
#define SEARCH_DRAW_SWEEPS   20

/* Terms whose columns have a cosine closer to 1 than this are the same. Judgement. */
#define SEARCH_SAME_COLUMN 1e-7

/* Columns of a sum of which less than this part is not explained by the others depend on them. Derived: double precision. */
#define SEARCH_APART_LEAST 1e-12

/* Relative error below which no formula explains more than another. Judgement. */
#define RELATIVE_NOISE_FLOOR 1e-7

/* Columns that a sum with intervals may have. Derived: size of a local array. */
#define SEARCH_MOST_COLUMNS 60

/* ---- Rounding ---- */

/* The least pivot of a Cholesky factor. Derived: double precision. */
#define CHOLESKY_LEAST 1e-14

/* Singular values below this part of the largest count as 0. Derived: double precision. */
#define RANK_TOLERANCE 1e-12

/* A column depends on others if they reproduce it up to this part of its length (11 digits).
 * Derived: double precision; covered: numeric.lsq. */
#define DEPENDENT_TOLERANCE 1e-11

/* The least room that a point leaves for an error when it is left out in the search. Derived: double
 * precision. */
#define LEFT_OUT_LEAST_ROOM 1e-9

/* A gradient below this part of the right hand side is 0 in a fit without negative constants; so is
 * a value below the second one. Derived: double precision. */
#define NONNEG_LEAST_GRADIENT 1e-12
#define NONNEG_ZERO           1e-14

/* Relative variance that the criterion assumes at least: what the sums of products of boundaries.c
 * leave of an exact fit. Derived. */
#define ROUNDING_VARIANCE 1e-14

/* A column depends on others if they leave less than this part of its sum of squares. Derived: the
 * rounding of sums of products. */
#define PRODUCTS_DEPENDENT 1e-13

/* A boundary moves if the residual falls by more than this part. Derived: rounding. */
#define BOUNDARY_MOVE_GAIN 1e-12

/* A point whose share in its own fitted value is 1 up to this alone determines a constant: it has
 * no leave-one-out error. Derived: rounding. */
#define LEVERAGE_ROOM 1e-9

/* Added to the usual difference between neighbours, so that exact data have one. Derived. */
#define OUTLIER_ROUNDING 1e-6

/* Terms with larger values, or with smaller values only, are not used. Derived: range of numbers.
 * */
#define TERM_LARGEST  1e150
#define TERM_SMALLEST 1e-150

#endif
