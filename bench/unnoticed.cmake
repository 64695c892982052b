# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(unnoticed ${CMAKE_CURRENT_LIST_DIR}/unnoticed.c)
target_include_directories(unnoticed PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(unnoticed PRIVATE model)
