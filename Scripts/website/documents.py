"""Pages from Markdown: the guide, the other documents, and the files of the project that they link to."""

import collections
import html
import pathlib
import re
import urllib.parse

import markdown_it
import pygments
import pygments.formatters
import pygments.lexers
import pygments.util

from documented import slugs
from website.pages import CHINESE, ROOT, Page, Problem, Section, relative

IMAGES = "Images"
# What a directory's page does not list.
HIDDEN = {"Package.resolved"}
# Characters of Chinese text, between which a line break is no space.
WIDE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
PICTURE = re.compile(r'\b(src|srcset)="([^"]+)"')


def address(document):
    """Returns the path of the page for a Markdown document, which is given relative to the project's folder."""
    parts = list(pathlib.PurePosixPath(document).with_suffix(".html").parts)
    if len(parts) == 1 and parts[0].endswith(f".{CHINESE}.html"):
        return f"{CHINESE}/Project/{parts[0].replace(f'.{CHINESE}', '')}"
    if parts[0] == "Documentation":
        parts = parts[1:]
        # The home pages and the guide's first pages.
        if parts[-1] == "README.html":
            parts[-1] = "index.html"
    elif len(parts) == 1:
        # Apart from the documents: SECURITY.html and Security.html are one file on some systems.
        parts.insert(0, "Project")
    elif parts[-1] == "README.html":
        parts[-1] = "index.html"
    if CHINESE in parts:
        parts.remove(CHINESE)
        parts.insert(0, CHINESE)
    return "/".join(parts)


def highlighted(text, name):
    """Returns code as HTML. `name` is a language, such as swift, or the name of a file."""
    try:
        find = pygments.lexers.get_lexer_for_filename if "." in name else pygments.lexers.get_lexer_by_name
        lexer = find(name)
    except pygments.util.ClassNotFound:
        return html.escape(text)
    return pygments.highlight(text, lexer, pygments.formatters.HtmlFormatter(nowrap=True))


class Documents:
    """The documents of a project as pages. Collects the pictures and files that they refer to."""

    def __init__(self, documents):
        self.documents = sorted(documents)
        self.addresses = {document: address(document) for document in self.documents}
        # Files of the project: the source, relative to the project, and where it is on the site.
        self.files = {}
        self.sources = {}
        self.markdown = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

    def pages(self):
        """Yields all pages."""
        for document in self.documents:
            yield self._page(document)
        done = set()
        # Directories add files to the sources.
        while waiting := sorted(self.sources.keys() - done):
            for source in waiting:
                done.add(source)
                yield self._directory(source) if (ROOT / source).is_dir() else self._source(source)

    def _page(self, document):
        path = self.addresses[document]
        tokens = self.markdown.parse((ROOT / document).read_text())
        titles = [tokens[index + 1].content for index, token in enumerate(tokens) if token.type == "heading_open"]
        anchors = collections.deque(slugs(titles))
        page = Page(path, "", "", CHINESE if path.startswith(CHINESE + "/") else "en")
        section = Section("", "", "")
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                title = plain(tokens[index + 1])
                token.attrSet("id", anchor := anchors.popleft())
                page.sections.append(section := Section(anchor, title, ""))
                page.title = page.title or title
                if token.tag == "h2":
                    page.contents.append((anchor, title))
            elif token.type == "inline":
                self._resolve(token, document, path)
                if not (index and tokens[index - 1].type == "heading_open"):
                    section.text += plain(token) + " "
            elif token.type == "fence":
                section.text += token.content + " "
            elif token.type == "html_block":
                token.content = self._pictures(token.content, document, path)
        if not page.title:
            raise Problem(f"{document} has no heading; a page takes its title from the first")
        page.body = self._html(tokens)
        return page

    def _html(self, tokens):
        rules = self.markdown.renderer.rules
        rules["fence"] = lambda tokens, at, *_: block(tokens[at].content, tokens[at].info.strip())
        rules["table_open"] = lambda *_: '<div class="table" tabindex="0"><table>\n'
        rules["table_close"] = lambda *_: "</table></div>\n"
        body = self.markdown.renderer.render(tokens, self.markdown.options, {})
        return re.sub(r"<!--.*?-->\n?", "", body, flags=re.S)

    def _resolve(self, token, document, path):
        """Lets the links and pictures of a paragraph lead to pages of the site, and joins lines between Chinese characters."""
        children = token.children or []
        for index, child in enumerate(children):
            if child.type == "softbreak" and WIDE.search(children[index - 1].content[-1:]) and WIDE.search(children[index + 1].content[:1]):
                child.type, child.content = "text", ""
            elif child.type == "link_open":
                child.attrSet("href", self._target(child.attrGet("href"), document, path))
            elif child.type == "image":
                child.attrSet("src", self._picture(child.attrGet("src"), document, path))
            elif child.type == "html_inline":
                child.content = self._pictures(child.content, document, path)

    def _found(self, target, document):
        file = (ROOT / document).parent / urllib.parse.unquote(target)
        if not file.exists():
            raise Problem(f"{document} refers to {target}, which is not there")
        return file.resolve().relative_to(ROOT).as_posix()

    def _target(self, target, document, path):
        if re.match(r"[a-z]+:", target):
            return target
        name, _, anchor = target.partition("#")
        if not name:
            return target
        found = self._found(name, document)
        readme = f"{found}/README.md" if found != "." else "README.md"
        if found in self.addresses:
            page = self.addresses[found]
        elif readme in self.addresses:
            page = self.addresses[readme]
        else:
            page = self._add_source(found)
        return relative(path, page + ("#" + urllib.parse.unquote(anchor) if anchor else ""))

    def _add_source(self, found):
        suffix = "/index.html" if (ROOT / found).is_dir() else ".html"
        return self.sources.setdefault(found, f"Source/{found}{suffix}")

    def _picture(self, target, document, path):
        if re.match(r"[a-z]+:", target):
            raise Problem(f"{document} shows {target}; the site loads nothing from elsewhere: put the picture into {IMAGES}")
        found = self._found(target, document)
        return relative(path, self.files.setdefault(found, f"{IMAGES}/{pathlib.PurePosixPath(found).name}"))

    def _pictures(self, text, document, path):
        return PICTURE.sub(lambda match: f'{match[1]}="{self._picture(match[2], document, path)}"', text)

    def _source(self, source):
        path = self.sources[source]
        self.files[source] = f"Source/{source}"
        raw = relative(path, self.files[source])
        body = f'<h1>{html.escape(source)}</h1>\n<p><a href="{raw}" download>{html.escape(pathlib.PurePosixPath(source).name)}</a></p>\n'
        text = (ROOT / source).read_text()
        return Page(path, source, body + block(text, pathlib.PurePosixPath(source).name))

    def _directory(self, source):
        path = self.sources[source]
        names = sorted(
            file.relative_to(ROOT).as_posix()
            for file in (ROOT / source).rglob("*")
            if file.is_file() and file.name not in HIDDEN and not any(part.startswith(".") for part in file.relative_to(ROOT).parts)
        )
        items = []
        for name in names:
            if not is_text(ROOT / name):
                target = self.files.setdefault(name, f"Source/{name}")
            else:
                target = self.addresses.get(name) or self._add_source(name)
            shown = html.escape(pathlib.PurePosixPath(name).relative_to(source).as_posix())
            items.append(f'<li><a href="{relative(path, target)}"><code>{shown}</code></a></li>')
        return Page(path, source, f"<h1>{html.escape(source)}</h1>\n<ul>\n" + "\n".join(items) + "\n</ul>\n")


def is_text(file):
    try:
        file.read_text()
    except UnicodeDecodeError:
        return False
    return True


def plain(token):
    """Returns the text of a paragraph or heading without its markup."""
    children = token.children or []
    return "".join(" " if child.type == "softbreak" else child.content for child in children if child.type != "html_inline")


def block(text, language):
    """Returns code as a block that scrolls by itself when it is wide."""
    return f'<pre tabindex="0"><code>{highlighted(text, language or "text")}</code></pre>\n'
