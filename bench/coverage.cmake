# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(coverage ${CMAKE_CURRENT_LIST_DIR}/coverage.c)
target_include_directories(coverage PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(coverage PRIVATE model)
