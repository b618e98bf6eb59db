# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Damage to tables and JSON that keeps their structure. A mutator returns the bytes and whether a lost sample has to be said."""

import json

# Cells that are no number of a measurement, or hardly one.
NUMBERS = """
0 -0 1 -1 255 256 -129 65536 2147483648 -2147483649 4294967296 1e9 -1e9 9007199254740993 9223372036854775807
9223372036854775808 -9223372036854775809 18446744073709551616 1e18 1e19 1e99 1e100 1e101 1e308 1e309 -1e999 1e-400
4.9e-324 0x10 1_000 1,5 .5 5. +1 --1 1e 1e+ e5 ∞ ١٢٣
""".split()
GARBAGE = [
    "",
    " ",
    "nan",
    "NaN",
    "inf",
    "-Infinity",
    "null",
    "true",
    "x",
    "ab cd",
    '"',
    '"a',
    'a"b',
    '"1"',
    '""',
    "'",
    ";",
    "\t",
    "#",
    "\\",
    "\0",
]
# What a terminal must never be given: escape sequences, C1, a bidirectional override, a line end; and bytes that are no UTF-8.
HOSTILE = [
    "\x1b]0;owned\x07",
    "\x1b[2J\x1b[31m",
    "\x7f\x08\x08",
    "\u009b31m",
    "\u202eevil",
    "a\rb",
    "\u2028",
    "é" * 600,
    "𝄞",
    "../../etc/passwd",
    "%n%s",
]
BROKEN = [b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80"]


def cell(random):
    value = random.choice(random.choice([NUMBERS, NUMBERS, GARBAGE, HOSTILE]))
    kind = random.randrange(40)
    if kind == 0:
        return b"9" * random.choice([400, 5000, 1_100_000])
    return random.choice(BROKEN) if kind == 1 else value.encode("utf-8", "surrogatepass")


def is_number(text):
    """Whether Python reads it: what a reader may read as well is no damage."""
    try:
        float(text)
        return True
    except ValueError:
        return False


def rows_of(data):
    lines = data.splitlines(keepends=True)
    # Comments and headers: lines up to the first that begins like a number.
    first = next((i for i, line in enumerate(lines) if line[:1].isdigit() and b"UTC" not in line), 0)
    return lines, first


def mutate_table(data, random):
    lines, first = rows_of(data)
    separator = max((b",", b";", b"\t", b" "), key=lines[-1].count)
    kind = random.randrange(16)
    row = random.randrange(first, len(lines))
    cells = lines[row].rstrip(b"\r\n").split(separator)
    place = random.randrange(len(cells))
    if kind <= 3:
        # Cells, each of another row.
        for row in random.sample(range(first, len(lines)), min(random.choice([1, 1, 2, 10]), len(lines) - first)):
            cells = lines[row].rstrip(b"\r\n").split(separator)
            cells[random.randrange(len(cells))] = cell(random)
            lines[row] = separator.join(cells) + b"\n"
        return b"".join(lines), False
    if kind <= 5:
        # One that is no number, where one was: has to be counted or said.
        damaged = is_number(cells[place])
        cells[place] = random.choice([b"x", b"1.2.3", b"12a", b"0x1F", b"- 1"])
        lines[row] = separator.join(cells) + b"\n"
        return b"".join(lines), damaged
    if kind == 6:
        # The same in a whole column.
        value = cell(random)[:2000]
        for index in range(first, len(lines)):
            parts = lines[index].rstrip(b"\r\n").split(separator)
            if place < len(parts):
                parts[place] = value
            lines[index] = separator.join(parts) + b"\n"
        return b"".join(lines), False
    if kind == 7:
        # Fewer or more cells than the header names.
        parts = (
            cells[: random.randrange(1, len(cells) + 1)]
            if random.random() < 0.5
            else cells + [cell(random)] * random.choice([1, 3, 5000])
        )
        lines[row] = separator.join(parts) + b"\n"
    elif kind == 8 and first:
        header = lines[first - 1].rstrip(b"\r\n").split(separator)
        place = random.randrange(len(header))
        action = random.randrange(4)
        if action == 0:
            header[place] = cell(random)
        elif action == 1:
            header[place] = random.choice(header)
        elif action == 2:
            header[place] += cell(random)
        else:
            del header[place]
        lines[first - 1] = separator.join(header) + b"\n"
    elif kind == 9:
        # Times that go back, stand still, or jump far.
        other = random.randrange(first, len(lines))
        lines[row], lines[other] = lines[other], lines[row]
    elif kind == 10:
        lines[row:row] = [lines[row]] * random.choice([1, 2, 50, 3000])
    elif kind == 11:
        del lines[row : row + random.choice([1, 2, 10])]
    elif kind == 12:
        joined = b"".join(lines)
        return joined[: random.randrange(len(joined))], False
    elif kind == 13:
        end = random.choice([b"\r\n", b"\r", b"\n\n", b"\x00\n", b" \n", separator + b"\n"])
        return b"".join(line.rstrip(b"\r\n") + end for line in lines), False
    elif kind == 14:
        return random.choice(
            [
                b"\xef\xbb\xbf",
                b"\xff\xfe",
                b"\0" * 16,
                b"\n" * 5000,
                b"#" * 70000,
                b"\x1f\x8b",
                b"PK\x03\x04",
                b"{",
                b"[",
            ]
        ) + b"".join(lines), False
    else:
        return flip(b"".join(lines), random), False
    return b"".join(lines), False


def flip(data, random):
    """Some bytes changed, cut out or doubled."""
    data = bytearray(data)
    for _ in range(random.randint(1, 6)):
        if not data:
            break
        place = random.randrange(len(data))
        kind = random.randrange(4)
        if kind == 0:
            data[place] = random.randrange(256)
        elif kind == 1:
            data[place] ^= 1 << random.randrange(8)
        elif kind == 2:
            del data[place : place + random.randint(1, 40)]
        else:
            data[place:place] = data[place : place + random.randint(1, 200)]
    return bytes(data)


VALUES = [
    None,
    True,
    [],
    {},
    "",
    "x",
    -1,
    256,
    1e9,
    1e300,
    2**63,
    -(2**63) - 1,
    2**64,
    "9223372036854775807",
    [[[]]],
    {"a": 1},
    "\x1b]0;owned\x07",
    "\u202e",
]


def deep(depth):
    return b"[" * depth + b"]" * depth


def mutate_line(line, random):
    """One JSON object of a line: a value, a key, or its bytes."""
    tail = b",\n" if line.rstrip().endswith(b",") else b"\n"
    try:
        value = json.loads(line.strip().strip(b",").lstrip(b"[").rstrip(b"]"))
        key = random.choice(list(value))
    except (ValueError, IndexError, TypeError):
        return flip(line, random)
    kind = random.randrange(9)
    if kind <= 3:
        value[key] = random.choice(VALUES)
    elif kind == 4:
        del value[key]
    elif kind == 5:
        value[random.choice(HOSTILE)] = value.pop(key)
    elif kind == 6:
        text = json.dumps(value).encode()
        return text[:-1] + b"," + text[1:] + tail
    elif kind == 7:
        number = cell(random)[:100_000]
        marked = json.dumps(value | {key: "@@"}).encode()
        return marked.replace(b'"@@"', number) + tail
    else:
        marked = json.dumps(value | {key: "@@"}).encode()
        return (
            marked.replace(
                b'"@@"',
                random.choice(
                    [deep(63), deep(66), deep(100_000), b'"' + b"\\u0041" * 200_000 + b'"', b'"\\ud800"', b'"\\x"']
                ),
            )
            + tail
        )
    return json.dumps(value, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass") + tail


def mutate_ndjson(data, random):
    lines = data.splitlines(keepends=True)
    row = random.randrange(len(lines))
    kind = random.randrange(8)
    if kind <= 3:
        lines[row] = mutate_line(lines[row], random)
    elif kind == 4:
        # No JSON at all: has to be counted or said.
        lines[row] = random.choice(
            [b"{\n", b'{"topic":\n', b"x\n", b"}{\n", b'{"topic":"/sensor/gyroscope","timestamp_ns":1e,"x":1}\n']
        )
        return b"".join(lines), row > 0
    elif kind == 5:
        lines[row:row] = [lines[row]] * random.choice([1, 50, 3000])
    elif kind == 6:
        joined = b"".join(lines)
        return joined[: random.randrange(1, len(joined))], False
    else:
        return flip(b"".join(lines), random), False
    return b"".join(lines), False
