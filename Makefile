# SPDX-License-Identifier: GPL-3.0-or-later
#
# The front door; CMake and Ninja do the work underneath.
#   make             build into build/ (programs in build/bin, libraries in build/lib)
#   make demo        set up everything, then the main job end to end on an example
#   make check       set up everything, then the tests that every change must pass (about six minutes on two cores)
#   make check-long  the same with the tests that take longer, leaks, long fuzzing and static analysis (two to three hours on two cores)
#   make analyze     static analysis: gcc -fanalyzer and clang-tidy
#   make coverage    lines and branches that the tests run (build/coverage)
#   make fuzz MINUTES=60     every fuzz target in turn; what it finds goes into the corpora of tests/
#   make docs-images  the pictures in docs/images
#   make bench       every benchmark; make bench-overhead: the cost of one begin/end pair
#   make runtime     libcll, libpub, libbsp and cllprobe with a C compiler, no CMake: what a cluster node needs (build/runtime);
#                    where mpicc or SimGrid's smpicc is, with the pieces for their programs
#   make check-runtime  the tests of libcll, libpub and libbsp on such a node, without CMake
#   make dist        the source as a tarball, and a Spack repository for it (build/dist)
#   make deb         Debian packages: call, libcll-dev, libpub-dev (build/deb)
#   make install PREFIX=/usr/local      make format      make clean

PREFIX ?= /usr/local
BUILD  := build
MINUTES ?= 60
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all configure demo docs-images check check-long check-runtime analyze coverage fuzz bench bench-overhead install dist deb format clean help

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

docs-images: all
	@tools/docs-images

check:
	@tools/install-deps core test
	@tools/check

check-runtime: runtime
	@tools/check-runtime

check-long:
	@tools/install-deps core test
	@tools/check --long

analyze:
	@tools/install-deps core test
	@tools/analyze

coverage:
	@tools/install-deps core test
	@tools/coverage

fuzz:
	@tools/install-deps core test
	@tools/fuzz $(MINUTES)

bench: all
	@bench/run all

bench-overhead: all
	@bench/run overhead

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

dist:
	@tools/package dist

deb:
	@tools/install-deps core deb
	@JOBS=$(JOBS) tools/package deb

format:
	@tools/format

clean:
	rm -rf $(BUILD)

help:
	@sed -n '4,18s/^# \{0,3\}//p' Makefile

include cmake/runtime.mk
