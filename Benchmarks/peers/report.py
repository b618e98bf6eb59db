# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of `peers.py --all`, for a terminal or in Markdown."""

from dataclasses import dataclass

LEGEND = """\
Total, heading and inclination: mean over the trials of the RMS error, nine axes, degrees. 6D: the inclination without the magnetometer.
Told, besides the samples. rate: their rate, which ours sees in their times. start: the orientation that the first accelerometer and
magnetometer show. dip: that of the field in the first row. range: 2000 °/s. calibrated: that the magnetometer is, which all but ours take
for granted. delay: that the gyroscope's stamps are half an interval late, which those that take a rate for the interval before its stamp
have built in. future: the samples that come later. “The truth's delay”: each attitude is compared with the truth of 4 ms later; it stands
beside the other figures, never instead of one. “As a user runs it”: total and heading count where a heading is stated."""


@dataclass
class Row:
    name: str
    version: str
    kind: str
    told: str
    # Of each trial: total, heading, inclination; None without nine axes.
    nine: list | None
    # Of each trial: inclination; None without six axes.
    six: list | None
    # Where the settings are from, or what else is to be known.
    note: str = ""
    # Names and values of the settings.
    chosen: str = ""

    @property
    def is_ours(self):
        return self.name.startswith("OpenCoreMotion")

    @property
    def label(self):
        return self.name if self.is_ours else f"{self.name}, {self.kind}"

    def means(self):
        nine = [mean(values) for values in zip(*self.nine)] if self.nine else [None] * 3
        return nine + [mean(self.six) if self.six else None]

    def halves(self):
        """Mean total of every second trial, the first one included, and of the others."""
        return mean([row[0] for row in self.nine[::2]]), mean([row[0] for row in self.nine[1::2]])


def mean(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def number(value, places=2):
    return "–" if value is None else f"{value:.{places}f}"


def summary(rows):
    header = ["filter", "settings", "told", "total", "heading", "inclination", "6D"]
    return [header] + [[f"{r.name} {r.version}".strip(), r.kind, r.told, *map(number, r.means())] for r in rows]


def halves(rows):
    header = ["filter", "tuned on these", "on the others"]
    return [header] + [[row.name, *map(number, row.halves())] for row in rows]


def per_trial(rows, names, pick):
    """`pick`: the figure of a row in each trial, or None."""
    body = [(row, pick(row)) for row in rows]
    return [["filter", *names]] + [[r.label, *map(number, v)] for r, v in body if v]


PER_TRIAL = [
    ("Total", lambda row: row.nine and [errors[0] for errors in row.nine]),
    ("Heading", lambda row: row.nine and [errors[1] for errors in row.nine]),
    ("Inclination", lambda row: row.nine and [errors[2] for errors in row.nine]),
    ("Inclination, six axes", lambda row: row.six),
]


def short_names(files):
    """The numbers that the names of BROAD's trials begin with, where they do."""
    numbers = [path.stem.split("_")[0] for path, _ in files]
    return numbers if len(set(numbers)) == len(numbers) else [path.stem for path, _ in files]


def write_table(table, markdown, text_columns=1):
    """The first columns are text, the others numbers."""
    if markdown:
        lines = [table[0], ["---" if k < text_columns else "---:" for k in range(len(table[0]))], *table[1:]]
        print("\n".join("| " + " | ".join(line) + " |" for line in lines))
        return
    widths = [max(len(line[k]) for line in table) for k in range(len(table[0]))]
    for line in table:
        cells = [f"{c:<{w}}" if k < text_columns else f"{c:>{w}}" for k, (c, w) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())


def write(rows, skipped, files, markdown, trials):
    def title(text):
        print(f"\n{'### ' if markdown else ''}{text}\n")

    title(f"{len(files)} trials of {files[0][0].resolve().parent.name}")
    write_table(summary(rows), markdown, text_columns=3)
    print(f"\n{LEGEND}\n")
    for row in rows:
        facts = "; ".join(fact for fact in (row.chosen, row.note) if fact)
        if facts:
            print(f"{'- ' if markdown else ''}{row.label}: {facts}.")
    tuned = [row for row in rows if row.kind == "tuned" and row.nine]
    if tuned:
        title("Total of the filters that were tuned here, on the trials that they were tuned on and on the others")
        write_table(halves(tuned), markdown)
    if trials:
        names = short_names(files)
        for text, pick in PER_TRIAL:
            title(f"{text}, by trial")
            write_table(per_trial(rows, names, pick), markdown)
        print("\n" + "\n".join(f"{'- ' if markdown else ''}{n}: {path.stem}" for n, (path, _) in zip(names, files) if n != path.stem))
    if skipped:
        print()
    for reason in dict.fromkeys(map(str, skipped)):
        print(f"{'- ' if markdown else ''}skipped: {reason}")
