# SPDX-License-Identifier: GPL-3.0-or-later
# How a test is declared, and in which builds it runs.
#
# A test has a label for its kind, which is that of the function that adds it: unit, script or fuzz; and leaks for the three
# scripts that look for leaks. It has the label long if it is declared so: only make check-long runs it. The label gcc or asan
# names the build in which make check runs it:
#
#   unit, fuzz   asan; a unit test that is declared PLAIN computes for long, and runs in gcc
#   script       gcc: compilers, starts and waiting take the time. asan, if it is declared ASAN: it goes through code that reads
#                damaged data, or through the run-time of parallel programs, which no unit test does
#
# Exceptions are declared, each as a list of names or as "all":
#
#   ASAN   see above
#   PLAIN  only in builds without sanitizers, which would show nothing more: it computes for long, or what it runs is not
#          sanitized, such as programs under a simulator or valgrind, headers that are compiled, and browsers. CLL_PLAIN is
#          set for whole folders of such tests. So is a script or function that skips with sanitizers, and one that runs no
#          program of the build; their text shows it: $call, $llac, $CLL_BIN, $CLL_BUILD; [ -z "$sanitize" ] || skip WHY.
#
# A script that reads tests/harness/mpi.sh has the label mpi.
# make check-long runs all tests of the gcc build, and all of the asan build that are not long.

# cll_builds(OUT SCRIPT FUNCTION DECLARED): the labels of a script, or of a function of it, for make check; none: not in this
# build. FUNCTION and DECLARED may be empty.
function(cll_builds out script function declared)
  cll_read_script(text ${script})
  set(skips "[[] -z .[$]sanitize. []] [|][|] skip")
  set(body "")
  if(function)
    string(FIND "${text}" "\n${function}() {\n" begin)
    string(SUBSTRING "${text}" ${begin} -1 body)
    string(FIND "${body}" "\n}\n" end)
    string(SUBSTRING "${body}" 0 ${end} body)
  endif()
  set(labels gcc)
  if(CLL_PLAIN OR declared STREQUAL PLAIN OR NOT text MATCHES "[$]{?(call|llac|CLL_BIN|CLL_BUILD|tests)"
     OR text MATCHES "\n${skips}" OR body MATCHES "${skips}")
    set(declared PLAIN)
  elseif(declared STREQUAL ASAN)
    set(labels asan)
  endif()
  if(text MATCHES "harness/mpi.sh")
    list(APPEND labels mpi)
  endif()
  if(declared STREQUAL PLAIN AND CLL_SANITIZE)
    set(labels "")
  endif()
  set(${out} "${labels}" PARENT_SCOPE)
endfunction()

# cll_read_script(OUT SCRIPT): the text of a script without comments, and that of the scripts of its folder that it reads. What
# tests/harness has is for all: the name alone counts.
function(cll_read_script out script)
  file(READ ${script} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  string(REGEX REPLACE "\n[ \t]*#[^\n]*" "" text "${text}")
  string(REGEX MATCHALL "\n *[.] \"[$]CLL_SOURCE/tests/[a-z]+/[a-z_]+[.]sh" sources "${text}")
  foreach(source ${sources})
    string(REGEX REPLACE ".*CLL_SOURCE/" "${PROJECT_SOURCE_DIR}/" source "${source}")
    if(NOT source MATCHES "tests/harness/" AND NOT source STREQUAL script)
      cll_read_script(more ${source})
      string(APPEND text "${more}")
    endif()
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# cll_collect(NAME TARGET...): the target NAME builds them all. tools/check builds `unit_tests`, `plain_tests` (those of them
# that make check runs in gcc), `test_programs` (which the scripts run) and `fuzzers` apart.
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
# LIBRARY_SUBJECT_test, which ctest runs as LIBRARY.SUBJECT. One process: all of them also run with the leak check. PLAIN: it
# computes for long.
function(cll_unit_test library subject)
  cmake_parse_arguments(A "PLAIN" "" "SOURCES;LIBS" ${ARGN})
  if(NOT CLL_TESTS OR (A_PLAIN AND CLL_SANITIZE))
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
  set(build asan)
  if(A_PLAIN)
    cll_collect(plain_tests ${target})
    set(build gcc)
  endif()
  set_tests_properties(${library}.${subject} PROPERTIES SKIP_RETURN_CODE 77 LABELS "unit;${build}")
endfunction()

# cll_test_definitions(TARGET DEFINITION...): for the compiler, where this build has the target
function(cll_test_definitions target)
  if(TARGET ${target})
    target_compile_definitions(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# cll_script_test(NAME SCRIPT [LONG] [ASAN | PLAIN] [KIND kind] [TIMEOUT s] [FUNCTION name] [ARGS ...]): a bash
# script, in an empty folder of its own, with CLL_SOURCE, CLL_BUILD, CLL_BIN, CC and CXX in its environment; exit 77 = skipped.
function(cll_script_test name script)
  cmake_parse_arguments(A "LONG;ASAN;PLAIN" "KIND;TIMEOUT;FUNCTION" "ARGS" ${ARGN})
  set(declared "")
  foreach(word ASAN PLAIN)
    if(A_${word})
      set(declared ${word})
    endif()
  endforeach()
  cll_builds(labels ${CMAKE_CURRENT_SOURCE_DIR}/${script} "${A_FUNCTION}" "${declared}")
  if(NOT labels)
    return()
  endif()
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 1800) # ends what hangs, and nothing else, however busy the machine is
  endif()
  if(NOT A_KIND)
    set(A_KIND script)
  endif()
  if(A_LONG)
    list(REMOVE_ITEM labels gcc asan)
    list(APPEND labels long)
  endif()
  set(dir ${CMAKE_BINARY_DIR}/tests/scratch/${name})
  add_test(NAME ${name}
    COMMAND bash ${PROJECT_SOURCE_DIR}/tests/harness/in-empty-folder ${dir} bash ${CMAKE_CURRENT_SOURCE_DIR}/${script}
      ${A_FUNCTION} ${A_ARGS})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${A_TIMEOUT} LABELS "${A_KIND};${labels}"
    ENVIRONMENT "CLL_SOURCE=${PROJECT_SOURCE_DIR};CLL_BUILD=${CMAKE_BINARY_DIR};CLL_BIN=${CMAKE_BINARY_DIR}/bin;CC=${CMAKE_C_COMPILER};CXX=${CMAKE_CXX_COMPILER};CLL_SANITIZE=${CLL_SANITIZE}")
  if(A_LONG)
    set_tests_properties(${name} PROPERTIES COST 20) # before all others, as in cll_long_first
  endif()
endfunction()

# cll_script_parts(COUNT NAME SCRIPT ...): a long test in COUNT parts, NAME_1, NAME_2, ..., which run at once where there are
# cores for them. The script gets --part K/COUNT as its last arguments; the rest is as in cll_script_test.
function(cll_script_parts count name script)
  cmake_parse_arguments(A "" "TIMEOUT" "ARGS" ${ARGN})
  foreach(part RANGE 1 ${count})
    cll_script_test(${name}_${part} ${script} LONG TIMEOUT ${A_TIMEOUT} ARGS ${A_ARGS} --part ${part}/${count})
  endforeach()
endfunction()

# cll_script_tests(PART SCRIPT [HELPERS name...] [LONG name...] [ASAN | PLAIN name...]...): a test PART.NAME
# for each function of SCRIPT.sh, which gets the name as its argument. HELPERS are functions that are not tests; a function
# whose body is on its first line is a helper, too. "all" stands for all that the other lists do not name.
function(cll_script_tests part script)
  cmake_parse_arguments(A "" "" "HELPERS;LONG;ASAN;PLAIN" ${ARGN})
  file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/${script}.sh lines REGEX "^[a-zA-Z0-9_]+\\(\\) {$")
  file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${script}.sh text)
  foreach(name ${A_HELPERS} ${A_LONG} ${A_ASAN} ${A_PLAIN}) # else a wrong word hides the tests behind it
    if(NOT name STREQUAL all AND NOT text MATCHES "\n${name}\\(\\)")
      message(FATAL_ERROR "cll_script_tests: ${script}.sh has no function ${name}")
    endif()
  endforeach()
  foreach(line ${lines})
    string(REGEX REPLACE "\\(\\).*" "" name "${line}")
    if(name IN_LIST A_HELPERS)
      continue()
    endif()
    set(cost "")
    if(name IN_LIST A_LONG OR all IN_LIST A_LONG)
      set(cost LONG)
    endif()
    set(declared "")
    foreach(which all ${name}) # its name counts more
      foreach(word PLAIN ASAN)
        if(which IN_LIST A_${word})
          set(declared ${word})
        endif()
      endforeach()
    endforeach()
    cll_script_test(${part}.${name} ${script}.sh ${cost} ${declared} FUNCTION ${name})
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
  set_tests_properties(${test} PROPERTIES LABELS "fuzz;asan" TIMEOUT 3600)
endfunction()
