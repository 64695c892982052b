#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""report.py LLAC SOURCE: opens pages that `report` wrote in Chromium, moves their controls, and compares what they show
with `llac predict`. Works in the current folder. With axe-core (from npm: tools/install-deps test) it also looks for what
keeps people from reading a page. CHECK_LONG=yes in the environment: more pages, more points, and more screens for axe-core."""
import json
import os
import subprocess
import sys
import time

llac, source = sys.argv[1:3]
sys.path.insert(0, os.path.join(source, "tests/harness"))
from browser import Browser, expect, passed  # noqa: E402

data = os.path.join(source, "tests/llac/data")
examples = os.path.join(source, "examples/data")
thorough = os.environ.get("CHECK_LONG") == "yes"


def close(what, got, wanted):
    expect(f"{what}: {got} for {wanted}", abs(got - wanted) <= 1e-8 * max(abs(got), abs(wanted)), True)


def run_llac(commands, *files):
    return subprocess.run([llac, "--json", "-e", commands, *files], stdout=subprocess.PIPE, text=True, check=True).stdout


def page_of(name, commands, *files):
    run_llac(commands.replace("FILE", name + ".html"), *files)
    return "file://" + os.path.abspath(name + ".html")


def frames(b):
    """Waits until what was asked for is drawn."""
    b.run_async("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(1)))")


def set_value(b, model, variable, value):
    b.run("const input = document.querySelector(`#model${arguments[0]} [data-variable='${arguments[1]}']`);"
          "input.value = String(arguments[2]); input.dispatchEvent(new Event('input', {bubbles: true}))", model, variable, value)
    frames(b)


def prediction(b, model):
    return b.run("return {...document.querySelector(`#model${arguments[0]} output`).dataset}", model)


def compare_with_predict(b, model, commands, name, place, *files):
    for variable, value in place.items():
        set_value(b, model, variable, value)
    got = prediction(b, model)
    answer = run_llac(commands + f"\npredict {name} " + " ".join(f"{v}={x!r}" for v, x in place.items()), *files)
    want = json.loads(answer.splitlines()[-1])
    for here, there in (("value", "value"), ("low", "low"), ("high", "high"), ("singleLow", "single_low"), ("singleHigh", "single_high")):
        close(f"{there} of {name} at {place}", float(got[here]), want[there])
    expect(f"what {name} extrapolates at {place}", got["extrapolates"].split(), want["extrapolates"])
    marked = b.run("return document.querySelector(`#model${arguments[0]} output .mark`) !== null", model)
    expect(f"mark of {name} at {place}", marked, any("the data" in r or "gap" in r or "combination" in r for r in want["remarks"]))


def shows_the_report(b):
    demo = f"{data}/demo.dat"
    b.open(page_of("demo", "fit sort; fit fft; report FILE", demo))
    frames(b)
    expect("title", b.run("return document.title"), "demo - models")
    expect("parts", b.run("return [...document.querySelectorAll('h2')].map((h) => h.textContent)"),
           ["All models at one place", "sort", "fft", "init searched", "Where the data come from"])
    expect("formula", b.run("return document.querySelector('#model1 math').getAttribute('alttext')"), "fft[0] + fft[1]*log(P) + fft[2]*(N/P)*log(N/P)")
    expect("mathematics", b.run("return document.querySelectorAll('#model1 .formula mfrac').length"), 2)
    expect("constants", b.run("return document.querySelectorAll('#model1 .constants tbody tr').length"), 3)
    expect("provenance", b.run("return [...document.querySelectorAll('#provenance tbody td')].some((d) => d.textContent === 'awk')"), True)
    expect("sources", "demo.c:20-31" in b.text("#model1 .faint"), True)
    expect("points of the picture", b.run("return document.querySelectorAll('#model1 .picture .dots').length >= 2"), True)
    expect("speed-up", b.run("return [...document.querySelectorAll('#model1 svg[role=img]')].some((s) => s.getAttribute('aria-label').startsWith('Efficiency of fft'))"), True)
    expect("requests", b.run("return performance.getEntriesByType('resource').length"), 0)
    for place in ({"N": 65536, "P": 4}, {"N": 1000, "P": 3}, {"N": 1e9, "P": 4096}):
        compare_with_predict(b, 1, "fit sort; fit fft", "fft", place, demo)
    compare_with_predict(b, 0, "fit sort", "sort", {"N": 3000}, demo)
    expect("console", b.errors(), [])


def all_models_are_side_by_side(b):
    demo = f"{data}/demo.dat"
    b.open(page_of("demo2", "report FILE", demo))
    b.run("const i = document.querySelector('#all [data-variable=N]'); i.value = '500000'; i.dispatchEvent(new Event('input'))")
    frames(b)
    rows = b.run("return Object.fromEntries([...document.querySelectorAll('#all tr[data-model]')].map((r) => [r.dataset.model, Number(r.dataset.value)]))")
    for model, name, rest in (("0", "sort", ""), ("1", "fft", " P=8")):
        want = json.loads(run_llac(f"predict {name} N=500000{rest}", demo))
        close(f"{name} beside the other", rows[model], want["value"])
    with open("twice.dat", "w", encoding="utf-8") as out, open(demo, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words and words[0] in ("sort", "fft") and words[-2] != "nan":
                words[-2] = repr(2 * float(words[-2]))
                line = " ".join(words) + "\n"
            out.write(line.replace("# host: synthetic", "# host: slower"))
    b.open(page_of("beside", "report FILE sort beside twice.dat", demo))
    frames(b)
    expect("data sets", b.run("return [...document.querySelectorAll('main > section h2')].map((h) => h.textContent).slice(1, 3)"),
           ["sort demo.dat, synthetic", "sort twice.dat, slower"])
    expect("ratio", b.run("return [...document.querySelectorAll('h3 + .scrolling tr:last-child small')].map((s) => s.textContent)"), [" × 2"])
    expect("console", b.errors(), [])


def the_growth_is_that_of_one_side(b):
    """At the end of the data, where the place of the page begins: beyond it the prediction is a mean over several formulas."""
    with open("loose.dat", "w", encoding="utf-8") as out:
        out.write("# cll-data 1\n# overhead: 0 0\n# resolution: 1e-9\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*N + f[2]*N*log(N) + f[3]*N^2\n"
                  "# variables: f N\n# experiment: g\n# formula: g CLOCK g[0]*N\n# variables: g N\n"
                  "experiment run seq start nested P rank thread count N CLOCK\n")
        for k, error in enumerate((0.03, -0.03, 0.02, 0.01, -0.03, 0.03, -0.02, -0.04)):
            for name in "fg":
                out.write(f"{name} 0 {k} 0 0 1 0 0 1 {1000 * 2 ** k} {1e-6 * 2 ** k * (1 + error)}\n")
    b.open(page_of("loose", "report FILE", "loose.dat"))
    frames(b)
    growth = lambda: [float(x.replace("−", "-")) for x in b.run("return [...document.querySelectorAll('#all td sup')].map((s) => s.textContent)")]
    at_end = growth()
    b.run("const i = document.querySelector('#all [data-variable=N]'); i.value = '126000'; i.dispatchEvent(new Event('input'))")
    frames(b)
    inside = growth()
    expect(f"growth at the end {at_end} and just inside {inside}", all(abs(x - y) < 0.02 for x, y in zip(at_end, inside)) and len(at_end) == 2, True)


def times_inside_others_count_once(b):
    app = f"{data}/app.dat"
    b.open(page_of("app", "fit setup; fit solve; fit spmv; fit reduce; report FILE setup solve spmv reduce", app))
    frames(b)
    cells = b.run("return Object.fromEntries([...document.querySelectorAll('#all tr[data-model]')].map((r) => [r.querySelector('th').textContent, r.querySelector('.share').textContent]))")
    expect("what is inside", {cells["spmv"], cells["reduce"]}, {"inside solve"})
    shares = [float(cells[name].split()[0]) for name in ("setup", "solve")]
    expect(f"the shares of setup and solve {shares}", 99 < sum(shares) < 101 and shares[1] > 50, True)
    expect("console", b.errors(), [])


def the_ranking_is_a_table(b):
    demo = f"{data}/demo.dat"
    b.open(page_of("ranking", "report FILE rank N=1e8 P=8", demo))
    frames(b)
    want = json.loads(run_llac("rank N=1e8 P=8", demo))
    expect("title of the ranking", b.text("#ranking-title"), "Where the time goes at N=100000000 P=8")
    expect("order", b.run("return [...document.querySelectorAll('#ranking tbody th')].map((h) => h.firstChild.textContent)"), [q["experiment"] for q in want["regions"]])
    expect("link", b.run("return document.querySelector('#ranking tbody a').getAttribute('href')"), "#model0")
    expect("sentences", b.run("return document.querySelectorAll('#ranking li').length > 0"), True)
    expect("contents", b.run("return [...document.querySelectorAll('#contents a')].some((a) => a.getAttribute('href') === '#ranking')"), True)
    expect("console", b.errors(), [])


def versions_are_in_columns(b):
    b.open(page_of("versions", f"load {data}/demo.dat as before; merge twice.dat as after; report FILE sort@before sort@after"))
    frames(b)
    expect("title", b.run("return [...document.querySelectorAll('#all h3')].map((h) => h.textContent)"), ["sort side by side"])
    expect("labels", b.run("return [...document.querySelectorAll('#all h3 + .scrolling thead th')].map((h) => h.textContent)"), ["constant", "before", "after"])
    expect("ratio", b.run("return [...document.querySelectorAll('#all h3 + .scrolling tr:last-child small')].map((s) => s.textContent)"), [" × 2"])
    expect("console", b.errors(), [])


def intervals_that_count_are_named(b):
    grid = f"{data}/grid.dat"
    b.open(page_of("grid", "fit both; report FILE both", grid))
    for place in ({"N": 9000, "P": 8}, {"N": 3000, "P": 10}, {"N": 1e6, "P": 1000}):
        compare_with_predict(b, 0, "fit both", "both", place, grid)
    set_value(b, 0, "N", 9000)
    set_value(b, 0, "P", 4)
    expect("interval used", "both[1] as for N in (2500, 15000]" in b.text("#model0 output"), True)
    expect("its row", b.run("return document.querySelectorAll('#model0 tr.used').length >= 1"), True)
    b.open(page_of("found", "search sort; report FILE sort", f"{data}/demo.dat"))
    compare_with_predict(b, 0, "search sort", "sort", {"N": 5e6}, f"{data}/demo.dat")
    expect("console", b.errors(), [])


def the_keyboard_is_enough(b, url):
    b.open(url)
    before = prediction(b, 0)["value"]
    b.run("document.querySelector('#model0 [data-slider=N]').focus()")
    b.keys("Right")
    frames(b)
    expect("a key moves the slider", prediction(b, 0)["value"] != before, True)
    expect("the number follows", b.run("return document.querySelector('#model0 [data-variable=N]').valueAsNumber > 32768"), True)
    b.run("document.querySelector('#model0 [data-variable=N]').select()")
    b.keys("9", "9", "9", "9", "9", "9", "9")
    frames(b)
    expect("mark", "extrapolates" in b.text("#model0 output"), True)
    b.run("document.querySelector('#model0 summary').focus()")
    b.keys("Enter")
    expect("the points open", b.run("return document.querySelector('#model0 details').open"), True)
    expect("rows", b.run("return document.querySelectorAll('#model0 .points tbody tr').length"), 12)
    b.run("document.querySelectorAll('#model0 .points .sort')[4].focus()")
    b.keys("Enter")
    errors = b.run("return [...document.querySelectorAll('#model0 .points tbody tr')].map((r) => parseFloat(r.children[4].textContent.replace('−', '-')))")
    expect("sorted by error", errors, sorted(errors))
    reached = set()
    b.run("document.activeElement.blur(); window.scrollTo(0, 0)")
    for _ in range(60):
        b.keys("Tab")
        reached.add(b.run("const e = document.activeElement; return e.dataset.variable || e.dataset.slider || e.tagName"))
    expect("reached by Tab", {"A", "N", "SELECT", "SUMMARY"} - reached, set())
    expect("console", b.errors(), [])


def texts_stay_texts(b):
    evil = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=2'>\"&"
    name = "<b onmouseover=window.hacked=3>.dat"
    with open(f"{data}/demo.dat", encoding="utf-8") as file, open(name, "w", encoding="utf-8") as out:
        for line in file:
            key = line.split(":")[0]
            out.write(f"{key}: {evil}\n# note: {evil}\n" if key in ("# program", "# host", "# cpu", "# compiler") else line)
    b.open(page_of("evil", "report FILE", name))
    frames(b)
    expect("title", b.run("return document.querySelector('h1').textContent"), evil)
    expect("nothing ran", b.run("return [window.hacked === undefined, document.images.length, document.scripts.length]"), [True, 0, 3])
    expect("the file", b.run("return [...document.querySelectorAll('#provenance td')].some((d) => d.textContent === arguments[0])", name), True)
    expect("console", b.errors(), [])


def it_fits_every_screen(b, url):
    b.open(url)
    light = b.run("return getComputedStyle(document.body).backgroundColor")
    b.scheme(True)
    expect("dark", b.run("return getComputedStyle(document.body).backgroundColor") != light, True)
    b.scheme(False)
    for width in (320, 390, 768, 1280):
        b.resize(width, 900)
        time.sleep(0.2)
        frames(b)
        expect(f"no overflow at {width}", b.run("return document.documentElement.scrollWidth"), width)
        expect(f"no name reaches into its prediction at {width}", b.run("return [...document.querySelectorAll('#all tbody th')].filter((t) => t.scrollWidth > t.clientWidth + 1).length"), 0)
    b.cdp("Emulation.setEmulatedMedia", media="print")
    expect("printed", b.run("return ['#contents', '.choices', 'input[type=range]', '.formula', '.picture'].map((s) => getComputedStyle(document.querySelector(s)).display)"),
           ["none", "none", "none", "block", "block"])
    b.cdp("Emulation.setEmulatedMedia", media="")
    pdf = b.cdp("Page.printToPDF")["data"]
    expect("a PDF", pdf.startswith("JVBERi0"), True)
    expect("points are open for printing", b.run("return [...document.querySelectorAll('details:not(.fold)')].every((d) => d.open)"), True)
    b.resize(1280, 900)
    expect("console", b.errors(), [])


def many_points_are_fluid(b):
    sizes = 400 if thorough else 16
    with open("many.dat", "w", encoding="utf-8") as out:
        out.write("# cll-data 1\n# program: many\n# clock: simulated\n# resolution: 1e-09\n# overhead: 0 0\n# experiment: f\n"
                  "# formula: f CLOCK f[0] + f[1]*N + f[2]*M\n# variables: f N M\nexperiment run seq start nested P rank thread count N M CLOCK\n")
        for n in range(sizes):
            for m in range(250):
                x = 1e-6 + 2e-9 * (n + 1) + 3e-8 * (m + 1)
                out.write(f"f 0 0 0 0 1 0 0 1 {n + 1} {m + 1} {x * (1 + 0.01 * ((n * 7919 + m * 104729) % 17 - 8) / 8):.5e}\n")
    b.open(page_of("many", "fit f intervals none; report FILE", "many.dat"))
    frames(b)
    expect("points", b.text("#model0 summary"), f"Points ({250 * sizes})")
    expect("elements", b.run("return document.querySelectorAll('*').length < 1500"), True)
    b.run("window.before = document.querySelector('#model0 .dots')")
    for m in (10, 200, 240):
        set_value(b, 0, "M", m)
    expect("the points are not drawn again", b.run("return document.querySelector('#model0 .dots') === window.before"), True)
    compare_with_predict(b, 0, "fit f intervals none", "f", {"N": 47, "M": 99}, "many.dat")
    b.run("document.querySelectorAll('#model0 .points .sort')[0].click()")
    expect("rows of a page", b.run("return document.querySelectorAll('#model0 .points tbody tr').length"), 25)
    expect("console", b.errors(), [])


def other_data_do_not_break_it(b):
    """One point, two points, a formula without variables, constants that the data do not determine, counts."""
    head = "# cll-data 1\n# program: x\n# experiment: f\n# variables: f N\n"
    columns = "experiment run seq start nested P rank thread count N CLOCK\n"
    for k, (formula, rows) in enumerate([("f[0]", ["5 1e-3"]), ("f[0]*N", ["5 1e-3", "10 2e-3"]), ("f[0] + f[1]*N*P", ["5 1e-3", "10 2.1e-3", "20 3.9e-3"]),
                                         ("f[0]*N + f[1]*log(P)", ["5 1e-3", "10 2e-3", "0 1e-9"]),
                                         ("f[0] + f[1]*(not N <= 7 and P < 2)", ["5 1e-3", "10 2e-3", "20 2.1e-3"])]):
        with open(f"other{k}.dat", "w", encoding="utf-8") as out:
            out.write(head + f"# formula: f CLOCK {formula}\n" + columns + "".join(f"f 0 {i} 0 0 1 0 0 1 {row}\n" for i, row in enumerate(rows)))
        b.open(page_of(f"other{k}", "report FILE", f"other{k}.dat"))
        frames(b)
        expect(f"console with data {k}", b.errors(), [])
        expect(f"prediction with data {k}", b.text("#model0 output") != "", True)
    expect("a comparison in the brackets of Iverson", b.run("return document.querySelector('#model0 .formula').textContent").partition("·")[2], "[¬(N≤7)∧P<2]")


def regions_file(name, *words):
    with open(name, "w", encoding="utf-8") as out:
        subprocess.run([sys.executable, os.path.join(source, "tests/llac/regions.py"), *words], stdout=out, check=True)
    return name


def tree_names(b):
    return b.run("return [...document.querySelectorAll('.tree [data-node] .name a')].map((a) => a.textContent)")


def focused(b):
    return b.run("const row = document.activeElement.closest('[data-node]'); return row ? row.querySelector('.name a').textContent : ''")


def regions_are_a_tree(b):
    """Fold, filter, keys, the way to a model, and a column that another program adds."""
    url = page_of("tree", "report FILE", regions_file("tree.dat", "40"))
    b.open(url)
    frames(b)
    first = tree_names(b)
    expect("a part of the tree is open", [first[0], 1 < len(first) < 40], ["main", True])
    expect("sections are made when they are opened", b.run("return document.querySelectorAll('.experiment figure').length"), 0)
    expect("levels", b.run("return [...document.querySelectorAll('.tree [data-node]')].slice(0, 2).map((r) => r.getAttribute('aria-level'))"), ["1", "2"])
    shares = b.run("return [...document.querySelectorAll('.tree [data-node]')].filter((r) => r.getAttribute('aria-level') === '2').map((r) => parseFloat(r.children[1].textContent))")
    expect(f"the largest comes first: {shares}", shares == sorted(shares, reverse=True) and 90 < sum(shares) < 102, True)
    b.run("[...document.querySelectorAll('#regions button')].find((x) => x.textContent === 'Fold all').click()")
    expect("folded", tree_names(b), ["main"])
    b.run("document.querySelector('.tree [tabindex=\"0\"]').focus()")
    b.keys("Right")
    expect("Right unfolds", len(tree_names(b)), 6)
    b.keys("Right", "Down")
    expect("keys move", focused(b), tree_names(b)[2])
    b.keys("Left")
    expect("Left goes to what contains it", focused(b), "main")
    b.keys("Left")
    expect("Left folds", tree_names(b), ["main"])
    b.run("const f = document.getElementById('regions-filter'); f.focus(); f.value = 'SORT_'; f.dispatchEvent(new Event('input'))")
    found = tree_names(b)
    expect(f"filtered: {found}", found[0] == "main" and any(n.startswith("sort_") for n in found) and len(found) < 20, True)
    expect("the number of matches", b.text("#regions [role=status]"), f"{sum('sort_' in n for n in found)} of 40")
    b.keys("Down", "Down")
    name = focused(b)
    b.keys("Enter")
    frames(b)
    number = b.run("return Number(location.hash.slice(6))")
    expect("Enter opens the model", b.run("const s = document.getElementById('model' + arguments[0]); return [s.querySelector('h2').textContent, s.querySelector('details').open,"
                                          " s.querySelectorAll('output, .constants, .formula').length, s.querySelectorAll('.picture').length >= 2]", number), [name, True, 3, True])
    compare_with_predict(b, number, "fit " + name, name, {"N": 5000}, "tree.dat")
    b.open(url + "#model7")
    frames(b)
    expect("an address opens it", b.run("return document.querySelector('#model7 details').open"), True)
    with open("tree.html", encoding="utf-8") as file:
        page = file.read()
    page = page.replace('"columns":[{"key"', '"columns":[{"key":"verdict","title":"calls","kind":"text"},{"key"').replace('"nodes":[{', '"nodes":[{"verdict":"<i>exact",')
    with open("more.html", "w", encoding="utf-8") as out:
        out.write(page)
    b.open("file://" + os.path.abspath("more.html"))
    frames(b)
    expect("a column of another program", b.run("return [document.querySelector('.tree .head').children[1].textContent, document.querySelector('.tree [data-node]').children[1].textContent]"), ["calls", "<i>exact"])
    expect("console", b.errors(), [])


def many_curves_look_different(b):
    b.open(page_of("looks", "report FILE", regions_file("looks.dat", "24", "flat")))
    frames(b)
    looks = b.run("return [...document.querySelectorAll('#all .picture .curve')].map((c) => c.style.getPropertyValue('--k') + ' ' + c.getAttribute('stroke-dasharray'))")
    expect("curves", [len(looks), len(set(looks))], [24, 24])
    legend = b.run("return [...document.querySelectorAll('#all .legend .curve')].map((c) => c.style.getPropertyValue('--k') + ' ' + c.getAttribute('stroke-dasharray'))")
    expect("the legend shows them", legend, looks)
    b.open(page_of("more", "report FILE", regions_file("more.dat", "40", "flat")))
    frames(b)
    looks = b.run("return [...document.querySelectorAll('#all .picture .curve')].map((c) => c.style.getPropertyValue('--k') + ' ' + c.getAttribute('stroke-dasharray'))")
    expect("of more the largest are drawn", [len(looks), len(set(looks))], [24, 24])
    expect("and said", "16 more are not drawn" in b.text("#all figcaption"), True)
    expect("rows", b.run("return document.querySelectorAll('#all tr[data-model]').length"), 24)
    b.run("[...document.querySelectorAll('#all button')].find((x) => x.textContent === 'Show all 40').click()")
    expect("all rows", b.run("return document.querySelectorAll('#all tr[data-model]').length"), 40)
    expect("console", b.errors(), [])


LONG = "number_of_unknowns_of_each_process"


def odd_file():
    """Noisy times over P = 1, 2 and a variable with a long name, and a region over another variable."""
    with open("odd.dat", "w", encoding="utf-8") as out:
        out.write(f"# cll-data 1\n# program: odd\n# experiment: f\n# formula: f CLOCK f[0] + f[1]*{LONG}/P\n# variables: f {LONG}\n"
                  "# experiment: other\n# formula: other CLOCK other[0] + other[1]*(rows_y + 1)*log(rows_y)\n# variables: other rows_y\n"
                  f"experiment run seq start nested P rank thread count {LONG} rows_y CLOCK\n")
        for k, n in enumerate((1000, 4000, 16000, 64000)):
            for p in (1, 2):
                for noise in (0.5, 1, 1.6) if k % 2 else (0.7, 1.1, 1.5):
                    out.write(f"f 0 {k} nan 0 {p} 0 0 1 {n} nan {1e-9 * n / p * (noise if p == k % 2 + 1 else 1.4):.4e}\n")
            out.write(f"other 0 {k} nan 0 1 0 0 1 nan {10 * k + 10} {1e-6 * (k + 1):.4e}\n")
    return "odd.dat"


def ticks(b, figure):
    """The texts along the horizontal and the vertical axis of a picture."""
    return b.run("const t = [...document.querySelector(arguments[0]).querySelectorAll('svg text:not(.label)')]; return [t.filter((x) => !x.classList.contains('end')).map((x) => x.textContent), t.filter((x) => x.classList.contains('end')).map((x) => x.textContent)]", figure)


def seconds(text):
    number, unit = text.split()
    return float(number) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit]


def axes_show_the_data(b):
    b.open(page_of("odd", "report FILE", odd_file()))
    frames(b)
    times = [seconds(t) for t in ticks(b, "#model0 .pictures figure")[1]]
    expect(f"times from 0.5 to 102 µs: {times}", 5e-8 < min(times) and max(times) < 1e-3, True)
    places, speedups = ticks(b, "#model0 .pair figure")
    expect("P is whole", places, ["1", "2"])
    expect(f"the ideal is 2: {speedups}", max(float(t) for t in speedups) <= 3, True)
    width = b.run("return document.querySelector(`#model0 [data-variable='${arguments[0]}']`).getBoundingClientRect().width", LONG)
    expect(f"a field beside a long name is {width} wide", width >= 120, True)
    expect("brackets around names are not stretched", b.run("return [...document.querySelectorAll('#model1 .formula mo')].filter((m) => m.textContent === '(').map((m) => m.getAttribute('stretchy'))"), ["false"] * 3)
    expect("the legend lists what is drawn", b.run("return [...document.querySelectorAll('#all .legend li')].map((l) => l.textContent)"), ["f"])
    b.run("const c = document.getElementById('all-axis'); c.value = 'rows_y'; c.dispatchEvent(new Event('change'))")
    frames(b)
    expect("over another variable", b.run("return [...document.querySelectorAll('#all .legend li')].map((l) => l.textContent)"), ["other"])
    expect("no shares over unrelated variables", [b.run("return [...document.querySelectorAll('#all .share')].map((c) => c.textContent)"), "No shares" in b.text("#all")], [["", ""], True])
    order = b.run("const w = document.querySelector('#model0 .warnings'), p = document.querySelector('#model0 .sides'); return w ? p.compareDocumentPosition(w) & 4 : 'no warning'")
    expect("warnings follow the picture", order, 4)
    with open("off.csv", "w", encoding="utf-8") as out: # one error of 40 %: a step of 50 % would leave 0 alone
        out.write("N,time\n" + "".join(f"{n},{1e-6 * n / (0.6 if n == 400 else 1)}\n" for n in (100, 200, 400, 800, 1600)))
    b.open(page_of("off", "fit off = 1e-6*N; report FILE", "off.csv"))
    frames(b)
    expect("errors have a scale", ticks(b, "#model0 .pictures figure:nth-of-type(2)")[1], ["\u221240 %", "\u221220 %", "0 %", "20 %", "40 %"])
    with open("alike.csv", "w", encoding="utf-8") as out: # M is always 2 n: elsewhere f has no prediction
        out.write("experiment,n,M,time\n" + "".join(f"f,{n},{2 * n},{1e-6 * n}\n" for n in (100, 200, 300, 500, 800, 1300, 2100)))
    with open("other.csv", "w", encoding="utf-8") as out:
        out.write("experiment,M,time\n" + "".join(f"g,{m},{1e-9 * m}\n" for m in (1e3, 1e4, 1e5, 1e6)))
    b.open(page_of("alike", "fit f = f[0] + f[1]*n + f[2]*M; fit g = g[0] + g[1]*M; report FILE", "alike.csv", "other.csv"))
    frames(b)
    expect("the legend lists no model that has no values", b.run("return [...document.querySelectorAll('#model0 .legend li')].map((l) => l.textContent)"), ["all points", "prediction"])
    expect("shares say what they lack", "without f, which has no prediction there." in b.text("#all"), True)
    expect("an empty picture says that", "Nothing is predicted over n" in b.text("#all figcaption"), True)
    b.open(page_of("demo3", "report FILE sort fft", f"{data}/demo.dat"))
    expect("shares say where", "at N = 2097152, P = 8" in b.text("#all"), True)
    expect("console", b.errors(), [])


def searched_models_are_marked(b):
    b.open(page_of("bare", "report FILE rank N=1e6", regions_file("bare.dat", "3", "bare")))
    frames(b)
    expect("headings", b.run("return [...document.querySelectorAll('.experiment h2')].every((h) => h.textContent.endsWith(' searched'))"), True)
    expect("the ranking", b.run("return document.querySelectorAll('#ranking .searched').length"), 3)
    expect("the tree", b.run("return document.querySelectorAll('.tree .searched').length"), 3)
    expect("what that means", "A search found this formula in the data." in b.text("#model0"), True)
    expect("console", b.errors(), [])


def axe_file():
    """axe.min.js of the package axe-core, or None."""
    try:
        root = subprocess.run(["npm", "root", "-g"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout.strip()
    except OSError:
        root = ""
    for path in (os.environ.get("AXE_CORE", ""), os.path.join(root, "axe-core/axe.min.js")):
        if path and os.path.isfile(path):
            return path
    return None


def axe_finds_nothing(b, url):
    path = axe_file()
    if not path:
        print("axe-core is not installed: accessibility is not checked", flush=True)
        return
    with open(path, encoding="utf-8") as file:
        axe = file.read()
    screens = [(False, 1280), (True, 390)] + ([(False, 390), (True, 1280)] if thorough else [])
    for dark, width in screens:
        b.resize(width, 900)
        b.scheme(dark)
        b.open(url)
        frames(b)
        b.run("document.querySelectorAll('details:not(.fold)').forEach((d) => { d.open = true; })")
        b.run(axe)
        found = b.run_async("const done = arguments[0]; axe.run(document).then((r) => done(r.violations.map((v) =>"
                            " v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3).map((n) => n.html).join(' '))))")
        expect(f"axe-core, dark: {dark}, width: {width}", found, [])
    b.scheme(False)
    b.resize(1280, 900)


def main():
    url = page_of("page", f"report FILE rank N=1e8 P=8 obsp {examples}/fft-pub.trace g=1.5e-9 L=5e-6 picture measured from 10500us", f"{data}/demo.dat")
    with Browser("browser") as b:
        usual = (shows_the_report, all_models_are_side_by_side, the_growth_is_that_of_one_side, the_ranking_is_a_table, regions_are_a_tree, axes_show_the_data,
                 versions_are_in_columns, texts_stay_texts, many_points_are_fluid)
        further = (times_inside_others_count_once, many_curves_look_different, searched_models_are_marked, intervals_that_count_are_named, other_data_do_not_break_it)
        for test in usual + (further if thorough else ()):
            print(test.__name__, flush=True)
            test(b)
        tests = [(the_keyboard_is_enough, url), (it_fits_every_screen, url), (axe_finds_nothing, url)]
        if thorough:
            tree = page_of("tree", "report FILE", "tree.dat") + "#model3"
            tests += [(it_fits_every_screen, tree), (axe_finds_nothing, tree)]
        for test, page in tests:
            print(test.__name__, flush=True)
            test(b, page)
    passed()


main()
