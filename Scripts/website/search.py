"""The search index: two scripts, because a page that was opened from a disk can load scripts, but no data."""

import json
import re


def entries(pages):
    """Returns an entry for each section: page, section's heading, address, language, text."""
    found = []
    for page in pages:
        for section in page.sections:
            address = page.path + (f"#{section.anchor}" if section.anchor and section.title != page.title else "")
            text = re.sub(r"\s+", " ", section.text).strip()
            found.append([page.title, section.title, address, page.language, text])
    return found


def script(name, values):
    """Returns a script that hands the values to site.js."""
    lines = ",\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values)
    return f"posthornSearch({json.dumps(name)}, [\n{lines}\n]);\n"
