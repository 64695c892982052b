# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DARCHIVE=lib.a -DGCOV=libgcov.a -DAR=ar -P CarryGcov.cmake: adds the members of the one to the other.
file(WRITE ${ARCHIVE}.mri "create ${ARCHIVE}.with\naddlib ${ARCHIVE}\naddlib ${GCOV}\nsave\nend\n")
execute_process(COMMAND ${AR} -M INPUT_FILE ${ARCHIVE}.mri RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${ARCHIVE}: ${AR} -M failed")
endif()
file(RENAME ${ARCHIVE}.with ${ARCHIVE})
file(REMOVE ${ARCHIVE}.mri)
