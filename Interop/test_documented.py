"""Scripts/documented.py finds what is wrong with a document."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
from processes import BINARY

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Scripts"))
import documented  # noqa: E402

SOURCE = "func a() {\n    first()\n\n    second(\n        1\n    )\n    third()\n}\n"


@pytest.mark.parametrize("block, stands", [
    ("first()\nsecond(\n    1\n)\n", True),
    ("second(\n1\n)\n", True),
    ("first()\n…\nthird()\n", True),
    ("first()\n// …\nthird()\n", True),
    ("first()\nthird()\n", False),
    ("third()\n…\nfirst()\n", False),
    ("fourth()\n", False),
])
def test_a_quotation_stands_in_its_source_line_by_line(block, stands):
    assert documented.stands_in(block, SOURCE) == stands


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Writes a file below a root that is made the project's."""
    monkeypatch.setattr(documented, "ROOT", tmp_path)

    def write(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    return write


def test_links_lead_to_files_and_headings(project):
    project("Guide/Other.md", "# Other\n\n## Three that *must* agree?\n\n## Same\n\n## Same\n\n## 三个必须一致：环境\n\n```sh\n# No heading\n```\n")
    page = project("Guide/Page.md", """# Page

[a](Other.md) [b](Other.md#three-that-must-agree) [c](Other.md#same-1) [d](#page) [e](https://example.com/x) [f](..)
[g](Other.md#三个必须一致环境) `[h](Code.md)`

```text
[i](InABlock.md)
```
""")
    assert list(documented.link_problems(page)) == []
    wrong = project("Guide/Wrong.md", "[a](Missing.md) [b](Other.md#nowhere) [c](Other.md#same-2) [d](Other.md#no-heading)\n")
    assert [problem.split(",")[0] for problem in documented.link_problems(wrong)] == [
        "links to Missing.md", "links to Other.md#nowhere", "links to Other.md#same-2", "links to Other.md#no-heading",
    ]


def test_files_that_are_named_are_there(project):
    for file in ["Sources/Low/One/A.swift", "Sources/Low/One/Part/B.swift", "Sources/High/Two/C+D.swift", "Examples/App/E.swift"]:
        project(file, "")
    rows = "| `Low/One/A.swift`, `Part/B.swift` | `High/Two/C+*.swift`, `Low/One/Part/B.swift`, `../Examples/App/E.swift` |\n"
    assert not list(documented.file_problems(project("Page.md", f"`B.swift` and `One/A.swift`.\n\n{rows}")))
    wrong = "`Part/A.swift` `One/C+D.swift`\n\n| `Low/One/A.swift`, `B.swift`, `Two/C+D.swift` |\n"
    assert list(documented.file_problems(project("Page.md", wrong))) == [
        "names Part/A.swift, which is not there", "names One/C+D.swift, which is not there",
        "names B.swift, which is not there beside Sources/Low/One/A.swift",
        "names Two/C+D.swift, which is not there beside Sources/Low/One/A.swift",
    ]


def test_a_quotation_names_its_source(project):
    project("Source.swift", SOURCE)
    fence = "```swift\nfirst()\n```\n"
    page = project("a.md", f"<!-- from Source.swift -->\n{fence}")
    assert [*documented.quotation_problems(page), *documented.unquoted_problems(page)] == []
    for text, problem in [
        (fence, "has no line <!-- from FILE -->"),
        (f"<!-- from Gone.swift -->\n{fence}", "Gone.swift, which is not there"),
        ("<!-- from Source.swift -->\n```swift\nfifth()\n```\n", "do not stand in Source.swift"),
    ]:
        page = project("b.md", text)
        found = [*documented.quotation_problems(page), *documented.unquoted_problems(page)]
        assert len(found) == 1 and problem in found[0]


def test_a_translation_has_the_blocks_of_its_original(project):
    project("Page.md", "Run:\n\n```sh\ntrue\n```\n\n```text\nyes\n```\n")
    assert list(documented.translation_problems(project("zh-Hans/Page.md", "运行：\n\n```sh\ntrue\n```\n\n```text\nyes\n```\n"))) == []
    other = list(documented.translation_problems(project("zh-Hans/Page.md", "```sh\nfalse\n```\n")))
    assert "block 1 is not that of Page.md" in other[0] and "has 1 blocks, Page.md has 2" in other[1]
    alone = list(documented.translation_problems(project("zh-Hans/Alone.md", "")))
    assert alone == ["translates Alone.md, which is not there"]


@pytest.mark.parametrize("original, translation, is_right", [
    ("UNNotification   what was delivered: userInfo\n└─ trigger: when it fires\n", "UNNotification   送达的通知：userInfo\n└─ trigger：触发时间\n", True),
    ("└─ didReceive(UNNotification): the last call\n", "└─ didReceive(UNNotificationResponse)：最后的回调\n", False),
    ("└─ didReceive(UNNotification): the last call\n", "└─ willPresent(UNNotification)：最后的回调\n", False),
    # Without lines and arrows it is no diagram.
    ("didReceive: the last call\n", "didReceive：最后的回调\n", False),
])
def test_a_diagram_has_its_names_and_captions_in_the_language_of_the_page(project, original, translation, is_right):
    project("Page.md", f"```\n{original}```\n")
    found = list(documented.translation_problems(project("zh-Hans/Page.md", f"```\n{translation}```\n")))
    assert (found == []) == is_right


@pytest.mark.parametrize("text, problem", [
    ("# 页\n\n## 限制\n\n| 名称 | 值 |\n| --- | --- |\n| 一 | 1,000 |\n", None),
    ("# 页\n\n### 限制\n\n| 名称 | 值 |\n| --- | --- |\n| 一 | 1,000 |\n", "a heading of level 3 at '### 限制'"),
    ("# 页\n\n## 限制\n\n| 名称 | 值 |\n| --- | --- |\n| 一 | 100 |\n", "figures [['100']] at '| 名称 | 值 |'"),
    ("# 页\n\n## 限制\n\n| 名称 | 值 |\n| --- | --- |\n", "a table of 2 rows"),
    ("# 页\n\n## 限制\n", "has nothing at 'its end'"),
])
def test_a_translation_has_the_sections_of_its_original(project, text, problem):
    project("README.md", "# Page\n\n## Limits\n\n| name | value |\n| --- | --- |\n| one | 1,000 |\n")
    found = list(documented.translation_problems(project("README.zh-Hans.md", text)))
    assert [problem in text for text in found] == [True] if problem else found == []


def test_a_translation_links_to_pages_of_its_language(project, monkeypatch):
    pages = [project(path, "# A\n") for path in ("Page.md", "Other.md", "Alone.md", "zh-Hans/Other.md")]
    page = project("zh-Hans/Page.md", "English: [page](../Page.md)\n\n[a](../Other.md#a) [b](Other.md) [c](../Alone.md)\n")
    monkeypatch.setattr(documented, "DOCUMENTS", [*pages, page])
    assert list(documented.language_problems(page)) == ["links to ../Other.md#a, which is there as zh-Hans/Other.md"]


@pytest.mark.parametrize("expected, printed, fits", [
    ("port 39163 is open", "port 80 is open", True),
    ("token dd5d5521… came", "token 0123abcd… came", True),
    ("Written  /tmp/tmp.WPhf/push.p12", "Written  /tmp/x", True),
    ("12.5 ms", "3 ms", True),
    ("a  b", "a b", True),
    ("-> shown (banner)", "-> shown [banner]", False),
    ("port 39163 is open", "port is open", False),
])
def test_what_differs_from_run_to_run_may_differ(expected, printed, fits):
    assert bool(documented.pattern(expected).search(printed)) == fits


def test_a_command_has_to_print_what_the_page_says(project):
    documented.run("Page.md", "echo one; echo two", "one\n…\ntwo\n")
    for script, expected, reason in [("echo two; echo one", "one\ntwo\n", "'two'"), ("echo one; exit 3", "one\n", "status 3")]:
        with pytest.raises(SystemExit) as ended:
            documented.run("Page.md", script, expected)
        assert reason in str(ended.value)


@pytest.mark.parametrize("printed, problems", [
    ("✔ A: 3 tests, 2.0 s\n✔ Test run with 1000 tests in 99 suites passed after 15.4 seconds.\n", 0),
    ("✔ Test run with 1111 tests in 110 suites passed after 9 seconds.\n", 0),
    ("✔ Test run with 999 tests in 99 suites passed after 15.4 seconds.\n", 1),
    ("✔ Test run with 1112 tests in 99 suites passed after 15.4 seconds.\n", 1),
    ("✔ Test run with 1000 tests in 111 suites passed after 15.4 seconds.\n", 1),
    ("✘ Test run failed after 15.4 seconds: the groups above that passed have 3 of 1000 tests.\n", 1),
    ("", 1),
])
def test_what_a_document_says_of_the_tests_has_been_printed(printed, problems):
    expected = "✔ Test run with 1000 tests in 99 suites passed after 12.0 seconds.\n"
    assert len(list(documented.recorded_problems(expected, printed))) == problems


def test_what_the_tests_have_printed_is_compared_by_itself(tmp_path):
    readme = documented.ROOT / "README.md"
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.write_text(re.search(r"^✔ Test run with .*$", readme.read_text(), re.M)[0] + "\n")
    wrong.write_text("✘ Test run failed\n")

    def recorded(page, printed):
        words = [sys.executable, documented.__file__, "--recorded", page]
        environment = os.environ | {"POSTHORN_TEST_OUTPUT": str(printed)}
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        return done.returncode, done.stdout + done.stderr

    assert recorded(readme, right) == (0, "1 passed, 0 failed\n")
    for page, printed, reason in [
        (readme, wrong, "was not printed"), (readme, "", "names no file"),
        (documented.ROOT / "CHANGELOG.md", right, "no page given has the command ./test"),
    ]:
        status, said = recorded(page, printed)
        assert status == 1 and reason in said


def test_the_twelve_causes_are_in_the_words_of_why():
    model = documented.ROOT / "Sources/Model"
    said = "\n".join((model / f"CWords/English/{words}.json").read_text() for words in ["journeys", "verdicts"])
    reasons = json.loads((model / "CWords/English/refusals.json").read_text())
    page = (documented.ROOT / "Documentation/WhatCanGoWrong.md").read_text()
    for sentence in re.findall(r"(?m)^> (.+)$", page):
        refused = re.fullmatch(r"refused by APNs: (\w+)", sentence)
        assert f"{refused[1]}_meaning" in reasons if refused else sentence in said, sentence
    causes = re.findall(r"(?ms)^### (\d+)\. (.*?)(?=^##)", page)
    assert [int(number) for number, _ in causes] == list(range(1, 13)) and all("\n> " in text for _, text in causes)


def wrong_commands(text, root):
    """The commands in a page that the program does not have, and those with options that it does not have."""
    text = re.sub(r"\\\n\s*", " ", text)
    lines = re.findall(r"`(?:\./)?posthorn ([^`\n]+)`", text) + re.findall(r"(?m)(?:^|&& |-- )(?:\./)?posthorn (.+)$", text)
    for line in lines:
        command, words = root, line.partition("#")[0].split()
        while words and (found := [child for child in command.get("subcommands", []) if child["commandName"] == words[0]]):
            command, words = found[0], words[1:]
        options = {f"--{name['name']}" for argument in command.get("arguments", []) for name in argument.get("names", [])}
        asked = set(re.findall(r"(?<!\S)--[a-z][\w-]*", " ".join(words))) - {"--help", "--version"}
        if asked - options or command.get("subcommands") and words and re.fullmatch("[a-z]+", words[0]):
            yield line


def test_the_commands_that_pages_name_exist():
    printed = subprocess.run([BINARY, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(printed)["command"]
    assert list(wrong_commands("`posthorn credential set` `posthorn nothing` `posthorn why --wy`", root)) == [
        "credential set", "nothing", "why --wy",
    ]
    pages = [documented.ROOT / "README.md", *sorted((documented.ROOT / "Documentation").rglob("*.md"))]
    wrong = {str(page): found for page in pages if (found := list(wrong_commands(page.read_text(), root)))}
    assert not wrong
