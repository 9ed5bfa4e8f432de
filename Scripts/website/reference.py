"""The API reference: a page for each module and each type, with its members."""

import html

from website.documents import block
from website.pages import Page, Problem, link, relative

REFERENCE = "Reference"
INDEX = f"{REFERENCE}/index.html"
# The classes of Pygments for the tokens of declarations, so that both kinds of code have the same colours.
COLOURS = {
    "keyword": "k",
    "attribute": "nd",
    "identifier": "nf",
    "typeIdentifier": "nc",
    "genericParameter": "nc",
    "externalParam": "nv",
    "number": "m",
    "string": "s",
}


class Reference:
    """All symbols with their places on the site."""

    def __init__(self, products, symbols, references, summaries):
        # A module is shown below the first product that has it.
        self.products = products
        self.symbols = symbols
        self.references = references
        self.summaries = summaries
        self.members = {}
        self.places = {identifier: self._place(symbol) for identifier, symbol in symbols.items()}
        pages = {}
        for identifier, place in self.places.items():
            if "#" not in place and pages.setdefault(place.lower(), identifier) != identifier:
                raise Problem(f"{identifier} and {pages[place.lower()]} have the same page, {place}")
        for symbol in symbols.values():
            if len(symbol.names) > 1:
                self.members.setdefault(self._parent(symbol).identifier, []).append(symbol)

    def _parent(self, symbol):
        parent = symbol.identifier.rsplit("/", 1)[0]
        if parent not in self.symbols:
            raise Problem(f"{symbol.identifier} is in {parent}, which has no page")
        return self.symbols[parent]

    def _place(self, symbol):
        if symbol.kind == "module":
            return f"{REFERENCE}/{symbol.title}/index.html"
        names = symbol.names
        if symbol.is_container:
            return f"{REFERENCE}/{'/'.join(names)}.html"
        parent = self._parent(symbol)
        return self._place(parent) + "#" + names[-1]

    def pages(self):
        """Yields all pages."""
        yield self._index()
        for symbol in self.symbols.values():
            if symbol.kind == "module" or symbol.is_container:
                yield Writer(self, symbol).page()

    def entries(self):
        """Returns an entry of the search index for each symbol: title, kind, address, what it is in."""
        return [
            [symbol.title, symbol.heading, self.places[identifier], ".".join(symbol.names[:-1])]
            for identifier, symbol in sorted(self.symbols.items())
        ]

    def modules(self, product):
        """Returns the module symbols of a product."""
        return [self.symbols[f"doc://posthorn/documentation/{name}"] for name in self.products[product]]

    def _index(self):
        shown = set()
        rows = []
        for product in self.products:
            modules = [module for module in self.modules(product) if module.identifier not in shown]
            shown |= {module.identifier for module in modules}
            links = ", ".join(
                link(INDEX, self.places[module.identifier], f"<code>{module.title}</code>") for module in self.modules(product)
            )
            rows.append(f"<tr><td><code>{product}</code></td><td>{html.escape(self.summaries[product])}</td><td>{links}</td></tr>\n")
        return Page(
            INDEX,
            "API reference",
            "<h1>API reference</h1>\n<p>The public declarations of each library product, made by DocC from the sources.</p>\n"
            '<div class="table" tabindex="0"><table>\n<thead><tr><th>product</th><th>for</th><th>modules</th></tr></thead>\n<tbody>\n'
            f"{''.join(rows)}</tbody></table></div>\n",
        )


class Writer:
    """Writes the page of a module or type."""

    def __init__(self, reference, symbol):
        self.reference = reference
        self.symbol = symbol
        self.path = reference.places[symbol.identifier]

    def page(self):
        symbol = self.symbol
        around = symbol.names[:-1]
        trail = [link(self.path, INDEX, "API reference")]
        for depth in range(len(around)):
            parent = self.reference.symbols["doc://posthorn/documentation/" + "/".join(around[: depth + 1])]
            trail.append(link(self.path, self.reference.places[parent.identifier], html.escape(parent.title)))
        body = f'<p class="trail">{" › ".join(trail)}</p>\n<p class="kind">{symbol.heading}</p>\n<h1>{html.escape(symbol.title)}</h1>\n'
        if symbol.kind == "module" and symbol.title in self.reference.summaries:
            body += f"<p>For {html.escape(self.reference.summaries[symbol.title])}.</p>\n"
        body += self._text(symbol, 2)
        groups = self._groups()
        for number, (title, members) in enumerate(groups):
            body += f'<h2 id="group-{number}">{html.escape(title)}</h2>\n'
            body += self._list(members) if members[0].is_container else "".join(map(self._member, members))
        body += self._relations()
        contents = [(f"group-{number}", title) for number, (title, _) in enumerate(groups)]
        return Page(self.path, ".".join([*around[1:], symbol.title]), body, contents=contents)

    def _groups(self):
        """The members, in DocC's groups and order; those of no group at the end."""
        left = {member.identifier: member for member in self.reference.members.get(self.symbol.identifier, [])}
        groups = []
        for topic in self.symbol.parts.get("topicSections", []):
            members = [left.pop(identifier) for identifier in topic["identifiers"] if identifier in left]
            if members:
                groups.append((topic["title"], members))
        if left:
            groups.append(("Default Implementations", [left[identifier] for identifier in sorted(left)]))
        return groups

    def _list(self, members):
        items = []
        for member in members:
            place = link(self.path, self.reference.places[member.identifier], f"<code>{html.escape(member.title)}</code>")
            abstract = self._inline(member.parts.get("abstract", []))
            items.append(f"<dt>{place}</dt><dd>{abstract}</dd>\n")
        return f"<dl>\n{''.join(items)}</dl>\n"

    def _member(self, member):
        anchor = html.escape(self.reference.places[member.identifier].partition("#")[2])
        return f'<section id="{anchor}">\n<h3><code>{html.escape(member.title)}</code></h3>\n{self._text(member, 4)}</section>\n'

    def _text(self, symbol, level):
        parts = symbol.parts
        text = ""
        if "deprecationSummary" in parts:
            text += f'<div class="deprecated"><strong>Deprecated.</strong> {self._blocks(parts["deprecationSummary"], level)}</div>\n'
        sections = parts.get("primaryContentSections", [])
        text += "".join(self._declaration(section) for section in sections if section["kind"] == "declarations")
        if parts["metadata"].get("required"):
            text += '<p class="kind">Required</p>\n'
        if parts.get("abstract"):
            text += f"<p>{self._inline(parts['abstract'])}</p>\n"
        for section in sections:
            if section["kind"] == "parameters":
                text += self._parameters(section["parameters"], level)
            elif section["kind"] == "content":
                text += self._blocks(section["content"], level)
            elif section["kind"] not in {"declarations", "mentions"}:
                raise Problem(f"{symbol.identifier} has a section of the kind {section['kind']}, which the site cannot show")
        return text

    def _declaration(self, section):
        text = ""
        for token in section["declarations"][0]["tokens"]:
            word = html.escape(token["text"])
            if place := self.reference.places.get(token.get("identifier")):
                word = link(self.path, place, word)
            colour = COLOURS.get(token["kind"])
            text += f'<span class="{colour}">{word}</span>' if colour else word
        return f'<pre class="declaration" tabindex="0"><code>{text}</code></pre>\n'

    def _parameters(self, parameters, level):
        items = "".join(
            f"<dt><code>{html.escape(item['name'])}</code></dt><dd>{self._blocks(item['content'], level)}</dd>\n" for item in parameters
        )
        return f"<h{level}>Parameters</h{level}>\n<dl>\n{items}</dl>\n"

    def _relations(self):
        text = ""
        for section in self.symbol.parts.get("relationshipsSections", []):
            items = sorted(self._named(identifier) for identifier in section["identifiers"])
            text += f"<h2>{html.escape(section['title'])}</h2>\n<p>{', '.join(items)}</p>\n"
        return text

    def _named(self, identifier):
        found = self.reference.references.get(identifier, {})
        title = f"<code>{html.escape(found.get('title', identifier).removeprefix('Swift.'))}</code>"
        place = self.reference.places.get(identifier)
        return link(self.path, place, title) if place else title

    def _blocks(self, blocks, level):
        return "".join(self._block(item, level) for item in blocks)

    def _block(self, item, level):
        kind = item["type"]
        if kind == "paragraph":
            return f"<p>{self._inline(item['inlineContent'])}</p>\n"
        if kind == "heading":
            # DocC adds these two to every comment with more than one paragraph; they say nothing.
            if item["text"] in {"Overview", "Discussion"}:
                return ""
            depth = min(6, level + max(0, item["level"] - 2))
            return f"<h{depth}>{html.escape(item['text'])}</h{depth}>\n"
        if kind == "codeListing":
            return block("\n".join(item["code"]) + "\n", item["syntax"] or "swift")
        if kind == "aside":
            return f'<div class="aside"><strong>{html.escape(item["name"])}.</strong> {self._blocks(item["content"], level)}</div>\n'
        if kind in {"unorderedList", "orderedList"}:
            tag = "ul" if kind == "unorderedList" else "ol"
            return f"<{tag}>\n" + "".join(f"<li>{self._blocks(entry['content'], level)}</li>\n" for entry in item["items"]) + f"</{tag}>\n"
        if kind == "table":
            rows = "".join(
                "<tr>" + "".join(f"<td>{self._blocks(cell, level)}</td>" for cell in row) + "</tr>\n" for row in item["rows"]
            )
            return f'<div class="table" tabindex="0"><table>\n{rows}</table></div>\n'
        raise Problem(f"{self.symbol.identifier} has a block of the kind {kind}, which the site cannot show")

    def _inline(self, items):
        return "".join(map(self._word, items))

    def _word(self, item):
        kind = item["type"]
        if kind == "text":
            return html.escape(item["text"])
        if kind == "codeVoice":
            return f"<code>{html.escape(item['code'])}</code>"
        if kind in {"emphasis", "strong"}:
            tag = "em" if kind == "emphasis" else "strong"
            return f"<{tag}>{self._inline(item['inlineContent'])}</{tag}>"
        if kind == "reference":
            found = self.reference.references[item["identifier"]]
            if found["type"] == "link":
                return f'<a href="{html.escape(found["url"])}">{self._inline(found["titleInlineContent"])}</a>'
            return self._named(item["identifier"])
        raise Problem(f"{self.symbol.identifier} has text of the kind {kind}, which the site cannot show")
