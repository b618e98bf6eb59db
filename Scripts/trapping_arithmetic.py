# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""The places of a target whose arithmetic can end the process, read from the compiler's intermediate language.

`+`, `-`, `*`, `/`, `%` and `abs` of Swift's whole numbers end the process when the result does not fit. Each of them
stands in the output of `-emit-sil` with its operands, so the greatest result is computed from the operands' widths:

- a literal has its own bits, a number that was widened those of the narrower type, `x & 0xF` and `x % 16` four;
- `Int` is the type of counts and places of what is in memory, below 2⁴⁷ (the address space of a process). So sums and
  differences of a few `Int`s fit, and so does an `Int` times a number below 2¹⁶. The doors by which a number out of a
  file becomes an `Int` (`Int(clamping:)`, `Int(exactly:)`, `Int(_: Int64)`, `Int(text)`) are places, too;
- any other number has all bits of its type: what is added to an `Int64` out of a file can overflow.

What remains can trap on data unless its numbers were compared before: that is for a person to say.
"""

import re
from pathlib import Path

INTEGER = r"(U?Int(?:8|16|32|64)?)"
MEMORY = 47
DEFINITION = re.compile(r"^  %(\d+) = (\S+) (.*)$")
PLACE = re.compile(r'loc (?:\* )?"([^"]+)":(\d+):(\d+)')
OVERFLOW = re.compile(r'"([su])(add|sub|mul)_with_overflow_Int(\d+)"\(%(\d+), %(\d+)')
DIVISION = re.compile(r'"([su])(?:div|rem)_Int(\d+)"\(%(\d+), %(\d+)\)')
BUILTIN = re.compile(r'"([a-z]+?)(?:OrBitCast)?(?:_with_overflow)?_Int(\d+)(?:_Int\d+)?"\((.*?)\)')
VALUE = re.compile(rf"#{INTEGER}\._value")
WIDE = re.compile(r"#(?:U?Int64|UInt)\._value")
WRAPPED = re.compile(rf"\${INTEGER} \(%(\d+)\)")
# Int(text) and Int(text, radix: 16).
PARSED = re.compile(r"function_ref @\$ss17FixedWidthIntegerPsE(?:_5radixxSgqd___SitcSyRd__lufC|yxSgSScfC) ")
ABSOLUTE = re.compile(r"function_ref @\$ss3absyxxSLRzs13SignedNumericRzlF")
APPLIED = re.compile(r"%(\d+)<([\w.]+)[,>]")
# A number of any size becomes an Int.
DOOR = re.compile(r"(?<![.\w])Int(?:\((?:exactly|clamping|truncatingIfNeeded|bitPattern):|\.init\b)")
OPERATIONS = {"builtin", "struct_extract", "struct_element_addr", "integer_literal", "tuple_extract", "struct", "load",
              "begin_access", "function_ref"}


def most(name: str) -> int:
    """The bits of the greatest magnitude of a type."""
    return MEMORY if name == "Int" else int(name.lstrip("UInt") or 64) - name.startswith("I")


def doors(folder: Path) -> list[tuple[str, int]]:
    """The lines of a target's sources in which a number of any size becomes an `Int`."""
    return [
        (str(path), number)
        for path in sorted(folder.rglob("*.swift"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if DOOR.search(line.split("//")[0])
    ]


class Arithmetic:
    """Takes the lines of one target; `places` are then the lines of the sources with what can trap there."""

    def __init__(self) -> None:
        self.places: dict[tuple[str, int], set[str]] = {}
        self.definitions: dict[str, tuple[str, str]] = {}
        self.unnamed: dict[str, str] = {}

    def take(self, line: str) -> None:
        if line.startswith("sil "):
            (self.definitions, self.unnamed) = ({}, {})
        elif line.startswith("  cond_fail %"):
            # The overflow bit is tested: without that (`&+`) nothing traps.
            (operation, rest) = self.definitions.get(line[13 : line.index(",")], ("", ""))
            if operation == "tuple_extract" and (pair := re.match(r"%(\d+), 1", rest)):
                self.judge(pair.group(1), self.definitions.get(pair.group(1), ("", ""))[1])
        elif definition := DEFINITION.match(line):
            (number, operation, rest) = definition.groups()
            if operation in OPERATIONS:
                self.definitions[number] = (operation, rest)
            if operation == "builtin" and (division := DIVISION.match(rest)):
                if self.definitions.get(division.group(4), ("",))[0] != "integer_literal":
                    self.note(rest, "/")
            elif operation == "apply" and (applied := APPLIED.match(rest)) and re.fullmatch(INTEGER, applied.group(2)):
                function = " ".join(self.definitions.get(applied.group(1), ("", "")))
                if ABSOLUTE.match(function):
                    self.note(rest, "abs")
                elif PARSED.match(function) and applied.group(2) == "Int":
                    self.note(rest, "Int")
            elif operation == "struct" and (wrapped := WRAPPED.match(rest)):
                (inner, of) = self.definitions.get(wrapped.group(2), ("", ""))
                if inner == "tuple_extract" and (pair := re.match(r"%(\d+), 0", of)) and pair.group(1) in self.unnamed:
                    self.name(pair.group(1), wrapped.group(1))
                elif wrapped.group(1) == "Int" and inner == "struct_extract" and WIDE.search(of):
                    self.note(rest, "Int")

    def note(self, rest: str, what: str) -> None:
        if place := PLACE.search(rest):
            self.places.setdefault((place.group(1), int(place.group(2))), set()).add(what)

    def judge(self, number: str, rest: str) -> None:
        if not (overflow := OVERFLOW.match(rest)):
            return
        (left, right) = (self.kind(operand) for operand in overflow.groups()[3:])
        if left[0] is None or right[0] is None:
            # A variable of a loop: what is made of the result says its type.
            self.unnamed[number] = rest
        else:
            self.compare(rest, left, right)

    def name(self, number: str, of: str) -> None:
        """The result of an operation on variables of a loop is a number of this type."""
        rest = self.unnamed.pop(number)
        (left, right) = (self.kind(operand) for operand in OVERFLOW.match(rest).groups()[3:])
        known = (of, most(of))
        self.compare(rest, known if left[0] is None else left, known if right[0] is None else right)

    def compare(self, rest: str, left: tuple[str | None, int], right: tuple[str | None, int]) -> None:
        (sign, operation, bits) = OVERFLOW.match(rest).groups()[:3]
        least = left[1] + right[1] if operation == "mul" else max(left[1], right[1]) + 1
        fits = least <= int(bits) - (sign == "s")
        if sign == "u" and operation == "sub":
            fits = left[0] == "literal" and right[1] < left[1]
        if not fits:
            self.note(rest, {"add": "+", "sub": "-", "mul": "*"}[operation])

    def kind(self, value: str, depth: int = 0) -> tuple[str | None, int]:
        """The type of an operand, and the bits of its greatest magnitude."""
        (operation, rest) = self.definitions.get(value, ("", ""))
        if depth > 16:
            return (None, 64)
        if operation in ("struct_extract", "struct_element_addr"):
            if not (named := VALUE.search(rest)):
                return (None, 64)
            name = named.group(1)
            (inner, of) = self.definitions.get(rest[1 : rest.index(",")], ("", ""))
            # A value that had to fit was noted where it was computed.
            if inner == "struct" and (wrapped := WRAPPED.match(of)):
                return (name, min(most(name), self.kind(wrapped.group(2), depth + 1)[1]))
            return (name, most(name))
        if operation in ("load", "begin_access") and (source := re.search(r"%(\d+)", rest)):
            return self.kind(source.group(1), depth + 1)
        if operation == "tuple_extract" and (pair := re.match(r"%(\d+), 0", rest)):
            return self.kind(pair.group(1), depth + 1)
        if operation == "integer_literal":
            return ("literal", int(re.search(r", (-?\d+)", rest).group(1)).bit_length())
        if operation == "builtin" and (builtin := BUILTIN.match(rest)):
            return self.computed(builtin, depth)
        return (None, 64)

    def computed(self, builtin: re.Match[str], depth: int) -> tuple[str | None, int]:
        (name, bits) = (builtin.group(1), int(builtin.group(2)))
        operands = [self.kind(number, depth + 1) for number in re.findall(r"%(\d+)", builtin.group(3))[:2]]
        if name in ("zext", "sext", "trunc"):
            return ("widened", min(bits, operands[0][1]) if operands else bits)
        if len(operands) < 2:
            return (None, bits)
        types = [operand[0] for operand in operands if operand[0] not in (None, "literal")]
        ((_, left), (_, right)) = operands
        if name == "and":
            least = min(left, right)
        elif name in ("urem", "srem"):
            least = min(left, right)
        elif name in ("udiv", "sdiv", "lshr", "ashr", "or", "xor"):
            least = max(left, right) if name in ("or", "xor") else left
        elif name[1:] in ("add", "sub"):
            least = max(left, right) + 1
        elif name[1:] == "mul":
            least = left + right
        else:
            least = bits
        kind = types[0] if types else operands[0][0]
        return (kind, min(bits, least if kind in (None, "literal", "widened") else min(least, most(kind))))
