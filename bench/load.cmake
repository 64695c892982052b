# SPDX-License-Identifier: GPL-3.0-or-later
# What bench/load.sh needs: the generator of its data.
add_executable(load_data ${CMAKE_CURRENT_LIST_DIR}/load_data.c)
# The dot keeps bench/run from taking it for a benchmark.
set_target_properties(load_data PROPERTIES OUTPUT_NAME load.data)
