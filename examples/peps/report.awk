# SPDX-License-Identifier: MIT
#
# report.awk counts.txt: tables 1 and 2 as a report of counts (docs/reference/count-format.md), for N butterflies of ffourtr.
# l1 and l2 are a loop each; a butterfly is the loop l3 and proc. Of finit and vinit the paper has the cycles alone: 70 and 53.

/^#/ || NF == 0 { next }
$1 == 1 { take(0, $3, 2 * $2) }
$1 == 2 && $3 ~ /^fp(ld|st)nl/ { accesses += $2 } # of the external memory: all of them miss the memory on the chip
$1 == 1 || $1 == 2 { take(1, $3, $2) }

function take(constant, mnemonic, times) {
    if (!((constant, mnemonic) in number))
        order[constant, ++n[constant]] = mnemonic
    number[constant, mnemonic] += times
    all[constant] += times
}

function constant_json(c, term, reads,    i, list) {
    for (i = 1; i <= n[c]; i++)
        list = list (i > 1 ? ", " : "") "\"" order[c, i] "\": {\"other\": " number[c, order[c, i]] "}"
    return "  {\"name\": \"ffourtr[" c "]\", \"term\": \"" term "\", \"instructions\": " all[c] ", \"exact\": true, \"lines\": [],\n" \
        "   \"classes\": {\"reads\": " reads + 0 ", \"other\": " all[c] ", \"mnemonics\": {" list "}}}"
}

END {
    print "{\"format\": 1, \"program\": \"ffourtr\", \"command\": \"tables 1 and 2\", \"architecture\": \"transputer\","
    print " \"compiler\": \"ancc.px\", \"flags\": \"\", \"sources\": [], \"cache\": {\"machine\": \"t800\"}, \"experiments\": [{\"name\": \"ffourtr\","
    print "  \"formula\": \"ffourtr[0] + ffourtr[1]*N + (70 + 53)*cycle()\", \"variables\": [\"N\"], \"communicates\": false,"
    printf "  \"points\": [{\"values\": {\"N\": 512}, \"instructions\": %d, \"accesses\": %d, \"misses\": {\"D1\": %d, \"LL\": %d}}],\n", \
        all[0] + 512 * all[1], 512 * accesses, 512 * accesses, 512 * accesses
    print "  \"unexplained\": [], \"constants\": ["
    print constant_json(0, "1", 0) ",\n" constant_json(1, "N", accesses) "]}]}"
}
