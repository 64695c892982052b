# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(undetermined ${CMAKE_CURRENT_LIST_DIR}/undetermined.c)
target_include_directories(undetermined PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(undetermined PRIVATE model)
