# SPDX-License-Identifier: GPL-3.0-or-later
# The tests through all libraries: each command of a script must succeed.
. "$CLL_SOURCE/tests/harness/lib.sh"
set -e
