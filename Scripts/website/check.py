"""Checks a built site: links, anchors, pages that no link leads to, requests to elsewhere. Run as: check.py FOLDER."""

import collections
import html.parser
import json
import pathlib
import posixpath
import re
import sys
import urllib.parse

URL = re.compile(r"url\(\s*['\"]?([^'\")]+)")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
# Where an entry of a search index has its address.
ADDRESS = 2
# Attributes with addresses that a browser loads by itself, of any element; `href` is one of them in `link` alone.
LOADED = {"src", "srcset", "poster", "data", "background"}


class Reader(html.parser.HTMLParser):
    """What a page has: ids, links, files that it loads, and what is wrong with it by itself."""

    def __init__(self, text):
        super().__init__()
        self.ids = collections.Counter()
        self.links = []
        self.loaded = []
        self.problems = []
        self.counts = collections.Counter()
        self.feed(text)
        if self.counts["h1"] != 1:
            self.problems.append(f"has {self.counts['h1']} headings of the first level; expected one")
        self.problems += [f"has the id {name} {count} times" for name, count in self.ids.items() if count > 1]

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.counts[tag] += 1
        if "id" in values:
            self.ids[values["id"]] += 1
        if tag == "html" and not values.get("lang"):
            self.problems.append("names no language")
        if tag == "img" and not values.get("alt"):
            self.problems.append(f"has no alternative text for the picture {values.get('src')}")
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        for name, value in values.items():
            if name in LOADED or (name == "href" and tag == "link"):
                self.loaded += [part.split()[0] for part in value.split(",")] if name == "srcset" else [value]
            if name == "style":
                self.loaded += URL.findall(value)

    handle_startendtag = handle_starttag


class Checker:
    def __init__(self, folder):
        self.folder = folder
        self.files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        self.pages = {name: Reader((folder / name).read_text()) for name in sorted(self.files) if name.endswith(".html")}
        self.used = set()

    def problems(self):
        """Yields all problems as lines of text."""
        reached = collections.defaultdict(set)
        for name, page in self.pages.items():
            yield from (f"{name} {problem}" for problem in page.problems)
            for target in page.loaded:
                yield from self._load(name, target, reached)
            for target in page.links:
                if not SCHEME.match(target):
                    yield from self._follow(name, target, reached)
        for name in sorted(file for file in self.files if file.endswith(".css")):
            for target in URL.findall((self.folder / name).read_text()):
                yield from self._load(name, target, reached)
        for name in sorted(file for file in self.files if re.fullmatch(r"search-\w+\.js", file)):
            yield from self._search(name, reached)
        # Readers ask for these by their names.
        entrances = {"index.html", "llms.txt"}
        yield from (f"{name} is not used by any page" for name in sorted(self.files - self.used - entrances))
        yield from self._orphans(reached)

    def _search(self, name, reached):
        """Follows the addresses of an index, which the script of the pages loads when someone searches."""
        self.used.add(name)
        text = (self.folder / name).read_text()
        for entry in json.loads(text[text.index("["):text.rindex("]") + 1]):
            yield from self._follow(name, urllib.parse.quote(entry[ADDRESS], safe="/#"), reached)

    def _load(self, name, target, reached):
        if SCHEME.match(target):
            yield f"{name} loads {target}, which is not a file of the site"
        else:
            yield from self._follow(name, target, reached)

    def _follow(self, name, target, reached):
        path, _, anchor = target.partition("#")
        path, anchor = urllib.parse.unquote(path), urllib.parse.unquote(anchor)
        file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if file not in self.files:
            yield f"{name} refers to {target}, which is not there"
            return
        self.used.add(file)
        reached[name].add(file)
        if anchor and file in self.pages and anchor not in self.pages[file].ids:
            yield f"{name} links to {target}, and {file} has no such anchor"

    def _orphans(self, reached):
        seen, waiting = {"index.html"}, ["index.html"]
        while waiting:
            for file in reached[waiting.pop()] - seen:
                seen.add(file)
                waiting.append(file)
        yield from (f"{name} cannot be reached from index.html" for name in self.pages if name not in seen)


def check(folder):
    """Returns the number of pages and all problems of a site."""
    checker = Checker(pathlib.Path(folder))
    return len(checker.pages), list(checker.problems())


if __name__ == "__main__":
    pages, found = check(sys.argv[1])
    print("\n".join(found) or f"{pages} pages: no broken link, no page that cannot be reached", file=sys.stderr if found else sys.stdout)
    sys.exit(1 if found else 0)
