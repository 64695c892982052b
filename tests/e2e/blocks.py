#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""blocks.py SOURCE BIN [PAGE...]: the blocks of the pages are what the programs accept.

Pages are SOURCE/*.md, the *.md files below SOURCE/docs, and SOURCE/man/*.[137]. A block is fenced, indented, or in a man page
between .EX and .EE or .nf and .fi. Its kind follows from its fence or from its text:

  session    ```llac and ```sh: another test runs the blocks of this page (RUN_BY)
  file       ```text NAME, which such a test writes
  c, c++, fortran   with cll pragmas or calls of the run-time: `call cc` compiles it, in a frame of declarations (FRAME)
  command    of a shell: subcommands, options, targets and files exist; llac runs where the files that it names are in SOURCE
  llac       commands of llac: they exist. A usage, with [ or |, is that of `help`
  notation   of supersteps: lines of a file of examples/obsp, or llac evaluates it
  json       can be read; data: llac loads it

A comment before a block names another kind, <!-- block: KIND --> (man: .\\" block: KIND):

  excerpt of FILE   lines of this file of SOURCE, in its order; `...` stands for others
  output            what a program prints
  text              an equation, a grammar, a picture of characters; a file of another tool

A block of an unknown kind is an error, as is a command or pragma between backquotes in the text
that CALL would refuse. <!-- run --> and <!-- error: TEXT --> are for tests/translate/manual.sh.
"""
import collections
import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap

root, programs = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
wrong, counts, inline_pragmas = [], collections.Counter(), []

# Which test runs the blocks ```llac and ```sh of a page
RUN_BY = {**dict.fromkeys(("import", "formulas", "reading", "comparison", "measuring"), "tests/e2e/pages.sh"),
          "tutorial": "tests/e2e/tutorial.sh", "ci": "tests/e2e/ci.sh", "builds": "tests/e2e/builds.sh", "llac": "tests/llac/docs.sh"}
# Programs that are not CALL's
OUTSIDE = set("""cc gcc clang mpicc mpicxx smpicc cmake ctest ninja meson autoreconf configure git cp cat cd mkdir export exit awk sed grep
    apt spack podman perf cali-query likwid-perfctr cube_dump extrap extrap-gui scorep scorep-score hyperfine sbatch env eval test ln""".split())
LAUNCHERS = {"mpirun", "mpiexec", "srun", "smpirun"}
KEYWORDS = {"do", "then", "else", "if", "!", "while", "sudo", "exec"}
FRAME = """
#include <math.h>
extern int N, M, n, p, first, last, it, *a, *scratch, *b;
void fill(int *, int);
void merge_sort(int *, int *, int);
void sort(int *, int);
void work(int *, int);
"""
CXX_FRAME = "#include <algorithm>\n#include <vector>\n#include <cmath>\nextern int n; extern std::vector<int> data, v;\n"


def report(page, line, what):
    wrong.append(f"{page}:{line}: {what}")


def output_of(*command):
    return subprocess.run([str(programs / command[0]), *command[1:]], capture_output=True, text=True).stdout


TAKING = set()  # the options that a value follows


def options_of(*command):
    """The options that --help lists."""
    known = set()
    for short, long, value in re.findall(r"^  (-\w|--[a-z-]+)(?:, (--[a-z-]+))?( [A-Z]\S*)?", output_of(*command), re.M):
        known |= {short, long} - {""}
        TAKING.update({short, long} if value else ())
    return known


CALL = {"": options_of("call", "--help"), **{c: options_of("call", c, "--help") for c in ("run", "count", "discover")}}
LLAC, PROBE = options_of("llac", "--help"), options_of("cllprobe", "--help")
COMMANDS = set(re.findall(r"^  (\w+) ", output_of("llac", "-e", "help"), re.M)) | {"exit"}
TARGETS = {t for name in ("Makefile", "cmake/runtime.mk", "examples/builds/Makefile")
           for t in re.findall(r"^([a-z][a-z-]*):", (root / name).read_text(), re.M)}


# ---- the blocks of a page

class Block:
    """Its text begins in the line `line + 1` of the page if it is fenced, else in `line`."""
    def __init__(self, page, line, language="", name="", mark=""):
        self.page, self.line, self.language, self.name, self.mark, self.lines = page, line, language, name, mark, []


def blocks_of_markdown(page, lines):
    mark, block, fence = "", None, ""
    for number, line in enumerate(lines, 1):
        if fence:
            if line.strip() == fence:
                yield block
                block, fence = None, ""
            else:
                block.lines.append(line)
            continue
        if block:  # an indented one
            if line.startswith("    ") or not line.strip():
                block.lines.append(line)
                continue
            yield block
            block = None
        opening = re.match(r" *(```|~~~)(\w*) ?(.*)$", line)
        if opening:
            fence, block, mark = opening[1], Block(page, number, opening[2], opening[3], mark), ""
        elif line.startswith("    ") and line.strip() and not lines[number - 2].strip():
            block, mark = Block(page, number, mark=mark), ""
            block.lines.append(line)
        elif line.strip():
            comment = re.match(r"\s*<!-- (?:block: (.*?)|(run|error: .*?|arrows: .*?)) -->", line)
            mark = comment[1] or comment[2] if comment else ""
    if block and not fence:
        yield block
    if fence:
        report(page, block.line, "the block is not closed")


def blocks_of_man(page, lines):
    block, mark, section = None, "", ""
    for number, line in enumerate(lines, 1):
        section = line if line.startswith(".SH") else section
        if block and re.match(r"\.(EE|fi)\b", line):
            yield block
            block = None
        elif block:
            block.lines.append(re.sub(r"\\fB|\\fR|\\&", "", line).replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\").removeprefix("    "))
        elif re.match(r"\.(EX|nf)\b", line) and "SYNOPSIS" not in section:
            block, mark = Block(page, number, mark=mark), ""
        elif line.startswith('.\\" block: '):
            mark = line[11:]


def parts_of(block):
    """What precedes the first command with a prompt is a block of its own, with the same mark."""
    block.lines = textwrap.dedent("\n".join(block.lines)).rstrip().split("\n")
    for i, line in enumerate(block.lines):
        if i and re.match(r"\$ |llac> ", line) and not re.match(r"\$ |llac> ", block.lines[0]):
            head, rest = (Block(block.page, block.line + k, block.language, mark=block.mark) for k in (0, i))
            head.lines, rest.lines = block.lines[:i], block.lines[i:]
            return [head, rest]
    return [block]


# ---- commands

def commands_of(lines):
    """(number of the line, words) of each simple command."""
    text = ""
    for number, line in enumerate(lines):
        line = re.sub(r"(^|\s)# .*$", "", line) if not text or text.endswith(" ") else line
        if not text and re.search(r"\S {4,}\w", line):
            yield number, ["explained", line]
            continue
        text += re.sub(r"\$\([^()]*\)", "SUBSTITUTED", line)
        if text.endswith("\\"):
            text = text[:-1] + " "
            continue
        lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
        lexer.whitespace_split, lexer.commenters = True, ""
        try:
            words = list(lexer)
        except ValueError:
            text += "\n"
            continue
        text = ""
        yield from ((number, command) for command in split_at_operators(words) if command)
    if text:
        yield len(lines) - 1, ["unfinished", text]


def split_at_operators(words):
    command, skip = [], False
    for word in [*words, ";"]:
        if skip:
            skip = False
        elif re.fullmatch(r"[;&|()]+", word):
            while command and (command[0] in KEYWORDS or re.match(r"\w+=", command[0])):
                command.pop(0)
            yield command
            command = []
        elif re.fullmatch(r"[<>&]*[<>][<>&]*", word):
            command, skip = command[:-1] if command and re.fullmatch("[012]", command[-1]) else command, True
        else:
            command.append(word)


def check_options(words, known):
    """The options up to `--`, and the arguments that are none. Options of one letter may have their value attached."""
    rest, i = [], 0
    while i < len(words) and words[i] != "--":
        option = words[i].split("=")[0]
        if not words[i].startswith("-") or words[i] == "-":
            rest.append(words[i])
        elif option not in known and option[:2] not in known & {"-I", "-D", "-U"}:
            return f"there is no option {option}", rest
        elif option in TAKING and option == words[i]:
            i += 1
        i += 1
    return None, rest


def check_call(words):
    if words[:1] == ["cc"]:
        return None
    name = words[0] if words and words[0] in CALL else ""
    error, rest = check_options(words[1:] if name else words, CALL[name])
    if not error and not name and rest and "." not in rest[0]:
        error = f"call has no command {rest[0]}"
    return error


def check_llac(words):
    if words[:1] == ["check"]:
        return check_options(words[1:], LLAC)[0]
    error, rest = check_options(words, LLAC)
    if error:
        return error
    for script in [words[i + 1] for i, w in enumerate(words[:-1]) if w == "-e"]:
        for command in re.split(r";", script):
            error = error or check_command(command)
    bare = [r for r in rest if not re.search(r"[./*A-Z$]", r)]
    if not error and bare:
        error = f"'{bare[0]}' is no file; is it a command, -e '{bare[0]} ...'?"
    return error or run_llac(words, rest)


def check_command(command):
    word = re.match(r"\s*([a-z]+)?", command)[1]
    return None if word is None or word in COMMANDS else f"llac has no command {word}"


def run_llac(words, files):
    """Runs llac in the source if all files that the command names are there."""
    named = files + re.findall(r"\b(?:examples|tests)/[\w./-]+", " ".join(words))
    if not named or not all((root / f).exists() for f in named) or re.search(r"\b(save|export|report|plot|picture)\b", " ".join(words)):
        return None
    counts["of these run"] += 1
    done = subprocess.run([programs / "llac", *words], cwd=root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return f"llac ends with {done.returncode}: {done.stderr}" if done.returncode else None


def check_make(words):
    targets = [w for i, w in enumerate(words) if not w.startswith("-") and "=" not in w and words[i - 1] != "-C"]
    missing = [t for t in targets if t not in TARGETS]
    return f"there is no target {missing[0]}" if missing else None


def check_script(path, words):
    """A script or program of the source, whose first argument may be a subcommand."""
    pattern = re.sub(r"\b(NAME|DIR\d?)\b", "*", path)
    if pattern.startswith("build/bench/"):
        pattern = "bench/" + pathlib.Path(pattern).name + ".c*"
    elif path == "bench/run":
        missing = [w for w in words if w != "all" and not glob.glob(str(root / "bench" / f"{w}.*"))]
        return f"there is no benchmark {missing[0]}" if missing else None
    found = sorted(glob.glob(str(root / pattern))) if not pattern.startswith("*") else ["*"]
    if not found:
        return f"{path} does not exist"
    word = words[0] if words and re.fullmatch("[a-z]+", words[0]) else ""
    if word and found != ["*"] and not any(re.search(rf"\b{word}\b", pathlib.Path(f).read_text(errors="replace")) for f in found):
        return f"{path} does not know {word}"
    return None


def check_words(words):
    """Returns what is wrong with a simple command, None if nothing is, and False if the text is no command."""
    program, arguments = words[0], words[1:]
    for word in words:
        if re.match(r"(examples|bench|tools|tests|docs)/[\w./*-]+$", word) and "NAME" not in word and not glob.glob(str(root / word)):
            return f"{word} does not exist"
    if program in ("for", "done", "fi", "in"):
        return None
    if program == "explained":
        return "an explanation in a command begins with #"
    if program == "call" or program.startswith("call-"):
        return check_call(arguments if program == "call" else ["cc"])
    if program == "llac":
        return check_llac(arguments)
    if program in LAUNCHERS:
        return check_words(arguments[arguments.index("cllprobe"):]) if "cllprobe" in arguments else None
    if program in ("cllprobe", "cllprobe-cuda", "cllprobe-opencl"):
        return check_options(arguments, PROBE)[0]
    if program == "make":
        return check_make(arguments)
    if re.match(r"(bench|tools|examples|build/bench)/", program):
        return check_script(program, arguments)
    if program in ("sh", "bash"):
        return check_script(arguments[0], arguments[1:]) if re.match(r"(bench|tools|examples|DIR\d?)/", arguments[0]) else None
    return None if program in OUTSIDE or re.match(r"\.{0,2}/", program) else False


def check_shell(block, lines):
    """Whether all of it are commands."""
    found = list(commands_of(lines))
    results = [(number, words, check_words(words)) for number, words in found]
    if not found or any(result is False for _, _, result in results):
        return False
    for number, words, result in results:
        counts["command"] += 1
        if result:
            report(block.page, block.line + number, f"{' '.join(words)}: {result}")
    return True


# ---- programs

def compile_source(block, text, suffix):
    compiler = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}[suffix]
    if re.search(r"<(mpi|pub|bsp)\.h>|^ *use mpi", text, re.M):
        compiler = {"gcc": "mpicc", "g++": "mpicxx", "gfortran": "mpif90"}[compiler]
    if not shutil.which(compiler):
        counts[f"not compiled, {compiler} is missing"] += 1
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "block" + suffix)
        pathlib.Path(path).write_text(text + "\n")
        command = [programs / "call", "cc", compiler, "-w", "-c", path, "-o", os.path.join(folder, "block.o")]
        if "cll_clock.h" in text:
            command.insert(-3, f"-I{root}/include")
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        report(block.page, block.line, f"{compiler} refuses the block: {done.stderr}")


def check_c(block, lines, suffix=".c"):
    text = "\n".join("" if line.strip() == "..." else line for line in lines)
    opened = re.match(r"#pragma cll (?:sync )?(\w+)", lines[0])
    if opened and len([line for line in lines if line.strip()]) == 1 and opened[1] not in ("parallel", "report", "uses", "end"):
        text += f"\n    work(a, N);\n#pragma cll end {opened[1]}"
    whole = re.search(r"^#include|^\w[\w *]*\(.*\)\s*$|^#pragma cll parallel", text, re.M)
    if "begin()" in text:
        suffix = ".cpp"
    if not whole:
        header = "#include <cll.h>\n" if "CLL_" in text else ""
        text = header + (FRAME if suffix == ".c" else CXX_FRAME) + f"void example(void)\n{{\n{text}\n}}"
    compile_source(block, text, suffix)


def check_fortran(block, lines):
    text = "\n".join(line for line in lines if line.strip() != "...")
    if not re.search(r"^ *(program|subroutine|module) ", text, re.M):
        text = "program example\n" + text
    if re.search(r"^ *program ", text, re.M):
        text += "\nend program"
    compile_source(block, text, ".f90")


def check_excerpt(block, name):
    path = root / name
    if not path.is_file():
        report(block.page, block.line, f"{name} does not exist")
        return
    rest = [line.strip() for line in path.read_text().split("\n")]
    for number, line in enumerate(block.lines, 1):
        if line.strip() in ("", "..."):
            continue
        if line.strip() not in rest:
            report(block.page, block.line + number, f"{name} lacks this line, or has it elsewhere: {line.strip()}")
            return
        rest = rest[rest.index(line.strip()) + 1:]


def check_notation(block, lines):
    """Lines of an example, or a file that llac evaluates with the processors of its own."""
    words = [re.sub(r"\s*#.*", "", line).strip() for line in lines]
    words = [w for w in words if w]
    for example in (root / "examples/obsp").glob("*.obsp"):
        text = [re.sub(r"\s*#.*", "", line).strip() for line in example.read_text().split("\n")]
        if all(w in text for w in words):
            return
    text = "\n".join(lines) if words[0].startswith("param") else "param P = 4\nparam N = 64\n" + "\n".join(lines) + "\nsync"
    with tempfile.NamedTemporaryFile("w", suffix=".obsp") as f:
        f.write(text + "\n")
        f.flush()
        done = subprocess.run([programs / "llac", "-e", f"obsp {f.name} g=0 L=0"], capture_output=True, text=True)
    if done.returncode:
        report(block.page, block.line, f"no file of examples/obsp has these lines, and llac refuses them: {done.stderr}")


def check_data(block, lines):
    with tempfile.NamedTemporaryFile("w", suffix=".dat") as f:
        f.write("\n".join(lines).rstrip() + "\n")
        f.flush()
        done = subprocess.run([programs / "llac", "-e", "list", f.name], capture_output=True, text=True)
    if done.returncode or done.stderr:
        report(block.page, block.line, f"llac does not load it: {done.stderr}")


def check_usage(block, lines):
    """The text of `help COMMAND` has the same usage."""
    text = " ".join(" ".join(lines).split())
    name = text.split()[0]
    shown = output_of("llac", "--help") if name == "llac" else output_of("llac", "-e", f"help {name}")
    if text not in " ".join(shown.replace("usage: ", "").split()):
        report(block.page, block.line, f"'llac' prints another usage of {name}: {shown.split(chr(10) + chr(10))[0]}")


# ---- which kind a block is

def check_llac_lines(block, lines):
    for number, line in enumerate(lines):
        error = check_command(line)
        if error:
            report(block.page, block.line + number, error)


def check_block(block):
    lines = block.lines
    name, first = pathlib.Path(block.page).stem, next((line for line in lines if line.strip()), "")
    word = (first.split() or [""])[0]
    if block.mark.startswith("excerpt of "):
        counts["excerpt"] += 1
        check_excerpt(block, block.mark[len("excerpt of "):])
    elif block.mark.split(":")[0] in ("output", "text", "arrows"):
        counts[block.mark.split(":")[0]] += 1
    elif block.mark.split(":")[0] in ("run", "error") and name == "language":
        counts["program that is run"] += 1
    elif block.mark:
        report(block.page, block.line, f"'{block.mark}' is no kind of block; see the head of tests/e2e/blocks.py")
    elif block.language in ("llac", "sh"):
        counts["session"] += 1
        test = RUN_BY.get(name, "no test")
        if not (root / test).is_file() or name not in (root / test).read_text():
            report(block.page, block.line, f"{test} runs the blocks {block.language} of this page: add it to RUN_BY")
    elif block.language == "text":
        counts["file" if block.name else "output"] += 1
    elif block.language in ("c", "cpp", "fortran"):
        counts[{"c": "C", "cpp": "C++", "fortran": "Fortran"}[block.language]] += 1
        (check_fortran(block, lines) if block.language == "fortran" else check_c(block, lines, "." + block.language))
    elif first.startswith("$ "):
        check_shell(block, session_lines(lines)) or report(block.page, block.line, "a command that is not known")
    elif first.startswith("llac> "):
        counts["llac"] += 1
        check_llac_lines(block, [line[6:] if line.startswith("llac> ") else "" for line in lines])
    elif first.startswith(("#pragma cll", "#include")) or "CLL_REGION(" in first:
        counts["C"] += 1
        check_c(block, lines)
    elif block.language == "json" or first.startswith(("{", "[")):
        counts["json"] += 1
        try:
            json.loads("\n".join(lines))
        except ValueError as error:
            report(block.page, block.line, f"this is not JSON: {error}")
    elif first.startswith("# cll-data"):
        counts["data"] += 1
        check_data(block, lines)
    elif re.match(r"(param|proc|work|send|split) |for \w+ = ", first):
        counts["notation"] += 1
        check_notation(block, lines)
    elif (word in COMMANDS or word == "llac") and re.search(r"\[[a-zA-Z-]", first) and not re.search(r"['\"]", first.replace('"FORMULA"', "")):
        counts["usage"] += 1
        check_usage(block, lines)
    elif all(line.split()[0] in COMMANDS for line in lines if line.strip()):
        counts["llac"] += 1
        check_llac_lines(block, lines)
    elif not check_shell(block, lines):
        report(block.page, block.line, f"what kind of block is this? See the head of tests/e2e/blocks.py: {first.strip()[:60]}")


def session_lines(lines):
    """The commands of a session with $, in their lines."""
    out, going_on = [], False
    for line in lines:
        command = line[2:] if line.startswith("$ ") else line if going_on else ""
        going_on = bool(command) and (command.endswith("\\") or sum(c.count("'") + c.count('"') for c in ([*out[-1:], command] if going_on else [command])) % 2 == 1)
        out.append(command)
    return out


# ---- commands and pragmas in the text

def check_inline(page, lines):
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= bool(re.match(r" *(```|~~~)", line))
        if fenced or line.startswith("    "):
            continue
        for code in re.findall(r"`([^`]+)`", line):
            if re.match(r"(call|llac|cllprobe|make|bench/|build/bench/|tools/|examples/[\w/-]+ )\S* ", code) and not re.search(r"\.\.\.|^call \w+\(", code):
                for _, words in commands_of([code]):
                    result = check_words(words)
                    counts["command in the text"] += 1
                    if result:
                        report(page, number, f"`{code}`: {result}")
            elif re.match(r"#pragma cll (\w+(\(.*\))? .*\w\[\d\]|sync|parallel [A-Z]|report|uses)", code) and not re.search(r"\.\.\.|\b(COMM|MACHINE|NAME)\b", code):
                inline_pragmas.append((page, number, code))


def check_inline_pragmas():
    """Each in a program of its own. Whether the variables exist is for the compiler, and not checked here."""
    for page, number, code in inline_pragmas:
        name = re.match(r"#pragma cll (?:sync )?(\w+)", code)[1]
        end = "" if name in ("parallel", "report", "uses") else f"\n    work();\n#pragma cll end {name}"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pragma.c")
            pathlib.Path(path).write_text(f"void f(void)\n{{\n{code}{end}\n}}\n")
            done = subprocess.run([programs / "call", "--check", "--raw", path], capture_output=True, text=True)
        counts["pragma in the text"] += 1
        if done.returncode:
            report(page, number, f"`{code}`: {done.stderr}")


def main():
    pages = [root / p for p in sys.argv[3:]] or sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("man/*.[137]")])
    for path in pages:
        page = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
        lines = path.read_text().split("\n")
        man = path.suffix != ".md"
        for block in (blocks_of_man if man else blocks_of_markdown)(page, lines):
            for part in parts_of(block):
                check_block(part)
        if not man:
            check_inline(page, lines)
    check_inline_pragmas()
    print("\n".join(wrong))
    print(", ".join(f"{kind}: {n}" for kind, n in sorted(counts.items())))
    needed = ("C", "C++", "Fortran", "command", "command in the text", "data", "excerpt", "file", "json", "llac", "notation", "output",
              "of these run", "pragma in the text", "program that is run", "session", "text", "usage")
    if not sys.argv[3:]:
        wrong.extend(f"no block of the kind '{kind}' was found" for kind in needed if not counts[kind])
    sys.exit(bool(wrong))


main()
