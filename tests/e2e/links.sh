# SPDX-License-Identifier: GPL-3.0-or-later
# The links, anchors and names of files on the pages, in man pages and in comments lead somewhere, and docs/README.md lists
# every page.
. "$CLL_SOURCE/tests/e2e/setup.sh"
need python3
links=$CLL_SOURCE/tests/e2e/links.py
(cd "$CLL_SOURCE" && python3 "$links" . Makefile NEWS man/*.? \
    $(find src include tools bench cmake examples tests -type f -not -path '*/corpus/*' -not -name links.sh)) || fail "a link leads nowhere"

# and it finds what is wrong
mkdir -p docs/part docs/developer src
cat >README.md <<'MD'
# One page
[good](docs/part/page.md#a-heading-with-code), [good](#one-page), [address](https://example.com/none.md#none)
```
[not](a-link.md)
```
`[nor](this.md)`
MD
cat >docs/README.md <<'MD'
[page](part/page.md), [page](developer/architecture.md), [home](../README.md#one-page)
MD
cat >docs/part/page.md <<'MD'
## A heading with `code`
## A heading with `code`
[second](#a-heading-with-code-1), [own](page.md#a-heading-with-code)
MD
cat >docs/developer/architecture.md <<'MD'
`known_name` in `src/known.c`, also `known.c`; [README](../../README.md)
MD
echo 'int known_name; /* docs/part/page.md */' >src/known.c
exits 0 python3 "$links" . src/known.c
has_text out "lead somewhere"
# found LINE FILE MESSAGE: with LINE at the end of FILE, links.py reports this
found() {
    cp "$2" saved
    echo "$1" >>"$2"
    exits 1 python3 "$links" . src/known.c
    has_text out "$3"
    mv saved "$2"
}
found '[x](docs/part/none.md)' README.md "README.md:7: the link docs/part/none.md leads to a file that does not exist"
found '[x](docs/part/page.md#none)' README.md "README.md:7: the link docs/part/page.md#none leads to a heading"
found '[x](#a-heading-with-code-2)' docs/part/page.md "docs/part/page.md:4: the link #a-heading-with-code-2 leads to a heading"
found '`src/none.c`' README.md "README.md:7: src/none.c does not exist"
found '`none.c`' docs/developer/architecture.md "architecture.md:2: no folder of the sources has none.c"
found '`no_such_name`' docs/developer/architecture.md "architecture.md:2: no source has the name no_such_name"
found '// docs/part/none.md' src/known.c "src/known.c names docs/part/none.md, which does not exist"
found '`other_name` (`src/known.c`)' docs/developer/architecture.md "architecture.md:2: src/known.c has no other_name"
found '/* (see none.h) */' src/known.c "src/known.c names none.h, which does not exist"
echo '[home](../../README.md)' >docs/part/lonely.md
exits 1 python3 "$links" .
has_text out "docs/README.md does not list docs/part/lonely.md"
