# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(search ${CMAKE_CURRENT_LIST_DIR}/search.c ${CMAKE_CURRENT_LIST_DIR}/search_few.c
               ${CMAKE_CURRENT_LIST_DIR}/search_limit.c)
target_include_directories(search PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(search PRIVATE model)
