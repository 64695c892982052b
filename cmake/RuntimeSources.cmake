# SPDX-License-Identifier: GPL-3.0-or-later
# Sets RUNTIME_CLL and the other variables of runtime-sources.mk, with absolute paths. CMake runs again when that changes.
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/runtime-sources.mk)
file(READ ${CMAKE_CURRENT_LIST_DIR}/runtime-sources.mk text)
string(REGEX REPLACE "\\\\\n" " " text "${text}")
string(REGEX MATCHALL "RUNTIME_[A-Z_]+ := [^\n]+" assignments "${text}")
foreach(assignment ${assignments})
  string(REGEX MATCH "^(RUNTIME_[A-Z_]+) := (.*)$" unused "${assignment}")
  set(name ${CMAKE_MATCH_1})
  separate_arguments(sources UNIX_COMMAND "${CMAKE_MATCH_2}")
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)
  set(${name} ${sources})
endforeach()
