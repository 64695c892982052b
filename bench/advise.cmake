# SPDX-License-Identifier: GPL-3.0-or-later
add_executable(advise ${CMAKE_CURRENT_LIST_DIR}/advise.c)
target_include_directories(advise PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(advise PRIVATE model)
