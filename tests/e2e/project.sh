# SPDX-License-Identifier: GPL-3.0-or-later
# The project's own hygiene: no generated files, every part documented, every file licensed, man pages render.
. "$CLL_SOURCE/tests/e2e/setup.sh"
cd "$CLL_SOURCE"
for f in $(find src include tests bench tools examples cmake -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.cmake' \) \
    -not -path '*/golden/*' -not -path '*/corpus/*' -not -path '*/cases/*'); do
    head -4 "$f" | grep -q 'SPDX-License-Identifier' || fail "$f has no SPDX line"
done
for f in include/*.h src/{cll,spool,pub,bsplib}/*.[ch] src/cll/*/*.[ch] src/call/*/*.sh src/call/*/*.inc; do
    head -2 "$f" | grep -q 'SPDX-License-Identifier: MIT' || fail "$f is a part of users' programs or scripts and must be MIT"
done
for page in man/*.[137]; do
    if command -v man >/dev/null && command -v groff >/dev/null; then
        LC_ALL=C man --warnings -l "$page" >/dev/null 2>"$OLDPWD/man.err" || true
        [ ! -s "$OLDPWD/man.err" ] || { cat "$OLDPWD/man.err"; fail "$page has warnings"; }
    fi
done
# Scratch folders are not committed: CONTRIBUTING.md has every folder.
if git ls-files >"$OLDPWD/files" 2>/dev/null; then
    for folder in $(sed -n 's,/.*,,p' "$OLDPWD/files" | sort -u); do
        grep -q "^| \`$folder\` |" CONTRIBUTING.md || fail "CONTRIBUTING.md does not list the folder $folder"
    done
fi
# A script of checks that go on after a failure counts failures; without `finish` it would end well all the same.
for f in $(grep -lE '^\. .*llac/setup.sh|^keep_going=yes' -r tests --include='*.sh' | grep -v '/setup.sh$'); do
    grep -qE '^(finish|main "\$1")$' "$f" || fail "$f does not end with 'finish' or 'main \"\$1\"'"
done
# A fuzz target names other folders as seeds; it has no copies.
copies=$(find tests/*/corpus tests/data/import tests/llac/data tests/translate/golden -type f -size +0 -exec cksum {} + | sort |
    awk '{ if ($1 " " $2 == last) print file, $3; last = $1 " " $2; file = $3 }')
is "$copies" "" "files with the same contents"
