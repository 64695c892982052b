# SPDX-License-Identifier: GPL-3.0-or-later
#
# The sources of the libraries that CMake and `make runtime` (runtime.mk) build: the one list of them. Each is an assignment
# of make that goes on while lines end in a backslash; cmake/RuntimeSources.cmake reads the same.

# libcll, with those of the spool
RUNTIME_CLL := \
  src/cll/blob.c src/cll/build.c src/cll/bus.c src/cll/clock.c src/cll/computed.c src/cll/computed_load.c \
  src/cll/counters.c src/cll/cut.c src/cll/device.c src/cll/driver.c src/cll/env.c src/cll/fork.c \
  src/cll/fortran.c src/cll/gather.c src/cll/launch.c src/cll/long.c src/cll/machine.c src/cll/overhead.c src/cll/papi_load.c src/cll/perf.c \
  src/cll/destination.c src/cll/record.c src/cll/registry.c src/cll/report.c src/cll/say.c src/cll/settings.c \
  src/cll/store.c src/cll/sweep.c src/cll/thin.c src/cll/thread.c src/cll/variable.c

# the spool
RUNTIME_SPOOL := \
  src/spool/check.c src/spool/columns.c src/spool/file.c src/spool/name.c src/spool/number.c \
  src/spool/process.c src/spool/read.c src/spool/text.c src/spool/text_header.c src/spool/totals.c

# the driver of MPI programs
RUNTIME_MPI := \
  src/cll/mpi/fortran.c src/cll/mpi/member.c src/cll/mpi/mpi.c src/cll/mpi/watch.c src/cll/mpi/wrap.c \
  src/cll/mpi/wrap_f08.c src/cll/mpi/wrap_fortran.c

# the driver of PUB programs, which shares member.c and watch.c with it
RUNTIME_PUB := \
  src/cll/pub/pub.c src/cll/mpi/member.c src/cll/mpi/watch.c

# the drivers of devices
RUNTIME_CUDA := \
  src/cll/cuda/cuda.c src/cll/cuda/cupti.c
RUNTIME_OPENCL := \
  src/cll/opencl/opencl.c

# libpub
RUNTIME_BSP := \
  src/pub/alike.c src/pub/check.c src/pub/clock.c src/pub/collective.c src/pub/deadlock.c src/pub/drma.c \
  src/pub/fail.c src/pub/file.c src/pub/host.c src/pub/inbox.c src/pub/line.c src/pub/machine.c \
  src/pub/memory.c src/pub/message.c src/pub/object.c src/pub/operations.c src/pub/parameter.c \
  src/pub/sender.c src/pub/shelf.c src/pub/store.c src/pub/sync.c src/pub/tool.c src/pub/trace.c \
  src/pub/transport.c

# libbsp
RUNTIME_BSPLIB := \
  src/bsplib/machine.c src/bsplib/queue.c src/bsplib/remote.c

# what cllprobe, call and llac have in common
RUNTIME_BASE := \
  src/base/about.c src/base/arithmetic.c src/base/completion.c src/base/destination.c src/base/diag.c src/base/interrupt.c \
  src/base/lookup.c src/base/memory.c src/base/misprint.c src/base/number.c src/base/outfile.c src/base/page.c \
  src/base/path.c src/base/printable.c src/base/progress.c src/base/quote.c src/base/range.c \
  src/base/sort.c src/base/source.c src/base/text.c src/base/tuples.c

# cllprobe but its main
RUNTIME_PROBE := \
  src/probe/alone.c src/probe/chain.c src/probe/clock.c src/probe/cores.c src/probe/events.c src/probe/json.c src/probe/libm.c \
  src/probe/loops.c src/probe/memory.c src/probe/openmp.c src/probe/operations.c src/probe/options.c \
  src/probe/progress.c src/probe/report.c src/probe/rounds.c src/probe/run.c src/probe/statistics.c \
  src/probe/summary.c src/probe/system.c src/probe/vector.c

# what it has for several processes
RUNTIME_PROBE_MPI := \
  src/probe/mpi/bsp.c src/probe/mpi/mpi.c

# what cllprobe-cuda and cllprobe-opencl have in common
RUNTIME_PROBE_GPU := \
  src/probe/gpu/gpu.c
