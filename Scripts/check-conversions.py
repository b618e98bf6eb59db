#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Finds what can end the process with an unexpected number: a conversion (`UInt8(number)` traps on 256,
`Int(real)` on NaN) or arithmetic (`+`, `-`, `*`, `/`, `%`, `abs` trap when the result does not fit).

A number out of a file, a device or an option may be any number. So the targets below convert with `init(exactly:)`,
`init(clamping:)` or `init(truncatingIfNeeded:)`, count what others claim with `Int(claimed:)`, and reckon with
`clamped(plus:)`, `&+` or `addingReportingOverflow`. What cannot trap may stay. The compiler shows which conversions can,
trapping_arithmetic.py says which arithmetic can, and any other line has its proof: in a comment on it or above it,

    // fits: compared with the limit above                             (a conversion)
    // bound: both are times of day (ClockFieldTests/datesAreRead)     (arithmetic)

or, for those from before this check, in Scripts/proved-conversions.txt and Scripts/proved-arithmetic.txt: the line as it
stands, under the reason. A line that changes needs its proof again. A bound names the tests that show it: there must be
some of these names.

Usage, after `swift build`: Scripts/check-conversions.py [target …]
"""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from trapping_arithmetic import Arithmetic, doors

TARGETS = [
    "MotionMath", "OrientationFusion", "OrientationSmoothing", "ActivityEstimation", "ActivitySummary", "WearAnalysis",
    "MotionSensing", "MotionServices", "MotionHistory", "MotionAnalysis", "MotionHost", "CoreMotion", "MotionStreams",
    "SimulatedSources", "HeadphoneSimulation", "MotionRecorder", "SystemCheckup", "MotionRecording", "PhoneFormats",
    "LinuxSystem", "LinuxSources", "HeadphoneSources", "I2CSources", "LiveOutput", "MotionNetwork", "NetworkSources",
    "MotionTools", "MotionViewer", "motionctl",
]

# What the standard library says in front of each trap, and where the compiler says that it stands.
TRAP = re.compile(r'"((Double|Float) value cannot be converted to|Not enough bits to represent|Negative value is not)')
PLACE = re.compile(r'loc "([^"]+)":(\d+):\d+')
CONVERSION = re.compile(
    r"(?<![.\w])U?Int(?:8|16|32|64)?\((?!exactly:|clamping:|truncatingIfNeeded:|bitPattern:|littleEndian:|ascii:)"
)
# Conversions that cannot trap, whatever the data: counts of what is in memory, and constants of the sources and of C.
SAFE = [
    re.compile(r"(?<![.\w])U?Int(?:64)?\([\w.!?\[\]]*\.count\)"),
    re.compile(r"(?<![.\w])U?Int(?:64)?\((?:InputLimits|MCAPRecord|Self)\.\w+(?:\.count)?\)"),
    re.compile(r"(?<![.\w])U?Int(?:16|32|64)?\([A-Z][A-Z0-9_]+(?:\.rawValue(?: \| [A-Z_]+\.rawValue)*)?\)"),
    re.compile(r"(?<![.\w])U?Int(?:32|64)?\(MemoryLayout<\w+>\.(?:size|stride)\)"),
]
# In a reason: (Suite/test).
TEST = re.compile(r"\b([A-Z]\w*Tests)/(\w+)")
# Arguments that write files.
DROPPED_PAIRS = {"-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path"}
DROPPED = {
    "-emit-dependencies", "-emit-module", "-incremental", "-c", "-serialize-diagnostics", "-parseable-output",
    "-emit-objc-header", "-enable-batch-mode",
}


def arguments(target: str) -> list[str]:
    """The compiler's command for a target, from the plan of the last build."""
    plan = Path(".build/debug.yaml").read_text()
    node = re.search(rf'\n  "C\.{target}-[^"\n]*\.module":\n(?:    .*\n)*?    args: (\[.*\])\n', plan)
    if node is None:
        sys.exit(f".build/debug.yaml has no target {target}: run “swift build” first.")
    kept, skipped = [], False
    # Without optimization all arithmetic stands where the source has it.
    for argument in ["-Onone" if argument == "-O" else argument for argument in json.loads(node.group(1))]:
        if skipped or argument in DROPPED_PAIRS:
            skipped = not skipped
        elif argument not in DROPPED and not re.fullmatch(r"-j\d+", argument):
            kept.append(argument)
    return kept + ["-emit-sil", "-wmo", "-Xllvm", "-sil-print-debuginfo", "-o", "-"]


def places(target: str) -> tuple[dict[tuple[str, int], bool], dict[tuple[str, int], set[str]]]:
    """The lines with conversions that trap (true: of a real number), and those with arithmetic that traps."""
    found: dict[tuple[str, int], bool] = {}
    arithmetic = Arithmetic()
    with subprocess.Popen(arguments(target), stdout=subprocess.PIPE, text=True, errors="replace") as compiler:
        for line in compiler.stdout or []:
            arithmetic.take(line)
            if (trap := TRAP.search(line)) and (place := PLACE.search(line)):
                key = (place.group(1), int(place.group(2)))
                found[key] = found.get(key, False) or trap.group(2) is not None
    if compiler.returncode != 0:
        sys.exit(f"The compiler failed for {target}: build it first.")
    for place in doors(Path("Sources", target).absolute()):
        arithmetic.places.setdefault(place, set()).add("Int")
    return (found, arithmetic.places)


def proved(path: Path) -> set[str]:
    """The lines of a list, as “path: text”."""
    return {line.strip() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")}


def reasons(root: Path) -> list[str]:
    """Why arithmetic always fits: the comments of the list and of the sources."""
    groups = re.findall(r"(?m)(?:^# .*\n)+(?=Sources/)", (root / "Scripts/proved-arithmetic.txt").read_text())
    for path in (root / "Sources").rglob("*.swift"):
        groups += [line.split("// bound: ")[1] for line in path.read_text().splitlines() if "// bound: " in line]
    return groups


def wrong_reasons(root: Path) -> list[str]:
    """The reasons that name no test, and the tests that they name and that are not there."""
    tests = "\n".join(path.read_text() for path in (root / "Tests").rglob("*.swift"))
    found = []
    for reason in reasons(root):
        named = TEST.findall(reason)
        if not named:
            found.append(f"A reason names no test: {reason}")
        for suite, test in named:
            if not re.search(rf"\b(?:struct|class|enum|extension) {suite}\b", tests) or f"func {test}(" not in tests:
                found.append(f"There is no test {suite}/{test}, which a reason names.")
    return found


def is_known(lines: list[str], number: int, is_real: bool) -> bool:
    line = lines[number - 1]
    above = lines[number - 2] if number > 1 else ""
    if "// fits: " in line or "// fits: " in above:
        return True
    for safe in [] if is_real else SAFE:
        line = safe.sub("", line)
    return CONVERSION.search(line) is None


def has_proof(lines: list[str], number: int) -> bool:
    return any("// bound: " in line for line in lines[max(0, number - 2) : number])


def main() -> None:
    root = Path(__file__).resolve().parent.parent
    known = proved(root / "Scripts/proved-conversions.txt")
    bounded = proved(root / "Scripts/proved-arithmetic.txt")
    found: list[str] = []
    targets = sys.argv[1:] or TARGETS
    # Two compilers at a time: each is one thread.
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(places, targets))
    used: set[str] = set()
    for conversions, arithmetic in results:
        for (name, number) in sorted(conversions.keys() | arithmetic.keys()):
            path = Path(name)
            if not path.is_relative_to(root / "Sources"):
                continue
            lines = path.read_text().splitlines()
            (place, text) = (path.relative_to(root), lines[number - 1].strip())
            entry = f"{place}: {text}"
            is_real = conversions.get((name, number))
            if is_real is not None and not is_known(lines, number, is_real) and entry not in known:
                found.append(f"{place}:{number}: {text}")
            if operators := arithmetic.get((name, number)):
                used.add(entry)
                if not has_proof(lines, number) and entry not in bounded:
                    found.append(f"{place}:{number}: [{' '.join(sorted(operators))}] {text}")
    for line in found:
        print(line, file=sys.stderr)
    absent = wrong_reasons(root)
    absent += [f"Proved, but no longer there: {entry}" for entry in sorted(bounded - used) if targets == TARGETS]
    if found:
        absent.append(
            "The lines above end the process with a number that does not fit: use init(exactly:), init(clamping:), "
            "clamped(plus:) and its like, or say behind “// fits: ” (a conversion) or “// bound: ” (arithmetic, whose "
            "operators stand in brackets) why it always does."
        )
    if absent:
        sys.exit("\n".join(absent))


main()
