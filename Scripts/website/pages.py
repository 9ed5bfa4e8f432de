"""The values that the other modules share: pages, their addresses, and the sections that the search finds."""

import dataclasses
import html
import pathlib
import posixpath
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHINESE = "zh-Hans"


class Problem(Exception):
    """A mistake in the input; the message names the file and says what was expected."""


@dataclasses.dataclass
class Section:
    """A heading with the text below it, up to the next heading."""

    anchor: str
    title: str
    text: str


@dataclasses.dataclass
class Page:
    """A page of the site. `path` is relative to the site's folder, with slashes: Guide/Porting.html."""

    path: str
    title: str
    body: str
    language: str = "en"
    sections: list[Section] = dataclasses.field(default_factory=list)
    # The headings of the second level, for the list at the page's top: anchor and title.
    contents: list[tuple[str, str]] = dataclasses.field(default_factory=list)


def relative(origin, target):
    """Returns the address of a page or file, as a link on the page `origin` needs it. The target may have an anchor."""
    path, _, anchor = target.partition("#")
    link = "" if path == origin else posixpath.relpath(path, posixpath.dirname(origin) or ".")
    return urllib.parse.quote(link) + ("#" + urllib.parse.quote(anchor) if anchor else "")


def link(origin, target, text, attributes=""):
    """Returns a link as HTML. `text` is HTML."""
    return f'<a href="{html.escape(relative(origin, target))}"{attributes}>{text}</a>'
