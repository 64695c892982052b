#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""page.py TOOL REPORT: opens pages of count reports in Chromium, in the current folder, and checks what they do."""
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from browser import Browser, expect, passed  # noqa: E402

tool, sample = sys.argv[1:3]


def near(what, got, wanted):
    expect(what, abs(got - wanted) <= 1e-9 * max(1, abs(wanted)) or (got, wanted), True)


def page_of(name, report, assignment=None):
    """The address of a page made of a report."""
    with open(name + ".json", "w", encoding="utf-8") as out:
        json.dump(report, out)
    with open(name + ".html", "wb") as out:
        subprocess.run([tool, name + ".json"] + ([assignment] if assignment else []), stdout=out, check=True)
    return "file://" + os.path.abspath(name + ".html")


def row(browser, line, script):
    """Runs a script with `row`, the row of this line or function."""
    return browser.run("const row = [...document.querySelectorAll('.counted')].find("
                       f"(r) => (r.line.function || r.line.line) === arguments[0]); {script}", line)


def instructions(browser):
    """Of each constant, as the legend has them."""
    return browser.run("return Object.fromEntries([...document.querySelectorAll('[data-constant]')].map("
                       "(e) => [e.dataset.constant, Number(e.dataset.instructions)]))")


def selected(browser):
    return browser.run("return [...document.querySelectorAll('[aria-selected=true].counted')].map((r) => r.line.line)")


def shows_the_report(b, url, report):
    b.open(url)
    expect("title", b.run("return document.title"), "matinit.c - instructions")
    expect("program", b.text("h1"), "matinit.c")
    expect("facts", b.text("#facts"), "aarch64gcc 12.2.0-O2./matinit 32 256")
    expect("tabs", b.run("return [...document.querySelectorAll('[role=tab]')].map((t) => t.textContent)"), ["jumping", "walking"])
    expect("formula", b.text(".formula"), report["experiments"][0]["formula"])
    expect("totals", instructions(b), {"jumping[0]": 11, "jumping[1]": 5, "jumping[2]": 5})
    expect("counted lines", b.run("return [...document.querySelectorAll('.counted')].map((r) => r.line.line)"), [14, 15, 16, 17, 18, 47])
    expect("counts of a line", row(b, 16, "return row.querySelector('.chips').textContent"), "[1] 2[2] 3")
    expect("source of a line", row(b, 17, "return row.querySelector('code').textContent"), "            a[i][j] = 0;")
    share = row(b, 17, "return [row.querySelector('.pct').textContent, row.querySelector('.bar i').style.width]")
    expect("share of a line", share[0], "40 %")
    expect("shares of a line of two constants", row(b, 16, "return row.querySelectorAll('.bar i').length"), 2)
    expect("unexplained", b.run("return document.querySelectorAll('.unexplained').length"), 0)
    b.run("const s = document.querySelector('#point'); s.value = '0'; s.dispatchEvent(new Event('change'))")
    expect("share at N = 32", row(b, 17, "return row.querySelector('.pct').textContent"), "39 %")
    b.click("[role=tab]:nth-child(2)")
    expect("totals of the other", instructions(b), {"walking[0]": 11, "walking[1]": 7, "walking[2]": 1})
    expect("proposed term", b.text(".constant.unexplained .total"), "proposed: N*log2(N)")
    expect("function", row(b, "memset", "return [row.querySelector('code').textContent, row.classList.contains('unexplained')]"),
           ["memset()", True])
    expect("folded lines", b.text(".fold"), "⋯ lines 1 to 17 have no counts")
    b.click(".fold")
    expect("unfolded lines", b.text(".row code"), "/* SPDX-License-Identifier: MIT */")
    expect("requests", b.run("return performance.getEntriesByType('resource').length"), 0)
    expect("console", b.errors(), [])


def a_click_moves_a_line(b, url, report):
    b.open(url)
    row(b, 16, "row.click()")
    expect("panel", b.text("#panel h2"), "matinit.c:16×")
    expect("classes on demand", b.text("#panel .classes"), "integer 2")
    b.click('[data-move="jumping[2]"]')
    now = instructions(b)
    units = {"jumping[0]": 5, "jumping[1]": 32 + 64 + 2 * 128 + 256, "jumping[2]": 32**2 + 64**2 + 2 * 128**2 + 256**2}
    near("from", now["jumping[1]"], 3)
    near("to", now["jumping[2]"], 5 + 2 * units["jumping[1]"] / units["jumping[2]"])
    expect("what was before", b.text('[data-constant="jumping[2]"] .was'), "was 5")
    expect("changes", b.run("return [...document.querySelectorAll('#panel table')][0].innerText.includes('jumping[1]')"), True)
    expect("status", b.text("#status").startswith("Moved line 16 to jumping[2]: jumping[1] 5 → 3, jumping[2] 5 → "), True)
    expect("colour", row(b, 16, "return row.style.getPropertyValue('--k')"), "var(--k2)")
    b.click("#undo")
    expect("undone", instructions(b), {"jumping[0]": 11, "jumping[1]": 5, "jumping[2]": 5})
    expect("nothing to undo", b.run("return document.querySelector('#undo').disabled"), True)
    expect("console", b.errors(), [])


def the_keyboard_moves_a_line(b, url, report):
    b.open(url)
    b.keys("j", "Down", "Down", "Up")
    expect("selected by keys", selected(b), [15])
    b.keys("2")
    near("moved by a key", instructions(b)["jumping[0]"], 9)
    b.keys("u")
    near("undone by a key", instructions(b)["jumping[0]"], 11)
    b.keys("9")
    near("no such constant", instructions(b)["jumping[0]"], 11)
    b.keys("s")
    expect("nothing to save", b.text("#status"), "Nothing to save: no line was moved.")
    b.keys("Escape")
    expect("closed", b.run("return document.querySelector('#panel').hidden"), True)
    b.run("document.querySelector('[role=tab]').focus()")
    b.keys("Right")
    expect("tab by a key", b.text("[role=tab][aria-selected=true]"), "walking")
    b.run("document.querySelector('[role=tab][aria-selected=true]').focus()")
    for _ in range(12):
        b.keys("Tab")
        if b.run("return Boolean(document.activeElement.line)"):
            break
    expect("the source has the focus after some tabs", b.run("return document.activeElement.line.line"), 21)
    b.keys("Enter")
    expect("selected by Enter", selected(b), [21])
    expect("console", b.errors(), [])


def a_saved_assignment_is_read_back(b, url, report):
    b.open(url)
    row(b, 15, "row.click()")
    b.click('[data-move="jumping[1]"]')
    jumping = instructions(b)
    b.click("[role=tab]:nth-child(2)")
    row(b, 23, "row.click()")
    b.click('[data-move="walking[1]"]')
    row(b, "memset", "row.click()")
    b.click('[data-move="walking[2]"]')
    shown = {**jumping, **instructions(b)}
    b.click("#save")
    text = b.downloaded("matinit.assign.json")
    expect("saved", json.loads(text), {"format": 1, "program": "matinit.c", "assignments": [
        {"experiment": "jumping", "file": "matinit.c", "line": 15, "constant": "jumping[1]"},
        {"experiment": "walking", "file": "libc.so.6", "function": "memset", "line": 0, "constant": "walking[2]"},
        {"experiment": "walking", "file": "matinit.c", "line": 23, "constant": "walking[1]"}]})
    with open("saved.json", "w", encoding="utf-8") as out:
        out.write(text)
    applied = json.loads(subprocess.run([tool, "--json", sample, "saved.json"], capture_output=True, check=True).stdout)
    for e in applied["experiments"]:
        for c in e["constants"]:
            near(f"call and the page on {c['name']}", shown[c["name"]], c["instructions"])
            for name in ("integer", "store", "branch"):
                total = sum(line["classes"].get(name, 0) for line in c["lines"])
                near(f"{name} of {c['name']}", c["classes"].get(name, 0), total)
    expect("nothing is unexplained", applied["experiments"][1]["unexplained"], [])
    b.open(page_of("applied", report, "saved.json"))
    near("the page of the new report", instructions(b)["jumping[1]"], shown["jumping[1]"])
    expect("assigned lines are marked", row(b, 15, "return row.classList.contains('moved')"), True)
    expect("they are saved again", b.run("return document.querySelector('#changes p').textContent.startsWith('3 lines are assigned')"), True)
    expect("console", b.errors(), [])


def texts_stay_texts(b, report):
    evil = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=2'>\"'&\u2028"
    r = json.loads(json.dumps(report).replace("jumping", "J\\\"<b>'"))
    r["program"] = r["command"] = r["flags"] = evil
    r["sources"][0] = {"file": evil, "text": evil + "\n" + evil + "\u0001\n"}
    for e in r["experiments"]:
        for line in [line for c in e["constants"] for line in c["lines"]] + e["unexplained"]:
            line["file"] = evil
            line["line"] %= 3
            line["follows"] = [evil]
        for u in e["unexplained"]:
            u["function"] = u["term"] = evil
    b.open(page_of("evil", r))
    expect("title", b.run("return document.title"), evil + " - instructions")
    expect("program", b.text("h1"), evil)
    b.keys("j", "j", "1")
    b.click("[role=tab]:nth-child(2)")
    b.keys("j", "k", "2")
    expect("nothing ran", b.run("return [window.hacked === undefined, document.images.length, document.scripts.length]"), [True, 0, 2])
    expect("a file name is shown", b.run("return document.querySelector('.file h2').firstChild.textContent"), evil)
    expect("a file name that can be saved", b.run("return document.querySelector('#changes code').textContent.includes('<')"), False)
    expect("console", b.errors(), [])


def other_reports_do_not_break_it(b):
    for k, r in enumerate([{}, [], {"experiments": {}}, {"experiments": [3, None, {}]},
                           {"experiments": [{"name": 3, "constants": [{"lines": [{}, 7]}], "unexplained": [None]}], "sources": [4]},
                           {"experiments": [{"name": "A", "constants": [{"name": "A[0]", "term": "?(", "lines": [
                               {"file": "a.c", "line": 1, "instructions": 1e308}]}], "points": [{"values": {"N": 1}}]}]},
                           {"experiments": [{"name": "A", "constants": [{"name": "A[0]", "term": "P", "instructions": 2, "lines": [
                               {"file": "a.c", "line": 1, "instructions": 2}]}], "points": [{"values": {}}]}]}]):
        b.open(page_of(f"other{k}", r))
        b.keys("j", "0", "u", "k")
        expect(f"console with report {k}", b.errors(), [])
        expect(f"something is shown of report {k}", b.run("return document.querySelector('#source').childNodes.length > 0"), True)
    expect("P is 1 in a program of one process", b.text(".counted .pct"), "100 %")


def it_fits_every_screen(b, url):
    b.open(url)
    light = b.run("return getComputedStyle(document.body).backgroundColor")
    b.scheme(True)
    expect("dark", b.run("return getComputedStyle(document.body).backgroundColor") != light, True)
    b.scheme(False)
    for width in (320, 390, 768, 1280):
        b.resize(width, 800)
        row(b, 16, "row.click()")
        expect(f"no overflow at {width}", b.run("return document.documentElement.scrollWidth"), width)
    b.resize(390, 800)
    expect("the panel is in sight", b.run("const r = document.querySelector('#panel').getBoundingClientRect(); return r.bottom <= innerHeight && r.top >= 0"), True)
    b.cdp("Emulation.setEmulatedMedia", media="print")
    expect("printed", b.run("return ['#panel', '#changes', '#legend', '#source'].map((s) => getComputedStyle(document.querySelector(s)).display)"),
           ["none", "none", "block", "block"])
    b.cdp("Emulation.setEmulatedMedia", media="")
    b.resize(1280, 900)


def many_lines_are_shown(b, report):
    r = json.loads(json.dumps(report))
    n, e = 10000 if os.environ.get("CHECK_LONG") == "yes" else 1000, r["experiments"][0]
    for k, c in enumerate(e["constants"]):
        c["lines"] = [{"file": "matinit.c", "line": line, "instructions": 2, "exact": True, "classes": {"integer": 2}}
                      for line in range(1, n + 1) if line % 3 == k]
        c["instructions"] = 2 * len(c["lines"])
    r["sources"] = [{"file": "matinit.c", "text": "".join(f"    x[{line}] = 3.5 * y[{line}];\n" for line in range(1, n + 1))}]
    b.open(page_of("large", r))
    expect("rows", b.run("return document.querySelectorAll('.counted').length"), n)
    row(b, n, "row.scrollIntoView()")
    for _ in range(200):
        if row(b, n, "return row.querySelector('.chips') !== null"):
            break
        time.sleep(0.05)
    expect("counts are filled in", row(b, n, "return row.querySelector('.chips').textContent"), "[1] 2")
    row(b, n, "row.click()")
    before = instructions(b)
    b.click('[data-move="jumping[0]"]')
    now = instructions(b)
    near("moved from", now["jumping[1]"], before["jumping[1]"] - 2)
    near("moved to", now["jumping[0]"], before["jumping[0]"] + 2 * (32 + 64 + 2 * 128 + 256) / 5)
    b.keys("k")
    expect("selected", selected(b), [n - 1])
    expect("console", b.errors(), [])


def main():
    with open(sample, encoding="utf-8") as file:
        report = json.load(file)
    url = page_of("page", report)
    with Browser("browser") as b:
        for test in (shows_the_report, a_click_moves_a_line, the_keyboard_moves_a_line, a_saved_assignment_is_read_back):
            print(test.__name__, flush=True)
            test(b, url, report)
        texts_stay_texts(b, report)
        other_reports_do_not_break_it(b)
        it_fits_every_screen(b, url)
        many_lines_are_shown(b, report)
    passed()


main()
