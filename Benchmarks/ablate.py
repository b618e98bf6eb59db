#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Ablation as law: what each rule and each tuned number of the orientation filter saves, in cases of the two stress suites.

  make stress ABLATE=all                                  # rules and numbers; ABLATE=rules, ABLATE=numbers, or a part of a name
  Benchmarks/ablate.py --check                            # every rule's edit still applies; needs nothing but Python
  Benchmarks/ablate.py --list
  Benchmarks/ablate.py --seeds 1,2,3,4,5 --cases DIR [--only NAME ...] [--rules | --numbers] [--json OUT] [--markdown OUT]

A filter collects rules. Each was right on the day when it was added, for one case; a year later nobody knows which case that was, and
nobody dares to remove it. An ablation asks the only witness that does not forget: take the rule out, run everything, and count what is
lost. Here that is the law. A rule that saves no case has no reason to be there, however reasonable it reads.

The switch is not in the filter. An `if` for each rule would be code that ships, costs time, and is tested by nobody. Instead a rule is
switched off by a text edit of a copy of the sources (ablation_rules.py), the copy is built, and both suites are judged with that library.
So that the table cannot rot, `make lint` checks that each edit still applies. The numbers of OrientationFilter.Parameters, Coefficients
and Constant are found by themselves, and are halved and doubled.

How to read the table. "Saved": cases that are good with the rule and not without it. "Lost": the other way round, because a rule may cost
cases, too. Good is: within the bounds, and in the second suite also honest about the error. A case near its bound tips over at any change,
so one or two of a thousand are chance. Two rules that save the same case save nothing each: after one is removed, run again before
the other one goes. A number that may be halved and doubled is not finely tuned, which is praise. One that is better elsewhere on these seeds
was perhaps chosen on others: try it with new ones (--seeds 6,7,8) before you move it.

DIR keeps the cases between runs (0.7 GB a seed; made anew when their makers change), with VQF's attitudes where Python has VQF.
A variant takes half a minute on two cores: the compiler, and 230 cases a seed. One that does not build is named.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from ablation_cases import HERE, ROOT, SUITES, prepare
from ablation_rules import CONSTANTS, NUMBERS, RULES, SHARES, Rule

COPIED = ("Sources/MotionMath", "Sources/OrientationFusion", "Sources/OrientationSmoothing", "Bindings/C", "Scripts/build-library.sh")
LIBRARY = ".build-python/x86_64/libocm.so"


def numbers():
    """Each number of the table, halved and doubled: a rule whose edit changes one line."""
    found = []
    lines = [(file, line) for file in (NUMBERS, CONSTANTS) for line in (ROOT / file).read_text().splitlines(keepends=True)]
    for file, line in lines:
        if not re.match(r" +(public |package |static )?(var|let) \w", line):
            continue
        for m in re.finditer(r"(\w+)(: Real|: Double)? = (Angle\(degrees: )?([\d.]+(?:e-?\d+)?)", line):
            name, kind, angle, digits = m.groups()
            is_count = not (kind or angle or re.search(r"[.e]", digits))
            if is_count or float(digits) == 0:
                continue
            for factor in (0.5, 2):
                value = min(1.0, factor * float(digits)) if name in SHARES else factor * float(digits)
                new = f"{line[:m.start(4)]}{value!r}{line[m.end(4):]}"
                found.append(Rule(f"{name} × {factor:g}", f"{digits} → {value:g}", [(file, line, new)]))
    return found


def edited(rule, root=ROOT):
    """The files without the rule: path → text."""
    texts = {}
    for file, old, new in rule.edits:
        if file not in texts:
            texts[file] = (root / file).read_text() if (root / file).exists() else ""
        if (count := texts[file].count(old)) != 1:
            raise ValueError(f"{rule.name}: {file} holds this {count} times instead of once: {old!r}")
        texts[file] = texts[file].replace(old, new)
    return texts


def check():
    failed = 0
    for rule in RULES + numbers():
        try:
            edited(rule)
        except ValueError as error:
            print(f"Benchmarks/ablation_rules.py: {error}", file=sys.stderr)
            failed += 1
    twice = [name for name, n in collections.Counter(r.name for r in RULES).items() if n > 1]
    if failed or twice or not numbers():
        print("For each of these write in Benchmarks/ablation_rules.py how the rule is switched off now, or remove its entry with the rule.",
              *(f"Two rules are called {name!r}." for name in twice), *([] if numbers() else [f"{NUMBERS} holds no numbers."]),
              sep="\n", file=sys.stderr)
        sys.exit(1)
    print(f"ablation: the edits of {len(RULES)} rules and of {len(numbers())} numbers apply")


def build(copy, texts, library):
    """Builds the copy with these files in the place of its own."""
    kept = {file: (copy / file).read_text() for file in texts}
    for file, text in texts.items():
        (copy / file).write_text(text)
    shutil.rmtree(copy / LIBRARY.split("/")[0], ignore_errors=True)
    done = subprocess.run([copy / "Scripts/build-library.sh", "x86_64"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for file, text in kept.items():
        (copy / file).write_text(text)
    if done.returncode:
        raise ValueError("\n".join(re.findall(r".*error: .*", done.stderr)) or done.stderr[-1000:])
    shutil.copy(copy / LIBRARY, library)


def asked(library, option, folders):
    """What another process with this library answers to "judge" or "time"."""
    command = [sys.executable, HERE / "ablation_cases.py", option, *(f"{seed}:{suite}:{folder}" for seed, suite, folder in folders)]
    done = subprocess.run(command, env=dict(os.environ, OPENCOREMOTION_LIBRARY=str(library)), stdout=subprocess.PIPE, check=True, timeout=3600)
    return json.loads(done.stdout)


def compared(base, found, rule):
    """A row of the table."""
    row = {"name": rule.name, "does": rule.does, "wrong": sum(r[1] for r in found.values()) - sum(r[1] for r in base.values())}
    for suite in SUITES:
        own = sorted(k for k in base if k.split("/")[0] == suite)
        row[suite] = {"saved": [k for k in own if base[k][0] > found[k][0]], "lost": [k for k in own if base[k][0] < found[k][0]]}
    return row


def saved(row):
    return sum(len(row[suite]["saved"]) for suite in SUITES)


def table(rows, base, seeds):
    def cell(part):
        families = collections.Counter(k.split("/")[1] for k in part["saved"]).most_common(3)
        return f"{len(part['saved'])} / {len(part['lost'])}" + (f" ({', '.join(f for f, _ in families)})" if families else "")
    good = {s: [r[0] for k, r in base.items() if k.split("/")[0] == s] for s in SUITES}
    text = [f"Seeds {seeds}; with all rules {' and '.join(f'{sum(g)} of {len(g)}' for g in good.values())} cases are good, "
            f"{sum(r[1] for r in base.values())} confidently wrong.", "",
            "| rule | first suite: saved / lost | second suite: saved / lost | confidently wrong without it | time without it |",
            "|---|---|---|---|---|"]
    for row in sorted(rows, key=lambda r: -saved(r)):
        mark = "" if saved(row) else " **saves nothing**"
        text.append(f"| {row['name']}{mark} | {cell(row['stress'])} | {cell(row['stress2'])} | {row['wrong']:+d} | {row['time']:.2f} |")
    return "\n".join(text) + "\n"


def run(chosen, seeds, keep, json_file, markdown):
    folders = [(seed, suite, prepare(suite, seed, keep)) for seed in seeds.split(",") for suite in SUITES]
    rows, failed = [], []
    with tempfile.TemporaryDirectory(prefix="ablate-") as name:
        copy = pathlib.Path(name)
        for part in COPIED:
            (copy / part).parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, copy / part)
        usual, other = copy / "usual.so", copy / "other.so"
        build(copy, {}, usual)
        base = asked(usual, "judge", folders)
        for number, rule in enumerate(chosen, 1):
            try:
                build(copy, edited(rule, copy), other)
                row = compared(base, asked(other, "judge", folders), rule)
            except (ValueError, subprocess.SubprocessError) as error:
                failed.append(rule.name)
                print(f"{number}/{len(chosen)} {rule.name}: does not build or run without it: {error}", file=sys.stderr, flush=True)
                continue
            # In turns, because the machine is not always as fast.
            times = [(asked(usual, "time", folders), asked(other, "time", folders)) for _ in range(2)]
            rows.append(dict(row, time=min(t[1] for t in times) / min(t[0] for t in times)))
            print(f"{number}/{len(chosen)} {rule.name}: saves {saved(row)}", file=sys.stderr, flush=True)
            if json_file:
                json_file.write_text(json.dumps({"seeds": seeds, "base": base, "rows": rows, "failed": failed}, indent=1))
    text = table(rows, base, seeds)
    print(text)
    if markdown:
        markdown.write_text(text)
    sys.exit(1 if failed else 0)


def named(rules, part):
    """Those with this name, else those with this in their name."""
    return [r for r in rules if r.name.lower() == part.lower()] or [r for r in rules if part.lower() in r.name.lower()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only whether each rule's edit applies to the present sources")
    parser.add_argument("--list", action="store_true", help="only the names")
    parser.add_argument("--seeds", default="1,2,3,4,5")
    parser.add_argument("--cases", type=pathlib.Path, metavar="DIR", help="keeps the cases")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these, or those with this in their name")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--rules", action="store_true", help="no numbers")
    which.add_argument("--numbers", action="store_true", help="numbers alone")
    parser.add_argument("--json", type=pathlib.Path, metavar="OUT", help="with the names of all cases")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="OUT")
    options = parser.parse_args()
    if options.check:
        return check()
    chosen = ([] if options.numbers else RULES) + ([] if options.rules else numbers())
    for part in options.only or []:
        if not named(chosen, part):
            parser.error(f"no rule and no number is called {part!r}; --list shows all")
    if options.only:
        chosen = [r for r in chosen if any(r in named(chosen, part) for part in options.only)]
    if options.list:
        return print(*(f"{r.name}: {r.does}" for r in chosen), sep="\n")
    if not options.cases:
        parser.error("--cases is needed")
    run(chosen, options.seeds, options.cases, options.json, options.markdown)


if __name__ == "__main__":
    main()
