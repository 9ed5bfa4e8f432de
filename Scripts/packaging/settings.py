"""The settings of `posthorn serve` as a commented example and as a manual page, from the table of Documentation/Operations/Run.md."""

import dataclasses
import re
import textwrap

import manual


@dataclasses.dataclass(frozen=True)
class Setting:
    key: str
    variable: str
    flag: str
    default: str
    meaning: str


def read(text):
    """The rows of the table. `text` is that of Operations/Run.md."""
    settings = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and cells[1].startswith("`POSTHORN_"):
            settings.append(Setting(*(_plain(cell) for cell in cells)))
    assert settings, "Operations/Run.md has no table whose second column is a variable; expected that of 'posthorn serve'"
    return settings


def _plain(cell):
    """Text without the marks of Markdown."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "").replace("\\|", "|")


# What the unit or the file of settings sets: the example has these values instead of the program's defaults.
_SET_BY_UNIT = {"data"}
# Examples of values that have no default.
_EXAMPLES = {
    "store": "postgres://posthorn@db.example.com/posthorn",
    "node": "1",
    "http.cert": "/etc/posthorn/cert.pem",
    "http.key": "/etc/posthorn/key.pem",
    "http.hostNames": "push.example.com",
    "http.proxies": "127.0.0.1",
    "http.callsPerMinute": "1200",
    "link.origins": "https://console.example.com",
    "operator.token": "replace-by-openssl-rand-hex-24",
    "metrics.token": "replace-by-openssl-rand-hex-24",
    "timeZone": "Asia/Shanghai",
    "push.broadcastsPerDay": "10",
    "callback.networks": "10.0.0.0/8",
    "callback.proxy": "http://user:password@proxy.example.com:3128",
    "apns.proxy": "http://user:password@proxy.example.com:3128",
    "tracing.endpoint": "http://127.0.0.1:4318",
    "apns.host": "127.0.0.1",
    "apns.ca": "/var/lib/posthorn-gateway/ca.pem",
    "apns.events": "ws://127.0.0.1:5223/events",
    "apns.eventsToken": "the-courier-token-of-the-gateway",
}


def environment(settings):
    """The example with every setting, commented out. A setting without default and example value is an error."""
    head = """\
        Settings of posthorn.service, as variables. They override /etc/posthorn/posthorn.json. 'systemctl restart posthorn' applies
        them; what can change while the service runs belongs to posthorn.json, which 'systemctl reload posthorn' reads again. Only
        root and the service can read this file, so secrets can be here. posthorn-settings(5) describes each setting."""
    lines = [*_comment(head)]
    for setting in settings:
        if setting.key in _SET_BY_UNIT:
            continue
        value = _EXAMPLES.get(setting.key) or setting.default
        assert setting.key in _EXAMPLES or " " not in value and value not in ("none", "Apple", "UTC+8"), (
            f"the setting {setting.key} has no value to show; add one to _EXAMPLES"
        )
        lines += ["", *_comment(f"{setting.key}: {setting.meaning}. Default: {setting.default}."), f"#{setting.variable}={value}"]
    return "\n".join(lines) + "\n"


def _comment(text):
    return [f"# {line}" for line in textwrap.wrap(re.sub(r"\s+", " ", text).strip(), 110, break_on_hyphens=False)]


def page(settings, version, time):
    """posthorn-settings(5)."""
    lines = [
        manual.heading("posthorn-settings", "5", version, time).rstrip("\n"),
        ".SH NAME", "posthorn\\-settings \\- settings of the Posthorn push service",
        ".SH DESCRIPTION",
        "Settings come from flags of", ".BR posthorn\\-serve (1),",
        "from the environment and from the JSON file of", ".BR \\-\\-config ,",
        "in this order of precedence. In the file, the parts of a key are names of objects:",
        ".PP", ".nf", '{ "http": { "host": "0.0.0.0", "port": 8080 } }', ".fi", ".PP",
        "An unknown key in the file is an error.",
        ".SH SETTINGS",
    ]
    for setting in settings:
        lines += [".TP", f".B {manual.escaped(setting.key)}", manual.escaped(setting.meaning + "."), ".br"]
        facts = [f"Variable: {setting.variable}.", f"Flag: {setting.flag}." if setting.flag else "", f"Default: {setting.default}."]
        lines += [manual.escaped(" ".join(fact for fact in facts if fact))]
    lines += [
        ".SH FILES", ".TP", ".I /etc/posthorn/posthorn.json", "The file that posthorn.service names with --config.".replace("--", "\\-\\-"),
        ".TP", ".I /etc/posthorn/posthorn.env", "The variables of posthorn.service.",
        ".SH SEE ALSO", ".BR posthorn\\-serve (1),", ".BR posthorn\\-reload (1)",
    ]
    return "\n".join(lines) + "\n"
