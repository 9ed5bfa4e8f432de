"""The frame of every page: header with search and language, menu, contents."""

import html

from website.pages import CHINESE, link, relative

TEXTS = {
    "en": {
        "menu": "Menu",
        "skip": "Skip to the text",
        "search": "Search",
        "hint": "Search the documents and the API",
        "contents": "On this page",
        "other": "中文",
        "other-language": CHINESE,
        "none": "no results",
        "some": "results",
    },
    CHINESE: {
        "menu": "目录",
        "skip": "跳到正文",
        "search": "搜索",
        "hint": "搜索文档和 API",
        "contents": "本页内容",
        "other": "English",
        "other-language": "en",
        "none": "没有结果",
        "some": "条结果",
    },
}


def frame(page, groups, counterpart, version):
    """Returns a page as HTML.

    `groups` are the menu's: a title with pairs of a page's path and its title. `counterpart` is the path of the page in the other
    language, or of that language's first page.
    """
    texts = TEXTS[page.language]
    other = texts["other-language"]
    home = f"{CHINESE}/index.html" if page.language == CHINESE else "index.html"
    root = relative(page.path, "index.html").removesuffix("index.html")
    title = page.title if page.path == home else f"{page.title} · Posthorn"
    return f"""<!doctype html>
<html lang="{page.language}" data-root="{root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}</title>
<link rel="icon" href="{root}icon.svg">
<link rel="stylesheet" href="{root}site.css">
<script src="{root}site.js" defer></script>
</head>
<body>
<a class="skip" href="#site-text">{texts["skip"]}</a>
<header>
{link(page.path, home, "Posthorn", ' class="home"')} <span class="version">{version}</span>
<search><input id="site-search" type="search" placeholder="{texts["search"]}" aria-label="{texts["hint"]}" autocomplete="off" spellcheck="false">
<div id="site-results" hidden data-none="{texts["none"]}" data-some="{texts["some"]}"></div></search>
{link(page.path, counterpart, texts["other"], f' id="site-language" lang="{other}" hreflang="{other}"')}
<a class="to-menu" href="#site-menu">{texts["menu"]}</a>
</header>
<div class="columns">
<main id="site-text" tabindex="-1">
{contents(page, texts)}{page.body}</main>
<nav id="site-menu" aria-label="{texts["menu"]}">
{menu(page, groups)}</nav>
</div>
</body>
</html>
"""


def contents(page, texts):
    if len(page.contents) < 3:
        return ""
    items = "".join(f'<li>{link(page.path, f"{page.path}#{anchor}", html.escape(title))}</li>\n' for anchor, title in page.contents)
    return f'<details class="contents"><summary>{texts["contents"]}</summary>\n<ul>\n{items}</ul></details>\n'


def menu(page, groups):
    parts = []
    for title, entries in groups:
        parts.append(f"<h2>{html.escape(title)}</h2>\n<ul>")
        for path, name in entries:
            here = ' aria-current="page"' if path == page.path else ""
            language = "" if path.startswith(CHINESE + "/") == (page.language == CHINESE) else ' lang="en"'
            # A link to the page itself needs an address of its own: an empty one means the site's folder to some browsers.
            address = f"{path}#site-text" if path == page.path else path
            parts.append(f"<li>{link(page.path, address, html.escape(name), here + language)}</li>")
        parts.append("</ul>")
    return "\n".join(parts) + "\n"
