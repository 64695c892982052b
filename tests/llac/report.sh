# SPDX-License-Identifier: GPL-3.0-or-later
# report: the files it writes, its errors, and the page in a headless Chromium (report.py). Exports agree with predict.
. "$CLL_SOURCE/tests/llac/setup.sh"
keep_going=no

the_page_is_one_file() {
    good 'fit sort; report r.html'
    has_text out '3 models written to r.html'
    has r.html '^<!DOCTYPE html>'
    has_text r.html '<title>demo - models</title>'
    has_text r.html 'Content-Security-Policy'
    lacks r.html '<!--@'
    lacks r.html 'src="\|href="http\|@import\|url(http'
    is "$(grep -c '<script' r.html)" 3 "number of scripts"
    good 'report one.html fft'
    has_text out '1 model written to one.html'
    exits 0 "$llac" --json -e 'report r.html sort' "$data/demo.dat"
    is "$(cat out)" '{"report":"r.html","models":1}'
    # what became of the samples: one line for each statement
    {
        printf '# cll-data 1\n# overhead: 0 0\n# resolution: 1e-9\n# experiment: f\n# formula: f CLOCK f[0]*N\n# variables: f N\n'
        echo experiment run seq start nested P rank thread count N CLOCK CPUTIME disturbed
        printf 'f 0 %d 0 0 1 0 0 1 %d %s\n' 0 8 '1e-3 1e-3 0' 1 8 '5e-3 1e-3 1' 2 16 '9e-3 2e-3 1'
    } >taken.dat
    exits 0 "$llac" -e 'report r.html' taken.dat
    has_text r.html '"account":"left out of 3 samples: 1 preempted\nused by their CPU time: 1 preempted sample, at 1 point that has no others\n"'
}

# A file with the experiment f, and one with too few points for a search
one_point() {
    {
        printf '# cll-data 1\n# overhead: 0 0\n# resolution: 1e-9\n# experiment: f\n# formula: f CLOCK f[0]*N\n# variables: f N\n# experiment: bare\n# variables: bare N\n'
        echo experiment run seq start nested P rank thread count N CLOCK
        printf 'f 0 %d 0 0 1 0 0 1 %d %s\n' 0 8 1e-3 1 16 2e-3
        echo 'bare 0 0 0 0 1 0 0 1 8 1e-3'
    } >one.dat
}

other_data_are_shown_beside() {
    sed 's/# host: synthetic/# host: other/; s/e-05 nan$/e-04 nan/' "$data/demo.dat" >other.dat
    good 'report r.html beside other.dat'
    has_text out '6 models written to r.html'
    bad 'report r.html beside nothing.dat' 'nothing.dat'
    bad 'report r.html beside' 'a data file is missing: beside FILE'
    bad "report r.html sort beside $data/grid.dat" "$data/grid.dat has none of the experiments of the report"
}

regions_inside_others_are_named() {
    good 'fit solve; fit spmv; fit reduce; fit setup; report r.html setup solve spmv reduce' "$data/app.dat"
    is "$(grep -o '"inside":\[[^]]*\]' r.html | tr '\n' ' ')" \
        '"inside":[] "inside":[] "inside":["solve"] "inside":["solve"] ' 'what contains setup, solve, spmv, reduce'
    good 'fit spmv; report r.html spmv' "$data/app.dat"
    is "$(grep -o '"inside":\[[^]]*\]' r.html)" '"inside":[]' 'what contains it in this report'
}

the_ranking_is_part_of_it() {
    good 'rank N=1e8 P=8'
    grep '^  sort  *[0-9]' out | awk '{ print $2 }' >seconds
    good 'report r.html rank N=1e8 P=8'
    has_text r.html '"ranking":{"at":{"N":100000000'
    has_text r.html '"place":"N=100000000 P=8"'
    sed -n 's/.*"regions":\[\(.*\)/\1/p' r.html | grep -o '"experiment":"sort","observable":"[A-Z]*","value":[0-9.e-]*' | sed 's/.*://' >page
    awk 'NR == FNR { a = $1; next } { exit !(($1 - a) ^ 2 < (1e-3 * a) ^ 2) }' seconds page || fail "the page and rank differ: $(cat seconds page)"
    bad 'report r.html rank' 'the place is missing'
    bad 'report r.html rank M=3' "no experiment has a variable 'M'"
    bad 'report r.html rank N=1e6 obsp' 'the name of a trace or of a notation is missing'
}

regions_without_a_formula_are_searched() {
    need python3
    python3 "$CLL_SOURCE/tests/llac/regions.py" 6 bare >bare.dat
    good 'rank N=1e6' bare.dat
    good 'report r.html rank N=1e6; list' bare.dat
    has_text out '6 models written to r.html'
    is "$(grep -o '"searched":true' r.html | wc -l)" 6 'searched models'
    is "$(grep -o '"formula_from":"search"' r.html | wc -l)" 6 'searched regions of the ranking'
    # the session keeps none of them: as before, predict asks for a formula
    bad 'report r.html; predict main N=1e6' 'main has no formula' bare.dat
    good 'search init; report r.html init'
    has_text r.html '"searched":true'
    good 'report r.html sort'
    has_text r.html '"searched":false'
    # other data are fitted with the formulas that were found here
    good 'report r.html beside bare.dat' bare.dat
    has_text out '12 models written to r.html'
    is "$(grep -o '"searched":true' r.html | wc -l)" 12 'searched models of both'
}

# nodes: NAME<PARENT of each node of the tree, by their numbers, in a line
nodes() {
    grep -o '"nodes":\[{"name".*\],"notes"' "$1" | grep -o '"name":"[^"]*","parent":[0-9a-z]*' | sed 's/"name":"//; s/","parent":/</' | tr '\n' ' '
}

regions_form_a_tree() {
    good 'report r.html setup solve spmv' "$data/app.dat"
    is "$(nodes r.html)" 'setup<null solve<null spmv<1 reduce<1 output<null ' 'what is inside what'
    good "report r.html setup solve spmv beside $data/app.dat" "$data/app.dat"
    is "$(grep -o '"name":"s[a-z]*","parent":[0-9a-z]*,"model":[0-9]*' r.html | sed 's/.*://' | tr '\n' ' ')" '0 1 2 ' 'models of the first data set'
    # f executes itself and g: a node each; h is inside both f and alone. Times of a path add up to what contains it
    {
        printf '# cll-data 1\n# overhead: 0 0\n# empty: 0\n# resolution: 1e-9\n# thinned: no\n'
        for name in f g h; do printf '# experiment: %s\n# formula: %s CLOCK %s[0]\n# variables: %s\n' $name $name $name $name; done
        echo experiment run seq start nested P rank thread count CLOCK
        echo 'h 0 0 1 0 1 0 0 1 1' # inside g
        echo 'g 0 0 1 1 1 0 0 1 2'
        echo 'f 0 1 0.5 2 1 0 0 1 3' # inside f
        echo 'f 0 0 0 3 1 0 0 1 6'
        echo 'h 0 1 10 0 1 0 0 1 4'
    } >self.dat
    good 'report r.html' self.dat
    is "$(nodes r.html)" 'f<null g<0 h<1 h<null ' 'recursion is one node'
    is "$(grep -o '"total":[0-9.]*,"self":[0-9.]*,"executions":[0-9]*' r.html | tr -d '"a-z' | tr '\n' ' ')" \
        ':0.59999999999999998,:0.40000000000000002,:2 :0.20000000000000001,:0.10000000000000001,:1 :0.10000000000000001,:0.10000000000000001,:1 :0.40000000000000002,:0.40000000000000002,:1 ' \
        'shares with what is inside, shares of SELF, executions'
}

# Thinned: of four executions of g in each f one is left; h is left where the i that contains it is. The shares are those of all.
missing_samples_are_stood_for() {
    {
        printf '# cll-data 1\n# overhead: 0 0\n# empty: 0\n# resolution: 1e-9\n# thinned: per-tuple\n'
        for name in f g h i; do printf '# experiment: %s\n# formula: %s CLOCK %s[0]\n# variables: %s\n' $name $name $name $name; done
        echo experiment run seq start nested P rank thread count CLOCK
        echo 'g 0 2 1 0 1 0 0 4 2'
        echo 'f 0 0 0 4 1 0 0 1 10'
        echo 'g 0 6 23 0 1 0 0 4 2'
        echo 'f 0 1 20 4 1 0 0 1 10'
        echo 'h 0 4 41 0 1 0 0 4 2'
        echo 'i 0 4 40 1 1 0 0 4 5'
    } >thin.dat
    good 'report r.html' thin.dat
    is "$(nodes r.html)" 'f<null g<0 i<null h<2 ' 'what is inside what'
    is "$(grep -o '"total":[0-9.]*' r.html | cut -d: -f2 | cut -c1-6 | tr '\n' ' ')" '0.5 0.4000 0.5 0.2000 ' 'shares'
}

colours_differ_for_the_colour_blind() {
    need python3
    exits 0 python3 "$CLL_SOURCE/tests/llac/palette.py" "$CLL_SOURCE/src/llac/report/page/page.css"
    has_text out 'light: '
    sed 's/--k5: #e76300/--k5: #bd1f10/' "$CLL_SOURCE/src/llac/report/page/page.css" >alike.css
    exits 1 python3 "$CLL_SOURCE/tests/llac/palette.py" alike.css
}

versions_are_side_by_side() {
    cp "$data/demo.dat" slow.dat
    exits 0 "$llac" -e 'load '"$data"'/demo.dat as before; merge slow.dat as after; report r.html'
    has_text r.html '"base":"sort","label":"before"'
    has_text r.html '"base":"sort","label":"after"'
}

supersteps_are_part_of_it() {
    trace=$CLL_SOURCE/examples/data/fft-pub.trace
    good "report r.html sort obsp $trace g=1.5e-9 L=5e-6"
    has_text r.html '"supersteps":{"title":"fft-pub.trace: OBSP*'
    has_text r.html '"stretches":"0 0 '
    bad 'report r.html sort obsp' 'the name of a trace or of a notation is missing'
    bad "report r.html sort obsp $trace picture x.svg" 'the picture is part of the report: leave out its file'
}

counts_are_part_of_it() {
    cat >c.json <<'END'
{"format": 1, "program": "demo.c", "architecture": "aarch64", "compiler": "gcc", "flags": "-O2", "experiments": [
 {"name": "sort", "formula": "sort[0] + sort[1]*N*log(N)", "points": [{"values": {"N": 8}, "executions": 1, "instructions": 90}], "constants": [
  {"name": "sort[0]", "term": "1", "instructions": 7, "exact": true, "classes": {"integer": 7}, "lines": []},
  {"name": "sort[1]", "term": "N*log(N)", "instructions": 5, "exact": false, "classes": {"load": 3, "store": 2}, "lines": []}],
  "unexplained": []}]}
END
    good 'counts c.json; report r.html sort'
    has_text r.html '"counts":[{"constants":[{"name":"sort[0]","exact":true,"instructions":7'
}

errors_say_what_to_do() {
    bad 'report' 'the name of a file is missing: report FILE.html'
    bad 'report x.pdf' 'the name must end in .html'
    bad 'report x.html nothing' "there is no experiment 'nothing'"
    bad 'report x.html sort sort' "'sort' is named twice"
    bad 'report nowhere/x.html sort' 'cannot write nowhere/x.html'
    one_point
    bad 'report x.html bare' 'there is no model to report: ' one.dat
    exits 1 "$llac" -e 'report x.html'
    has_text err "there is no model to report: no data is loaded; use 'load FILE'"
    gone x.html
    good 'fit sort = sort[0]*N; report x.html; export x.csv'
    has x.csv '^sort,CLOCK,sort\[0\],'
}

the_page_compares_with_thresholds_of_llac() {
    good 'report r.html sort; export m.js sort'
    for file in r.html m.js; do
        for name in INTERVAL_LOW_QUANTILE AVERAGE_NEAR AVERAGE_STARTS; do
            value=$(sed -n "s/^#define $name  *//p" "$CLL_SOURCE/src/numeric/thresholds.h" "$CLL_SOURCE/src/model/thresholds.h")
            has $file "^const CLL_THRESHOLDS = {.*$name: $value[,}]"
        done
        grep '^const CLL_THRESHOLDS' $file | grep -o '[A-Z_]*: ' | sed 's/: //' | sort >written.txt
        grep -o '[^A-Za-z]T\.[A-Z_]*' $file | sed 's/.*\.//' | sort -u >used.txt
        same written.txt used.txt
    done
}

texts_of_the_data_stay_texts() {
    evil='</script><script>alert(1)</script>|`@all[x](y)*'
    sed "s,^# program: .*,# program: $evil,; s,^# host: .*,# host: $evil,; s,^# compiler: .*,# compiler: $evil," "$data/demo.dat" >evil.dat
    good 'report r.html' evil.dat
    is "$(grep -c '<script' r.html)" 3 "number of scripts"
    lacks_text r.html '<script>alert'
    has_text r.html '<title>&lt;/script&gt;'
}

exports_predict_what_predict_does() {
    need python3
    kinds='py h'
    if command -v node >/dev/null; then kinds="js $kinds"; fi
    if command -v gnuplot >/dev/null; then kinds="gp $kinds"; fi
    # shellcheck disable=SC2086
    python3 "$CLL_SOURCE/tests/llac/agree.py" "$llac" "$CLL_SOURCE" $kinds >out 2>err || fail "agree.py ended with $?"
    has out '^all predictions agree'
}

chromium_shows_the_report() {
    need python3
    need chromium
    need chromedriver
    python3 "$CLL_SOURCE/tests/llac/report.py" "$llac" "$CLL_SOURCE" >out 2>err || fail "report.py ended with $?"
    has out '^all checks passed'
}

main "$1"
