#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Writes the man pages of a program that uses swift-argument-parser, one per command, from what it says of itself.

manual.py FOLDER VERSION < HELP: HELP is what `motionctl --experimental-dump-help` prints.
"""

import json
import pathlib
import sys


def escaped(text: str) -> str:
    """Text as roff shows it: no escapes, and no line that begins like a request."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def prose(text: str) -> list[str]:
    """Paragraphs; indented lines and lists under a heading that ends with a colon keep their line breaks."""
    lines = []
    for paragraph in text.strip().split("\n\n"):
        if "\n" in paragraph:
            lines += [".PP", ".nf", escaped(paragraph), ".fi"]
        else:
            lines += [".PP", escaped(paragraph)]
    return lines


def argument(item: dict) -> list[str]:
    """A name as it is typed, and what it does."""
    value = f"<{item.get('valueName', 'value')}>"
    names = [("-" if name["kind"] != "long" else "--") + name["name"] for name in item.get("names", [])]
    typed = value if item["kind"] == "positional" else ", ".join(names) + (f" {value}" if item["kind"] == "option" else "")
    parts = [item.get("abstract", "")]
    if values := item.get("allValues"):
        parts.append(f"One of: {', '.join(values)}.")
    if default := item.get("defaultValue"):
        parts.append(f"Default: {default}.")
    lines = [".TP", f"\\fB{escaped(typed)}\\fR", escaped(" ".join(part for part in parts if part))]
    if discussion := item.get("discussion"):
        lines += [".IP", escaped(discussion)]
    return lines


def pages(command: dict, path: list[str], version: str, folder: pathlib.Path) -> None:
    """The page of a command, and those of the commands below it."""
    path = [*path, command["commandName"]]
    below = [c for c in command.get("subcommands", []) if c.get("shouldDisplay", True) and c["commandName"] != "help"]
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    name = "-".join(path)
    synopsis = [] if not any(a["kind"] != "positional" for a in arguments) else ["[options]"]
    for item in arguments:
        if item["kind"] == "positional":
            value = f"<{item.get('valueName', 'value')}>" + (" ..." if item["isRepeating"] else "")
            synopsis.append(f"[{value}]" if item["isOptional"] else value)
    if below:
        synopsis.append("<command>")
    lines = [
        f'.TH {name.upper()} 1 "" "OpenCoreMotion {version}" "User Commands"',
        ".SH NAME", escaped(f"{name} - {command.get('abstract', '').rstrip('.')}"),
        ".SH SYNOPSIS", f"\\fB{escaped(' '.join(path))}\\fR {escaped(' '.join(synopsis))}",
    ]  # fmt: skip
    if discussion := command.get("discussion"):
        lines += [".SH DESCRIPTION", *prose(discussion)]
    if arguments:
        lines.append(".SH OPTIONS")
        for item in arguments:
            lines += argument(item)
    if below:
        lines.append(".SH COMMANDS")
        for item in below:
            lines += [".TP", f"\\fB{escaped(item['commandName'])}\\fR", escaped(item.get("abstract", ""))]
    others = [f"{name}-{c['commandName']}" for c in below] or ["-".join(path[:-1])]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{escaped(other)}\\fR(1)" for other in others)]
    (folder / f"{name}.1").write_text("\n".join(lines) + "\n")
    for item in below:
        pages(item, path, version, folder)


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
pages(json.load(sys.stdin)["command"], [], sys.argv[2], folder)
