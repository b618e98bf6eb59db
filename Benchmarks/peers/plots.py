# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Two pictures of the errors: the means of each filter, and every trial of it."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

OURS, THEIRS = "#0b6e4f", "#8d99ae"
# Degrees; a longer bar ends at the edge, without its line and circle, and a larger dot stands there.
LONGEST_BAR, LARGEST_DOT = 12, 60
# REUSE-IgnoreStart
LICENCE = [
    "<!-- SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors -->",
    "<!-- SPDX-License-Identifier: Apache-2.0 -->",
]
# REUSE-IgnoreEnd


def frame(rows, title):
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "peers", "font.size": 9, "font.family": "sans-serif"})
    figure, axes = plt.subplots(figsize=(9, 0.8 + 0.27 * len(rows)), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.invert_yaxis()
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel("degrees")
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure, axes


def color(row):
    return OURS if row.is_ours else THEIRS


def means(rows, path):
    title = "Mean error. Bar: total, nine axes. Line: inclination, nine axes. Circle: inclination, six axes."
    figure, axes = frame(rows, title)
    for place, row in enumerate(rows):
        total, _, inclination, six = row.means()
        if total is not None:
            end = min(total, LONGEST_BAR)
            axes.barh(place, end, height=0.62, color=color(row))
            axes.text(end, place, f" {total:.2f}" + ("" if end == total else " →"), va="center", fontsize=8)
            if inclination <= LONGEST_BAR:
                axes.plot([inclination] * 2, [place - 0.31, place + 0.31], color="black", linewidth=1.4)
        if six is not None and six <= LONGEST_BAR:
            axes.plot(six, place, "o", markersize=4.5, markerfacecolor="white", markeredgecolor="black")
    axes.set_xlim(0, LONGEST_BAR * 1.08)
    save(figure, path)


def trials(rows, path):
    rows = [row for row in rows if row.nine]
    figure, axes = frame(rows, "Total error of each trial (dot) and its mean (line), nine axes.")
    for place, row in enumerate(rows):
        known = [min(errors[0], LARGEST_DOT) for errors in row.nine if errors[0] is not None]
        axes.plot(known, [place] * len(known), "o", markersize=4, color=color(row), alpha=0.65, mew=0)
        axes.plot([min(row.means()[0], LARGEST_DOT)] * 2, [place - 0.35, place + 0.35], color="black", linewidth=1.4)
    axes.set_xscale("log")
    axes.set_xlim(0.4, LARGEST_DOT * 1.15)
    ticks = [0.5, 1, 2, 5, 10, 20, 50]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    save(figure, path)


def save(figure, path):
    figure.savefig(path, facecolor="white", metadata={"Date": None, "Creator": None, "Type": None, "Format": None})
    plt.close(figure)
    # The picture of the documentation needs them.
    first, rest = path.read_text(encoding="utf-8").split("\n", 1)
    path.write_text("\n".join([first, *LICENCE, rest]), encoding="utf-8")


def draw(rows, folder):
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / "filters.svg", folder / "filters-trials.svg"]
    means(rows, paths[0])
    trials(rows, paths[1])
    return paths
