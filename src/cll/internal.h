/* SPDX-License-Identifier: MIT */
/*
 * What the files of libcll share. Each part, which is a file, has its state in one static struct
 * that says what a forked child keeps of it; fork.c lists the parts that a child restarts. One lock
 * guards all of it. Only slow paths take it: registering, a new segment, thinning, a report.
 *
 * No malloc: a program may have instrumented its own. Memory comes in pages (cll_pages_new).
 */
#ifndef CLL_INTERNAL_H
#define CLL_INTERNAL_H

#include <cll.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cll/env.h"
#include "spool/format.h"
#include "spool/text.h"

/* Values of cll_experiment.id beyond every capacity: measured by the slow path (with the id in the
   low bits), or with id 0 not measured. */
#define ID_SLOW 0x80000000u
/* The same for an experiment whose next executions are watched (long.c): begin is slow, and end is
   not. */
#define ID_WATCH 0x40000000u

/* The experiment on which the overhead is measured; never registered. */
#define CLL_SCRATCH_ID CLL_MAX_EXPERIMENTS

/* ---- say.c: messages, signals that our own writing must not raise, the lock */

struct cll_quiet {
    unsigned long words[16]; /* holds a sigset_t */
    int pending;             /* bits of signals that were pending before */
};

/* "cll: text\n" on stderr in one write; what is not printable, also a line end, as \xNN. */
__attribute__((format(printf, 1, 2))) void cll_say(const char *format, ...);
/* Between the two, SIGPIPE and SIGXFSZ raised by our own writes are swallowed. */
void cll_quiet_begin(struct cll_quiet *quiet);
void cll_quiet_end(struct cll_quiet *quiet);
/* 1: locked. 0: this thread holds the lock already, or patience_ms are over (-1: no end). */
int cll_lock(int patience_ms);
void cll_unlock(void);
/* Frees the lock in a forked child, where the thread that held it may not exist. */
void cll_lock_reset(void);

struct cll_hold {
    unsigned long words[16]; /* holds a sigset_t */
    int cancel;
};

/* The lock, with the program's signal handlers and cancellation kept off this thread until
   cll_release. Returns what cll_lock does; after 0 there is nothing to release. */
int cll_hold(struct cll_hold *hold, int patience_ms);
void cll_release(const struct cll_hold *hold);
/* All signals off this thread for a few instructions. */
void cll_signals_block(struct cll_hold *hold);
void cll_signals_restore(const struct cll_hold *hold);

/* ---- machine.c: what is known of the machine and the program */

unsigned cll_machine_cores(void);
/* How many cores of the hardware the cores of this set are (`words` of 64 bits; null: those of this
   process): hyper-threads of one core count once. 0 if the system does not show it. */
unsigned cll_machine_whole_cores(const uint64_t *set, unsigned words);
void cll_machine_cpu(char *text, size_t size);
void cll_machine_host(char *text, size_t size);
/* What the system shows of the host now. Takes up to a millisecond. */
void cll_machine_moment(struct spool_moment *moment);
/* Bytes that the process had at most; 0: not known, or times are not real. */
uint64_t cll_machine_memory(void);
/* Reads the start of a small file; returns the length, 0 if there is none. */
size_t cll_read_file(const char *path, char *text, size_t size);

/* ---- clock.c */

/* Chooses the clock (CLL_CLOCK); kind is an enum spool_clock. */
void cll_clock_choose(void);
int cll_clock_kind(void);
int cll_clock_is_counter(void); /* of the processor: programs read it themselves */
uint64_t cll_clock_hz(void);    /* nominal; 0 if unknown */
uint64_t cll_clock_ticks(void);
uint64_t cll_clock_cpu_ns(void); /* of this thread */
/* Both clocks at one moment. */
void cll_clock_pair(uint64_t *ticks, uint64_t *ns);

/* ---- computed.c: the clock that computes how long an execution takes (cll_clock.h) */

struct cll_thread_state;
struct cll_known;
struct cll_record;
struct cll_execution;
/* 0: the file cannot serve, and why. (computed_load.c: not in a program that has libcll.a, unless it
   is linked with -Wl,-u,cll_computed_load.) */
int cll_computed_load(const char *path, char *why, size_t size) __attribute__((weak));
void cll_computed_by(double (*seconds)(const struct cll_execution *));
uint64_t cll_computed_hz(void);
uint64_t cll_computed_now(void);
/* The time now, for gathering: later than every end so far, and earlier than every later one. */
uint64_t cll_computed_ticks(void);
/* When an execution of this thread begins, and how many ticks it takes. */
uint64_t cll_computed_begin(struct cll_thread_state *self);
uint64_t cll_computed_end(struct cll_thread_state *self, const struct cll_known *known,
                          const struct cll_record *r);

/* ---- smpi/simulated.c: the simulated machine of a program made by smpicc. Only libcll_smpi has
   it, so every call is inside `if (SIMULATED)`, which is a constant. */

#ifdef CLL_SMPI
enum { SIMULATED = 1 };
#else
enum { SIMULATED = 0 };
#endif
void cll_simulated_start(void);
uint64_t cll_simulated_ticks(void);
uint64_t cll_simulated_hz(void);
/* Resolution and overhead, which are known. */
void cll_simulated_overhead(struct spool_header *header);
/* Does this code run in a simulated process? In its threads it does not. */
int cll_simulated_is_process(void);
/* Lets simulated time go on a little. */
void cll_simulated_pause(void);
const char *cll_simulated_program(void);
/* Has each process globals of its own, from its beginning to the end of the simulation? */
int cll_simulated_is_private(void);
void cll_simulated_host(char *text, size_t size);
void cll_simulated_cpu(char *text, size_t size);
unsigned cll_simulated_cores(void);

/* ---- settings.c: what the environment says, read once at program start */

#define CLL_MOST_SETTINGS 64 /* of a run, at most */

struct cll_settings {
    int off;
    int clock;       /* enum spool_clock, 0: auto */
    int counters;    /* 0: the clock; 1: those named by formulas; 2: counter_names */
    int cputime;     /* measured for all experiments */
    int no_device;   /* kernels and copies are not measured */
    int spool;       /* 0: memory only */
    uint64_t memory; /* bytes */
    int64_t run;
    struct {
        char text[2048]; /* numbers of the command line, as lines "NAME NUMBER" */
        unsigned n;
        char names[2048]; /* the same names, each ended by a zero byte */
        const char *name[CLL_MOST_SETTINGS];
        double value[CLL_MOST_SETTINGS];
    } settings;
    double patience; /* seconds; 0: no end */
    char program[256];
    char directory[PATH_MAX]; /* of the data file, absolute */
    char spool_directory[PATH_MAX];
    char stem[NAME_MAX + 1]; /* file name before the number */
    char device[PATH_MAX];   /* the device or pipe that CLL_OUT names, which is written directly and
                                without a spool; else empty. If it fails, directory and stem name
                                a file */
    int named;               /* CLL_OUT names a file: the first one has no number */
    char counter_names[1024];
    uint64_t start_ticks;
    uint64_t start_ns;
    int64_t start_unix;
};

extern struct cll_settings cll_settings;

void cll_settings_read(void);
/* Reports invalid values of the environment, once, at the first use of the run-time. */
void cll_settings_complain(void);

/* ---- device.c: CLL_OUT that names a device or a pipe */

enum cll_device { DEVICE_NO, DEVICE_YES, DEVICE_UNUSABLE };
/* What an absolute path is: a file or a place for one, a device, pipe or descriptor, or something
   that cannot take text (a block device, a socket). */
enum cll_device cll_device_kind(const char *path);
/* A non-blocking descriptor; -1 with errno, ENXIO if no process came to read a pipe. */
int cll_device_open(const char *path);
/* Until the descriptor takes more; 0 or an errno, ETIMEDOUT after CLL_PATIENCE. */
int cll_device_wait(int fd);
/* The text of such an error. */
const char *cll_device_trouble(int error);

/* ---- pages */

void *cll_pages_new(size_t bytes); /* zeros; null when there is no memory */
void cll_pages_free(void *pages, size_t bytes);

/* ---- place.c: names of data file and spool */

struct cll_destination {
    char data[PATH_MAX];
    char spool[PATH_MAX];
    unsigned number;
    int published; /* this process wrote the data file: it may replace it */
};

/* The paths for a number; 0 if they would be too long. */
int cll_destination_set(struct cll_destination *place, unsigned number);
/* Creates the spool exclusively, with the first number that is free; returns the descriptor, or
   -1 with errno. */
int cll_destination_reserve(struct cll_destination *place);
/* Before the first publishing: chooses this number, or a smaller one that is not in use. */
void cll_destination_prefer(struct cll_destination *place, unsigned number);
/* The next publishing makes a new file. */
void cll_destination_renew(struct cll_destination *place);
/* What was written to the descriptor is on the disk; 0 or an errno. */
int cll_destination_sync(int fd);
/* Gives the finished file `temporary` its name. The first time it never replaces a file: if
   another process has taken the name, the number changes. Returns 0 or an errno. */
int cll_destination_publish(struct cll_destination *place, const char *temporary);

/* ---- store.c: the spool: header, chunks, segments */

int cll_spool_start(void);
struct spool_header *cll_spool_header(void);
/* A segment of at least least bytes, at best of want bytes; null when the memory is used up.
   force: over the limit if need be. */
struct spool_segment *cll_segment_new(unsigned kind, uint64_t want, uint64_t least, int force);
/* Cuts a segment after used bytes; the rest becomes free (it must hold zeros already). */
void cll_segment_cut(struct spool_segment *segment, uint64_t used);
/* Collects the free segments again after thinning. */
void cll_segment_gather_free(void);
/* Calls visit for every segment. */
void cll_segment_each(void (*visit)(struct spool_segment *segment, void *data), void *data);
/* An entry of kind with id and room for bytes more; visible after cll_entry_done. */
struct spool_entry *cll_entry_new(unsigned segment_kind, unsigned kind, unsigned id, size_t bytes);
void cll_entry_done(struct spool_entry *entry);
/* The next entry of this kind of segment begins a new one. */
void cll_entries_restart(unsigned segment_kind);
__attribute__((format(printf, 1, 2))) void cll_info(const char *format, ...);
/* Refreshes the clock pair in the header, so that a killed process's ticks can be converted. */
void cll_spool_tick(void);
/* For the converter; gives back memory that was kept for it. */
void cll_spool_view(struct cll_spool_view *view);
/* Only the chunks that are in the spool file: none when all are in memory. */
void cll_spool_view_of_file(struct cll_spool_view *view);
/* Copies all chunks into memory and removes the file, which frees its space; 0 if there is not
   enough memory. */
int cll_spool_to_memory(void);
const char *cll_spool_path(void); /* null when in memory */
/* The errno that was reported for spool and data file together; 0 without such a message. */
int cll_spool_destination_error(void);
void cll_spool_remove(void);
struct cll_destination *cll_spool_destination(void);
/* In a forked child: forgets the parent's spool. */
void cll_spool_restart(void);
/* Before that: replaces the mappings of the parent's file by memory of this process. */
void cll_spool_detach(void);

/* ---- cut.c: a spool that was cut short while the program runs */

/* Replaces the missing part of the file by memory; returns 0 if the address is not in the spool.
   The handler of SIGBUS calls it. */
int cll_spool_patch(void *address);
/* The file is known to have this size only. */
void cll_spool_lose(uint64_t size);
/* A new chunk in the file: memory takes its place if the file was cut while it was made. */
void cll_spool_check_chunk(char *base, uint64_t bytes);
/* Is a part missing since the last mending? */
int cll_spool_is_cut(void);
/* Repairs header and segments around the missing part, and reports it. The lock is held. */
void cll_spool_mend(void);
/* The header is complete: this is what mending puts back. */
void cll_spool_remember_header(void);
/* In a forked child: its spool will be whole. */
void cll_cut_restart(void);
/* store.c has these for cut.c. A piece of the file, the header first; 0 if there are no more. The
   number of META segments made so far. Frees all META segments. No more chunks in the file. */
int cll_spool_piece(unsigned index, struct cll_spool_part *piece);
unsigned cll_spool_metas(void);
void cll_spool_forget_metas(void);
void cll_spool_no_more_file(void);

/* ---- bus.c: the handler of SIGBUS */

void cll_bus_install(void);
void cll_bus_remove(void);

/* ---- build.c: which program this is */

/* The build-id (GNU note) of the program or library that contains the address, as hexadecimal digits;
   "" if it has none. */
void cll_build_id(const void *address, char *text, size_t size);

/* ---- registry.c: experiments */

struct cll_known_site {
    const char *file;
    int begin_line;
    int end_line;
    struct cll_known_site *next;
};

struct cll_known {
    const char *name;
    unsigned nvars;
    unsigned processors; /* not 0: the first of them is P */
    unsigned nformulas;
    unsigned given;  /* formulas of the descriptor; the others came with CLL_OBSERVE */
    unsigned nextra; /* observables beside CLOCK that are measured in this run */
    unsigned cputime;
    unsigned
        device; /* its work on devices is measured: CLL_WORK_VALUES observables after CPUTIME */
    unsigned selected;
    unsigned watched; /* the spool says that it has watched executions */
    unsigned ncounters;
    unsigned char counter[CLL_MAX_COUNTERS]; /* indices of cll_counters */
    const char *const *vars;
    const struct cll_formula *formulas;
    struct cll_known_site *sites;
};

/* ---- variable.c: names that formulas can use, unique within the experiment */

#define CLL_VARIABLE_NAME 224
void cll_variable_names(const struct cll_experiment *experiment, char names[][CLL_VARIABLE_NAME]);

/* Makes the table; 0 if there is no memory. */
int cll_registry_start(void);
/* Registers; sets experiment->id. The lock is held. */
void cll_register(struct cll_experiment *experiment);
const struct cll_known *cll_known(unsigned id);
unsigned cll_known_count(void);
/* The spool will have watched executions of this experiment: the file gets columns for them. */
void cll_registry_watched(unsigned id);
/* In a forked child: it has none yet. */
void cll_registry_restart(void);
/* Writes what is known of all experiments into a new spool. */
void cll_registry_describe(void);
/* A report asks for these experiments; null or no name: all. */
void cll_registry_select(const char *names);
/* Reports once the names that no experiment has. During the run only if no name is known, because
   experiments may come later; at the end in any case. */
void cll_registry_complain(int at_end);

/* ---- counters.c */

struct cll_counter_set;
/* The index of a counter measured in this run; -1 if there are too many or its name is too long. */
int cll_counter_index(const char *name);
unsigned cll_counter_count(void);
const char *cll_counter_name(unsigned index);
/* Begin reads all counters on this thread, opening what is not open yet, and returns a mark; end
   gives what was counted since, SPOOL_NAN where that is not known. */
cll_u64 cll_counter_begin(struct cll_counter_set **set);
void cll_counter_end(struct cll_counter_set **set, cll_u64 mark, cll_u64 values[CLL_MAX_COUNTERS]);
void cll_counter_close(struct cll_counter_set **set);
/* Writes the absent counters into a new spool. */
void cll_counters_describe(void);
/* Reads the names in CLL_COUNTERS. */
void cll_counters_start(void);
void cll_counters_absent(const char *name, const char *reason);
extern const struct cll_counter_driver cll_perf_driver;
/* The counters of PAPI; NULL and why. (papi_load.c: not in a program that has libcll.a.) */
const struct cll_counter_driver *cll_papi_load(char *why, size_t size) __attribute__((weak));

/* ---- thread.c */

/* An open execution that is watched (long.c). */
struct cll_long_slot {
    uint64_t seq, stack, cpu;
    uint32_t preemptions, waits, faults; /* of the thread, at begin */
    unsigned id;                         /* 0: free */
    int core;
    int counted; /* faults was read at begin, and is read at the end */
};

#define CLL_LONG_SLOTS 16

struct cll_long {
    struct cll_long_slot slots[CLL_LONG_SLOTS];
    unsigned next;    /* the slot to give up when all are in use */
    unsigned changes; /* counts begins and ends: a handler that interrupts one changes it */
    int known;        /* the last reading: */
    uint64_t ticks, cpu;
    uint32_t preemptions, waits;
};

/* The last long executions of an experiment on a thread. */
struct cll_history {
    uint32_t credit; /* ticks that watching may cost */
    uint32_t last;   /* low bits of the number of the last long execution */
};

struct cll_thread_state {
    struct cll_thread *hot;
    struct cll_thread_state *next;
    struct spool_segment *segment;
    struct cll_counter_set *counters;
    uint64_t segment_bytes; /* of the next segment */
    uint64_t pairs;         /* of hot when segment was opened */
    unsigned number;
    unsigned dry; /* samples to lose before the thread asks for memory again */

    /* The records of handlers that interrupt an end. */
    struct spool_segment *spare;
    cll_u64 *spare_cursor;
    cll_u64 *spare_limit;

    /* Numbers that handlers took while they interrupted a begin of the same experiment. */
    struct {
        unsigned id;   /* 0: none */
        uint64_t left; /* the number that the interrupted begin has, or was to have */
        uint64_t next;
    } note;
    uint64_t unused; /* numbers that were left free and not taken */

    uint64_t computed; /* the time of the thread, if it is computed; ticks */

    struct cll_lane *lane; /* what it gave to devices (launch.c); null: nothing yet */

    struct cll_long watch;
    /* A struct cll_history per experiment follows. (There is no pointer to it: in the child of a
       handler that forks it would be null.) */
};

/* A new segment for the thread: its records, or those of interrupting handlers. Returns 0 when the
   lock cannot be had. */
int cll_thread_room(struct cll_thread_state *self);
int cll_thread_spare_room(struct cll_thread_state *self);
/* Threads leave their segments in [from, to). The lock is held. */
void cll_thread_abandon(const char *from, const char *to);
/* Writes what is known of the run into a new spool. */
void cll_thread_describe_run(void);

/* ---- record.c: numbers and records, also of signal handlers that interrupt begin and end */

struct cll_record {
    uint64_t start, duration, seq;
    uint64_t pairs; /* of the thread, at begin */
    unsigned id;
    unsigned nvars;
    const double *values;
    unsigned nextra;
    uint64_t extra[CLL_MAX_COUNTERS];
    uint64_t watched; /* word 2 of a watched execution (spool/format.h); 0: not watched */
    cll_u64 *stored;  /* where cll_store put it; null: it is lost */
    cll_u64 *stored_extra;
};

/* The next number of an experiment; stack is the stack pointer of the region's function. */
uint64_t cll_number(struct cll_thread *t, unsigned id, uint64_t stack);
/* Stores a record; mine: the caller has taken t->busy. */
void cll_store(struct cll_thread *t, struct cll_record *r, uint64_t stack, int mine);
/* When the thread ends: the end that was writing a record was left by a jump. */
void cll_record_mend(struct cll_thread_state *self);
/* Executions begun and ended on a thread. */
uint64_t cll_record_begun(const struct cll_thread_state *self);
uint64_t cll_record_ended(const struct cll_thread_state *self);
/* Counts a sample that could not be stored. */
void cll_record_lost(void);
/* The length of a complete record. */
unsigned cll_record_words(const uint64_t *record);

/* ---- launch.c: kernels and copies that regions give to devices */

enum { CLL_WORK_VALUES = 6 };
extern const char *const cll_work_names[CLL_WORK_VALUES];

/* Begins an execution whose work is measured; cpu is kept for its end. Returns a mark, 0 if there is no
   memory. */
uint64_t cll_launch_begin(struct cll_thread_state *self, uint64_t cpu);
/* The cpu of that begin. */
uint64_t cll_launch_cpu(uint64_t mark);
/* Ends it: writes what is known now. After cll_store, cll_launch_stored says where its record is, with the
   mark that the end returned. */
uint64_t cll_launch_end(struct cll_thread_state *self, uint64_t mark,
                        cll_u64 values[CLL_WORK_VALUES]);
void cll_launch_stored(struct cll_thread_state *self, uint64_t mark, const struct cll_record *r);
/* Puts the values that are known by now into their records; wait: all of them. */
void cll_launch_collect(int wait);
/* Records are about to be moved: values that are not known yet stay unknown. The lock is held. */
void cll_launch_let_go(void);
void cll_launch_thread_ended(struct cll_thread_state *self);
/* Writes what is known of devices into a new spool. */
void cll_launch_describe(void);
/* In a forked child: it has no device and no work. */
void cll_launch_restart(void);

/* ---- long.c: what disturbs long executions */

/* Measures what watching costs; period: seconds of a tick. The lock is held. */
void cll_long_measure(double period);
/* Ticks of the shortest execution that is watched. */
uint64_t cll_long_brief(void);
/* Before the first clock reading; first: of the experiment or of the thread, how long it will be is
   not known. Returns the CPU time of the thread in ns, 0 if it was not read. */
uint64_t cll_long_begin(struct cll_thread_state *self, struct cll_experiment *experiment,
                        unsigned id, uint64_t seq, uint64_t stack, int first);
/* After the last clock reading of an execution that is not brief; cpu: the CPU time, 0 if it was not
   read. Returns the word for its record, 0 if it was not watched. */
uint64_t cll_long_end(struct cll_thread_state *self, struct cll_experiment *experiment,
                      const struct cll_record *record, uint64_t cpu);

/* The lists and sums of all threads; the lock is held. */
struct cll_thread_totals {
    uint64_t begun;
    uint64_t ended;
    uint64_t lost;
};
void cll_thread_totals(struct cll_thread_totals *totals);
int cll_measuring(void);
/* Starts measuring if that is still to do; the lock is held. Returns cll_measuring(). Nothing starts in a
   child of vfork, which reports that. */
int cll_start(void);
/* No more samples: the process is ending. */
void cll_finish(void);
/* Does this process measure, or did its parent before it forked? */
int cll_is_on(void);
/* In a forked child: the buffer of this thread is empty. / There are no threads, and measuring has
   not begun. */
void cll_thread_wipe(void);
void cll_thread_restart(void);

/* ---- fork.c */

/* Sees all forks from here on; 0 if there is no memory for it. */
int cll_fork_watch(void);
/* The memory is that of this process, which begins, or was forked. / It is given back at the end. */
void cll_memory_own(void);
void cll_memory_forget(void);
/* Does this process work in the memory of its parent, as a child of vfork does? */
int cll_memory_is_of_another(void);
/* A forked child starts afresh: every part forgets what belongs to the parent. */
void cll_restart(void);

/* ---- report.c */

/* Writes the data file when the process ends. */
void cll_report_at_end(void);
/* Fills in what only the end of a run knows. Returns 0 if nothing was ever begun. */
int cll_report_complete(void);
/* Writes the data file of a place by write_text(data, fd), whole or not at all; 0 or an errno. A
   device that fails is reported, and the next call writes a file instead. */
int cll_report_write(struct cll_destination *place, int (*write_text)(void *data, int fd),
                     void *data);
/* Is the text that is being written that of a file, which begins with CLL_UNFINISHED? */
int cll_report_unfinished(void);
/* Samples ended so far. */
uint64_t cll_report_samples(void);
/* Text into a descriptor; a cll_text_sink, data: the descriptor's int. */
int cll_report_sink(void *fd, const char *text, size_t length);

/* ---- driver.c: this process in a parallel program */

/* Writes what is known of it into a new spool. */
void cll_driver_describe(void);
/* "rank 3 on host node7: " in a program on several hosts, else nothing; returns its length. */
int cll_driver_who(char *text, size_t size);
/* Writes rank, world and the like into a header. */
void cll_driver_identify(struct spool_header *header);
/* Is this process known to be one of a parallel program? */
int cll_driver_is_member(void);
/* 0 also in a sequential program, and before a parallel one is known to be one. */
unsigned cll_driver_rank(void);
unsigned cll_driver_world(void);
/* Has the last gathering failed? */
int cll_driver_failed(void);
/* How many samples of this process the last gathering wrote. */
uint64_t cll_driver_gathered(void);
/* In a forked child: no gathering wrote any of its samples. */
void cll_gather_restart(void);
/* An experiment of an OpenMP program was registered. */
void cll_driver_openmp(void);

/* ---- sweep.c */

/* Which of `count` iterations is the one of this turn, both from 0. */
unsigned cll_sweep_place(uint64_t seed, unsigned count, unsigned turn);

/* ---- overhead.c */

void cll_overhead_measure(struct spool_header *header);

/* ---- thin.c */

/* Makes room by thinning all segments that no thread is writing into. The lock is held. */
void cll_thin(void);
/* Forgets the totals so far: they are lost (a spool that was cut), or the parent's (in a forked
   child). */
void cll_thin_restart(void);

#endif
