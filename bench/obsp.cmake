# SPDX-License-Identifier: GPL-3.0-or-later
# What bench/obsp.sh needs: the generator of its trace.
add_executable(obsp_trace ${CMAKE_CURRENT_LIST_DIR}/obsp_trace.c)
# The dot keeps bench/run from taking it for a benchmark.
set_target_properties(obsp_trace PROPERTIES OUTPUT_NAME obsp.trace)
