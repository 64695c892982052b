# SPDX-License-Identifier: GPL-3.0-or-later
# How a part is declared, so that every CMakeLists.txt below is a list of names.

# call-NAME is `call cc NAME` in one word.
set(CLL_WRAPPED_COMPILERS cc gcc clang mpicc c++ g++ clang++ mpicxx gfortran mpifort mpif90 nvcc)

# cll_internal_library(NAME SOURCES ... LIBS ...): a static library that is not installed.
function(cll_internal_library name)
  cmake_parse_arguments(A "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC ${A_LIBS})
endfunction()

# cll_embed(NAME FILE...): NAME.c in the build's folder, with the contents of the files, one after the other, as a C string NAME
function(cll_embed name)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE parts)
  add_custom_command(OUTPUT ${name}.c
    COMMAND ${CMAKE_COMMAND} "-DINPUT=${parts}" -DOUTPUT=${name}.c -DNAME=${name} -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${parts} ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake VERBATIM)
endfunction()

# cll_carries_gcov(TARGET): scripts link this archive with a plain compiler, so in the build for coverage it brings along
# what counts.
function(cll_carries_gcov target)
  if(NOT CLL_COVERAGE)
    return()
  endif()
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgcov.a OUTPUT_VARIABLE gcov OUTPUT_STRIP_TRAILING_WHITESPACE)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -DARCHIVE=$<TARGET_FILE:${target}> -DGCOV=${gcov} -DAR=${CMAKE_AR}
      -P ${PROJECT_SOURCE_DIR}/cmake/CarryGcov.cmake)
endfunction()

# cll_mpi_archives(NAME SOURCES ...): a static library NAME_FLAVOUR for each MPI library that was found, compiled with
# its mpi.h (for smpi with CLL_SMPI defined) and installed. call cc links the one that a program needs.
function(cll_mpi_archives name)
  cmake_parse_arguments(A "" "" "SOURCES" ${ARGN})
  foreach(flavour ${CLL_MPI_FLAVOURS})
    set(target ${name}_${flavour})
    add_library(${target} STATIC ${A_SOURCES})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_include_directories(${target} SYSTEM PRIVATE ${CLL_MPI_INCLUDE_${flavour}})
    if(flavour STREQUAL smpi)
      cll_simulated(${target})
    else()
      cll_carries_gcov(${target})
    endif()
    set_property(GLOBAL APPEND PROPERTY CLL_RUNTIME_TARGETS ${target})
  endforeach()
endfunction()

# cll_simulated(TARGET): this library is for programs that smpirun loads, a copy for each process: small, and without
# sanitizers and coverage counters, which do not work here.
function(cll_simulated target)
  target_compile_definitions(${target} PRIVATE CLL_SMPI)
  target_compile_options(${target} PRIVATE -g0)
  if(CLL_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
  endif()
  if(CLL_COVERAGE)
    target_compile_options(${target} PRIVATE -fno-profile-arcs -fno-test-coverage)
  endif()
endfunction()
