# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(divisible ${CMAKE_CURRENT_LIST_DIR}/divisible.c)
target_include_directories(divisible PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(divisible PRIVATE model)
