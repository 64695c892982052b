#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""links.py FOLDER [FILE...]: what the pages of FOLDER refer to exists.

Pages are FOLDER/*.md and the *.md files below FOLDER/docs. Each relative link leads to a file or folder, and its anchor
to a heading or an `id` of that page. docs/README.md links to every page below docs. Other FILEs may name pages as
docs/PART/NAME.md, relative to FOLDER, and sources as "(see NAME.h)". If FOLDER has the sources, the names of files in
backquotes exist as paths from FOLDER or as names of sources, the sources have the functions that
docs/developer/architecture.md names, and what it names as `FUNCTION` (`FILE`) is in this file.
"""
import pathlib
import re
import sys

FENCED = re.compile(r"^(```|~~~).*?^\1", re.S | re.M)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r'\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]: (\S+)|(?:src|href)="([^"]+)"', re.M)
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.M)
PATH = re.compile(r"`((?:src|include|tests|tools|cmake|man|examples|docs)/[\w./*+-]+)`")
SOURCE = re.compile(r"`([a-z0-9_-]+\.(?:[ch]|sh|py|js|def))`")
FUNCTION = re.compile(r"`([a-z0-9]+(?:_[a-z0-9]+)+)`")
PLACE = re.compile(r"`([a-z0-9_]+)` (?:\(|in )`(src/[\w/.-]+\.(?:c|h|sh|js))`")
SEE = re.compile(r"\((?:see )?([a-z0-9_]+\.[ch])\)")

root = pathlib.Path(sys.argv[1]).resolve()
pages = sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])
wrong = []


def text_of(path):
    """A page without fenced blocks, with its lines where they were."""
    return FENCED.sub(lambda m: "\n" * m.group(0).count("\n"), path.read_text())


def report(page, text, at, what):
    wrong.append(f"{page.relative_to(root)}:{text.count(chr(10), 0, at) + 1}: {what}")


def anchors(path, known={}):
    """What can follow the # of a link to this page."""
    if path not in known:
        found, times = set(), {}
        text = text_of(path)
        for heading in HEADING.findall(text):
            heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"<!--.*?-->", "", heading))
            name = "".join(c for c in heading.strip().lower() if c.isalnum() or c in " -_").replace(" ", "-")
            times[name] = times.get(name, -1) + 1
            found.add(f"{name}-{times[name]}" if times[name] else name)
        known[path] = found | set(re.findall(r'(?:id|name)="([^"]+)"', text))
    return known[path]


def check_links(page, linked):
    """Adds the pages that this page links to."""
    text = CODE.sub(lambda m: "`" * len(m.group(0)), text_of(page))
    count = 0
    for match in LINK.finditer(text):
        link = next(g for g in match.groups() if g)
        if re.match(r"[a-z]+:", link):
            continue
        count += 1
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        linked.add(target)
        if not target.exists():
            report(page, text, match.start(), f"the link {link} leads to a file that does not exist")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            report(page, text, match.start(), f"the link {link} leads to a heading that does not exist")
    return count


def check_names(page, files, words):
    """The files and functions in backquotes."""
    text = text_of(page)
    for match in PATH.finditer(text):
        if not any(root.glob(match.group(1).rstrip("/"))):
            report(page, text, match.start(), f"{match.group(1)} does not exist")
    if page.parent.name not in ("developer", "method"):
        return
    for match in SOURCE.finditer(text):
        if match.group(1) not in files:
            report(page, text, match.start(), f"no folder of the sources has {match.group(1)}")
    for match in FUNCTION.finditer(text) if page.name == "architecture.md" else ():
        if match.group(1) not in words:
            report(page, text, match.start(), f"no source has the name {match.group(1)}")
    for match in PLACE.finditer(text):
        path = root / match.group(2)
        if path.exists() and not re.search(rf"\b{match.group(1)}\b", path.read_text()):
            report(page, text, match.start(), f"{match.group(2)} has no {match.group(1)}")


def main():
    count, names = 0, set()
    for page in pages:
        linked = set()
        count += check_links(page, linked)
        if page == root / "docs/README.md":
            wrong.extend(f"docs/README.md does not list {p.relative_to(root)}"
                         for p in pages if p.parent.parent == root / "docs" and p not in linked)
    if (root / "src").exists():
        sources = [p for f in ("src", "include", "tests", "tools", "examples") for p in (root / f).rglob("*") if p.is_file()]
        code = [p for p in sources if p.suffix in (".c", ".h", ".sh", ".def", ".js", ".txt")]
        words = set(re.findall(r"\w+", "\n".join(p.read_text(errors="replace") for p in code))) | {p.stem for p in code}
        names = {p.name for p in sources}
        for page in pages:
            check_names(page, names, words)
    for name in sys.argv[2:]:
        text = pathlib.Path(name).read_text(errors="replace").replace("\\-", "-")
        for page in re.findall(r"\bdocs/[a-z0-9/-]+\.md\b", text):
            if not (root / page).exists():
                wrong.append(f"{name} names {page}, which does not exist")
        for source in SEE.findall(text) if re.match(r"(src|include)/.*\.[ch]$", name) else ():
            if source not in names:
                wrong.append(f"{name} names {source}, which does not exist")
    if count < len(pages):
        wrong.append(f"only {count} links were found on {len(pages)} pages")
    print("\n".join(wrong) or f"{count} links of {len(pages)} pages lead somewhere")
    sys.exit(bool(wrong))


main()
