/* SPDX-License-Identifier: MIT */
/*
 * The first stage of a Fourier transform of N points on one or two processes: the program of
 * Appendices A and B of "Smart Integration: A Test Case Study" (Zemerly et al., Warwick RR257),
 * written anew for MPI. Decimation in frequency, radix 2: butterfly i makes of points i and
 * i + N/2 their sum, and their difference times a coefficient. The stages after this one need no
 * communication.
 *
 *     process 0                                process 1
 *     link       connects with the other       link
 *     arrange    copies the other's points
 *     half       sends them                    half       receives them
 *     arrange    copies its own points
 *     compute    N/4 butterflies               compute
 *                                              arrange    copies its sums out of the way
 *     send       its differences               receive
 *     receive    the other's sums              send
 *     done       receives one byte             done       sends it
 *
 * `stage` measures the whole, `connected` all but the link, and a region each line, as tables 6 and
 * 7 of the paper have them.
 * Each stage is done in two variants. sines = 0: all butterflies have the coefficient exp(-i pi/4)
 * (Appendix A); `compute` is the region `butterflies`. sines > 0: the process computes the sines
 * that its coefficients need and takes them from there (Appendix B); `compute` is `sines` and
 * `rotations`. `overlapped` is the same work in blocks, whose messages travel while other blocks
 * are computed. One process computes all butterflies and sends nothing; outside of `stage` it
 * copies what two processes would copy, so that its data tell the cost of `arrange`, and computes
 * the sines of each of the two, `share`.
 *
 *     call cc mpicc -O2 fft-stage.c -o fft-stage -lm
 *     for p in 1 2; do mpirun -n $p ./fft-stage; done
 *     llac -e 'where P == 1; fit butterflies; fit sines; fit rotations' fft-stage.cll.*.dat
 *     llac -e 'where P == 2; ranks 0; show half; show stage' fft-stage.cll.*.dat
 *
 * Errors of the appendices that this program does not have: the imaginary part of a difference
 * has the wrong sign; DONE points nowhere; the data are copied from a FILE structure; the table of
 * Appendix B has 768 sines where one processor needs 1536, and holds the same value in each.
 *
 * A size is repeated 40 times before the next one comes: where a short execution of a region follows
 * a long one, the run-time reads the CPU time as well, and a region around it pays for that. After
 * 16 short executions it does not any more.
 *
 * Checked: the sums and differences, transformed by the definition, are the even and the odd
 * elements of the transform of the data by the definition (the fixed coefficient is undone first).
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel MPI procs = 1,2

enum { BLOCKS = 4, SMALLEST = 32, LARGEST = 1 << 20, LINK_TAG = 1000 };
static const double pi = 3.14159265358979323846;

/* What a process has. Points are two floats: real and imaginary part. */
struct job {
    int N, rank, size;
    int points;    /* of this process: N, or N/2 */
    int sines;     /* in the table that it computes; 0: the fixed coefficient */
    float *data;   /* process 0: all points */
    float *own;    /* the points of this process: first all sums, then all differences */
    float *other;  /* those of the other process before they leave, or results on their way */
    float *table;  /* sines */
    MPI_Comm link; /* to the other process, which has rank 0 there */
};

/* Memory is touched here, so that no region pays for its first use. */
static float *floats(int n)
{
    float *memory = malloc((size_t)n * sizeof *memory);
    if (!memory) {
        fprintf(stderr, "fft-stage: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        return NULL;
    }
    return memset(memory, 0, (size_t)n * sizeof *memory);
}

/* ---- computation */

/* n butterflies with the coefficient exp(-i pi/4). */
static void butterflies(float *sum, float *difference, int n)
{
    const float w = (float)sqrt(0.5);
    for (int i = 0; i < 2 * n; i += 2) {
        float re = sum[i] - difference[i], im = sum[i + 1] - difference[i + 1];
        sum[i] += difference[i];
        sum[i + 1] += difference[i + 1];
        difference[i] = re * w + im * w;
        difference[i + 1] = im * w - re * w;
    }
}

/* The sines of the angles 2 pi (first + i)/N. */
static void sine_table(float *table, int n, int first, int N)
{
    for (int i = 0; i < n; i++)
        table[i] = (float)sin(2 * pi * (first + i) / N);
}

/* n butterflies with the coefficients cos - i sin of the table. */
static void rotations(float *sum, float *difference, int n, const float *sine, const float *cosine)
{
    for (int i = 0; i < n; i++) {
        float re = sum[2 * i] - difference[2 * i], im = sum[2 * i + 1] - difference[2 * i + 1];
        sum[2 * i] += difference[2 * i];
        sum[2 * i + 1] += difference[2 * i + 1];
        difference[2 * i] = re * cosine[i] + im * sine[i];
        difference[2 * i + 1] = im * cosine[i] - re * sine[i];
    }
}

/* The sines and cosines of N/2 angles are 3N/4 sines, because a cosine is the sine a quarter of the
 * circle ahead. Half of the angles need N/2, not half of 3N/4: their sines and cosines do not
 * overlap. */
static int sines_needed(int N, int size)
{
    return size == 1 ? 3 * N / 4 : N / 2;
}

/* The sines that one process needs begin at the angle of its first butterfly. */
static void make_sines(struct job *j)
{
    sine_table(j->table, j->sines, j->rank * j->N / 4, j->N);
}

/* Where the cosine of the first butterfly is: a quarter of the circle on. */
static const float *cosines(const struct job *j)
{
    return j->table + j->N / 4;
}

static void compute(struct job *j)
{
    float *difference = j->own + j->points;
    int n = j->points / 2;
    if (!j->sines) {
#pragma cll butterflies butterflies[0] + butterflies[1]*n
        butterflies(j->own, difference, n);
#pragma cll end butterflies
        return;
    }
#pragma cll sines(sines = j->sines) sines[0] + sines[1]*sines
    make_sines(j);
#pragma cll end sines
#pragma cll rotations rotations[0] + rotations[1]*n
    rotations(j->own, difference, n, j->table, cosines(j));
#pragma cll end rotations
}

/* Copies the points of process `rank` from the data: a quarter of the first half, and the points
 * half the data further on. */
static void arrange(const struct job *j, float *to, int rank)
{
    size_t half = (size_t)j->N / 2;
    memcpy(to, j->data + (size_t)rank * half, half * sizeof *to);
    memcpy(to + half, j->data + j->N + (size_t)rank * half, half * sizeof *to);
}

/* ---- the stage, step by step */

/* A link between two processes: an intercommunicator of one process on each side. */
static void make_link(struct job *j)
{
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - j->rank, LINK_TAG, &j->link);
}

static void work_first(struct job *j)
{
    int N = j->N;
    char finished = 0;
#pragma cll arrange(bytes = 4 * N, sines = j->sines) arrange[0] + arrange[1]*bytes
    arrange(j, j->other, 1);
#pragma cll end arrange
#pragma cll half(bytes = 4 * N, sines = j->sines) half[0] + half[1]*bytes
    MPI_Send(j->other, N, MPI_FLOAT, 0, 0, j->link);
#pragma cll end half
#pragma cll arrange(bytes = 4 * N, sines = j->sines) arrange[0] + arrange[1]*bytes
    arrange(j, j->own, 0);
#pragma cll end arrange
    compute(j);
#pragma cll send(bytes = 2 * N, sines = j->sines) send[0] + send[1]*bytes
    MPI_Send(j->own + N / 2, N / 2, MPI_FLOAT, 0, 0, j->link);
#pragma cll end send
#pragma cll receive(bytes = 2 * N, sines = j->sines) receive[0] + receive[1]*bytes
    MPI_Recv(j->own + N / 2, N / 2, MPI_FLOAT, 0, 0, j->link, MPI_STATUS_IGNORE);
#pragma cll end receive
#pragma cll done(N = j->N, sines = j->sines) done[0]
    MPI_Recv(&finished, 1, MPI_CHAR, 0, 0, j->link, MPI_STATUS_IGNORE);
#pragma cll end done
}

static void work_second(struct job *j)
{
    int N = j->N;
    char finished = 1;
#pragma cll half(bytes = 4 * N, sines = j->sines) half[0] + half[1]*bytes
    MPI_Recv(j->own, N, MPI_FLOAT, 0, 0, j->link, MPI_STATUS_IGNORE);
#pragma cll end half
    compute(j);
#pragma cll arrange(bytes = 2 * N, sines = j->sines) arrange[0] + arrange[1]*bytes
    memcpy(j->other, j->own, (size_t)N / 2 * sizeof *j->own);
#pragma cll end arrange
#pragma cll receive(bytes = 2 * N, sines = j->sines) receive[0] + receive[1]*bytes
    MPI_Recv(j->own, N / 2, MPI_FLOAT, 0, 0, j->link, MPI_STATUS_IGNORE);
#pragma cll end receive
#pragma cll send(bytes = 2 * N, sines = j->sines) send[0] + send[1]*bytes
    MPI_Send(j->other, N / 2, MPI_FLOAT, 0, 0, j->link);
#pragma cll end send
#pragma cll done(N = j->N, sines = j->sines) done[0]
    MPI_Send(&finished, 1, MPI_CHAR, 0, 0, j->link);
#pragma cll end done
}

static void stage_two(struct job *j)
{
#pragma cll link(N = j->N, sines = j->sines) link[0]
    make_link(j);
#pragma cll end link
#pragma cll connected(N = j->N, sines = j->sines) connected[0] + connected[1]*N + connected[2]*sines
    if (j->rank == 0)
        work_first(j);
    else
        work_second(j);
#pragma cll end connected
}

static void stage(struct job *j)
{
#pragma cll sync stage(N = j->N, sines = j->sines) stage[0] + stage[1]*N/P + stage[2]*sines + stage[3]*N*(P-1)
    if (j->size == 1)
        compute(j);
    else
        stage_two(j);
#pragma cll end stage
}

/* ---- the stage in blocks: computation and communication overlap */

/* The butterflies of a block. */
static void compute_block(struct job *j, int block)
{
    int n = j->points / 2 / BLOCKS, at = block * n;
    float *sum = j->own + 2 * at, *difference = j->own + j->points + 2 * at;
    if (j->sines)
        rotations(sum, difference, n, j->table + at, cosines(j) + at);
    else
        butterflies(sum, difference, n);
}

/* Process 0 sends the other's points in blocks, then computes its own and sends each block of
 * differences as soon as it has it. The sums of the other arrive in `other`. */
static void blocks_first(struct job *j)
{
    MPI_Request requests[4 * BLOCKS];
    int length = j->N / 2 / BLOCKS, n = 0; /* floats of a block of sums, or of differences */
    float *outgoing = j->other, *incoming = j->other + j->N;
    make_link(j);
    arrange(j, outgoing, 1);
    for (int b = 0; b < BLOCKS; b++)
        MPI_Irecv(incoming + b * length, length, MPI_FLOAT, 0, 2 + b, j->link, &requests[n++]);
    for (int b = 0; b < BLOCKS; b++) {
        MPI_Isend(outgoing + b * length, length, MPI_FLOAT, 0, 0, j->link, &requests[n++]);
        MPI_Isend(outgoing + j->N / 2 + b * length, length, MPI_FLOAT, 0, 1, j->link,
                  &requests[n++]);
    }
    arrange(j, j->own, 0);
    if (j->sines)
        make_sines(j);
    for (int b = 0; b < BLOCKS; b++) {
        compute_block(j, b);
        MPI_Isend(j->own + j->N / 2 + b * length, length, MPI_FLOAT, 0, 2 + b, j->link,
                  &requests[n++]);
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    memcpy(j->own + j->N / 2, incoming, (size_t)j->N / 2 * sizeof *j->own);
}

/* Process 1 computes each block when it is there and sends its sums. */
static void blocks_second(struct job *j)
{
    MPI_Request arrivals[2 * BLOCKS], requests[2 * BLOCKS];
    int length = j->N / 2 / BLOCKS, n = 0;
    float *incoming = j->other;
    make_link(j);
    for (int b = 0; b < BLOCKS; b++) {
        MPI_Irecv(j->own + b * length, length, MPI_FLOAT, 0, 0, j->link, &arrivals[2 * b]);
        MPI_Irecv(j->own + j->N / 2 + b * length, length, MPI_FLOAT, 0, 1, j->link,
                  &arrivals[2 * b + 1]);
    }
    for (int b = 0; b < BLOCKS; b++)
        MPI_Irecv(incoming + b * length, length, MPI_FLOAT, 0, 2 + b, j->link, &requests[n++]);
    if (j->sines)
        make_sines(j);
    for (int b = 0; b < BLOCKS; b++) {
        MPI_Waitall(2, arrivals + 2 * b, MPI_STATUSES_IGNORE);
        compute_block(j, b);
        MPI_Isend(j->own + b * length, length, MPI_FLOAT, 0, 2 + b, j->link, &requests[n++]);
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    memcpy(j->own, incoming, (size_t)j->N / 2 * sizeof *j->own);
}

static void stage_overlapped(struct job *j)
{
#pragma cll sync overlapped(N = j->N, sines = j->sines) overlapped[0] + overlapped[1]*N + overlapped[2]*sines
    if (j->rank == 0)
        blocks_first(j);
    else
        blocks_second(j);
#pragma cll end overlapped
}

/* ---- the check, on process 0 */

struct point {
    double re, im;
};

/* exp(-2 pi i k/N) for all k. */
static struct point *circle(int N)
{
    struct point *c = malloc((size_t)N * sizeof *c);
    if (!c)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int k = 0; k < N; k++)
        c[k] = (struct point){cos(2 * pi * k / N), -sin(2 * pi * k / N)};
    return c;
}

/* Element k of the transform of n points, by the definition. The circle has N points, a
 * multiple of n. */
static struct point element(const float *points, int n, int k, const struct point *c, int N)
{
    struct point s = {0, 0};
    for (int i = 0; i < n; i++) {
        struct point w = c[(long long)i * k % n * (N / n)];
        s.re += points[2 * i] * w.re - points[2 * i + 1] * w.im;
        s.im += points[2 * i] * w.im + points[2 * i + 1] * w.re;
    }
    return s;
}

/* The fixed coefficient of the differences becomes that of each butterfly: by exp(i pi/4) back, and
 * by exp(-2 pi i k/N) on. */
static void undo_fixed(float *difference, int N, const struct point *c)
{
    for (int k = 0; k < N / 2; k++) {
        struct point back = c[(k - N / 8 + N) % N];
        double re = difference[2 * k], im = difference[2 * k + 1];
        difference[2 * k] = (float)(re * back.re - im * back.im);
        difference[2 * k + 1] = (float)(re * back.im + im * back.re);
    }
}

/* All elements of short transforms, and 32 of long ones, which would take minutes. */
static int is_right(const float *data, float *result, int N, int sines)
{
    struct point *c = circle(N);
    double worst = 0;
    if (!sines)
        undo_fixed(result + N, N, c);
    for (int k = 0; k < N; k += N <= 1024 ? 1 : N / 32 + 1) {
        struct point expected = element(data, N, k, c, N);
        struct point got = element(result + k % 2 * N, N / 2, k / 2, c, N);
        worst = fmax(worst, hypot(got.re - expected.re, got.im - expected.im));
    }
    free(c);
    return worst < 2e-6 * sqrt(N);
}

/* Process 0 gets the result of the other and checks the whole. */
static int check(struct job *j)
{
    int right = 1;
    if (j->rank == 1) {
        MPI_Send(j->own, j->N, MPI_FLOAT, 0, 9, MPI_COMM_WORLD);
        return 1;
    }
    float *result = floats(2 * j->N);
    memcpy(result, j->own, 2 * (size_t)j->points * sizeof *result);
    if (j->size == 2)
        MPI_Recv(result + j->N, j->N, MPI_FLOAT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    right = is_right(j->data, result, j->N, j->sines);
    free(result);
    return right;
}

/* ---- the program */

/* Room for transforms of up to N points, and their data. */
static void job_new(struct job *j, int N, int rank, int size)
{
    unsigned state = 1;
    *j = (struct job){.rank = rank, .size = size};
    j->data = floats(2 * N);
    j->own = floats(2 * N / size);
    j->other = floats(2 * N);
    j->table = floats(3 * N / 4);
    for (int i = 0; i < 2 * N; i++) {
        state = state * 1664525u + 1013904223u;
        j->data[i] = (float)(state >> 8) / (1 << 23) - 1;
    }
}

static void job_free(struct job *j)
{
    free(j->data);
    free(j->own);
    free(j->other);
    free(j->table);
}

/* One process: its data are all points. What two processes would copy, and the sines that each of them
 * would compute, are copied and computed here: the angles of process 1 are larger, and sin takes
 * longer there. */
static void prepare_one(struct job *j)
{
#pragma cll arrange(bytes = 4 * j->N, sines = j->sines) arrange[0] + arrange[1]*bytes
    arrange(j, j->other, 1);
#pragma cll end arrange
    memcpy(j->own, j->data, 2 * (size_t)j->N * sizeof *j->own);
    for (int process = 0; j->sines && process < 2; process++) {
#pragma cll share(sines = j->N / 2, process = process) share[0] + share[1]*sines
        sine_table(j->table, j->N / 2, process * j->N / 4, j->N);
#pragma cll end share
    }
}

/* A variant of the stage; checked if `checked`. */
static int variant(struct job *j, int sines, int overlap, int checked)
{
    j->sines = sines;
    if (j->size == 1)
        prepare_one(j);
    if (overlap)
        stage_overlapped(j);
    else
        stage(j);
    if (j->size == 2)
        MPI_Comm_free(&j->link);
    return !checked || check(j);
}

/* All variants for N points, several times in a row; the first time of each is checked if `checked`.
 */
static int variants(struct job *j, int N, int repeats, int checked)
{
    int right = 1, table = sines_needed(N, j->size);
    j->N = N;
    j->points = N / j->size;
    for (int i = 0; i < repeats; i++)
        for (int overlap = 0; overlap < j->size; overlap++) {
            right &= variant(j, 0, overlap, checked && i == 0);
            right &= variant(j, table, overlap, checked && i == 0);
        }
    return right;
}

static int power_of_two(int n)
{
    return n >= SMALLEST && n <= LARGEST && (n & (n - 1)) == 0;
}

int main(int argc, char **argv)
{
    int rank, size, right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = argc > 1 ? atoi(argv[1]) : 256, last = argc > 2 ? atoi(argv[2]) : 65536;
    int rounds = argc > 3 ? atoi(argv[3]) : 2, repeats = argc > 4 ? atoi(argv[4]) : 40;
    if (size > 2 || argc > 5 || !power_of_two(first) || !power_of_two(last) || last < first ||
        rounds < 1 || repeats < 1) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: fft-stage [FIRST [LAST [ROUNDS [REPEATS]]]] with one or two processes; "
                    "sizes are powers of two from %d to %d\n",
                    SMALLEST, LARGEST);
        MPI_Finalize();
        return 2;
    }
    struct job j;
    int N = last, round = 0;
    job_new(&j, last, rank, size);
    /* All sizes once, then all again in another order: a slow moment of the machine then hits no size
     * alone, and no size always comes after the largest one. */
#pragma cll for (round = 0; round < rounds; round++)
#pragma cll for (N = first; N <= last; N *= 2) shuffle
    right &= variants(&j, N, repeats, round == 0);
#pragma cll end for
#pragma cll end for
    if (rank == 0)
        puts(right ? "right" : "WRONG");
    job_free(&j);
    MPI_Finalize();
    return !right;
}
