# SPDX-License-Identifier: GPL-3.0-or-later
# Names of data files, and places where they cannot be written.
. "$CLL_SOURCE/tests/cll/setup.sh"

runs_are_numbered() {
    for i in 0 1 2; do sample loop 1$i || fail "exit status"; done
    for i in 0 1 2; do is "$(rows sample.cll.$i.dat f)" 1$i "rows of run $i"; done
}

left_over_spool_keeps_its_number() {
    sample kill 5 2> /dev/null
    sample loop 7
    [ -e sample.cll.0.spool ] || fail "the spool is gone"
    is "$(rows sample.cll.1.dat f)" 7 rows
}

processes_at_once_never_overwrite() {
    sample loop 1; rm sample.cll.0.dat
    for i in $(seq 40); do ./sample loop $((100 + i)) 2>> err & done
    wait
    silent
    is "$(ls sample.cll.*.dat | wc -l)" 40 "files"
    is "$(for f in sample.cll.*.dat; do rows $f f; done | sort -n | tr '\n' ' ')" "$(seq -s ' ' 101 140) " "rows"
    gone sample.cll.*.spool sample.cll.*.tmp
}

odd_program_names() {
    for name in "a b" 'x%s"q' "$(printf 'new\nline')" "-n" "é" "$(printf 'l%.0s' $(seq 240))"; do
        cp "$tests/cll_sample" "./$name"
        "./$name" loop 3 2> err || fail "exit status"
        [ ! -s err ] || fail "said something"
        rm -- "./$name"
        is "$(ls | grep -c 'dat$')" 1 "data files of '$name'"
        well_formed ./*.dat
        rm -- ./*.dat
    done
}

settings_are_in_data_files_and_spools() {
    CLL_SETTINGS="n=100 m=-2.5" sample loop 3 || fail "exit status"
    silent
    well_formed sample.cll.0.dat
    is "$(header sample.cll.0.dat setting | tr '\n' ,)" "n 100,m -2.5," settings
    CLL_SETTINGS=n=7 sample kill 5 2> /dev/null
    "$llac" sample.cll.1.spool -e 'show f' > shown || fail "the spool cannot be loaded"
    has shown 'over N, n'
    sample loop 3
    is "$(header sample.cll.2.dat setting)" "" "settings of a run without"
}

bad_settings_measure_nothing() {
    CLL_SETTINGS="n=100 m=many" sample loop 3 || fail "exit status"
    is "$(cat err)" "cll: CLL_SETTINGS: 'm=many' has no number after '=', so nothing is measured; write CLL_SETTINGS=\"n=100 m=32\""
    CLL_SETTINGS=$(for i in $(seq 65); do echo "a$i=$i"; done | tr '\n' ' ') sample loop 3 || fail "exit status"
    has err "there are more than 64 settings, so nothing is measured"
    gone ./*.dat ./*.spool
}

out_names_a_file() {
    CLL_OUT=result.dat sample loop 3 || fail "exit status"
    is "$(rows result.dat f)" 3 rows
    CLL_OUT=result.dat sample loop 4
    is "$(rows result.dat f)" 3 "rows of the first run"
    is "$(rows result.1.dat f)" 4 "rows of the second run"
    CLL_OUT=plain sample loop 5
    is "$(rows plain f)" 5 rows
    gone sample.cll.0.dat ./*.spool
}

out_names_a_directory() {
    mkdir place
    CLL_OUT=place sample loop 3 || fail "exit status"
    is "$(rows place/sample.cll.0.dat f)" 3 rows
    CLL_OUT=$PWD/place/ sample kill 3 2> /dev/null
    [ -e place/sample.cll.1.spool ] || fail "the spool is not beside the output"
}

out_names_a_device() {
    CLL_OUT=/dev/null sample loop 3 || fail "exit status"
    silent
    [ -c /dev/null ] || fail "/dev/null was replaced"
    CLL_OUT=/dev/stdout sample loop 3 || fail "exit status"
    well_formed out
    gone /dev/stdout.spool /dev/null.spool
}

out_in_a_folder_of_devices_is_a_file() {
    [ -d /dev/shm ] && [ -w /dev/shm ] || skip "no /dev/shm"
    shm=$(mktemp -d /dev/shm/cll.XXXXXX)
    trap 'rm -rf "$shm"' EXIT
    CLL_OUT=$shm/x.dat sample loop 3 || fail "exit status"
    silent
    is "$(rows "$shm/x.dat" f)" 3 rows
    is "$(ls "$shm")" x.dat files
    CLL_OUT=$shm/y.dat sample kill 3 2> /dev/null
    [ -e "$shm/y.spool" ] || fail "no spool"
}

out_names_a_descriptor() {
    sample loop 1; rm sample.cll.0.dat
    CLL_OUT=/dev/fd/5 ./sample loop 3 5> five 2> err || fail "exit status"
    silent
    well_formed five
    is "$(rows five f)" 3 rows
    CLL_OUT=/dev/fd/5 ./sample loop 3 5>&1 2> err | cat > piped
    is "$(rows piped f)" 3 rows
    ln -s /dev/stdout link
    CLL_OUT=link ./sample loop 4 > five 2> err
    is "$(rows five f)" 4 rows
    is "$(echo sample.cll.*)" 'sample.cll.*' files
    CLL_OUT=/dev/fd/77 sample loop 3 || fail "exit status"
    has err "CLL_OUT=/dev/fd/77: cannot be opened: No such file or directory; the samples go to a data file in $PWD"
    is "$(rows sample.cll.0.dat f)" 3 rows
}

device_that_refuses_gives_a_file() {
    [ -c /dev/full ] || skip "no /dev/full"
    CLL_OUT=/dev/full sample loop 3 || fail "exit status"
    has err "CLL_OUT=/dev/full: only a part was written: No space left on device; the samples go"
    is "$(wc -l < err)" 1 "lines on stderr"
    is "$(rows sample.cll.0.dat f)" 3 rows
}

pipe_without_a_reader_gives_a_file() {
    mkfifo pipe
    CLL_PATIENCE=0.2 CLL_OUT=pipe timeout 300 "$tests/cll_sample" loop 3 2> err || fail "exit status $?"
    has err "pipe: cannot be opened: no process reads it; the samples go to a data file in $PWD"
    is "$(rows cll_sample.cll.0.dat f)" 3 rows
    [ -p pipe ] || fail "the pipe was replaced"
}

pipe_with_a_late_reader_gets_the_data() {
    mkfifo pipe
    CLL_OUT=pipe timeout 300 "$tests/cll_sample" loop 3 2> err & program=$!
    sleep 0.3
    timeout 300 cat pipe > got
    wait $program || fail "exit status"
    well_formed got
    is "$(rows got f)" 3 rows
    gone cll_sample.cll.0.dat
}

reader_that_stops_does_not_hang_the_program() {
    mkfifo pipe
    sleep 30 < pipe & reader=$!
    CLL_PATIENCE=0.2 CLL_OUT=pipe timeout 300 "$tests/cll_sample" loop 20000 2> err || fail "exit status $?"
    kill $reader
    has err "only a part was written: the process that reads it has stopped reading; the samples go"
    is "$(rows cll_sample.cll.0.dat f)" 20000 rows
}

reader_that_goes_away_gives_a_file() {
    mkfifo pipe
    head -n 1 < pipe > first & reader=$!
    CLL_OUT=pipe timeout 300 "$tests/cll_sample" loop 20000 2> err || fail "exit status $?"
    wait $reader
    has err "only a part was written: Broken pipe; the samples go"
    is "$(rows cll_sample.cll.0.dat f)" 20000 rows
}

planted_links_are_not_followed() {
    echo mine > victim
    ln -s victim sample.cll.0.spool
    ln -s victim sample.cll.1.dat
    ln -s missing sample.cll.2.dat
    sample loop 3 || fail "exit status"
    silent
    is "$(cat victim)" mine "the file of another"
    gone missing
    is "$(rows sample.cll.3.dat f)" 3 rows
}

out_in_no_directory_is_said() {
    CLL_OUT=no/where.dat sample loop 3 || fail "exit status"
    has err "cannot write to .*/no (No such file or directory): neither the spool nor the data file"
    is "$(wc -l < err)" 1 "lines on stderr"
    CLL_OUT=no/where.dat sample report_some 10 || fail "exit status"
    is "$(wc -l < err)" 1 "lines on stderr, with reports"
    CLL_OUT=no/where.dat CLL_SPOOL=. sample loop 10 || fail "exit status"
    has err "cannot write .*/no/where.dat (No such file or directory): the samples stay in"
    CLL_SPOOL=nowhere sample loop 10 || fail "exit status"
    has err "cannot spool to .*/nowhere/sample.cll.*CLL_SPOOL or CLL_OUT"
    [ ! -s out ] || fail "something on stdout"
}

control_characters_of_the_environment_are_shown() {
    CLL_CLOCK=$'\e[31mx' CLL_MEMORY=$'1\n2' CLL_RUN=$'\x9b\xff' CLL_OUT=$'no/\xc2\x9bJürgen\tb.dat' sample loop 3 || fail "exit status"
    has_text err 'CLL_CLOCK=\x1b[31mx is unknown'
    has_text err 'CLL_MEMORY=1\x0a2 is not a size'
    has_text err 'CLL_RUN=\x9b\xff is not a number'
    is "$(wc -l < err)" 4 "lines on stderr"
    CLL_OUT=$'no\xc2\x9bJürgen\t/b.dat' sample loop 3 || fail "exit status"
    has_text err 'no\xc2\x9bJürgen\x09 (No such'
    CLL_CLOCK=$(printf '\e%.0s' $(seq 5000)) sample loop 3 || fail "exit status"
    is "$(tr -d '\n' < err | tr -d '[:print:]' | wc -c)" 0 "bytes that are not printable"
}

spool_off_keeps_memory_only() {
    CLL_SPOOL=off sample loop 3000 || fail "exit status"
    silent
    is "$(rows sample.cll.0.dat f)" 3000 rows
    CLL_SPOOL=off sample kill 3 2> /dev/null
    gone sample.cll.1.spool
}

spool_in_another_directory() {
    mkdir fast
    CLL_SPOOL=fast sample kill 3 2> /dev/null
    [ -e fast/sample.cll.0.spool ] || fail "no spool in the directory"
    CLL_SPOOL=fast sample loop 3
    is "$(rows sample.cll.1.dat f)" 3 rows
}

folder_change_does_not_move_the_file() {
    sample chdir 5 || fail "exit status"
    silent
    is "$(rows sample.cll.0.dat f)" 5 rows
}

closed_descriptors_do_no_harm() {
    sample close_all 5 || fail "exit status"
    silent
    is "$(cat mine.txt)" mine "the program's own file"
    is "$(rows sample.cll.0.dat f)" 20005 rows
}

read_only_directory() {
    mkdir closed
    sample loop 1
    chmod 555 closed
    if touch closed/x 2> /dev/null; then # root: only a mount helps
        rm closed/x
        own_mounts
        $mounts sh -c 'mount -t tmpfs -o ro none closed && cd closed && ../sample loop 3' > out 2> err || fail "exit status $?"
        has err "Read-only file system"
    else
        ( cd closed && ../sample loop 3 > ../out 2> ../err ) || fail "exit status"
    fi
    has err "^cll: cannot write to .*/closed (.*): neither the spool nor the data file can be made there.*CLL_OUT can name another place$"
    is "$(wc -l < err)" 1 "lines on stderr"
    [ ! -s out ] || fail "something on stdout"
}

read_only_directory_with_out() {
    mkdir closed
    sample loop 1
    own_mounts
    CLL_OUT=$PWD/here.dat $mounts sh -c 'mount -t tmpfs -o ro none closed && cd closed && ../sample loop 3' > out 2> err || fail "exit status $?"
    silent
    is "$(rows here.dat f)" 3 rows
}

full_disk_at_start() {
    mkdir full
    sample loop 1
    own_mounts
    $mounts sh -c 'mount -t tmpfs -o size=64k none full && head -c 65536 /dev/zero > full/fill 2> /dev/null; cd full && ../sample loop 5000; s=$?; ls > ../list; exit $s' > out 2> err || fail "exit status $?"
    has err "cannot spool to .*No space left on device"
    has err "cannot write .*No space left on device"
    is "$(cat list)" fill "files"
}

full_disk_in_the_middle() {
    mkdir full
    sample loop 1
    own_mounts
    CLL_SPOOL=$PWD/full $mounts sh -c 'mount -t tmpfs -o size=400k none full && ./sample loop 50000' > out 2> err || fail "exit status $?"
    has err "cannot spool to .*No space left on device"
    is "$(wc -l < err)" 1 "lines on stderr"
    is "$(rows sample.cll.1.dat f)" 50000 "rows, from file and memory"
}

full_disk_at_the_end_keeps_the_spool() {
    mkdir full
    sample loop 1
    own_mounts
    $mounts sh -c 'mount -t tmpfs -o size=1500k none full && cd full && ../sample loop 30000; s=$?; ls > ../list; cp *.spool ..; exit $s' > out 2> err || fail "exit status $?"
    has err "the samples stay in .*sample.cll.0.spool, which llac reads"
    is "$(cat list)" sample.cll.0.spool files
    spool_text sample.cll.0.spool > text || fail "cannot convert"
    is "$(rows text f)" 30000 rows
}

full_disk_loses_only_what_is_said() {
    mkdir full
    sample loop 1
    own_mounts
    $mounts sh -c 'mount -t tmpfs -o size=64k none full && cd full && ../sample loop 5000; s=$?; ls > ../list; exit $s' > out 2> err || fail "exit status $?"
    has err "cannot spool to .*No space left on device"
    has err "cannot write .*(No space left on device): the samples are lost; CLL_OUT can name"
    is "$(wc -l < err)" 2 "lines on stderr"
    is "$(cat list)" "" files
}

empty_spool_makes_room_for_the_data_file() {
    mkdir full
    sample loop 1
    own_mounts
    [ "$(getconf PAGESIZE)" = 4096 ] || skip "the sizes are for pages of 4096 bytes"
    # The spool's own pages and this file leave less than the data file needs.
    $mounts sh -c 'mount -t tmpfs -o size=64k none full && cd full && head -c 36864 /dev/zero > fill && ../sample loop 200; s=$?; ls > ../list; cp *.dat ../got; exit $s' > out 2> err || fail "exit status $?"
    has err "cannot spool to .*No space left on device"
    is "$(wc -l < err)" 1 "lines on stderr"
    is "$(tr '\n' ' ' < list)" "fill sample.cll.0.dat " files
    is "$(rows got f)" 200 rows
}

full_disk_keeps_what_was_spooled() {
    mkdir full
    sample loop 1
    own_mounts
    $mounts sh -c 'mount -t tmpfs -o size=400k none full && cd full && ../sample loop 50000; s=$?; ls > ../list; cp *.spool ..; exit $s' > out 2> err || fail "exit status $?"
    is "$(cat list)" sample.cll.0.spool files
    spool_text sample.cll.0.spool > text || fail "cannot convert"
    n=$(rows text f)
    [ "$n" -gt 0 ] || fail "nothing in the spool"
    has err ": $n samples stay in .*sample.cll.0.spool, which llac reads; $((50000 - n)) were in memory only and are lost"
}

file_size_limit_is_no_signal() {
    sample file_limit 50000; is $? 0 "exit status"
    has err "File too large"
    if [ -e sample.cll.0.spool ]; then
        spool_text sample.cll.0.spool > text && well_formed text
    fi
    gone sample.cll.0.dat ./*.tmp
}

closed_stderr_is_no_signal() {
    sample loop 1
    ( set +o pipefail; ( CLL_MEMORY=nonsense ./sample loop 3; echo $? > status ) 2>&1 >&- | true )
    is "$(cat status)" 0 "exit status"
}

bad_settings_are_said_and_defaulted() {
    CLL_MEMORY=12q sample loop 3 || fail "exit status"
    has err "CLL_MEMORY=12q is not a size"
    CLL_CLOCK=sundial sample loop 3 || fail "exit status"
    has err "CLL_CLOCK=sundial is unknown"
    CLL_RUN=x sample loop 3 || fail "exit status"
    has err "CLL_RUN=x is not a number"
    CLL_PATIENCE=-1 sample loop 3 || fail "exit status"
    has err "CLL_PATIENCE=-1 is not a number of seconds; using 30"
    for i in 0 1 2 3; do is "$(rows sample.cll.$i.dat f)" 3 rows; done
    rm sample.cll.*.dat
    CLL_OUT=$(printf '%05000d' 0) CLL_SPOOL=$(printf '%05000d' 0) CLL_MEMORY=1q CLL_RUN=x CLL_COUNTERS=$(printf '%05000d' 1) \
        CLL_CLOCK=sundial CLL_PATIENCE=-1 sample loop 3 || fail "exit status"
    for name in OUT SPOOL MEMORY RUN COUNTERS CLOCK PATIENCE; do has err "CLL_$name"; done
    is "$(grep -c CLL_ err)" 7 "messages"
    has err "CLL_MEMORY=1q is not a size such as 256M; using 256M"
    CLL_RUN=17 sample loop 1
    is "$(column sample.cll.1.dat run)" 17 "run"
}

clock_can_be_chosen() {
    CLL_CLOCK=clock_gettime sample loop 3 || fail "exit status"
    silent
    is "$(header sample.cll.0.dat clock)" clock_gettime
    own=cntvct other=tsc
    [ "$(uname -m)" = aarch64 ] || { own=tsc other=cntvct; }
    CLL_CLOCK=$own sample loop 3
    is "$(header sample.cll.1.dat clock)" $own
    CLL_CLOCK=$other sample loop 3
    has err "CLL_CLOCK=$other: this processor has no such clock"
    is "$(header sample.cll.2.dat clock)" clock_gettime
    for i in 0 1 2; do is "$(rows sample.cll.$i.dat f)" 3 rows; done
}

hyper_threads_are_recorded() {
    [ "$(nproc)" -ge 2 ] || skip "one core"
    sample loop 1
    own_mounts
    cat >topology <<'END'
# topology LIST COMMAND...: every core shows LIST as those that share a core of the hardware with it; {}: itself
list=$1
shift
here=/sys/devices/system/cpu
mount -t tmpfs none $here
for i in $(seq 0 "$(getconf _NPROCESSORS_CONF)"); do
    [ "$list" ] || break
    mkdir -p $here/cpu$i/topology
    echo "$list" | sed "s/{}/$i/" >$here/cpu$i/topology/thread_siblings_list
done
"$@" >/dev/null
END
    for case in "0-1023 loop free" "0-1023 running_threads used" "{} running_threads none" "{},2000 loop none"; do
        # shellcheck disable=SC2086
        set -- $case
        rm -f ./*.dat
        $mounts sh topology "$1" ./sample "$2" 1000 || fail "$case"
        is "$(header sample.cll.0.dat hyper-threads)" "$3" "$case"
    done
    rm -f ./*.dat
    $mounts sh topology "" ./sample loop 3
    is "$(header sample.cll.0.dat hyper-threads)" "" "a system that does not show it"
}

header_says_what_the_machine_is() {
    sample loop 3
    f=sample.cll.0.dat
    is "$(header $f program)" sample program
    is "$(header $f driver)" seq driver
    is "$(header $f world)" 1 world
    is "$(header $f host)" "$(uname -n)" host
    is "$(header $f cores)" "$(nproc)" cores
    is "$(header $f thinned)" no thinned
    is "$(header $f oversubscribed)" no oversubscribed
    is "$(header $f hosts) $(header $f ranks-per-host) $(header $f cores-per-host)" "1 1 1 $(nproc) $(nproc)" hosts
    is "$(header $f ranks)$(header $f folder)" "" "lines of one process of several"
    for key in cpu compiler flags date clock resolution overhead empty; do
        [ "$(grep -c "^# $key:" $f)" = 1 ] || fail "no line $key"
    done
    header $f overhead | awk 'NF != 2 || $1 <= 0 || $1 > 1e-4 || $2 < 0 {exit 1}' || fail "overhead"
    header $f resolution | awk '$1 <= 0 || $1 > 1e-5 {exit 1}' || fail "resolution"
    header $f date | grep -Eqx '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z' || fail "date"
}

# What the system does not show has no line.
header_says_how_busy_the_machine_was() {
    sample loop 3
    f=sample.cll.0.dat
    [ ! -r /proc/loadavg ] || header $f load | awk 'NF != 2 || $1 !~ /^[0-9.]+$/ || $2 !~ /^[0-9.]+$/ {exit 1}' || fail "load"
    [ ! -r /proc/stat ] || header $f steal | awk 'NF != 2 || $1 < 0 || $2 < $1 || $2 > 100 {exit 1}' || fail "steal"
    core=/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq
    [ -r $core ] || is "$(grep -c '^# frequency:' $f)" 0 "lines about the frequency"
    [ ! -r $core ] || header $f frequency | awk 'NF != 2 || $1 < 1e7 || $2 < 1e7 || $2 > 1e11 {exit 1}' || fail "frequency"
    sample kill 3 2> /dev/null
    spool_text sample.cll.1.spool > text
    [ ! -r /proc/loadavg ] || header text load | awk 'NF != 2 || $1 !~ /^[0-9.]+$/ || $2 != "nan" {exit 1}' || fail "load of a killed program"
    lacks text '^# steal:'
}

numbers_whatever_the_locale() {
    mkdir locales
    if localedef -i de_DE -f UTF-8 ./locales/de_DE.UTF-8 2> /dev/null; then export LOCPATH=$PWD/locales; fi
    sample locale
    [ $? != 77 ] || skip "no German locale here"
    is "$(column sample.cll.0.dat x | tr '\n' ' ')" "0.1 0.3333333333333333 1e+300 -2.5e-07 3 " values
    lacks sample.cll.0.dat '^# [a-z]*: .*[0-9],[0-9]'
    grep -v '^#' sample.cll.0.dat | grep -q , && fail "a comma"
    return 0
}

# give KIND: a copy of the program that has more rights than the user who starts it; all can write to its folder
give() {
    mkdir "$1" && cp "$tests/cll_sample" "$1/sample" && chmod 1777 "$1" || fail "no copy"
    case $1 in
    user) chown 1234 "$1/sample" && chmod u+s "$1/sample" ;;
    group) chown :1234 "$1/sample" && chmod g+s "$1/sample" ;;
    capability) setcap cap_net_raw+ep "$1/sample" ;;
    esac 2>err
}

raised_privileges_measure_nothing() {
    need setpriv
    [ "$(id -u)" = 0 ] || skip 'only root can give files away'
    case $(findmnt -nT . -o OPTIONS 2>/dev/null) in *nosuid*) skip 'programs get no rights from this file system' ;; esac
    setpriv --reuid 1235 --regid 1235 --clear-groups test -x "$PWD" || skip 'other users cannot enter this folder'
    tried=0
    for kind in user group capability; do
        give $kind || continue # not in every container
        (cd $kind && CLL_OUT=$kind.dat CLL_SPOOL=$PWD setpriv --reuid 1235 --regid 1235 --clear-groups ./sample loop 3) >out 2>err ||
            fail "exit status, $kind"
        is "$(ls $kind)" sample "files, $kind"
        is "$(cat err)" 'cll: nothing is measured: the program has more rights than the user who started it (set-user-id, set-group-id or capabilities)' "$kind"
        tried=$((tried + 1))
    done
    [ $tried -gt 0 ] || skip 'files cannot be given away here'
}

special_values_are_written() {
    sample special_values
    is "$(column sample.cll.0.dat x | tr '\n' ' ')" "nan inf -inf 0.3333333333333333 1e+22 123456789012.5 " values
}

main "$@"
