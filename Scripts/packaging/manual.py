"""Manual pages from what the argument parser knows: `posthorn --experimental-dump-help`."""

import datetime
import json
import re
import subprocess


def command_tree(binary):
    """The root command as swift-argument-parser describes it."""
    done = subprocess.run([binary, "--experimental-dump-help"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["command"]


def pages(root, version, time):
    """The pages of section 1 by file name: one of `posthorn`, and one of each command with its subcommands."""
    commands = [command for command in root["subcommands"] if command["shouldDisplay"] and command["commandName"] != "help"]
    made = {"posthorn.1": _page(root, ["posthorn"], commands, version, time)}
    for command in commands:
        name = command["commandName"]
        made[f"posthorn-{name}.1"] = _page(command, ["posthorn", name], commands, version, time)
    return made


def heading(title, section, version, time):
    day = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).date()
    return f'.TH "{title.upper()}" "{section}" "{day}" "Posthorn {version}" "Posthorn"\n.nh\n.ad l\n'


def escaped(text):
    """Text for a line of roff, as groff_man(7) wants it."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha")
    text = text.replace("~", "\\(ti").replace("→", "\\(->").replace("“", "\\(lq").replace("”", "\\(rq").replace("…", "...")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


def _page(command, words, siblings, version, time):
    is_root = len(words) == 1
    lines = [heading("-".join(words), "1", version, time)]
    lines += [".SH NAME", f"{escaped('-'.join(words))} \\- {escaped(_sentence(command.get('abstract', '')))}"]
    lines += [".SH SYNOPSIS", *_synopsis(command, words)]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *_paragraphs(command["discussion"])]
    if is_root:
        lines += [".SH COMMANDS"]
        for sibling in siblings:
            name = f"posthorn-{sibling['commandName']}"
            lines += [".TP", f".BR {escaped(name)} (1)", escaped(sibling.get("abstract", ""))]
    lines += _arguments(command, ".SH")
    if not is_root:
        for sub in command.get("subcommands", []):
            lines += _subcommand(sub, [*words, sub["commandName"]])
    lines += _end(words, is_root)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _end(words, is_root):
    lines = [
        ".SH EXIT STATUS", "0 if the command did what it was asked for, 64 if its arguments cannot be used, and another number",
        "with a sentence on standard error otherwise.",
    ]
    if words[-1] in ("posthorn", "serve", "gateway"):
        lines += [
            ".SH FILES", ".TP", ".I /etc/posthorn/posthorn.json", "Settings of the service of the Debian package:",
            ".BR posthorn\\-settings (5).", ".TP", ".I /etc/posthorn/posthorn.env", "The same as variables, for secrets.", ".TP",
            ".I /etc/posthorn/gateway.env", "Options and secrets of the gateway of the Debian package.", ".TP",
            ".I /var/lib/posthorn\\fR, \\fI/var/lib/posthorn\\-gateway", "Their data.",
        ]
    others = ["posthorn\\-serve (1)", "posthorn\\-gateway (1)", "posthorn\\-settings (5)"] if is_root else ["posthorn (1)", "posthorn\\-settings (5)"]
    lines += [".SH SEE ALSO"]
    lines += [f".BR {name}{',' if place < len(others) - 1 else ''}" for place, name in enumerate(others)]
    return lines


def _subcommand(command, words):
    if not command["shouldDisplay"] or command["commandName"] == "help":
        return []
    lines = [f".SH {escaped(' '.join(words)).upper()}", escaped(command.get("abstract", "")), ".PP", *_synopsis(command, words)]
    if command.get("discussion"):
        lines += [".PP", *_paragraphs(command["discussion"])]
    lines += _arguments(command, ".SS")
    for sub in command.get("subcommands", []):
        lines += _subcommand(sub, [*words, sub["commandName"]])
    return lines


def _sentence(text):
    """The text without its last full stop, in one line, as apropos(1) shows it."""
    return re.sub(r"\s+", " ", text).removesuffix(".")


def _paragraphs(text):
    """Lines that stand for commands or tables stay as they are; others are filled."""
    lines = []
    for paragraph in text.split("\n\n"):
        lines += [".PP"] if lines else []
        if "\n" in paragraph or paragraph.startswith("posthorn "):
            lines += [".nf", escaped(paragraph), ".fi"]
        else:
            lines += [escaped(paragraph)]
    return lines


def _flag(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def _value(argument):
    return f"\\fI{escaped(argument.get('valueName', 'value'))}\\fR"


def _synopsis(command, words):
    parts = [f"\\fB{escaped(' '.join(words))}\\fR"]
    shown = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    if any(argument["kind"] != "positional" for argument in shown):
        parts.append("[\\fIoptions\\fR]")
    for argument in shown:
        if argument["kind"] == "positional":
            text = _value(argument) + ("\\ ..." if argument["isRepeating"] else "")
            parts.append(f"[{text}]" if argument["isOptional"] else text)
    if any(sub["shouldDisplay"] and sub["commandName"] != "help" for sub in command.get("subcommands", [])):
        parts.append("[\\fIsubcommand\\fR]" if command.get("defaultSubcommand") else "\\fIsubcommand\\fR")
    return [" ".join(parts)]


def _arguments(command, macro):
    shown = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    lines, title = [], None
    for argument in shown:
        wanted = argument.get("sectionTitle") or ("Arguments" if argument["kind"] == "positional" else "Options")
        if wanted != title:
            lines += [f"{macro} {escaped(wanted.upper())}"]
            title = wanted
        lines += [".TP", _term(argument), escaped(_meaning(argument))]
    return lines


def _term(argument):
    if argument["kind"] == "positional":
        return _value(argument)
    names = ", ".join(f"\\fB{escaped(_flag(name))}\\fR" for name in argument["names"])
    return names if argument["kind"] == "flag" else f"{names} {_value(argument)}"


def _meaning(argument):
    text = argument.get("abstract", "")
    if argument.get("discussion"):
        text += "\n" + argument["discussion"]
    facts = []
    values = argument.get("allValues")
    if values and argument["kind"] != "flag":
        facts.append("values: " + ", ".join(values))
    if argument.get("defaultValue"):
        facts.append(f"default: {argument['defaultValue']}")
    return f"{text} ({'; '.join(facts)})".strip() if facts else text
