# SPDX-License-Identifier: GPL-3.0-or-later
#
# make runtime: libcll, libpub, libbsp and cllprobe with a C compiler and make alone, as a cluster node has them, into build/runtime.
# Where there is an MPI compiler wrapper (RUNTIME_MPICC) or SimGrid's (RUNTIME_SMPICC), the libraries for their programs
# are built, too, and cllprobe for MPI; where OpenCL or nvcc (RUNTIME_NVCC) is, cllprobe for accelerators. Included by the Makefile at the root.

RUNTIME        := $(BUILD)/runtime
RUNTIME_CC     ?= $(CC)
RUNTIME_CFLAGS ?= -O2
RUNTIME_MPICC  ?= mpicc
RUNTIME_SMPICC ?= smpicc
RUNTIME_NVCC   ?= nvcc

RUNTIME_COMPILE := -std=gnu11 $(RUNTIME_CFLAGS) -fPIC -fvisibility=hidden -Iinclude -Isrc
RUNTIME_HEADERS := $(wildcard include/*.h src/cll/*.h src/cll/*/*.h src/spool/*.h src/pub/*.h src/bsplib/*.h src/base/*.h src/probe/*.h src/probe/*/*.h)

# What each library is made of.
include cmake/runtime-sources.mk

.PHONY: runtime runtime-mpi runtime-smpi runtime-gpu

runtime: $(RUNTIME)/lib/libcll.a $(RUNTIME)/lib/libcll.so $(RUNTIME)/lib/libcll_cuda.a $(RUNTIME)/lib/libcll_opencl.a $(RUNTIME)/bin/cllprobe $(patsubst %,$(RUNTIME)/%,$(wildcard include/*.h))
	@echo "libcll is in $(RUNTIME)/lib, cll.h in $(RUNTIME)/include, cllprobe in $(RUNTIME)/bin"
	@flavour=$$(src/cll/mpi/flavour $(RUNTIME_MPICC)) || { \
	  echo "$(RUNTIME_MPICC) is not there or compiles for an unknown MPI library: the parts for MPI programs are left out"; exit 0; }; \
	$(MAKE) --no-print-directory runtime-mpi RUNTIME_FLAVOUR=$$flavour
	@flavour=$$(src/cll/mpi/flavour $(RUNTIME_SMPICC)) || exit 0; \
	folders=$$($(RUNTIME_SMPICC) -show | tr ' ' '\n' | grep '^-I' | tr '\n' ' '); \
	$(MAKE) --no-print-directory runtime-smpi SMPI_FOLDERS="$$folders"
	@$(MAKE) --no-print-directory runtime-gpu

$(RUNTIME)/include/%.h: include/%.h
	@mkdir -p $(@D)
	cp $< $@

# $(call runtime_objects,FOLDER,SOURCES): the objects of SOURCES below obj/FOLDER
runtime_objects = $(patsubst src/%.c,$(RUNTIME)/obj/$(1)/%.o,$(2))
# An archive of its prerequisites, made anew.
runtime_archive = @mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

$(RUNTIME)/obj/plain/%.o: src/%.c $(RUNTIME_HEADERS)
	@mkdir -p $(@D)
	$(RUNTIME_CC) $(RUNTIME_COMPILE) -c $< -o $@

$(RUNTIME)/lib/libcll.a: $(call runtime_objects,plain,$(RUNTIME_CLL) $(RUNTIME_SPOOL))
	$(runtime_archive)

$(RUNTIME)/lib/libcll.so: $(call runtime_objects,plain,$(RUNTIME_CLL) $(RUNTIME_SPOOL))
	@mkdir -p $(@D)
	$(RUNTIME_CC) -shared -Wl,-z,nodelete -o $@ $^ -lpthread -lm -ldl

$(RUNTIME)/lib/libcll_cuda.a: $(call runtime_objects,plain,$(RUNTIME_CUDA))
	$(runtime_archive)

$(RUNTIME)/lib/libcll_opencl.a: $(call runtime_objects,plain,$(RUNTIME_OPENCL))
	$(runtime_archive)

# ---- cllprobe. Always -O2: the loops that it measures mean nothing without. OpenMP and hwloc where they are.

# $(call runtime_has,FLAGS,HEADER): FLAGS if a program with this header links with them
runtime_has = $(shell echo 'int main(void) { return 0; }' | \
  $(RUNTIME_CC) -x c -include $(2) - $(1) -o /dev/null >/dev/null 2>&1 && echo $(1))
RUNTIME_OPENMP  = $(eval RUNTIME_OPENMP := $(call runtime_has,-fopenmp,omp.h))$(RUNTIME_OPENMP)
RUNTIME_HWLOC   = $(eval RUNTIME_HWLOC := $(call runtime_has,-lhwloc,hwloc.h))$(RUNTIME_HWLOC)
RUNTIME_VERSION := $(shell sed -n '/^project/s/.*VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt 2>/dev/null)

RUNTIME_PROBE_COMPILE = $(RUNTIME_COMPILE) -O2 -fno-math-errno $(RUNTIME_OPENMP) \
  $(if $(RUNTIME_HWLOC),-DCLL_HAVE_HWLOC) $(if $(RUNTIME_VERSION),-DCLL_VERSION='"$(RUNTIME_VERSION)"')
RUNTIME_PROBE_LIBS    = $(RUNTIME_OPENMP) $(RUNTIME_HWLOC) -lpthread -lm

$(RUNTIME)/obj/probe/%.o: src/%.c $(RUNTIME_HEADERS)
	@mkdir -p $(@D)
	$(RUNTIME_CC) $(RUNTIME_PROBE_COMPILE) -c $< -o $@

$(RUNTIME)/bin/cllprobe: $(call runtime_objects,probe,$(RUNTIME_PROBE) $(RUNTIME_BASE) src/probe/main.c)
	@mkdir -p $(@D)
	$(RUNTIME_CC) -o $@ $^ $(RUNTIME_PROBE_LIBS)

# ---- accelerators, where OpenCL or the compiler of CUDA is ----

RUNTIME_OPENCL = $(eval RUNTIME_OPENCL := $(call runtime_has,-lOpenCL,CL/cl.h))$(RUNTIME_OPENCL)
RUNTIME_CUDA   = $(eval RUNTIME_CUDA := $(if $(RUNTIME_NVCC),$(shell command -v $(RUNTIME_NVCC))))$(RUNTIME_CUDA)
RUNTIME_GPU_OBJECTS = $(call runtime_objects,probe,$(RUNTIME_PROBE) $(RUNTIME_BASE) $(RUNTIME_PROBE_GPU) src/probe/gpu/main.c)

runtime-gpu: $(if $(RUNTIME_OPENCL),$(RUNTIME)/bin/cllprobe-opencl) $(if $(RUNTIME_CUDA),$(RUNTIME)/bin/cllprobe-cuda)
	@:

$(RUNTIME)/bin/cllprobe-opencl: $(RUNTIME_GPU_OBJECTS) $(RUNTIME)/obj/probe/probe/gpu/opencl.o
	@mkdir -p $(@D)
	$(RUNTIME_CC) -o $@ $^ $(RUNTIME_PROBE_LIBS) -lOpenCL

$(RUNTIME)/obj/probe/probe/gpu/cuda.o: src/probe/gpu/cuda.cu $(RUNTIME_HEADERS)
	@mkdir -p $(@D)
	$(RUNTIME_CUDA) -O2 -Isrc -c $< -o $@

$(RUNTIME)/bin/cllprobe-cuda: $(RUNTIME_GPU_OBJECTS) $(RUNTIME)/obj/probe/probe/gpu/cuda.o
	@mkdir -p $(@D)
	$(RUNTIME_CUDA) -o $@ $^ $(addprefix -Xcompiler ,$(RUNTIME_OPENMP)) $(RUNTIME_HWLOC) -lpthread -lm

# ---- MPI: an archive of each kind for the flavour that the wrapper compiles for ----

RUNTIME_MPI_ARCHIVES = $(patsubst %,$(RUNTIME)/lib/%_$(RUNTIME_FLAVOUR).a,libcll_mpi libcll_pub libbsp libpub)

runtime-mpi: $(RUNTIME_MPI_ARCHIVES) $(RUNTIME)/bin/cllprobe-$(RUNTIME_FLAVOUR)
	@echo "MPI programs ($(RUNTIME_FLAVOUR)) also link $(RUNTIME)/lib/libcll_mpi_$(RUNTIME_FLAVOUR).a"
	@echo "BSP programs ($(RUNTIME_FLAVOUR)) link $(RUNTIME)/lib/libpub_$(RUNTIME_FLAVOUR).a, measured ones libcll_pub_$(RUNTIME_FLAVOUR).a before it"
	@echo "programs for BSPlib link $(RUNTIME)/lib/libbsp_$(RUNTIME_FLAVOUR).a before libpub_$(RUNTIME_FLAVOUR).a"

$(RUNTIME)/obj/$(RUNTIME_FLAVOUR)/%.o: src/%.c $(RUNTIME_HEADERS)
	@mkdir -p $(@D)
	$(RUNTIME_MPICC) $(RUNTIME_COMPILE) -c $< -o $@

$(RUNTIME)/lib/libcll_mpi_$(RUNTIME_FLAVOUR).a: $(call runtime_objects,$(RUNTIME_FLAVOUR),$(RUNTIME_MPI))
	$(runtime_archive)

$(RUNTIME)/lib/libcll_pub_$(RUNTIME_FLAVOUR).a: $(call runtime_objects,$(RUNTIME_FLAVOUR),$(RUNTIME_PUB))
	$(runtime_archive)

$(RUNTIME)/lib/libpub_$(RUNTIME_FLAVOUR).a: $(call runtime_objects,$(RUNTIME_FLAVOUR),$(RUNTIME_BSP))
	$(runtime_archive)

$(RUNTIME)/lib/libbsp_$(RUNTIME_FLAVOUR).a: $(call runtime_objects,$(RUNTIME_FLAVOUR),$(RUNTIME_BSPLIB))
	$(runtime_archive)

$(RUNTIME)/obj/probe-$(RUNTIME_FLAVOUR)/%.o: src/%.c $(RUNTIME_HEADERS)
	@mkdir -p $(@D)
	$(RUNTIME_MPICC) $(RUNTIME_PROBE_COMPILE) -c $< -o $@

$(RUNTIME)/bin/cllprobe-$(RUNTIME_FLAVOUR): $(call runtime_objects,probe-$(RUNTIME_FLAVOUR),$(RUNTIME_PROBE_MPI) src/probe/mpi/main.c) \
    $(call runtime_objects,probe,$(RUNTIME_PROBE) $(RUNTIME_BASE)) $(RUNTIME)/lib/libpub_$(RUNTIME_FLAVOUR).a
	@mkdir -p $(@D)
	$(RUNTIME_MPICC) -o $@ $^ $(RUNTIME_PROBE_LIBS)

# ---- SimGrid: simulated programs have a libcll of their own. smpicc only tells where its mpi.h is: it would replace the
# calls of the run-time by simulated ones. ----

runtime-smpi: $(patsubst %,$(RUNTIME)/lib/%_smpi.a,libcll libcll_mpi libcll_pub libbsp libpub)
	@echo "programs that SimGrid simulates link $(RUNTIME)/lib/libcll_mpi_smpi.a and libcll_smpi.a in place of libcll"

$(RUNTIME)/obj/smpi/%.o: src/%.c $(RUNTIME_HEADERS)
	@mkdir -p $(@D)
	$(RUNTIME_CC) $(RUNTIME_COMPILE) -DCLL_SMPI $(SMPI_FOLDERS) -c $< -o $@

$(RUNTIME)/lib/libcll_smpi.a: $(call runtime_objects,smpi,$(RUNTIME_CLL) $(RUNTIME_SPOOL) src/cll/smpi/simulated.c)
	$(runtime_archive)

$(RUNTIME)/lib/libcll_mpi_smpi.a: $(call runtime_objects,smpi,$(RUNTIME_MPI))
	$(runtime_archive)

$(RUNTIME)/lib/libcll_pub_smpi.a: $(call runtime_objects,smpi,$(RUNTIME_PUB))
	$(runtime_archive)

$(RUNTIME)/lib/libpub_smpi.a: $(call runtime_objects,smpi,$(RUNTIME_BSP))
	$(runtime_archive)

$(RUNTIME)/lib/libbsp_smpi.a: $(call runtime_objects,smpi,$(RUNTIME_BSPLIB))
	$(runtime_archive)
