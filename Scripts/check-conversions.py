#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Finds the conversions to whole numbers that can end the process: `UInt8(number)` traps on 256, `Int(real)` on NaN.

A number out of a file, a device or an option may be any number. So the targets below convert with `init(exactly:)`,
`init(clamping:)` or `init(truncatingIfNeeded:)`. A conversion that cannot trap may stay: the compiler shows which ones
can (a widening one cannot), counts of what is in memory and constants are known, and any other has its proof: in a
comment on its line or on the line above,

    // fits: compared with the limit above

or, for those from before this check, in Scripts/proved-conversions.txt: the line as it stands, under the reason. A line
that changes needs its proof again.

Usage, after `swift build`: Scripts/check-conversions.py [target …]
"""

import json
import re
import subprocess
import sys
from pathlib import Path

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
    for argument in json.loads(node.group(1)):
        if skipped or argument in DROPPED_PAIRS:
            skipped = not skipped
        elif argument not in DROPPED and not re.fullmatch(r"-j\d+", argument):
            kept.append(argument)
    return kept + ["-emit-sil", "-wmo", "-Xllvm", "-sil-print-debuginfo", "-o", "-"]


def places(target: str) -> dict[tuple[str, int], bool]:
    """The lines with conversions that trap; true: of a real number."""
    found: dict[tuple[str, int], bool] = {}
    with subprocess.Popen(arguments(target), stdout=subprocess.PIPE, text=True, errors="replace") as compiler:
        for line in compiler.stdout or []:
            if (trap := TRAP.search(line)) and (place := PLACE.search(line)):
                key = (place.group(1), int(place.group(2)))
                found[key] = found.get(key, False) or trap.group(2) is not None
    if compiler.returncode != 0:
        sys.exit(f"The compiler failed for {target}: build it first.")
    return found


def proved(root: Path) -> set[str]:
    """The lines of the list, as “path: text”."""
    text = (root / "Scripts/proved-conversions.txt").read_text()
    return {line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")}


def is_known(lines: list[str], number: int, is_real: bool) -> bool:
    line = lines[number - 1]
    above = lines[number - 2] if number > 1 else ""
    if "// fits: " in line or "// fits: " in above:
        return True
    for safe in [] if is_real else SAFE:
        line = safe.sub("", line)
    return CONVERSION.search(line) is None


def main() -> None:
    root = Path(__file__).resolve().parent.parent
    known = proved(root)
    failed = False
    for target in sys.argv[1:] or TARGETS:
        for (name, number), is_real in sorted(places(target).items()):
            path = Path(name)
            if not path.is_relative_to(root / "Sources"):
                continue
            lines = path.read_text().splitlines()
            (place, text) = (path.relative_to(root), lines[number - 1].strip())
            if not is_known(lines, number, is_real) and f"{place}: {text}" not in known:
                print(f"{place}:{number}: {text}", file=sys.stderr)
                failed = True
    if failed:
        sys.exit(
            "These conversions (above) end the process with a number that does not fit: use init(exactly:) or "
            "init(clamping:), or say behind “// fits: ” why it always does."
        )


main()
