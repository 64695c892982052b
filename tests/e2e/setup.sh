# SPDX-License-Identifier: GPL-3.0-or-later
# The tests through all libraries: each command of a script must succeed.
. "$CLL_SOURCE/tests/harness/lib.sh"
set -e

# links_resolve FOLDER: every relative link of its pages leads to a file
links_resolve() {
    local page link
    for page in "$1"/*.md "$1"/docs/*.md "$1"/docs/*/*.md; do
        for link in $(grep -oE '\]\([^)#: ]+' "$page" | cut -c3-); do
            [ -e "$(dirname "$page")/$link" ] || fail "$page links to $link, which does not exist"
        done
    done
}
