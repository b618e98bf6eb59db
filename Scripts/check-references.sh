#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# References lead somewhere: a code such as (S44) has its entry in Documentation/, `Documentation/Formats.md 4.2` its section, a link
# or a path in a Markdown file its file, a test such as `CutTests/aPartIsCopied` there its function. Prints each one that does not, and fails. Needs python3.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 >/dev/null || { echo "$0: python3 is missing; install it." >&2; exit 1; }
exec python3 - <<'PYTHON'
import os
import re
import sys

CITING = ["Sources", "AddOns", "Tools", "Tests", "Examples", "Benchmarks", "Scripts"]
CODE_FILES = (".swift", ".c", ".h", ".sh", ".py", ".md", ".tsv", "Package.swift")
PREFIXES = "IIO|HUB|BAR|EV|HOT|PERM|AX|UNIT|R|HP|ALT|WATER|BATCH|API"
CODE = re.compile(rf"(?<![\w-])(?:[SDGN][1-9]\d?|T\d\d|(?:{PREFIXES})-(?:\d+|time))(?![\w-])")
RANGE = re.compile(rf"(?<![\w-])([SDG]|T(?=\d\d)|(?:{PREFIXES})-)(\d+)(?:–|-|…)(?:\1)?(\d+)(?![\w-])")
ENTRY = re.compile(rf"^[-*] \*\*([SDGN]\d+|(?:{PREFIXES})-(?:\d+|time))\*\*")
SECTION = re.compile(r"^#+ (\d+(?:\.\d+)?)\b")
CITED_SECTION = re.compile(r"Documentation/(\w+\.md)`?,? (\d+(?:\.\d+)?(?:(?:, | and )\d+\.\d+)*)(?:, rule (\d+))?")
OLD = re.compile(r"\(spec |(?:^|[\s(`\"])spec/\w|shared/spec|DESIGN\.md|(?<!Documentation/)\bformats\.md\b|API 0\.\d")
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")
QUOTED = re.compile(r"`([^`\s]+)`")
TEST = re.compile(r"`(\w+Tests)/(\w+)`")

problems = []


def report(path, number, text):
    problems.append(f"{path}:{number}: {text}")


def lines_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().split("\n")


def files_below(folder, ends):
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".build") and name not in (".git", "node_modules")]
        for name in names:
            path = os.path.join(place, name)
            if name.endswith(ends) and not os.path.islink(path):
                yield os.path.relpath(path, ".")


def slug(heading):
    text = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


# What there is.
entries, sections, rules = {}, {}, {}
for path in sorted(files_below("Documentation", ".md")):
    current = None
    for number, line in enumerate(lines_of(path), 1):
        if match := ENTRY.match(line):
            if match[1] in entries:
                report(path, number, f"{match[1]} has an entry already, at {entries[match[1]]}")
            entries[match[1]] = f"{path}:{number}"
        elif match := SECTION.match(line):
            current = (os.path.basename(path), match[1])
            sections[current] = number
        elif current and (match := re.match(r"(\d+)\. ", line)):
            rules.setdefault(current, set()).add(match[1])
declarations = "Tests/CoreMotionTests/Coverage/declarations.tsv"
if os.path.exists(declarations):
    for line in lines_of(declarations):
        cells = line.split("\t")
        if len(cells) > 1:
            entries.setdefault(cells[1], declarations)


# What is cited: codes in comments, in the names of tests and suites, and in Markdown.
def prose(path, line):
    if path.endswith(".md"):
        return line
    if path.endswith((".swift", ".c", ".h")):
        start = line.find("//")
        if start < 0:
            return line if re.search(r"@(Test|Suite)\(", line) else ""
        return line[start:]
    if path.endswith((".sh", ".py")):
        start = line.find("#")
        return line[start:] if start >= 0 else ""
    return ""


citing = [path for folder in CITING for path in files_below(folder, CODE_FILES)] + ["Package.swift"]
for path in citing + sorted(files_below("Documentation", ".md")):
    if path == "Scripts/check-references.sh":
        continue
    for number, line in enumerate(lines_of(path), 1):
        text = prose(path, line)
        for match in RANGE.finditer(text):
            first, last = int(match[2]), int(match[3])
            width = 2 if match[1] == "T" else 1
            if first < last < first + 100:
                for value in range(first, last + 1):
                    code = f"{match[1]}{value:0{width}d}"
                    if code not in entries:
                        report(path, number, f"{code} has no entry in Documentation/")
        for match in CODE.finditer(text):
            if match[0] not in entries:
                report(path, number, f"{match[0]} has no entry in Documentation/")
        if path.endswith(".tsv"):
            continue
        for match in CITED_SECTION.finditer(line):
            cited = re.split(", | and ", match[2])
            for section in cited:
                if (match[1], section) not in sections:
                    report(path, number, f"Documentation/{match[1]} has no section {section}")
            if match[3] and match[3] not in rules.get((match[1], cited[-1]), set()):
                report(path, number, f"Documentation/{match[1]} {cited[-1]} has no rule {match[3]}")
        for match in re.finditer(r"Documentation/(\w+\.md)", line):
            if not os.path.exists(match[0]):
                report(path, number, f"{match[0]} does not exist")
        if not path.startswith("Documentation") and OLD.search(line):
            report(path, number, "this reference leads out of the repository: " + line.strip()[:120])

# What is promised names its tests: the functions of each suite, which may lie in several files.
suites = {}
for path in files_below("Tests", ".swift"):
    text = "\n".join(lines_of(path))
    for suite in re.findall(r"(?:struct|class|extension) (\w+Tests)\b", text):
        suites.setdefault(suite, set()).update(re.findall(r"\bfunc (\w+)", text))

# Links and paths in Markdown. The changelog speaks of files as they were.
folders = {name for name in os.listdir(".") if os.path.isdir(name) and name != ".git" and not name.startswith(".build")}
markdown = [path for path in files_below(".", ".md") if path != "CHANGELOG.md"]
for path in sorted(markdown):
    fenced = False
    here = os.path.dirname(path)
    for number, line in enumerate(lines_of(path), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced:
            continue
        for match in LINK.finditer(line):
            target = match[1] or match[2]
            if re.match(r"[a-z]+:|<doc:", target):
                continue
            file, _, anchor = target.partition("#")
            place = os.path.normpath(os.path.join(here, file)) if file else path
            resources = os.path.join(here, "Resources")
            if here.endswith(".docc") and "." not in file and os.path.isdir(resources):
                # A picture by its name alone, as DocC has it.
                if not any(name.split(".")[0] == file for name in os.listdir(resources)):
                    report(path, number, f"there is no picture {target}")
            elif not os.path.exists(place):
                report(path, number, f"the link {target} leads nowhere")
            elif anchor and place.endswith(".md"):
                headings = {slug(text.lstrip("#")) for text in lines_of(place) if text.startswith("#")}
                if anchor not in headings:
                    report(path, number, f"{place} has no heading for #{anchor}")
        for match in TEST.finditer(line):
            if match[2] not in suites.get(match[1], ()):
                report(path, number, f"there is no test {match[2]} in {match[1]}")
        for match in QUOTED.finditer(line):
            text = match[1].rstrip("/")
            first = text.split("/")[0]
            if "/" not in text or first not in folders or re.search(r"[*…<>{}$:=,;]", text):
                continue
            if not os.path.exists(text) and not os.path.exists(os.path.join(here, text)):
                report(path, number, f"`{match[1]}` does not exist")

for problem in sorted(set(problems)):
    print(problem, file=sys.stderr)
if problems:
    print(f"{len(set(problems))} references lead nowhere; see Documentation/ for what there is.", file=sys.stderr)
sys.exit(1 if problems else 0)
PYTHON
