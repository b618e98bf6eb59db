# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of peers.py. Only `filters`, `measuring`, `plots` and `trials` need numpy."""


class Skipped(Exception):
    """Why something does not take part, beginning with its name."""
