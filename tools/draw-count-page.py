#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""draw-count-page.py TOOL OUT: a picture of the page of tests/count/data/matinit.count.json. TOOL is the program
count_page_tool of a build with tests. Needs Chromium and chromedriver."""
import os
import subprocess
import sys
import tempfile

tests = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/count")
sys.path.insert(0, os.path.join(tests, "../harness"))
from browser import Browser  # noqa: E402

tool, out = sys.argv[1:3]
with tempfile.TemporaryDirectory() as folder:
    page = os.path.join(folder, "page.html")
    with open(page, "wb") as file:
        subprocess.run([tool, os.path.join(tests, "data/matinit.count.json")], stdout=file, check=True)
    with Browser(os.path.join(folder, "browser")) as b:
        b.open("file://" + page)
        b.resize(1180, 720)
        b.click("[role=tab]:nth-child(2)")
        b.picture(out)
