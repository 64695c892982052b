# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(ranks ${CMAKE_CURRENT_LIST_DIR}/ranks.c)
target_include_directories(ranks PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(ranks PRIVATE model)
