# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(spreads ${CMAKE_CURRENT_LIST_DIR}/spreads.c)
target_include_directories(spreads PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(spreads PRIVATE model)
