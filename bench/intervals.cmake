# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(intervals ${CMAKE_CURRENT_LIST_DIR}/intervals.c)
target_include_directories(intervals PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(intervals PRIVATE model)
