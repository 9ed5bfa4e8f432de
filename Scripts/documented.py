"""Checks the documents against the project and runs their commands, so that they stay correct.

documented.py [--recorded] PAGE|FOLDER ...

A block that begins with ```sh runs as one script, in the project's folder. A following block that begins with ```text is its
expected output: its lines must be printed in that order, where ids, long numbers, milliseconds and paths match anything. A
command that runs until it is stopped is ended with SIGTERM as soon as it has printed the expected block. A page whose commands
are run by a test says so: <!-- run by Interop/test_ci_guide.py -->.

`./test` alone is not run: with --recorded, its output is read from the file in POSTHORN_TEST_OUTPUT, and nothing else is checked. A
number of tests or suites in the document may be up to a tenth lower than the printed one, because the numbers grow with almost every
change.

Before the commands, the script checks without running anything:
- The lines of a block are in the source file of the project that <!-- from Examples/… --> above the block names; each ```swift block of
  the guide names one. A line with only "…" stands for omitted lines. compiled.py compiles the other Swift blocks.
- A translation, such as zh-Hans/Porting.md of Porting.md or README.zh-Hans.md of README.md, has the same blocks as its original, in
  the same order. A diagram of lines and arrows has the same names of code, and captions in the page's language. A translation has the same sections: headings of the same levels, and tables with as many rows and the same numbers. It links to
  pages of its language, where they exist.
- Every link of every document leads to an existing file and heading.
- The Swift files that Architecture.md names are there, in its tables by the rule that the page states.
"""

import fnmatch
import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRANSLATIONS = {"zh-Hans"}
GUIDE = ROOT / "Documentation/Guide"
DOCUMENTS = sorted(
    file for places in ["*.md", "Documentation/**/*.md", "Examples/*/*.md", "Examples/*.md", "Packaging/*/*.md"] for file in ROOT.glob(places)
)
ARCHITECTURE = ROOT / "Documentation/Architecture.md"
# The pages that are there in every language.
TRANSLATED = sorted([
    *GUIDE.glob("*.md"), *ROOT.glob("Documentation/Operations/*.md"),
    *(ROOT / page for page in ["README.md", "Documentation/FirstPush.md", "Packaging/client/README.md"]),
])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
DIAGRAM = re.compile("[─│└├┌┐▲▼►◄]")
# Names of code in a diagram: `didReceive`, `UNNotification`, `CallKit`, and what stands before a bracket.
CODE_NAME = re.compile(r"\b(?:[a-z]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*|[A-Z][a-z]+[A-Z]\w*|\w+(?=\())", re.ASCII)
FROM = re.compile(r"^<!-- from (\S+) -->\n```swift\n(.*?)^```$", re.M | re.S)
RUN_BY = re.compile(r"^<!-- run by (\S+) -->$", re.M)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FILE = re.compile(r"`(?:\.\./)?([\w+./*-]+\.swift)`")
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.M)
SECTION = re.compile(r"^(#{1,6}) .*$|^(?:\|.*(?:\n|\Z))+", re.M)
# The cells of a table that have nothing but numbers.
FIGURES = re.compile(r"(?<=\|)[\d,.、 ]*\d *(?=\|)")
ENDLESS = re.compile(r"^\./posthorn (demo(?! --exit| certificates| live --exit)|sandbox(?!.*--until-eof)|serve|gateway|device)\b")
# The parts that differ between runs: tokens and ids, times of day, durations and rates, ports and other long numbers, and paths.
VARIABLE = re.compile(r"[0-9a-f]{8,}…?|\d+(?:\.\d+)? ms|\d+(?:\.\d+)?(?= seconds\b)|\d+(?= rows a second\b)|\b\d{5,}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|(?<=127\.0\.0\.1:)\d+|/\S+")


def name(page):
    return page.relative_to(ROOT)


COUNT = re.compile(r"\b\d+(?= (?:tests|suites)\b)")


# Checks of references to other files.


def significant(text):
    return [line for line in map(str.strip, text.splitlines()) if line]


def stands_in(block, source):
    """Returns whether the lines of the block are in the source, apart from indentation and empty lines."""
    lines, start = significant(source), 0
    for part in re.split(r"^\s*(?:// )?…\s*$", block, flags=re.M):
        wanted = significant(part)
        last = len(lines) - len(wanted)
        found = next((at for at in range(start, last + 1) if lines[at : at + len(wanted)] == wanted), None)
        if found is None:
            return False
        start = found + len(wanted)
    return True


def unquoted_problems(page):
    text = page.read_text()
    if len(FROM.findall(text)) != sum(kind == "swift" for kind, _ in BLOCK.findall(text)):
        yield "a swift block has no line <!-- from FILE --> above it"


def quotation_problems(page):
    for file, block in FROM.findall(page.read_text()):
        source = ROOT / file
        if not source.is_file():
            yield f"quotes {file}, which is not there"
        elif not stands_in(block, source.read_text()):
            yield f"quotes lines that do not stand in {file}:\n{block}"


def original_of(page):
    """Returns the page that a page translates; none if it is no translation."""
    if page.parent.name in TRANSLATIONS:
        return page.parent.parent / page.name
    stem, _, language = page.stem.partition(".")
    return page.with_name(f"{stem}.md") if language in TRANSLATIONS else None


def outline(text):
    """Returns the headings and tables of a document: a heading as its level, a table as the number of its rows and its figures."""
    found = []
    for match in SECTION.finditer(BLOCK.sub("", text)):
        rows = match[0].splitlines()
        heading = f"a heading of level {len(match[1])}" if match[1] else ""
        figures = [re.findall(r"\d+(?:[,.]\d+)*", cell) for row in rows for cell in FIGURES.findall(row)]
        found.append((heading or f"a table of {len(rows)} rows with the figures {figures}", rows[0]))
    return found


def translation_of(page, language):
    """Returns where the translation of a page is."""
    return page.with_name(f"README.{language}.md") if page.name == "README.md" and GUIDE not in page.parents else page.parent / language / page.name


def is_block_of(ours, theirs):
    """Returns whether a block of a translation is that of its original, or the same diagram with other captions."""
    is_diagram = not (ours[0] or theirs[0]) and DIAGRAM.search(theirs[1])
    return ours == theirs or bool(is_diagram) and CODE_NAME.findall(ours[1]) == CODE_NAME.findall(theirs[1])


def translation_problems(page):
    original = original_of(page)
    if not original.is_file():
        yield f"translates {name(original)}, which is not there"
        return
    text, its_text = page.read_text(), original.read_text()
    own, its = BLOCK.findall(text), BLOCK.findall(its_text)
    for number, (ours, theirs) in enumerate(zip(own, its), 1):
        if not is_block_of(ours, theirs):
            yield f"block {number} is not that of {name(original)}:\n{ours[1]}"
            break
    if len(own) != len(its):
        yield f"has {len(own)} blocks, {name(original)} has {len(its)}"
    nothing = ("nothing", "its end")
    for (ours, at), (theirs, there) in itertools.zip_longest(outline(text), outline(its_text), fillvalue=nothing):
        if ours != theirs:
            yield f"has {ours} at {at!r}, where {name(original)} has {theirs} at {there!r}"
            break


def linked(page):
    """Yields the links of a page to files of the project: the link as it is written, the file, and the anchor or nothing."""
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page.read_text()))):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            yield target, (page.parent / path).resolve() if path else page, anchor


def language_problems(page):
    """Yields the links of a translation to pages that there are in its language too; the one to its original may stay."""
    originals = {original_of(other): other for other in DOCUMENTS if original_of(other)}
    del originals[original_of(page)]
    for target, file, _ in linked(page):
        if file in originals:
            yield f"links to {target}, which is there as {name(originals[file])}"


def slugs(titles):
    """Yields the anchors of headings, which are given as Markdown, as on GitHub."""
    seen = {}
    for title in titles:
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        anchor = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        count = seen[anchor] = seen.get(anchor, -1) + 1
        yield f"{anchor}-{count}" if count else anchor


def anchors(text):
    """Yields the anchors of the headings of a document."""
    return slugs(HEADING.findall(BLOCK.sub("", text)))


def link_problems(page):
    for target, file, anchor in linked(page):
        if not file.exists():
            yield f"links to {target}, which is not there"
        elif anchor and anchor not in anchors(file.read_text()):
            yield f"links to {target}, which has no such heading"


def file_problems(page):
    """Yields the Swift files that a page names and that are not there. In a table, a file without a folder is in the folder of the file
    before it, and one without a module in the module of the file before it."""
    files = [str(name(file)) for folder in ("Sources", "Tests", "Examples") for file in sorted((ROOT / folder).rglob("*.swift"))]
    for line in page.read_text().splitlines():
        before = ""
        for named in FILE.findall(line):
            places = [named, f"*/{named}"]
            if before and line.startswith("|"):
                near = "/".join(before.split("/")[:3]) if "/" in named else before.rpartition("/")[0]
                places = [f"Sources/{named}", named, f"{near}/{named}"]
            found = [file for place in places for file in fnmatch.filter(files, place)]
            if not found:
                yield f"names {named}, which is not there" + (f" beside {before}" if before and line.startswith("|") else "")
            before = found[0] if found else before


def problems():
    yield from (f"{name(ARCHITECTURE)}: {problem}" for problem in file_problems(ARCHITECTURE))
    for page in DOCUMENTS:
        found = list(link_problems(page))
        if original_of(page):
            found += [*translation_problems(page), *language_problems(page)]
        else:
            found += quotation_problems(page)
            found += unquoted_problems(page) if GUIDE in page.parents else []
        yield from (f"{name(page)}: {problem}" for problem in found)
    for original in TRANSLATED:
        for language in sorted(TRANSLATIONS):
            if not translation_of(original, language).exists():
                yield f"{name(original)} is not there in {language}"


# Commands.


def pattern(line):
    parts, last = [], 0
    for match in VARIABLE.finditer(line):
        parts.append(re.escape(line[last : match.start()]))
        parts.append(r"\S+")
        last = match.end()
    parts.append(re.escape(line[last:]))
    return re.compile(re.sub(r"(\\ )+", r"\\s+", "".join(parts)).strip())


def is_about(stated, printed):
    """Returns whether the numbers of tests and suites in a line still match the printed ones."""
    return all(
        int(found) * 0.9 <= int(said) <= int(found)
        for said, found in zip(COUNT.findall(stated), COUNT.findall(printed), strict=True)
    )


def recorded_problems(expected, printed):
    """Yields the differences between the expected and the recorded output of a command."""
    waiting = expected_lines(expected)
    for line in printed.splitlines():
        if waiting and pattern(COUNT.sub("11111", waiting[0])).search(COUNT.sub("11111", line)):
            if not is_about(waiting[0], line):
                yield f"says {waiting[0]!r}, and {line.strip()!r} was printed"
            waiting.pop(0)
    for line in waiting[:1]:
        yield f"this line was not printed: {line!r}"


def expected_lines(text):
    return [line for line in map(str.strip, text.splitlines()) if line and line != "…"]


def run(page, script, expected):
    endless = any(ENDLESS.match(line) for line in script.splitlines())
    print(f"{page}$ {script.strip()}", flush=True)
    process = subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True, stdin=subprocess.DEVNULL
    )
    watchdog = threading.Timer(1500, lambda: os.killpg(process.pid, signal.SIGKILL))
    watchdog.start()
    waiting = expected_lines(expected)
    printed = []
    for line in process.stdout:
        printed.append(line.rstrip())
        if waiting and pattern(waiting[0]).search(line):
            waiting.pop(0)
        if endless and not waiting:
            os.killpg(process.pid, signal.SIGTERM)
            break
    process.stdout.read()
    status = process.wait()
    watchdog.cancel()
    if waiting:
        shown = "\n".join(printed[-40:])
        sys.exit(f"{page}: this line was not printed: {waiting[0]!r}\nafter {script!r}, which printed:\n{shown}")
    if status not in ((0, -signal.SIGTERM, 143) if endless else (0,)):
        sys.exit(f"{page}: {script!r} ended with status {status}")


def check_recorded(page, expected):
    printed = pathlib.Path(os.environ["POSTHORN_TEST_OUTPUT"]).read_text()
    for problem in recorded_problems(expected, printed):
        sys.exit(f"{page}: ./test: {problem}")


def run_commands(page, is_recorded):
    """Runs the commands of a page, or checks those whose output is recorded; returns how many."""
    text = page.read_text()
    if tested := RUN_BY.search(text):
        if not (ROOT / tested[1]).is_file():
            sys.exit(f"{name(page)}: its commands are said to be run by {tested[1]}, which is not there")
        return 0
    blocks = BLOCK.findall(text)
    commands = 0
    for index, (kind, script) in enumerate(blocks):
        if kind != "sh":
            continue
        following = blocks[index + 1] if index + 1 < len(blocks) else ("", "")
        expected = following[1] if following[0] == "text" else ""
        if (script.strip() == "./test") != is_recorded:
            continue
        if is_recorded:
            check_recorded(name(page), expected)
        else:
            run(name(page), script, expected)
        commands += 1
    return commands


def main():
    os.chdir(ROOT)
    is_recorded = sys.argv[1:2] == ["--recorded"]
    given = [pathlib.Path(argument).resolve() for argument in sys.argv[1 + is_recorded :]]
    pages = [page for path in given for page in (sorted(path.glob("*.md")) if path.is_dir() else [path])]
    if is_recorded and not os.environ.get("POSTHORN_TEST_OUTPUT"):
        sys.exit("documented.py --recorded: POSTHORN_TEST_OUTPUT names no file with what ./test has printed")
    if not is_recorded:
        if found := list(problems()):
            sys.exit("\n".join(found))
        print(f"{len(DOCUMENTS)} documents: links, quotations and translations agree")
    commands = sum(run_commands(page, is_recorded) for page in pages)
    if is_recorded and not commands:
        sys.exit("documented.py: no page given has the command ./test")
    print(f"{commands} passed, 0 failed")


if __name__ == "__main__":
    main()
