/* SPDX-License-Identifier: MIT */
/*
 * The spool: the file into which a running program writes its samples, so that they survive when it
 * is killed.
 *
 * One header page, then segments without gaps. The head of a segment has its length. The order of
 * bytes is that of the machine; `order` tells which. Kinds of segments:
 *
 *   META     entries (struct spool_entry) that describe the run and its experiments
 *   RECORDS  records of one thread (layout: cll.h), in words of 64 bits
 *   TOTALS   entries of kind ENTRY_TOTAL: what thinning took away, per tuple
 *   FREE     zeros, to be used again
 *
 * Valid records of a RECORDS segment: words [0, fill), and words [next, ...) up to the first
 * record whose word 1 is zero. progress = next << 32 | fill; 0 until the segment is thinned. During
 * thinning fill and next advance with each record, so a process that is killed then leaves a
 * readable file.
 *
 * Every entry and every record is complete before the word that makes it visible is written
 * (`bytes` of an entry, word 1 of a record).
 */
#ifndef SPOOL_FORMAT_H
#define SPOOL_FORMAT_H

#include <stdint.h>

#define SPOOL_MAGIC       "cll-spool 1\n"
#define SPOOL_ORDER       0x01020304u
#define SPOOL_HEADER_SIZE 4096u
#define SPOOL_FOLDER      1024u /* bytes, with the end of the text */
#define SPOOL_PLACES      2048u
#define SPOOL_ALIGN       64u
#define SPOOL_NAN         UINT64_MAX /* an observable that could not be read */
#define SPOOL_WIDE        0x8000u    /* in the id field of a record */
#define SPOOL_ID_MASK     0x7fffu
#define SPOOL_LEVEL_MASK  0x3fu
#define SPOOL_WIDE_WORDS  3

/* Word 2 of a wide record: 0, or what is known of a long execution that was watched. The high 32
   bits hold the CPU time of the thread, in seconds, as a float. */
#define SPOOL_WATCHED   1u
#define SPOOL_PREEMPTED 2u  /* the kernel took the core away */
#define SPOOL_WAITED    4u  /* the thread gave its core away: it slept or waited */
#define SPOOL_MIGRATED  8u  /* the execution ended on another core */
#define SPOOL_FAULTED   16u /* page faults, such as those of the first touch of memory */

enum spool_clock {
    CLOCK_KIND_TSC = 1,
    CLOCK_KIND_CNTVCT,
    CLOCK_KIND_GETTIME,
    CLOCK_KIND_SIMULATED,
    CLOCK_KIND_COMPUTED /* by a function of the user: cll_clock.h */
};

/* Does the clock go on by itself, as the calendar does? */
static inline int spool_clock_is_real(uint32_t clock)
{
    return clock != CLOCK_KIND_SIMULATED && clock != CLOCK_KIND_COMPUTED;
}

enum spool_thinned { THINNED_NO, THINNED_PER_TUPLE, THINNED_GLOBAL };

/* The host at one moment. */
enum spool_known { KNOWN_LOAD = 1, KNOWN_WORK = 2, KNOWN_FREQUENCY = 4 };

struct spool_moment {
    uint64_t known; /* enum spool_known, or-ed: what the system shows */
    double load;    /* processes that want to run, average of a minute */
    double stolen;  /* seconds since the host started that the hypervisor took from its cores ... */
    double wanted;  /* ... of those in which its cores worked or wanted to work */
    double frequency; /* of the core on which this was read, Hz */
};

struct spool_header {
    char magic[16];
    uint32_t order;
    uint32_t size; /* SPOOL_HEADER_SIZE */
    uint32_t pid;
    uint32_t clock;       /* enum spool_clock */
    uint64_t start_ticks; /* the two clocks at program start, and at the last reading */
    uint64_t start_ns;
    uint64_t last_ticks;
    uint64_t last_ns;
    int64_t start_unix;   /* seconds */
    uint64_t nominal_hz;  /* ticks per second as the machine states it; 0: unknown */
    double overhead;      /* seconds per begin/end pair, 10th percentile */
    double spread;        /* of the overhead, seconds */
    double empty;         /* what an empty region measures, seconds */
    double resolution;    /* smallest step seen of the clock, seconds */
    uint32_t counter_run; /* 1: counters are measured, the clock is not */
    uint32_t thinned;     /* enum spool_thinned */
    uint32_t cores;
    uint32_t most_threads; /* that measured at the same time */
    int64_t run;
    uint64_t abandoned; /* begun and never ended; only when finished */
    uint32_t finished;  /* 1: a report was made, abandoned counts */
    uint32_t select;    /* 1: only experiments marked ENTRY_SELECT belong to the file */

    /* of a process of a parallel program; all zero in a sequential one */
    char driver[16];         /* "MPI"; empty: none */
    uint32_t openmp;         /* 1: an experiment of an OpenMP program was registered */
    uint32_t world;          /* processes of the program */
    uint32_t rank;           /* of this one */
    uint32_t processors;     /* P where a record has none: the machine's size; 0: the world's */
    uint32_t local;          /* processes of the program on this host */
    uint32_t local_cores;    /* that they may use together */
    uint32_t threads;        /* the largest team that was seen */
    uint32_t oversubscribed; /* 1: in another process of the program, at least */
    uint32_t gathered;       /* 1: records that ended up to gathered_ticks are in a data file */
    uint64_t gathered_ticks;
    uint64_t job; /* the same in all processes of one run, another in each run; 0: unknown */

    struct spool_moment begin, end; /* of measuring; end: only when finished */

    /* where the processes of the program run */
    uint32_t whole_cores;      /* of the hardware, among the cores of this host; 0: unknown */
    uint32_t hyper_threads;    /* enum spool_hyper_threads, of all hosts; 0: see whole_cores */
    uint32_t hosts;            /* 0: unknown */
    uint32_t host_ranks[2];    /* processes per host: on the host with the fewest, the most */
    uint32_t host_cores[2];    /* cores per host that they may use together, in the same way */
    char folder[SPOOL_FOLDER]; /* of this spool when it was made; empty: unknown */
    char places[SPOOL_PLACES]; /* lines "RANKS HOST"; a line "..." ends an incomplete list */

    double processor; /* seconds of CPU time of the process at the last reading; 0: unknown */
    uint64_t memory;  /* bytes that the process had at most; only when finished; 0: unknown */
};

/* Did processes or threads share a core of the hardware? In the order in which one host with the
   value decides for all hosts. */
enum spool_hyper_threads {
    HYPER_NONE = 1, /* all cores of the program are cores of the hardware */
    HYPER_FREE,     /* some are hyper-threads of one, but there were enough cores of the hardware */
    HYPER_UNKNOWN,
    HYPER_USED /* there were more processes and threads than cores of the hardware */
};

_Static_assert(sizeof(struct spool_header) <= SPOOL_HEADER_SIZE, "the header is one page");

/* struct spool_experiment.flags */
#define SPOOL_PROCESSORS 1u /* the first value of a record is P (0: the header's), no variable */

enum spool_kind { SEGMENT_FREE = 1, SEGMENT_META, SEGMENT_RECORDS, SEGMENT_TOTALS };

#define SEGMENT_MAGIC 0x47455343u

struct spool_segment {
    uint32_t magic;
    uint32_t kind;
    uint64_t bytes; /* with this head; a multiple of SPOOL_ALIGN */
    uint32_t thread;
    uint32_t open;     /* 1: its thread is writing into it */
    uint64_t progress; /* see above */
    uint64_t unused[4];
};

enum spool_entry_kind {
    ENTRY_INFO = 1,   /* text "key: value", a header line of the data file */
    ENTRY_EXPERIMENT, /* struct spool_experiment and its strings */
    ENTRY_SITE,       /* id, then begin and end line (uint32_t each), then the file name */
    ENTRY_SELECT,     /* id: this experiment was named in a report */
    ENTRY_TOTAL,      /* struct spool_total and the tuple's values */
    ENTRY_WATCHED,    /* id: this experiment has long executions that were watched */
};

struct spool_entry {
    uint32_t bytes; /* with this head; a multiple of 8; 0: no more entries in this segment */
    uint32_t kind;
    uint32_t id;
    uint32_t reserved;
};

/* Follows the entry's head; then nul-terminated strings: the name, nvars variables, nformulas
   times observable and formula, nextra observables whose values follow the variables. */
struct spool_experiment {
    uint32_t nvars;
    uint32_t nformulas;
    uint32_t nextra;
    uint32_t flags;
};

/* One observable over the records that were taken away. */
struct spool_sum {
    double sum; /* ticks for CLOCK, nanoseconds for CPUTIME, else the counter's unit */
    uint64_t min;
};

/* Follows the entry's head; then nvars values (doubles), then 1 + nextra struct spool_sum: CLOCK
   and the further observables. In a file thinned globally there is one total per experiment, and
   no values. */
struct spool_total {
    uint64_t taken; /* executions whose records were taken away */
    uint64_t kept;  /* scratch of the thinning */
    uint32_t level;
    uint32_t nvalues;
};

#endif
