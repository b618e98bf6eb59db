# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Our own filter, through the C library, as in `make stress`."""

import os
import pathlib
import sys
from concurrent.futures import ProcessPoolExecutor

from . import report

# Name, that of the row in stress/recordings.py, what it is told besides the times of the samples.
ROWS = [
    ("OpenCoreMotion", "told", "calibrated, range, delay"),
    ("OpenCoreMotion, as a user runs it", "as a user", "nothing"),
    ("OpenCoreMotion, smoothed", "told, smoothed", "calibrated, range, delay, future"),
    ("OpenCoreMotion, smoothed, as a user runs it", "as a user, smoothed", "future"),
    ("OpenCoreMotion, truth 4 ms late", "told, truth 4 ms late", "calibrated, range, delay; the truth's delay"),
    ("OpenCoreMotion, smoothed, truth 4 ms late", "told, smoothed, truth 4 ms late", "calibrated, range, delay, future; the truth's delay"),
]


def rows(files):
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "stress"))
    import recordings

    with ProcessPoolExecutor(os.cpu_count()) as pool:
        trials = [found for _, found in pool.map(recordings.broad, [path for path, _ in files])]
    return [report.Row(name, "", "defaults", told, [trial[key][:3] for trial in trials], [trial[key][3] for trial in trials])
            for name, key, told in ROWS]
