#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Counts what the compiler does not check: lines of code with unsafe constructs, and types that are `@unchecked
Sendable`. Fails when one has no reason beside it, or when there are more than LIMIT lines.

The reason of a line is a comment `// unsafe: …` on it or above it, or a sentence `Unsafe: …` in the comment above a
declaration that it lies in; that of a type is a sentence "`@unchecked Sendable`: …" in the comment above it. With
--list: the lines by file.
"""

import pathlib
import re
import sys

# Lines with unsafe constructs in Sources and Bindings. It only ever falls.
LIMIT = 150
# Lines with subscripts whose bounds are not checked: nearly all of the filter's and the smoother's matrices, in loops
# over their own constant sizes.
UNCHECKED_LIMIT = 94

root = pathlib.Path(__file__).resolve().parent.parent
quoted = re.compile(r'"(?:[^"\\]|\\.)*"')


def code_of(line):
    return quoted.sub('""', line).split("//")[0]


def indentation(line):
    return len(line) - len(line.lstrip())


def comment_above(lines, place):
    """The comment that ends directly above a line; attributes and conditions may stand between."""
    found = []
    place -= 1
    while place >= 0 and re.match(r"\s*(///?|@|#if)", lines[place]):
        found.append(lines[place])
        place -= 1
    return "\n".join(found)


def has_reason(lines, place):
    """Whether a line, or a declaration or statement that it lies in, says why it is unsafe."""
    if re.search(r"// unsafe: \S", lines[place]):
        return True
    limit = indentation(lines[place]) + 1
    for above in range(place, -1, -1):
        line = lines[above]
        # The end of a list of parameters is not yet where its declaration begins.
        if not line.strip() or indentation(line) >= limit or line.strip()[0] in ")]}#" or "//" == line.strip()[:2]:
            continue
        if re.search(r"\b[Uu]nsafe: \S", comment_above(lines, above)):
            return True
        limit = indentation(line)
    return False


count, unchecked, types, failed = 0, 0, 0, False
for file in sorted(file for folder in ["Sources", "Bindings"] for file in (root / folder).rglob("*.swift")):
    lines = file.read_text().splitlines()
    name = file.relative_to(root)
    before = count
    for place, line in enumerate(lines):
        code = code_of(line)
        unchecked += "[unchecked:" in code
        if re.search("unsafe", code, re.IGNORECASE):
            count += 1
            if not has_reason(lines, place):
                print(f"{name}:{place + 1}: unsafe without a reason; say above it why it must be: // unsafe: …", file=sys.stderr)
                failed = True
        if "@unchecked Sendable" in code:
            types += 1
            if "`@unchecked Sendable`: " not in comment_above(lines, place):
                print(f"{name}:{place + 1}: @unchecked Sendable without its proof in the comment above", file=sys.stderr)
                failed = True
    if "--list" in sys.argv and count > before:
        print(f"{count - before:4} {name}")

print(
    f"{count} lines with unsafe constructs (at most {LIMIT}), {unchecked} with unchecked subscripts (at most"
    f" {UNCHECKED_LIMIT}), {types} types that are @unchecked Sendable."
)
if count > LIMIT or unchecked > UNCHECKED_LIMIT:
    print("These are more than before: use Span, an array or an owner of the resource instead.", file=sys.stderr)
    failed = True
sys.exit(failed)
