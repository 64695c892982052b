# SPDX-License-Identifier: GPL-3.0-or-later
# tools/install-deps where packages cannot be fetched.
. "$CLL_SOURCE/tests/harness/lib.sh"

# A PATH with what the core needs and nothing of what the tests need, and an apt-get that has no network.
prepare() {
    mkdir bin
    for name in bash sh sed tr env mktemp rm cat id grep ls dirname gcc g++ as ld cc1 make cmake ninja pkg-config gnuplot valgrind; do
        path=$(command -v $name) || continue
        ln -s "$path" bin/$name
    done
    printf '#!/bin/sh\necho "E: Could not resolve" >&2\nexit 100\n' >bin/apt-get
    printf '#!/bin/sh\necho "  Candidate: 1.0"\n' >bin/apt-cache
    chmod +x bin/apt-get bin/apt-cache
    for name in gcc g++ make cmake ninja pkg-config gnuplot valgrind; do [ -e bin/$name ] || skip "$name is not installed"; done
    [ "$(id -u)" = 0 ] || sudo=--sudo
    printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
    chmod +x bin/sudo
}

prepare
what='tests of absent packages are skipped'
# shellcheck disable=SC2086
exits 0 env PATH="$PWD/bin" bash "$CLL_SOURCE/tools/install-deps" ${sudo-} all
has err '^install-deps: apt-get could not install .*chromium.* (tests that need them are skipped)$'

what='the core is needed'
rm bin/cmake bin/gnuplot
# shellcheck disable=SC2086
exits 1 env PATH="$PWD/bin" bash "$CLL_SOURCE/tools/install-deps" ${sudo-} all
has err '^install-deps: apt-get could not install cmake gnuplot-nox; CALL needs them. Is there a network?$'
printf '#!/bin/sh\n' >bin/apt-cache # no lists: no package is known
# shellcheck disable=SC2086
exits 1 env PATH="$PWD/bin" bash "$CLL_SOURCE/tools/install-deps" ${sudo-} all
has err '^install-deps: apt-get could not install cmake gnuplot-nox; CALL needs them. Is there a network?$'

what='make deb needs parts that the core does not'
exits 0 env PATH="$PWD/bin" bash "$CLL_SOURCE/tools/install-deps" --dry-run core deb
has out '^CALL needs (core+deb): gcc .* dpkg-dev libpapi-dev libhwloc-dev libopenmpi-dev libmpich-dev$'
what='try-packages says what it lacks'
exits 77 env PATH="$PWD/bin" bash "$CLL_SOURCE/tools/try-packages"
has err 'skipped: mmdebstrap is not installed'
exits 2 env PATH="$PWD/bin" bash "$CLL_SOURCE/tools/try-packages" plan-9
has err "unknown system 'plan-9'"
finish
