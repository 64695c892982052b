# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of one begin/end pair: bench/overhead, run by `make bench-overhead`.
add_executable(overhead ${CMAKE_CURRENT_LIST_DIR}/overhead.c)
target_link_libraries(overhead PRIVATE cll)
set_target_properties(overhead PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
