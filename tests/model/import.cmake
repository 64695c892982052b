# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of the importers. Included by CMakeLists.txt beside it.
if(CLL_TESTS)
  foreach(name formats names errors)
    cll_unit_test(model.import_${name} SOURCES import_${name}.c LIBS model)
    target_compile_definitions(test_model_import_${name}
      PRIVATE IMPORT_DATA="${CMAKE_CURRENT_SOURCE_DIR}/data/import")
  endforeach()
endif()
cll_fuzz_target(import_text fuzz_import_text.c LIBS model CORPUS corpus_import_text SEEDS data/import)
cll_fuzz_target(import_json fuzz_import_json.c LIBS model CORPUS corpus_import_json SEEDS data/import)
