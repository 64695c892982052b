# SPDX-License-Identifier: GPL-3.0-or-later
# The command crossover: where two models cross, how certain that is, and what is said where they do not cross.
. "$CLL_SOURCE/tests/llac/setup.sh"
need python3

# noisy NAME CURVE SIZES... >FILE: 8 samples with 2 % of noise for each N and P, as a data file; the noise is the same every time
noisy() {
    python3 - "$@" <<'PY'
import math, random, sys
name, curve, sizes = sys.argv[1], sys.argv[2], [float(s) for s in sys.argv[3:]]
r = random.Random(name)
print("P,run,N,time")
for run in range(8):
    for P in (1, 2, 4):
        for N in sizes:
            print(f"{P},{run},{N:g},{eval(curve) * math.exp(r.gauss(0, 0.02)):.9g}")
PY
}
sizes=(256 512 1024 2048 4096 8192 16384 32768 65536 131072 262144)
noisy cpu '1e-7 + 1e-9*N/P' "${sizes[@]}" >cpu.csv      # crosses gpu at N = 9.9e-6/(1e-9/P - 1e-10):
noisy gpu '1e-5 + 1e-10*N' "${sizes[@]}" >gpu.csv       # 11000 with P = 1, 66000 with P = 4
noisy slow '1.5e-5 + 2e-9*N' "${sizes[@]}" >slow.csv    # never less than gpu
noisy root '9e-8*N**0.5 + 1e-6' "${sizes[@]}" >root.csv # crosses gpu at N = 13130, and at 616800, beyond the data
noisy same '1e-5 + 1e-10*N' "${sizes[@]}" >same.csv
cat >all.llac <<'LLAC'
load cpu.csv experiment=cpu time=time unit=s variables=N
merge gpu.csv experiment=gpu time=time unit=s variables=N
merge slow.csv experiment=slow time=time unit=s variables=N
merge root.csv experiment=root time=time unit=s variables=N
merge same.csv experiment=same time=time unit=s variables=N
fit cpu = cpu[0] + cpu[1]*N/P
fit gpu = gpu[0] + gpu[1]*N
fit slow = slow[0] + slow[1]*N
fit root = root[0] + root[1]*N^0.5
fit same = same[0] + same[1]*N
save all.dat
LLAC
exits 0 "$llac" -e 'source all.llac'
# crosses COMMANDS: with the models above; what crossover prints is in said
crosses() {
    what=$1
    { sed '$d' all.llac; printf '%s\n' "$1"; } >script.llac
    exits 0 "$llac" -e 'source script.llac'
    tr -s ' \n' ' ' <out >said # long lines are wrapped
}
# refuses COMMAND MESSAGE
refuses() { bad "$1" "$2" "$h200"; }
# json COMMAND EXPRESSION: true of the object j that the command prints; all of them run in one session, at the end
sed '$d' all.llac >every.llac
json() {
    printf '%s\n' "$1" >>every.llac
    printf '%s\n' "$2" >>expressions
}
h200=$CLL_SOURCE/examples/data/axpy-h200.dat

# one crossing, with other variables
crosses 'crossover cpu gpu over N P=1'
has said ' gpu takes less time from N=1[01][0-9]* on (95 %: N=1[01][0-9]* to N=1[01][0-9]*); before: cpu $'
lacks_text said 'beyond the data'
json 'crossover cpu gpu over N P=1' 'len(j["crossings"]) == 1 and abs(j["crossings"][0]["at"]/11000 - 1) < 0.05 and j["crossings"][0]["low"] < 11000 < j["crossings"][0]["high"]'
json 'crossover cpu gpu over N P=4' 'abs(j["crossings"][0]["at"]/66000 - 1) < 0.05 and j["crossings"][0]["low"] < 66000 < j["crossings"][0]["high"] and j["crossings"][0]["certain"] and j["crossings"][0]["inside_data"]'
json 'crossover cpu gpu over N P=4' 'j["first"]["at"] == {"P": 4} and j["crossings"][0]["less"] == "gpu" and j["less"] == "cpu" and j["over"] == "N" and j["first"]["measured_to"] == 262144 and j["doubtful"] == []'
# the same the other way round
json 'crossover gpu cpu over N P=4' 'abs(j["crossings"][0]["at"]/66000 - 1) < 0.05 and j["crossings"][0]["less"] == "gpu" and j["less"] == "cpu"'
# along another variable: with N = 65536 cpu is less from P = 3.97 on
json 'crossover cpu gpu over P N=65536' 'abs(j["crossings"][0]["at"]/3.969 - 1) < 0.05 and j["crossings"][0]["less"] == "cpu"'

# none: inside the data, and beyond
crosses 'crossover gpu slow over N P=1'
has_text said ' gpu takes less time at all sizes that both were measured at, from N=256 to N=262100 no crossing is predicted from N=16 to N=4194000: gpu takes less time'
json 'crossover gpu slow over N P=1' 'j["crossings"] == [] and j["from"] == 16 and j["to"] == 4194304 and j["less"] == "gpu"'
# beyond the data only
{ sed '$d' all.llac; printf 'where N <= 2048\ncrossover cpu gpu over N P=1\n'; } >script.llac
what='a crossing beyond the data'
exits 0 "$llac" -e 'source script.llac'
tr -s ' \n' ' ' <out >said
has_text said ' cpu takes less time at all sizes that both were measured at, from N=256 to N=2048'
has said ' gpu takes less time from N=[0-9.e+]* on'
has said ' N=[0-9.e+]* is beyond the data of cpu, which are from N=256 to N=2048 '
# the end of the range
json 'crossover cpu gpu over N P=1 to N=5e6' 'j["to"] == 5e6'
json 'crossover cpu gpu over N P=1 to N=2' 'j["from"] == 2 and j["to"] == 4194304'

# several
json 'crossover gpu root over N P=1' '[c["less"] for c in j["crossings"]] == ["gpu", "root"] and [c["inside_data"] for c in j["crossings"]] == [True, False] and all(abs(c["at"]/x - 1) < 0.2 and c["low"] < x < c["high"] for c, x in zip(j["crossings"], (13133, 616800)))'
# of spreads, 2 % of each
crosses 'statistic deviation; crossover gpu slow over N P=1'
has_text said ' gpu spreads less at all sizes that both were measured at, from N=256 to N=262100'
lacks_text said 'less time'
# crossings whose order is not certain: the two are the same
crosses 'crossover gpu same over N P=1'
has_text said 'the order is not certain'
json 'crossover gpu same over N P=1' 'not any(c["certain"] for c in j["crossings"]) and (j["crossings"] or j["doubtful"])'

crosses 'crossover gpu gpu over N P=1'
has_text said ' both are predicted to be the same the order is not certain from N=16 to N=4194000, where no crossing is predicted'
json 'crossover gpu gpu over N P=1' 'j["less"] is None and j["crossings"] == []'
# both are 0 at the begin of the range: they touch there
json 'let none = 0*CLOCK + N; let double = 2*N + 0*CLOCK; fit same = same[0]*N on none; fit slow = slow[0]*N on double; crossover same on none slow on double over N P=1 to N=0' 'j["from"] == 0 and j["crossings"] == [] and j["less"] == "same"'
# the order changes where one has no value: no crossing, and no claim
crosses 'define step(N) = gpu(N)*(1 + 0.5*(N - 3000)/sqrt((N - 3000)^2 - 360000)); crossover gpu step over N P=1'
has_text said ' the order changes where one of them has no value in a part of the range, one of them has no value '
lacks_text said 'less'

# definitions, observables
json 'define both(N, P) = 0.5*cpu(N, P) + 0.5*cpu(N, P); crossover both gpu over N P=4' 'abs(j["crossings"][0]["at"]/66000 - 1) < 0.05 and j["first"]["observable"] is None'
json 'let twice = 2*CLOCK; fit gpu = gpu[0] + gpu[1]*N on twice; crossover cpu on CLOCK gpu on twice over N P=1' 'j["second"]["observable"] == "twice" and abs(j["crossings"][0]["at"]/(1.99e-5/8e-10) - 1) < 0.05'

# errors
refuses 'crossover' 'the name of an experiment is expected here: crossover NAME NAME over VAR'
refuses 'crossover cpu' 'the name of an experiment is expected here'
refuses 'crossover cpu nosuch over N' "there is no experiment 'nosuch'"
refuses 'crossover cpu device' "the word 'over' is expected here: crossover NAME NAME over VAR"
refuses 'crossover cpu device over' "the name of a variable is missing after 'over'"
refuses 'crossover cpu device over M' "cpu has no variable 'M'"
refuses 'crossover cpu device over N M=4' "neither cpu nor device has a variable 'M'"
refuses 'crossover cpu device over N N=4' "'N' is varied: give values of the other variables"
refuses 'crossover cpu device over N to P=4' "'to' gives the end of the range: to N=VALUE"
refuses 'crossover cpu device over N to N=5000' "N=5000 is inside the data, which are from 256 to 4.1943e+06: 'to' gives an end beyond them"
refuses 'define c(n) = cpu(N=n); define d(n) = device(N=n); crossover c d over n' 'n was measured neither with c nor with d'
{ sed '$d' all.llac; echo 'crossover cpu gpu over N'; } >script.llac
bad 'source script.llac' 'P' # it is not given

# shipped data: the H200 overtakes one core
good 'crossover cpu device over N' "$h200"
has out '^  device takes less time from N=64[0-9]* on (95 %: N=58[0-9]* to N=72[0-9]*); before: cpu$'

what='all of JSON'
exits 0 "$llac" --json -e 'source every.llac'
grep '^{"over"' out | python3 -c 'import json, sys
expressions = open("expressions").read().splitlines()
objects = [json.loads(line) for line in sys.stdin]
wrong = [f"{e}: {j}" for j, e in zip(objects, expressions) if not eval(e, {"j": j})]
print("\n".join(wrong))
sys.exit(bool(wrong) or len(objects) != len(expressions))' >wrong || fail "$(cat wrong)"

# the interval contains the crossing: seeds are fixed, so the number is the same every time
what='coverage'
python3 - "$llac" <<'PY' || fail 'coverage'
import json, math, random, subprocess, sys
script, seeds, truth = "", 10, 9.9e-6 / 9e-10
for seed in range(seeds):
    r = random.Random(seed)
    for name, curve in (("f", lambda n: 1e-7 + 1e-9 * n), ("g", lambda n: 1e-5 + 1e-10 * n)):
        with open(f"{name}{seed}.csv", "w") as out:
            print("run,N,time", file=out)
            for run in range(6):
                for k in range(10):
                    print(f"{run},{512 << k},{curve(512 << k) * math.exp(r.gauss(0, 0.03)):.9g}", file=out)
    script += f"load f{seed}.csv experiment=f time=time unit=s variables=N\nmerge g{seed}.csv experiment=g time=time unit=s variables=N\n"
    script += "fit f = f[0] + f[1]*N nonneg\nfit g = g[0] + g[1]*N nonneg\ncrossover f g over N\n"
open("coverage.llac", "w").write(script)
out = subprocess.run([sys.argv[1], "--json", "-e", "source coverage.llac"], capture_output=True, text=True, check=True).stdout
found = [json.loads(line)["crossings"] for line in out.splitlines() if line.startswith('{"over"')]
inside = sum(len(c) == 1 and c[0]["certain"] and c[0]["low"] <= truth <= c[0]["high"] for c in found)
print(f"{inside} of {len(found)}")
sys.exit(not (len(found) == seeds and inside >= 9))
PY
finish
