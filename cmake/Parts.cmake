# SPDX-License-Identifier: GPL-3.0-or-later
# How a part and a test are declared, so that every CMakeLists.txt below is a list of names.

# call-NAME is `call cc NAME` in one word.
set(CLL_WRAPPED_COMPILERS cc gcc clang mpicc c++ g++ clang++ mpicxx gfortran mpifort mpif90)

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

# cll_collect(NAME TARGET...): the target NAME builds them all. tools/check builds `unit_tests`, `plain_tests` (those of them
# that run without sanitizers), `test_programs` (which the scripts run) and `fuzzers` apart.
function(cll_collect name)
  if(NOT TARGET ${name})
    add_custom_target(${name})
  endif()
  add_dependencies(${name} ${ARGN})
endfunction()

# cll_test_programs(TARGET...): programs that scripts run, in the folder tests of the build
function(cll_test_programs)
  set_target_properties(${ARGN} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  cll_collect(test_programs ${ARGN})
endfunction()

# cll_unit_test(LIBRARY SUBJECT [PLAIN] [SOURCES ...] [LIBS ...]): SUBJECT_test.c and more sources become the cmocka program
# LIBRARY_SUBJECT_test, which ctest runs as LIBRARY.SUBJECT. One process: all of them also run with the leak check. make
# check runs it in the asan build alone, or, if it computes for long (PLAIN), without sanitizers; make check-long in both.
function(cll_unit_test library subject)
  cmake_parse_arguments(A "PLAIN" "" "SOURCES;LIBS" ${ARGN})
  if(NOT CLL_TESTS)
    return()
  endif()
  set(target ${library}_${subject}_test)
  add_executable(${target} ${subject}_test.c ${A_SOURCES})
  target_link_libraries(${target} PRIVATE ${A_LIBS} ${CMOCKA_LIBRARIES} m)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests ${CMOCKA_INCLUDE_DIRS})
  target_compile_options(${target} PRIVATE -O0) # what it tests is compiled as elsewhere
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  cll_collect(unit_tests ${target})
  add_test(NAME ${library}.${subject} COMMAND ${target})
  set_tests_properties(${library}.${subject} PROPERTIES SKIP_RETURN_CODE 77 LABELS "unit;leaks")
  if(A_PLAIN)
    cll_collect(plain_tests ${target})
    cll_sanitized_later(${library}.${subject})
  else()
    cll_sanitized(${library}.${subject})
  endif()
endfunction()

# cll_test_definitions(TARGET DEFINITION...): for the compiler, where this build has the target
function(cll_test_definitions target)
  if(TARGET ${target})
    target_compile_definitions(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# cll_script_test(NAME SCRIPT [LABELS ...] [TIMEOUT s] [ARGS ...]): a bash script, in an empty folder
# of its own, with CLL_SOURCE, CLL_BUILD, CLL_BIN, CC and CXX in its environment; exit 77 = skipped.
function(cll_script_test name script)
  cmake_parse_arguments(A "" "TIMEOUT" "LABELS;ARGS" ${ARGN})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 1800) # ends what hangs, and nothing else, however busy the machine is
  endif()
  if(NOT A_LABELS)
    set(A_LABELS script)
  endif()
  set(dir ${CMAKE_BINARY_DIR}/tests/scratch/${name})
  add_test(NAME ${name}
    COMMAND bash ${PROJECT_SOURCE_DIR}/tests/harness/in-empty-folder ${dir} bash ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${A_ARGS})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${A_TIMEOUT} LABELS "${A_LABELS}"
    ENVIRONMENT "CLL_SOURCE=${PROJECT_SOURCE_DIR};CLL_BUILD=${CMAKE_BINARY_DIR};CLL_BIN=${CMAKE_BINARY_DIR}/bin;CC=${CMAKE_C_COMPILER};CXX=${CMAKE_CXX_COMPILER};CLL_SANITIZE=${CLL_SANITIZE}")
  if("long" IN_LIST A_LABELS)
    set_tests_properties(${name} PROPERTIES COST 20) # before all others, as in cll_long_first
  endif()
endfunction()

# cll_script_parts(COUNT NAME SCRIPT ...): a long test in COUNT parts, NAME_1, NAME_2, ..., which run at once where there are
# cores for them. The script gets --part K/COUNT as its last arguments; the rest is as in cll_script_test.
function(cll_script_parts count name script)
  cmake_parse_arguments(A "" "TIMEOUT" "LABELS;ARGS" ${ARGN})
  foreach(part RANGE 1 ${count})
    cll_script_test(${name}_${part} ${script} ARGS ${A_ARGS} --part ${part}/${count} LABELS ${A_LABELS} TIMEOUT ${A_TIMEOUT})
  endforeach()
endfunction()

# cll_script_tests(PART SCRIPT [ASAN] [LABEL label] [HELPERS name...] [LONG name...] [UNSANITIZED name...] [SANITIZED name...]):
# a test PART.NAME for each function of SCRIPT.sh, which gets the name as its argument. HELPERS are functions that are not
# tests; a function whose body is on its first line is a helper, too. LONG ones take long. UNSANITIZED ones run no program
# of a sanitized build. If SANITIZED is given, make check runs these in the sanitized build alone, and the others without
# sanitizers alone; make check-long runs all in both. ASAN: all of them are SANITIZED.
function(cll_script_tests part script)
  cmake_parse_arguments(A "ASAN" "LABEL" "HELPERS;LONG;UNSANITIZED;SANITIZED" ${ARGN})
  file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/${script}.sh lines REGEX "^[a-zA-Z0-9_]+\\(\\) {$")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script}.sh)
  foreach(line ${lines})
    string(REGEX REPLACE "\\(\\).*" "" name "${line}")
    if(name IN_LIST A_HELPERS)
      continue()
    elseif(name IN_LIST A_UNSANITIZED)
      cll_script_test(${part}.${name} ${script}.sh ARGS ${name} LABELS script unsanitized)
    elseif(name IN_LIST A_LONG)
      cll_script_test(${part}.${name} ${script}.sh ARGS ${name} LABELS long)
    else()
      cll_script_test(${part}.${name} ${script}.sh ARGS ${name} LABELS ${A_LABEL})
      if(A_ASAN OR name IN_LIST A_SANITIZED)
        cll_sanitized(${part}.${name})
      elseif(A_SANITIZED)
        cll_sanitized_later(${part}.${name})
      endif()
    endif()
  endforeach()
endfunction()

# cll_sanitized(TEST...): in make check the asan build alone runs these. A build without sanitizers would hardly find
# anything else; make check-long runs them there, too.
function(cll_sanitized)
  foreach(name ${ARGN})
    if(TEST ${name})
      set_property(TEST ${name} APPEND PROPERTY LABELS sanitized)
    endif()
  endforeach()
endfunction()

# cll_sanitized_later(TEST...): the sanitized build runs these only in make check-long
function(cll_sanitized_later)
  foreach(name ${ARGN})
    if(TEST ${name})
      set_property(TEST ${name} APPEND PROPERTY LABELS sanitized_later)
    endif()
  endforeach()
endfunction()

# cll_long_first(TEST...): ctest starts these first, so that none of them runs alone at the end
function(cll_long_first)
  foreach(name ${ARGN})
    if(TEST ${name})
      set_tests_properties(${name} PROPERTIES COST 10)
    endif()
  endforeach()
endfunction()

# cll_fuzz_target(LIBRARY SUBJECT [SOURCES ...] LIBS ... [SEEDS DIR...]): SUBJECT_fuzz.c and more sources become the fuzz
# target LIBRARY_SUBJECT_fuzz. corpus/SUBJECT belongs to the target and grows; SEEDS are files of other tests that it also
# starts from. In builds with CLL_FUZZ ctest runs it for a few seconds as LIBRARY.SUBJECT_fuzz. tools/fuzz, which finds it
# by its label, runs it for longer. In other sanitized builds ctest runs it once on every file of the corpus and the seeds,
# as LIBRARY.SUBJECT_corpus.
function(cll_fuzz_target library subject)
  cmake_parse_arguments(A "" "" "SOURCES;LIBS;SEEDS" ${ARGN})
  if(NOT CLL_FUZZ AND NOT (CLL_TESTS AND CLL_SANITIZE))
    return()
  endif()
  set(target ${library}_${subject}_fuzz)
  add_executable(${target} ${subject}_fuzz.c ${A_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE ${A_LIBS} m)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
  cll_collect(fuzzers ${target})
  list(TRANSFORM A_SEEDS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(folders ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${subject} ${A_SEEDS})
  if(CLL_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    set(test ${library}.${subject}_fuzz)
    add_test(NAME ${test} COMMAND bash ${PROJECT_SOURCE_DIR}/tests/harness/fuzz-once $<TARGET_FILE:${target}> ${folders})
  else()
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/harness/replay.c)
    set(test ${library}.${subject}_corpus)
    add_test(NAME ${test} COMMAND ${target} ${folders})
  endif()
  set_tests_properties(${test} PROPERTIES LABELS fuzz TIMEOUT 3600)
endfunction()
