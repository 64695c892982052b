# SPDX-License-Identifier: MIT
# ---- call discover: one run on several processors ----
#
# call discover sets these variables, besides those of the engine:
#   P         the number of processors
#   counters  the folder for the counters of the run
#   wrapper   a script that gives each process a folder of its own in it

share_out
count_cores
choose_launcher yes
prefix "$P"
eval "set -- $words sh \"\$wrapper\" \"\$counters\" \"\$program\" \"\$@\""
exec "$@"
