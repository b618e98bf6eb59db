# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of peers.py. Only `filters`, `measuring`, `plots` and `trials` need numpy."""

import os

# Every processor has a process of its own, and threads for matrices of 4 by 4 only wait for each other: 20 times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class Skipped(Exception):
    """Why something does not take part, beginning with its name."""
