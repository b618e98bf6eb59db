#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The judge of the attacks sees what it is there for: programs that crash, hang, grow, are silent, or print escape sequences."""

import pathlib
import random
import sys
import tempfile
import unittest

import containers
import loggers
import losses
import seeds
import tables
import trial


class Judging(unittest.TestCase):
    def faults(self, program, limit=2.0):
        """The faults of a program in Python, run as motionctl would be."""
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", program]
            outcome = trial.run(command, pathlib.Path(folder), limit)
            return [fault for fault, _ in trial.faults(outcome, 1, command)]

    def test_a_good_end_has_no_fault(self):
        self.assertEqual(self.faults("print('6,000 samples, 24 °C')"), [])
        self.assertEqual(self.faults("import sys; print('Error: It ends early.', file=sys.stderr); sys.exit(1)"), [])

    def test_each_fault_is_seen(self):
        self.assertEqual(self.faults("import os; os.abort()"), ["crash"])
        self.assertEqual(self.faults("import sys; sys.exit(3)"), ["crash"])
        self.assertEqual(self.faults("import time; time.sleep(60)", limit=0.1), ["hang"])
        self.assertEqual(self.faults("x = bytearray(300_000_000)"), ["memory"])
        self.assertEqual(self.faults("import sys; sys.exit(1)"), ["silence"])
        for text in ("\x1b[31m", "\x7f", "\u009b31m", "\u202e", "\u2028"):
            self.assertEqual(self.faults(f"print({text!r})"), ["escape"], repr(text))

    def test_a_loss_has_to_be_said(self):
        def report(samples, omitted):
            return {"samples": samples, "streams": [], "verdict": {"reasons": []}, "omitted": omitted}

        with tempfile.TemporaryDirectory() as folder:
            seed = seeds.Seed("x", "table", {"x": b""}, "x", "x")
            damaged = trial.Trial(0, seed, b"", True, pathlib.Path(folder))
            self.assertEqual(len(list(damaged.loss(report(9, {}), report(10, {})))), 1)
            self.assertEqual(list(damaged.loss(report(9, {"malformed": 1}), report(10, {}))), [])
            self.assertEqual(list(damaged.loss(report(10, {}), report(10, {}))), [])

    def test_the_same_number_makes_the_same_bytes_and_most_differ_from_the_seed(self):
        for name, _, content, _ in tables.tables():
            made = [containers.MUTATORS["table"](content, random.Random(f"1/{case}"))[0] for case in range(50)]
            again = [containers.MUTATORS["table"](content, random.Random(f"1/{case}"))[0] for case in range(50)]
            self.assertEqual(made, again, name)
            self.assertGreater(sum(data != content for data in made), 40, name)

    def test_each_loss_changes_the_recording_and_its_number_makes_it_again(self):
        sources = [seeds.Seed(name, "table", {file: content}, file, file) for name, file, content, _ in tables.tables()]
        sources += [seeds.Seed(name + " folder", "table", files, next(f for f in files if f != "Metadata.csv"), "") for name, files in seeds.folders()]
        sources += [seeds.Seed(*entry) for entry in loggers.seeds() if entry[1] in losses.KINDS]
        self.assertGreater(len(sources), 20)
        for seed in sources:
            made = [losses.make(seed, random.Random(f"1/{case}")) for case in range(40)]
            self.assertEqual(made, [losses.make(seed, random.Random(f"1/{case}")) for case in range(40)], seed.name)
            found = [loss for loss in made if loss]
            self.assertGreater(len(found), 10, seed.name)
            for loss in found:
                self.assertTrue(all(content != seed.files.get(name) for name, content in loss.files.items()), loss.what)

    def test_a_line_about_a_loss_is_known_by_its_words(self):
        with tempfile.TemporaryDirectory() as folder:
            seed = seeds.Seed("x", "table", {"x": b""}, "x", "x")
            case = losses.Case(0, seed, losses.Loss("", {}), pathlib.Path(folder))

            def lines(text):
                return case.lines(trial.Outcome(0, b"", text.encode(), 0, 0, False))

            quiet = lines("x: a recording\n2 rows over 10 ms\n  gyroscope: 40 samples at 100 Hz, no gaps, none dropped\n")
            self.assertEqual(quiet, set())
            self.assertEqual(len(lines("  gyroscope: 31 samples at 77 Hz, 1 gap (0.1 s together), none dropped")), 1)
            self.assertEqual(lines("  left out of the recording: 3 x (y)"), lines("  left out of the recording: 7 x (y)"))


if __name__ == "__main__":
    unittest.main()
