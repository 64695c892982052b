# SPDX-License-Identifier: GPL-3.0-or-later
# obsp: figure 1 of the papers, whose times are known, and a trace of a real program.
. "$CLL_SOURCE/tests/llac/setup.sh"
need python3
example=$CLL_SOURCE/examples/data/fft-pub.trace
export CLL_MACHINES=machines

# trace PROCESSES: the head of a trace, then the lines of the standard input
trace() {
    printf '# pub trace 1\n# processes: %d\n' "$1"
    echo 'process object pid nprocs step kind work calls wait transfer out in sent received partners end'
    cat
}
# w is a second; 100 bytes take w
trace 2 >figure1.trace <<'END'
0 m 0 2 1 oblsync 900000000 100000000 0 1000000000 100 0 1 0 - 2000000000
0 m 0 2 2 oblsync 2000000000 0 0 1000000000 100 100 1 1 1 5000000000
1 m 1 2 1 oblsync 2000000000 0 0 1000000000 0 100 0 1 0 3000000000
1 m 1 2 2 oblsync 1000000000 0 500000000 500000000 100 100 1 1 0 5000000000
END
# of EXPRESSION COMMAND: the command with --json gives a value j for which the expression is true. All of them run together
# (check_values), in one process.
expressions=() commands=()
of() {
    expressions+=("$1")
    commands+=("$2")
}
check_values() {
    local all
    printf -v all '%s; ' "${commands[@]}"
    what='values of --json'
    exits 0 "$llac" --json -e "$all"
    empty err
    python3 - "${expressions[@]}" <<'END' || fail 'a value differs'
import json, sys
def near(a, b):
    return abs(a - b) <= 1e-9 * abs(b)
values = [json.loads(line) for line in open("out")]
wrong = [e for e, j in zip(sys.argv[1:], values) if not eval(e)]
print("\n".join(f"not true: {e}" for e in wrong), file=sys.stderr)
sys.exit(1 if wrong or len(values) != len(sys.argv) - 1 else 0)
END
}

# the times, their errors, and the table
good 'obsp figure1.trace g=0.01 L=0'
has out '2 processes, 2 supersteps, 4 synchronisations'
has out '^ *OBSP\* *5 *0.00$'
has out '^ *BSP *6 *-20.00$'
has out '^ *measured *5$'
has_text out 'critical path: computing 60 %, g*h 40 %, L 0 %'
has_text out 'process 0 computes 2 s in superstep 2 of m (40 %)'
has out '^ *1  m 1 *2 *2 *1.5 *100'
of 'near(j["obsp"], 5) and near(j["bsp"], 6) and near(j["measured"], 5) and j["error_pct"] == 0 and near(j["bsp_error_pct"], -20)' \
    'obsp figure1.trace g=0.01 L=0'
of 'len(j["supersteps"]) == 2 and j["supersteps"][1]["object"] == "m" and j["supersteps"][1]["step"] == 2 and near(j["supersteps"][1]["bsp"], 3)' \
    'obsp figure1.trace g=0.01 L=0'
of 'near(j["supersteps"][0]["work"], 2) and near(j["supersteps"][0]["mean_work"], 1.5) and j["supersteps"][0]["h"] == 100 and near(j["supersteps"][1]["end"], 5)' \
    'obsp figure1.trace g=0.01 L=0'
of 'j["critical"]["path"][0]["process"] == 0 and near(sum(j["critical"]["seconds"].values()), 5)' 'obsp figure1.trace g=0.01 L=0'

# h
of 'near(j["obsp"], 6) and j["h"] == "sum"' 'obsp figure1.trace g=0.01 L=0 h sum'
of 'near(j["obsp"], 5) and j["h"] == "max"' 'obsp figure1.trace h max g = 0.01 L = 0'

# what if; there is no error then
of 'near(j["obsp"], 4) and near(j["bsp"], 5) and j["error_pct"] is None and j["what_if"]' 'obsp figure1.trace g=0.01 L=0 g*0.5'
of 'near(j["obsp"], 6) and near(j["bsp"], 7) and near(j["costs"]["L"], 0.5)' 'obsp figure1.trace g=0.01 L=0.05 L*10'
of 'near(j["obsp"], 8)' 'obsp figure1.trace g=0.01 L=0 W*2'
of 'near(j["obsp"], 2)' 'obsp figure1.trace g=0.01 L=0 W*0'
of 'near(j["obsp"], 8) and near(j["bsp"], 8)' 'obsp figure1.trace g=0.01 L=0 slower 0 by 2'
of 'near(j["obsp"], 8) and j["critical"]["path"][0]["process"] == 1' 'obsp figure1.trace g=0.01 L=0 slower 1 by 2 slower 0 by 1'
good 'obsp figure1.trace g=0.01 L=0 L*2'
has_text out 'as the program ran, without the changes'
lacks_text out 'error %'

# g and L of the trace: one size
of 'near(j["obsp"], 5) and j["costs"]["from"] == "trace" and near(j["costs"]["g"], 0.01)' 'obsp figure1.trace'
good 'obsp figure1.trace'
has_text out 'one size cannot tell g from L'
# one that is given replaces that of the trace
of 'near(j["obsp"], 5.5) and j["costs"]["from"] == "given"' 'obsp figure1.trace L=0.25'

# of machines: a shift of 100 bytes takes 1.5 s with 2 processors
python3 - <<'END'
import json
def figure(name, bytes, value):
    f = {"family": "bsp", "name": name, "processes": 2, "unit": "s", "value": value, "low": value, "high": value, "steady": True,
         "rounds": 1, "values": [value]}
    return dict(f, bytes=bytes) if bytes is not None else f
def summary(name, unit, value):
    return {"family": "bsp", "name": name, "processes": 2, "unit": unit, "value": value, "low": value, "high": value, "steady": True}
m = {"cllprobe": 1, "program": "p", "name": "net", "date": "d", "quick": True, "rounds": 1, "seconds": 1,
     "system": {"architecture": "a", "processor": "p", "os": "o", "compiler": "c", "optimised": True, "cores": 1, "hardware_threads": 1,
                "memory": 1, "page": 1}, "families": [],
     "summary": [summary("g.shift", "s/B", 0.01), summary("L.shift", "s", 0.5)],
     "figures": [figure("shift", 0, 0.5), figure("shift", 100, 1.5), figure("random", 0, 1), figure("random", 100, 3)]}
json.dump(m, open("net.json", "w"))
m.update(figures=[], summary=[], name="none")
json.dump(m, open("none.json", "w"))
END
of 'near(j["obsp"], 6) and j["costs"]["machine"] == "net" and near(j["bsp"], 7)' 'obsp figure1.trace on net.json'
of 'near(j["obsp"], 9)' 'obsp figure1.trace on net.json pattern random'
good 'obsp figure1.trace on net.json'
has_text out 'figures of net by number of processors; pattern: by the number of partners'
bad 'obsp figure1.trace on none.json' 'the machine none has no BSP figures'
bad 'obsp figure1.trace on nosuch' 'nosuch'

# a real program: groups of two, four and eight processors
of 'abs(j["error_pct"]) < 5 and j["processes"] == 8 and len(j["supersteps"]) == 3' "obsp $example"
of 'j["supersteps"][0]["object"] is None and j["supersteps"][2]["object"] == "m" and j["supersteps"][2]["step"] == 8' "obsp $example"
good "obsp $example"
has_text out 'oblsync of 2 processors: '
has_text out 'groups'

# many supersteps: those that take longest, or all
awk 'BEGIN {
    for (p = 0; p < 2; p++) {
        end = 0
        for (s = 1; s <= 40; s++) {
            work = (s == 7 || s == 30) ? 900000 : 1000 * s
            end += work + 5000
            print p, "m", p, 2, s, "sync", work, 0, 5000, 0, 64, 64, 1, 1, 1 - p, end
        }
    }
}' | trace 2 >long.trace
good 'obsp long.trace'
has_text out 'the 12 of 40 supersteps that take longest'
has out '^ *7  m 7 '
has out '^ *30  m 30 '
lacks out '^ *2  m 2 '
good 'obsp long.trace supersteps all'
has out '^ *2  m 2 '
is "$(grep -c '^ *[0-9]*  m ' out)" 40
of 'len(j["supersteps"]) == 40 and j["costs"]["curves"][0]["synchronisations"] == 80 and near(j["costs"]["L"] + 64 * j["costs"]["g"], 5e-6)' \
    'obsp long.trace'

# Stalled messages. Processor 1 sends at 1 ms, does not wait, and computes until 4 ms. Processor 0 comes at 2 ms, knows of
# the message, and has it 0.1 ms after processor 1 is back (`after`). Then both synchronise until 4.3 ms.
stalled() { # stalled AFTER RETURN: times in microseconds
    awk -v after="$1" -v back="$2" 'BEGIN {
        for (i = 0; i < 5; i++) {
            t = i * (back + after + 200)
            got = back + after
            print 0, "m", 0, 2, 2*i + 1, "oblsync", 2000000, 0, 0, 1000 * (got - 2000), 0, 100000, 0, 1, 1, 1000 * (t + got)
            print 0, "m", 0, 2, 2*i + 2, "oblsync", 100000, 0, 90000, 10000, 8, 8, 1, 1, 1, 1000 * (t + got + 200)
            print 1, "m", 1, 2, 2*i + 1, "oblsync", 1000000, 0, 0, 0, 100000, 0, 1, 0, "-", 1000 * (t + 1000)
            print 1, "m", 1, 2, 2*i + 2, "oblsync", 1000 * (back - 1000), 0, 1000 * (after + 200), 0, 8, 8, 1, 1, 0, 1000 * (t + got + 200)
        }
    }' | sort -s -n -k 1,1 | trace 2
}
stalled 100 4000 >stalled.trace
good 'obsp stalled.trace'
has_text out 'stalled: in 5 of 20 synchronisations the bytes of a message came only when its sender called the library again, 23 % of the time of a process;'
of 'j["stalled"]["synchronisations"] == 5 and near(j["stalled"]["seconds"], 0.005) and near(j["stalled"]["time_pct"], 500 / 21.5)' 'obsp stalled.trace'
# also if g and L are given; not with a what-if
good 'obsp stalled.trace g=0 L=0'
has_text out 'stalled: in 5 of 20'
of 'j["stalled"] is None' 'obsp stalled.trace g*2'
# the sender of this superstep comes late, and the receiver knew of another message only: no stall
awk 'BEGIN {
    for (s = 1; s <= 5; s++) {
        print 0, "m", 0, 3, s, "oblsync", 100000, 0, 100000, 3800000, 0, 200000, 0, 2, "1-2", 4000000 * s
        print 1, "m", 1, 3, s, "oblsync", 200000, 0, 3800000, 0, 100000, 0, 1, 0, "-", 4000000 * s
        print 2, "m", 2, 3, s, "oblsync", 3900000, 0, 100000, 0, 100000, 0, 1, 0, "-", 4000000 * s
    }
}' | sort -s -n -k 1,1 | trace 3 >late.trace
of 'j["stalled"] is None' 'obsp late.trace'
# it came long after the sender was back: a slow transfer
stalled 2000 4000 >after.trace
of 'j["stalled"] is None' 'obsp after.trace'
# the sender came back soon after the receiver, and the transfer took its time
stalled 500 2200 >soon.trace
of 'j["stalled"] is None' 'obsp soon.trace'

# a slow beginning: supersteps of 1 ms, whose synchronisation takes 5 ms in the first two and 1 ms in the other eight
awk 'BEGIN {
    for (p = 0; p < 2; p++) {
        end = 0
        for (s = 1; s <= 10; s++) {
            sync = s <= 2 ? 5000000 : 1000000
            end += 1000000 + sync
            print p, "m", p, 2, s, "oblsync", 1000000, 0, 0, sync, 1000, 1000, 1, 1, 1 - p, end
        }
    }
}' | trace 2 >'slow start.trace'
cp 'slow start.trace' slow.trace
good 'obsp "slow start.trace"'
has_text out 'start-up: the first 2 supersteps take 0.008 s more than usual, 29 % of the time;'
has_text out "'skip 2' takes them as measured"
good 'obsp "slow start.trace" costs median'
has_text out "start-up explains the error: 'obsp \"slow start.trace\" skip 2 costs median', OBSP* 0.028 s, error 0.00 %"
of 'j["startup"]["supersteps"] == 2 and near(j["startup"]["seconds"], 0.008) and j["skipped"] is None' 'obsp slow.trace'
# the mean of the costs contains it, the median does not
of 'near(j["obsp"], 0.028) and j["costs"]["average"] == "mean" and near(j["startup"]["seconds"], 0.008)' 'obsp slow.trace'
of 'near(j["obsp"], 0.028) and j["costs"]["average"] == "mean"' 'obsp slow.trace costs mean'
of 'near(j["obsp"], 0.02) and near(j["startup"]["time_pct"], 200 / 7) and j["costs"]["average"] == "median"' 'obsp slow.trace h sum costs median'
good 'obsp slow.trace costs median'
has_text out 'g (s/byte) and L (s) from the trace, median of synchronisations with about the same h:'
# it is found whatever g and L are
of 'j["startup"]["supersteps"] == 2 and near(j["startup"]["seconds"], 0.008) and j["costs"]["average"] is None' 'obsp slow.trace g=5e-7 L=0'
# not if OBSP* takes longer than the program, if it is asked what would be, and if the beginning is skipped
of 'j["startup"] is None and j["error_pct"] < 0' 'obsp slow.trace g=2e-6 L=0'
of 'j["startup"] is None and j["error_pct"] < 0' 'obsp slow.trace g=2e-6'
of 'j["startup"]["supersteps"] == 2' 'obsp slow.trace g=1e-9'
of 'j["startup"] is None' 'obsp slow.trace g*0.5'
of 'j["startup"] is None' 'obsp slow.trace skip 1'
of 'j["startup"] is None' 'obsp long.trace'
of 'j["startup"] is None' "obsp $example g=1e-12 L=0"
# the beginning as measured, the rest predicted with the g of the rest
of 'j["skipped"]["supersteps"] == 2 and near(j["skipped"]["seconds"], 0.012) and abs(j["skipped"]["rest_error_pct"]) < 1e-9 and abs(j["error_pct"]) < 1e-9' \
    'obsp slow.trace skip 2'
of 'near(j["obsp"], 0.028) and near(j["bsp"], 0.028) and near(j["costs"]["g"], 1e-6) and j["costs"]["curves"][0]["synchronisations"] == 16' \
    'obsp slow.trace skip 2'
of 'near(j["obsp"], 0.024) and near(j["skipped"]["rest_error_pct"], 25) and near(j["skipped"]["rest_bsp_error_pct"], 25) and near(j["error_pct"], 100 / 7)' \
    'obsp slow.trace skip 2 g=5e-7 L=0'
of 'near(j["critical"]["path"][0]["begin"], 0.012) and near(sum(j["critical"]["seconds"].values()), 0.016)' 'obsp slow.trace skip 2'
of 'near(j["supersteps"][0]["end"], 0.006) and near(j["supersteps"][1]["bsp"], 0.006) and near(j["supersteps"][2]["bsp"], 0.002)' 'obsp slow.trace skip 2'
of 'near(j["obsp"], 0.036) and j["what_if"] and j["error_pct"] is None and j["skipped"]["rest_error_pct"] is None' 'obsp slow.trace skip 2 W*2'
of 'near(j["skipped"]["seconds"], 0.026) and near(j["obsp"], 0.028)' 'obsp slow.trace skip 9'
good 'obsp slow.trace skip 2 g=5e-7 L=0'
has_text out 'the first 2 supersteps are taken as measured: 0.012 s; the others are predicted'
has out '^ *seconds *error % *without them *error %$'
has out '^ *OBSP\* *0.024 *14.29 *0.012 *25.00$'
has out '^ *measured *0.028 *0.016$'
has_text out 'critical path of the others: computing 66.7 %, g*h 33.3 %, L 0 %'
good 'obsp slow.trace skip 1 W*2'
has_text out 'the first superstep is taken as measured: 0.006 s'
has_text out 'as the program ran, without the changes'
lacks_text out 'error %'
# the word takes the number that is found, whatever else is asked
of 'j["skipped"]["supersteps"] == 2 and abs(j["error_pct"]) < 1e-9 and j["startup"] is None' 'obsp slow.trace skip startup'
of 'j["skipped"]["supersteps"] == 2 and near(j["obsp"], 0.036)' 'obsp slow.trace W*2 skip startup'
of 'j["skipped"]["supersteps"] == 2 and near(j["obsp"], 0.024)' 'obsp slow.trace skip startup g=5e-7 L=0'
of 'j["skipped"]["supersteps"] == 2' 'obsp slow.trace skip startup g=2e-6 L=0'
of 'j["skipped"] is None and j["startup"] is None' 'obsp long.trace skip startup'
good 'obsp long.trace skip startup'
has_text out 'there is no start-up: no superstep is skipped'
# inside groups: the first of three supersteps
of 'j["skipped"]["supersteps"] == 1 and abs(j["skipped"]["rest_error_pct"]) < 100 and j["skipped"]["seconds"] < j["obsp"]' "obsp $example skip 1"

# two pairs of processors with costs of their own: 1 and 3 ms
awk 'BEGIN {
    for (p = 0; p < 4; p++) {
        end = 0
        for (s = 1; s <= 10; s++) {
            sync = p < 2 ? 1000000 : 3000000
            end += 1000000 + sync
            print p, "m", p, 4, s, "oblsync", 1000000, 0, 0, sync, 1000, 1000, 1, 1, p % 2 ? p - 1 : p + 1, end
        }
    }
}' | trace 4 >pairs.trace
of 'near(j["obsp"], 0.03) and near(j["error_pct"], 25) and j["costs"]["by_process"] is False and j["proposal"]["by_process"] and j["proposal"]["skip"] is None and near(j["proposal"]["obsp"], 0.04) and abs(j["proposal"]["error_pct"]) < 1e-9' \
    'obsp pairs.trace'
good 'obsp pairs.trace'
has_text out "one cost of an h for each process explains the error: 'obsp \"pairs.trace\" costs by process', OBSP* 0.04 s, error 0.00 %"
good 'obsp pairs.trace costs median'
has_text out "one cost of an h for each process explains the error: 'obsp \"pairs.trace\" costs median by process', OBSP* 0.04 s, error 0.00 %"
# not if it does not explain an error, if it is asked what would be, and if g and L do not come from the trace
of 'j["proposal"]["skip"] == 2 and not j["proposal"]["by_process"]' 'obsp slow.trace costs median'
of 'j["proposal"] is None' 'obsp slow.trace'
of 'j["proposal"] is None' 'obsp pairs.trace costs by process'
of 'j["proposal"] is None' 'obsp pairs.trace g*0.5'
of 'j["proposal"] is None' 'obsp pairs.trace g=1e-9 L=1e-4'
of 'near(j["obsp"], 0.04) and j["costs"]["average"] == "median"' 'obsp pairs.trace costs median by process'
of 'near(j["obsp"], 0.025)' 'obsp pairs.trace costs median by process g*0.5'
of 'near(j["obsp"], 0.034) and abs(j["proposal"]["error_pct"]) < 1e-9' 'obsp pairs.trace costs mean skip 4'
of 'near(j["obsp"], 0.04) and abs(j["error_pct"]) < 1e-9 and near(j["bsp"], 0.03) and j["costs"]["by_process"]' 'obsp pairs.trace costs by process'
of 'near(j["obsp"], 0.025) and near(j["bsp"], 0.02)' 'obsp pairs.trace costs by process g*0.5'
of 'near(j["skipped"]["seconds"], 0.016) and near(j["obsp"], 0.04)' 'obsp pairs.trace costs by process skip 4'
good 'obsp pairs.trace costs by process'
has_text out 'OBSP* has those of each process, found in the same way'

# one slow synchronisation is chance, not the cost of its processes
awk 'BEGIN {
    for (p = 0; p < 4; p++) {
        end = 0
        for (s = 1; s <= 10; s++) {
            sync = p < 2 && s == 5 ? 11000000 : 1000000
            end += 1000000 + sync
            print p, "m", p, 4, s, "oblsync", 1000000, 0, 0, sync, 1000, 1000, 1, 1, p % 2 ? p - 1 : p + 1, end
        }
    }
}' | trace 4 >chance.trace
of 'near(j["obsp"], 0.025) and near(j["measured"], 0.03) and j["proposal"] is None' 'obsp chance.trace'
of 'near(j["obsp"], 0.025)' 'obsp chance.trace costs by process'

# with a slow beginning, too: both words are needed
awk 'BEGIN {
    for (p = 0; p < 4; p++) {
        end = 0
        for (s = 1; s <= 12; s++) {
            sync = s <= 2 ? 9000000 : p < 2 ? 1000000 : 3000000
            end += 1000000 + sync
            print p, "m", p, 4, s, "oblsync", 1000000, 0, 0, sync, 1000, 1000, 1, 1, p % 2 ? p - 1 : p + 1, end
        }
    }
}' | trace 4 >both.trace
of 'j["proposal"]["skip"] == 2 and j["proposal"]["by_process"] and abs(j["proposal"]["error_pct"]) < 1e-9 and near(j["proposal"]["obsp"], 0.06)' 'obsp both.trace costs median'
good 'obsp both.trace costs median'
has_text out "start-up, with one cost of an h for each process, explains the error: 'obsp \"both.trace\" skip 2 costs median by process', OBSP* 0.06 s, error 0.00 %"
of 'near(j["obsp"], 0.06) and j["skipped"]["supersteps"] == 2' 'obsp both.trace skip startup costs by process'
good 'obsp both.trace h sum costs median'
has_text out "'obsp \"both.trace\" h sum skip 2 costs median by process', OBSP* 0.06 s"

# Oblivious synchronisations of a group cost what they cost there: 1 ms in the machine, 3 ms in its groups, of the same h. What
# is usual does not depend on that: the machine has these bytes only at the start.
awk 'BEGIN {
    for (p = 0; p < 4; p++) {
        end = 0
        for (s = 1; s <= 8; s++) {
            end += 2000000
            print p, "m", p, 4, s, "oblsync", 1000000, 0, 0, 1000000, 1000, 1000, 1, 1, (p + 2) % 4, end
        }
        end += 1000000
        print p, "m.1:" int(p / 2), p % 2, 2, 9, "partition", 1000000, 0, 0, 0, 0, 0, 0, 0, "-", end
        for (s = 1; s <= 8; s++) {
            end += 4000000
            print p, "m.1:" int(p / 2), p % 2, 2, s, "oblsync", 1000000, 0, 0, 3000000, 1000, 1000, 1, 1, 1 - p % 2, end
        }
        print p, "m.1:" int(p / 2), p % 2, 2, 9, "done", 0, 0, 0, 0, 0, 0, 0, 0, "-", end
    }
}' | trace 4 >levels.trace
of 'near(j["obsp"], 0.049) and abs(j["error_pct"]) < 1e-9 and [c["processors"] for c in j["costs"]["curves"]] == [2, 4]' 'obsp levels.trace'
good 'obsp levels.trace'
has_text out 'oblsync of 2 processors: 32 synchronisations'
has_text out 'oblsync of 4 processors: 32 synchronisations'

# two processors are late by turns: the one that waits ends 3 ms after the other one has come, which ends after 0.1 ms itself
awk 'BEGIN {
    for (p = 0; p < 2; p++) {
        begin = 0
        for (s = 1; s <= 20; s++) {
            late = (s + p) % 2
            met = s * 9000000 + (s - 1) * 3000000
            end = late ? met + 100000 : met + 3000000
            print p, "m", p, 2, s, "oblsync", (late ? met : begin + 1000000) - begin, 0, end - (late ? met : begin + 1000000), 0, 1000, 1000, 1, 1, 1 - p, end
            begin = end
        }
    }
}' | trace 2 >turns.trace
of 'abs(j["error_pct"]) < 2' 'obsp turns.trace'
of 'abs(j["error_pct"]) < 2' 'obsp turns.trace costs median'

# start-up of one h is found beside another one, most of whose synchronisations are slower than their mean
awk 'BEGIN {
    for (p = 0; p < 2; p++) {
        end = 0
        for (s = 1; s <= 42; s++) {
            h = s <= 12 ? 1000 : 9000
            sync = s <= 2 ? 3000000 : s <= 12 ? 1000000 : s % 5 < 3 ? 3000000 : 1000000
            end += 1000000 + sync
            print p, "m", p, 2, s, "oblsync", 1000000, 0, 0, sync, h, h, 1, 1, 1 - p, end
        }
    }
}' | trace 2 >beside.trace
of 'j["startup"]["supersteps"] == 2 and near(j["startup"]["seconds"], 0.004)' 'obsp beside.trace'

check_values

# what is wrong is named, with its place
bad 'obsp' 'the name of a trace or of a notation is missing: obsp FILE'
bad 'obsp nosuch.trace' 'nosuch.trace: No such file or directory'
: >dead.trace.0.part
bad 'obsp dead.trace' 'the program that should have written it has died'
bad 'obsp dead.trace.0.part' 'this is the part of one process'
bad "obsp $data/demo.dat" 'demo.dat:1: this is not a trace of libpub'
head -c 250 figure1.trace >cut.trace
bad 'obsp cut.trace' 'cut.trace:5: the last line is cut off'
sed '/^1 m 1 2 2/d' figure1.trace >short.trace
bad 'obsp short.trace g=1 L=1' 'process 0 waits in superstep 2 of m for process 1, which never ends this superstep'
bad 'obsp figure1.trace h' 'h max, or h sum'
bad 'obsp figure1.trace pattern star' 'shift, exchange or random'
bad 'obsp figure1.trace slower 3 by 2' 'there is no process 3: the processes are 0 to 1'
bad 'obsp figure1.trace slower 0.5 by 2' 'the number of a process is expected here'
bad 'obsp figure1.trace slower 1' "the word 'by' is expected here: slower 1 by 2"
bad 'obsp figure1.trace slower x by 2' "'slower' needs a number"
bad 'obsp figure1.trace costs' "'mean', 'median' or 'by process' is expected here"
bad 'obsp figure1.trace costs largest' "'mean', 'median' or 'by process' is expected here"
bad 'obsp figure1.trace costs mean by' "the word 'process' is expected here"
bad 'obsp figure1.trace costs median g=1' 'leave out g=, L= and on MACHINE'
bad 'obsp figure1.trace costs median costs by process' "'costs' is there twice"
bad 'obsp figure1.trace costs by process g=1' 'leave out g=, L= and on MACHINE'
bad 'obsp figure1.trace costs by process on net.json' 'leave out g=, L= and on MACHINE'
bad "obsp $CLL_SOURCE/examples/obsp/fft.obsp costs by process" 'a notation has no measured costs'
bad 'obsp figure1.trace skip' "'skip' needs a number"
bad 'obsp figure1.trace skip 0' 'a number of supersteps is expected here, at least 1'
bad 'obsp figure1.trace skip 1.5' 'a number of supersteps is expected here, at least 1'
bad 'obsp figure1.trace skip 2' 'figure1.trace has 2 supersteps, and one must be left to predict: skip 1 at most'
bad "obsp $example skip 1e9" 'has 3 supersteps, and one must be left to predict: skip 2 at most'
sed '/ 2 oblsync/d' figure1.trace >one.trace
bad 'obsp one.trace skip 1' 'one.trace has one superstep: if it is skipped, nothing is left to predict'
bad "obsp $CLL_SOURCE/examples/obsp/fft.obsp skip 1 g=1 L=1" 'only supersteps of a trace are measured and can be skipped, not those of a notation'
bad 'obsp short.trace skip 1 g=1 L=1' 'process 0 waits in superstep 2 of m for process 1'
bad 'obsp figure1.trace g=fast' "'fast' has no value here"
bad 'obsp figure1.trace g=-1' 'g cannot be negative'
bad 'obsp figure1.trace N=4' 'a trace has no value N'
bad 'obsp figure1.trace N*4' 'only g, L and W can be multiplied, not N'
bad 'obsp figure1.trace quickly' "'quickly' is not understood; 'help obsp'"
bad 'obsp figure1.trace supersteps' "the word 'all' is expected here"
bad 'obsp figure1.trace on' 'a machine is missing: on MACHINE'
bad 'obsp figure1.trace ,' 'this part of the command is not understood'
finish
