#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v shape=SHAPE -v n=N -f large_source.awk: a C source with N of what SHAPE names.
function begin(i) { printf "#pragma cll e%d e%d[0] + e%d[1]*n\n", i, i, i }
function end(i) { printf "#pragma cll end e%d\n", i }
function open(name) { printf "int %s(int n, int *x)\n{\n", name }
function close_() { print "    return n;\n}" }
function repeat(s, count,   i) { for (i = 0; i < count; i++) printf "%s", s }
BEGIN {
    if (shape == "functions") {
        for (i = 0; i < n; i++) {
            open("f" i); begin(i); print "    int y = n;\n    x[0] += y;"; end(i); close_()
        }
        exit
    }
    if (shape == "line") {
        printf "int f(int n, int *x) {"
        for (i = 0; i < n; i++)
            printf " _Pragma(\"cll e%d e%d[0] + e%d[1]*n\") x[0]++; _Pragma(\"cll end e%d\")", i, i, i, i
        print " return n; }"
        exit
    }
    open("f")
    if (shape == "regions") {
        for (i = 0; i < n; i++) { begin(i); print "    { int y = n; x[0] += y; }"; end(i) }
    } else if (shape == "sites") {
        for (i = 0; i < n; i++) { begin(0); print "    x[0]++;"; end(0) }
    } else if (shape == "jumps") {
        for (i = 0; i < n; i++) {
            begin(i)
            printf "    int y%d = n;\n    if (n == %d)\n        goto l%d;\n    x[0]++;\nl%d:\n    x[1] += y%d;\n", i, i, i, i, i
            end(i)
            printf "    x[2] += y%d;\n", i
        }
    } else if (shape == "cases") {
        print "    switch (n) {"
        for (i = 0; i < n; i++) { printf "    case %d:\n", i; begin(i); print "        x[0]++;"; end(i); print "        break;" }
        print "    }"
    } else if (shape == "reports") {
        for (i = 0; i < n; i++) { begin(i); print "    x[0]++;"; end(i) }
        printf "#pragma cll report e0"
        for (i = 1; i < n; i++)
            printf ", e%d", i
        print ""
    } else if (shape == "branches") {
        for (i = 0; i < n; i++) { print "#ifdef NOWHERE"; begin(i); print "    x[0]++;"; end(i); print "#endif" }
    } else if (shape == "nested") {
        for (i = 0; i < n; i++) begin(i)
        print "    x[0]++;"
        for (i = n; i-- > 0;) end(i)
    } else if (shape == "blocks") {
        begin(0); repeat("    {\n", n); print "    x[0]++;"; repeat("    }\n", n); end(0)
    } else if (shape == "else-ifs") {
        begin(0); repeat("    if (n == 1) x[0]++; else\n", n); print "    x[0]--;"; end(0)
    } else if (shape == "parentheses") {
        begin(0); printf "    x[0] = "; repeat("(", n); printf "n"; repeat(")", n); print ";"; end(0)
    } else if (shape == "ends") {
        for (i = 0; i < n; i++) { print "    {"; begin(i); print "    }"; end(i) }
    } else if (shape == "gotos") {
        for (i = 0; i < n; i++) { printf "    goto l%d;\n", i; begin(i); printf "l%d:\n    x[0]++;\n", i; end(i) }
    } else if (shape == "statements") {
        begin(0); print "    x[0]++;"; end(0)
        for (i = 0; i < n; i++)
            printf "    x[%d] = n + x[%d] * 3;\n", i, i + 1
    }
    close_()
}
