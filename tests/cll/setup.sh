# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the tests of libcll.
. "$CLL_SOURCE/tests/harness/lib.sh"
tests=$CLL_BUILD/tests

# sample MODE [NUMBER]: through a link here, so that the data file is here; stderr in err, stdout in out.
sample() {
    [ -e sample ] || ln -s "$tests/cll_sample" sample
    ./sample "$@" > out 2> err
}
