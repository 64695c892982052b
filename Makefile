# SPDX-License-Identifier: GPL-3.0-or-later
#
# The front door; CMake and Ninja do the work underneath.
#   make             build into build/ (programs in build/bin, libraries in build/lib)
#   make demo        set up everything, then the main job end to end on an example
#   make check       set up everything, then all tests (ten minutes at most on two cores)
#   make check-long  the tests that take longer, and long fuzzing
#   make bench       every benchmark; make bench-overhead: the cost of one begin/end pair
#   make runtime     libcll and libpub with a C compiler, no CMake: what a cluster node needs (build/runtime);
#                    where mpicc or SimGrid's smpicc is, with the pieces for their programs
#   make install PREFIX=/usr/local      make format      make clean

PREFIX ?= /usr/local
BUILD  := build
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all configure demo check check-long bench bench-overhead runtime runtime-mpi runtime-smpi install format clean help

all: configure
	@cmake --build $(BUILD) -j $(JOBS)

configure:
	@command -v cmake >/dev/null && command -v ninja >/dev/null || { \
	  echo "cmake and ninja are needed to build CALL: run tools/install-deps (make runtime does without)" >&2; exit 1; }
	@cmake -G Ninja -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) >$(BUILD).configure.log 2>&1 || { \
	  cat $(BUILD).configure.log >&2; rm -f $(BUILD).configure.log; \
	  echo "configuring failed: tools/install-deps installs what is needed" >&2; exit 1; }
	@grep 'Left out' $(BUILD).configure.log || true
	@rm -f $(BUILD).configure.log

demo:
	@tools/install-deps core
	@$(MAKE) --no-print-directory all
	@tools/demo

check:
	@tools/install-deps core test
	@tools/check

check-long:
	@tools/install-deps core test
	@tools/check --long

bench: all
	@bench/run all

bench-overhead: all
	@bench/run overhead

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

format:
	@tools/format

clean:
	rm -rf $(BUILD)

help:
	@sed -n '4,12s/^# \{0,3\}//p' Makefile

# ---- the run-time without CMake ----

RUNTIME         := $(BUILD)/runtime
RUNTIME_CC      ?= $(CC)
RUNTIME_CFLAGS  ?= -O2
RUNTIME_MPICC   ?= mpicc
RUNTIME_SMPICC  ?= smpicc
RUNTIME_SOURCES := $(wildcard src/cll/*.c)
RUNTIME_OBJECTS := $(patsubst src/cll/%.c,$(RUNTIME)/obj/%.o,$(RUNTIME_SOURCES))

runtime: $(RUNTIME)/lib/libcll.a $(RUNTIME)/lib/libcll.so $(RUNTIME)/include/cll.h
	@echo "libcll is in $(RUNTIME)/lib, cll.h in $(RUNTIME)/include"
	@$(MAKE) --no-print-directory runtime-mpi runtime-smpi

# The macros of mpi.h tell which MPI library it is: each has an archive of its own.
runtime-mpi: $(RUNTIME)/lib/libcll.a $(RUNTIME)/include/cll.h
	@flavour=$$($(RUNTIME_MPICC) -E -dM -x c -include mpi.h /dev/null 2>/dev/null | \
	  sed -n 's/^#define OPEN_MPI .*/openmpi/p; s/^#define MPICH_VERSION .*/mpich/p; s/^#define I_MPI_VERSION .*/mpich/p' | head -n 1); \
	if [ -z "$$flavour" ]; then echo "no $(RUNTIME_MPICC): without the piece for MPI programs"; exit 0; fi; \
	mkdir -p $(RUNTIME)/obj/mpi/cll $(RUNTIME)/obj/mpi/pub && cp include/pub.h $(RUNTIME)/include/ && \
	for source in src/cll/mpi/*.c src/cll/pub/*.c src/pub/*.c; do \
	  folder=$(RUNTIME)/obj/mpi/cll; case $$source in src/pub/*) folder=$(RUNTIME)/obj/mpi/pub ;; esac; \
	  $(RUNTIME_MPICC) -std=gnu11 $(RUNTIME_CFLAGS) -fPIC -fvisibility=hidden -Iinclude -Isrc \
	    -c $$source -o $$folder/$$(basename $$source .c).o || exit 1; \
	done; \
	cd $(RUNTIME)/lib && rm -f libcll_mpi_$$flavour.a libcll_pub_$$flavour.a libpub_$$flavour.a && \
	$(AR) rcs libcll_mpi_$$flavour.a ../obj/mpi/cll/mpi.o ../obj/mpi/cll/member.o ../obj/mpi/cll/watch.o ../obj/mpi/cll/wrap.o && \
	$(AR) rcs libcll_pub_$$flavour.a ../obj/mpi/cll/pub.o ../obj/mpi/cll/member.o ../obj/mpi/cll/watch.o && \
	$(AR) rcs libpub_$$flavour.a ../obj/mpi/pub/*.o && \
	echo "MPI programs ($$flavour) link $(RUNTIME)/lib/libcll_mpi_$$flavour.a, too" && \
	echo "BSP programs ($$flavour) link $(RUNTIME)/lib/libpub_$$flavour.a, measured ones libcll_pub_$$flavour.a before it"

# Simulated programs have a libcll of their own. smpicc only tells where its mpi.h is: it would replace the calls of the
# run-time by simulated ones.
RUNTIME_SMPI_OBJECTS := $(patsubst src/cll/%.c,$(RUNTIME)/obj/smpi/%.o,$(RUNTIME_SOURCES) \
	$(addprefix src/cll/,smpi/simulated.c mpi/mpi.c mpi/member.c mpi/watch.c mpi/wrap.c pub/pub.c))
RUNTIME_SMPI_PUB := $(patsubst src/pub/%.c,$(RUNTIME)/obj/smpi/libpub/%.o,$(wildcard src/pub/*.c))

runtime-smpi:
	@command -v $(RUNTIME_SMPICC) >/dev/null 2>&1 || exit 0; \
	folders=$$($(RUNTIME_SMPICC) -show | tr ' ' '\n' | grep '^-I' | tr '\n' ' '); \
	$(MAKE) --no-print-directory $(RUNTIME)/lib/libcll_mpi_smpi.a SMPI_FOLDERS="$$folders" && \
	mkdir -p $(RUNTIME)/include && cp include/pub.h $(RUNTIME)/include/ && \
	echo "programs that SimGrid simulates link $(RUNTIME)/lib/libcll_mpi_smpi.a and libcll_smpi.a in place of libcll"

$(RUNTIME)/obj/smpi/%.o: src/cll/%.c $(wildcard src/cll/*.h) include/cll.h
	@mkdir -p $(@D)
	$(RUNTIME_CC) -std=gnu11 $(RUNTIME_CFLAGS) -DCLL_SMPI -fPIC -fvisibility=hidden -Iinclude -Isrc $(SMPI_FOLDERS) -c $< -o $@

$(RUNTIME)/obj/smpi/libpub/%.o: src/pub/%.c $(wildcard src/pub/*.h) include/pub.h
	@mkdir -p $(@D)
	$(RUNTIME_CC) -std=gnu11 $(RUNTIME_CFLAGS) -DCLL_SMPI -fPIC -fvisibility=hidden -Iinclude -Isrc $(SMPI_FOLDERS) -c $< -o $@

RUNTIME_SMPI_PIECES := $(RUNTIME)/obj/smpi/mpi/% $(RUNTIME)/obj/smpi/pub/% $(RUNTIME)/obj/smpi/libpub/%

$(RUNTIME)/lib/libcll_mpi_smpi.a: $(RUNTIME_SMPI_OBJECTS) $(RUNTIME_SMPI_PUB)
	@mkdir -p $(@D)
	rm -f $@ $(@D)/libcll_smpi.a $(@D)/libcll_pub_smpi.a $(@D)/libpub_smpi.a
	$(AR) rcs $(@D)/libcll_smpi.a $(filter-out $(RUNTIME_SMPI_PIECES),$^)
	$(AR) rcs $(@D)/libcll_pub_smpi.a $(RUNTIME)/obj/smpi/pub/pub.o $(RUNTIME)/obj/smpi/mpi/member.o $(RUNTIME)/obj/smpi/mpi/watch.o
	$(AR) rcs $(@D)/libpub_smpi.a $(RUNTIME_SMPI_PUB)
	$(AR) rcs $@ $(filter $(RUNTIME)/obj/smpi/mpi/%,$^)

$(RUNTIME)/obj/%.o: src/cll/%.c $(wildcard src/cll/*.h) include/cll.h
	@mkdir -p $(@D)
	$(RUNTIME_CC) -std=gnu11 $(RUNTIME_CFLAGS) -fPIC -fvisibility=hidden -Iinclude -Isrc -c $< -o $@

$(RUNTIME)/lib/libcll.a: $(RUNTIME_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

$(RUNTIME)/lib/libcll.so: $(RUNTIME_OBJECTS)
	@mkdir -p $(@D)
	$(RUNTIME_CC) -shared -Wl,-z,nodelete -o $@ $^ -lpthread -lm

$(RUNTIME)/include/cll.h: include/cll.h
	@mkdir -p $(@D)
	cp $< $@
