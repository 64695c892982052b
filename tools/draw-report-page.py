#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""draw-report-page.py LLAC FOLDER [PDF]: pictures of a page of `report`: report.png, report-dark.png, report-phone.png,
report-supersteps.png and report-regions.png in the folder; and the page as it is printed. Needs Chromium and chromedriver."""
import base64
import os
import subprocess
import sys
import tempfile
import time

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(root, "tests/harness"))
from browser import Browser  # noqa: E402

llac, out = sys.argv[1:3]
data = os.path.join(root, "tests/llac/data/demo.dat")
trace = os.path.join(root, "examples/data/fft-pub.trace")


def shot(browser, name, width, height, dark, part):
    browser.resize(width, height)
    browser.scheme(dark)
    time.sleep(1)
    browser.run("document.querySelector(arguments[0]).scrollIntoView()", part)
    time.sleep(1)
    browser.picture(os.path.join(out, name))


with tempfile.TemporaryDirectory() as folder:
    page = os.path.join(folder, "page.html")
    subprocess.run([llac, "-e", f"fit sort; fit fft; report '{page}' obsp '{trace}' g=1.5e-9 L=5e-6 picture measured from 10500us", data],
                   check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, SOURCE_DATE_EPOCH="1000000000"))
    with Browser(os.path.join(folder, "browser")) as b:
        b.open("file://" + page)
        shot(b, "report.png", 1180, 860, False, "#model1")
        shot(b, "report-dark.png", 1180, 860, True, "#all")
        shot(b, "report-supersteps.png", 1180, 620, False, "#supersteps")
        if len(sys.argv) > 3:
            with open(sys.argv[3], "wb") as file:
                file.write(base64.b64decode(b.cdp("Page.printToPDF", printBackground=True)["data"]))
        shot(b, "report-phone.png", 390, 844, False, "#model1")
        regions = os.path.join(folder, "regions.dat")
        with open(regions, "w", encoding="utf-8") as file:
            subprocess.run([sys.executable, os.path.join(root, "tests/llac/regions.py"), "40"], check=True, stdout=file)
        subprocess.run([llac, "-e", f"report '{page}'", regions], check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, SOURCE_DATE_EPOCH="1000000000"))
        b.open("file://" + page)
        shot(b, "report-regions.png", 1180, 640, False, "#regions")
