# SPDX-License-Identifier: GPL-3.0-or-later
# The importers of other tools' data; they need jansson.
set(MODEL_IMPORT_SOURCES import.c import_build.c import_name.c import_json.c import_csv.c
    import_extrap.c import_lines.c import_call1.c import_bench.c import_hyperfine.c)
