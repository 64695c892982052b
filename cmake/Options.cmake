# SPDX-License-Identifier: GPL-3.0-or-later
# Warnings, sanitizers and fuzzing: one place for the flags of every part.
add_compile_options(-Wall -Wextra -Wshadow -Wpointer-arith -Wvla $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
                    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> -fno-math-errno)
if(CLL_WERROR)
  add_compile_options(-Werror)
endif()
if(CLL_SANITIZE)
  # -g1 has the lines that reports name
  add_compile_options(-fsanitize=${CLL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all ${CLL_SANITIZE_LEVEL} -g1)
  add_link_options(-fsanitize=${CLL_SANITIZE})
endif()
if(CLL_ANALYZE)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
    message(FATAL_ERROR "CLL_ANALYZE needs gcc: configure with -DCMAKE_C_COMPILER=gcc")
  endif()
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-fanalyzer>)
endif()
if(CLL_COVERAGE)
  # atomic: threads count, too. -O0: a line is one line, no branch of the compiler's own making.
  add_compile_options(-fprofile-arcs -ftest-coverage -fprofile-update=atomic -O0)
  add_link_options(--coverage)
endif()
if(CLL_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CLL_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
# A shared library of ours may only show names that start with cll_ (a test checks it).
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
