# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(drift ${CMAKE_CURRENT_LIST_DIR}/drift.c)
target_include_directories(drift PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(drift PRIVATE model)
