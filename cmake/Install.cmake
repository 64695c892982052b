# SPDX-License-Identifier: GPL-3.0-or-later
# Installed use: pkg-config (cll.pc) and CMake (find_package(cll)). Everything is found relative to where it
# lies, so that an installed tree can be moved.
include(CMakePackageConfigHelpers)

get_property(probes GLOBAL PROPERTY CLL_PROBES)
install(TARGETS call llac cllprobe ${probes} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(compiler ${CLL_WRAPPED_COMPILERS})
  install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/call-${compiler} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
get_property(runtime_targets GLOBAL PROPERTY CLL_RUNTIME_TARGETS)
list(PREPEND runtime_targets cll cll_static)
install(TARGETS ${runtime_targets} EXPORT cllTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET cll_counters_papi)
  install(TARGETS cll_counters_papi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(FILES include/bsp.h include/call.h include/cll.h include/cll_clock.h include/cll_device.h include/pub.h include/pub_tool.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Completion for shells: each program prints its own. When CMake builds for another machine, they cannot run here.
if(NOT CMAKE_CROSSCOMPILING)
  set(completions)
  foreach(program call llac cllprobe)
    foreach(shell bash zsh fish)
      set(file ${CMAKE_BINARY_DIR}/completion/${shell}/${program})
      add_custom_command(OUTPUT ${file} DEPENDS ${program}
        COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:${program}> --completion ${shell} >${file})
      list(APPEND completions ${file})
    endforeach()
    install(FILES ${CMAKE_BINARY_DIR}/completion/bash/${program} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${CMAKE_BINARY_DIR}/completion/zsh/${program} RENAME _${program} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${CMAKE_BINARY_DIR}/completion/fish/${program} RENAME ${program}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/completion/bash ${CMAKE_BINARY_DIR}/completion/zsh ${CMAKE_BINARY_DIR}/completion/fish)
  add_custom_target(completion ALL DEPENDS ${completions})
endif()

install(EXPORT cllTargets NAMESPACE cll:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cll)
configure_package_config_file(cmake/cllConfig.cmake.in ${CMAKE_BINARY_DIR}/cllConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cll PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cllConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/cllConfig.cmake ${CMAKE_BINARY_DIR}/cllConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cll)

configure_file(cmake/cll.pc.in ${CMAKE_BINARY_DIR}/cll.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/cll.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/cll/examples USE_SOURCE_PERMISSIONS)
# As in the source, so that the links between the pages lead somewhere.
install(DIRECTORY docs LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CONTRIBUTING.md SECURITY.md NEWS DESTINATION ${CMAKE_INSTALL_DOCDIR})
