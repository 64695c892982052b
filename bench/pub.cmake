# SPDX-License-Identifier: GPL-3.0-or-later
# libpub beside plain MPI: bench/pub, run by bench/pub.sh.
if("openmpi" IN_LIST CLL_MPI_FLAVOURS AND NOT CLL_SANITIZE)
  find_program(CLL_MPICC_OPENMPI NAMES mpicc.openmpi mpicc)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/bench/pub
    COMMAND ${CLL_MPICC_OPENMPI} -O2 -I${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_LIST_DIR}/pub.c
            $<TARGET_FILE:pub_openmpi> -o ${CMAKE_BINARY_DIR}/bench/pub
    DEPENDS pub_openmpi ${CMAKE_CURRENT_LIST_DIR}/pub.c)
  add_custom_target(bench_pub ALL DEPENDS ${CMAKE_BINARY_DIR}/bench/pub)
endif()
