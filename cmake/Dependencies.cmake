# SPDX-License-Identifier: GPL-3.0-or-later
# What is required, and what is used when it is there. CLL_LEFT_OUT collects what is missing.
set(CLL_LEFT_OUT "")
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(GSL REQUIRED IMPORTED_TARGET gsl)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(READLINE REQUIRED IMPORTED_TARGET readline)
if(CLL_TESTS)
  pkg_check_modules(CMOCKA REQUIRED cmocka)
endif()

find_path(PAPI_INCLUDE_DIR papi.h)
find_library(PAPI_LIBRARY papi)
if(PAPI_INCLUDE_DIR AND PAPI_LIBRARY)
  set(CLL_HAVE_PAPI ON)
else()
  list(APPEND CLL_LEFT_OUT "PAPI counters (libpapi-dev)")
endif()
