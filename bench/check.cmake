# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(check ${CMAKE_CURRENT_LIST_DIR}/check.c)
target_link_libraries(check PRIVATE model)
