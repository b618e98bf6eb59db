#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Takes something from recordings of every format that the rest of the file still declares or implies: `make attack`.

A chunk that the statistics count, rows out of the middle of a regular series, a sensor's end before that of the others, bytes under
a sum, a file that the directory of a zip or the metadata name, bytes behind the end. Whatever motionctl makes of it, it must say so:
silent is a verdict that info gives of the whole recording too, and a convert, cut or fuse that ends with 0 without a line about it.
The same LOSS_SEED makes the same cases.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import gzip
import io
import os
import pathlib
import random
import re
import shutil
import struct
import sys
import tempfile
import time
import zipfile

import containers
import seeds
import trial

BATCH = 25
# A line that speaks of something lost; numbers and paths apart, it is not one that the whole recording has too.
WORDS = re.compile(
    r"(?<!no )\bgaps?\b|left out|warning|[Tt]runcated|UNFINISHED|unfinished|Error|dropped:|repeat|out of order|jump|behind|missing|not used|lost"
)
# Columns of the seeds that are not read.
UNREAD = re.compile(rb"bar_hPa|temperature_C|relativeAltitude|seconds_elapsed|Note")


@dataclasses.dataclass
class Loss:
    """A file, or several of the recording, with something gone; `what` for people. None as content: the file is gone."""

    what: str
    files: dict


def rows_of(data):
    """The lines of a text, each with its end; where rows of numbers begin."""
    lines = data.splitlines(keepends=True)
    first = next((index for index, line in enumerate(lines) if re.match(rb'"?[-\d{]', line)), 0)
    return lines, first


def cut(lines, first, random):
    """Within a line, which may then hold all its columns and end in a shortened number."""
    last = random.randrange(first + (len(lines) - first) // 2, len(lines))
    return b"".join(lines[:last]) + lines[last][: random.randrange(1, len(lines[last]))]


def table(seed, data, random):
    lines, first = rows_of(data)
    count = len(lines) - first
    kind = random.randrange(6)
    if kind == 0:
        return "cut within a line", cut(lines, first, random)
    if kind == 1:
        place = random.choice([place for place in range(first + 1, len(lines) - 1) if len(lines[place]) > 8])
        # A number of columns that is wrong, in a line of its own.
        lines[place] = lines[place][: max(1, len(lines[place]) // 2)].rstrip(b"\r\n,; \t") + b"\n"
        return "half a line", b"".join(lines)
    if kind in (2, 3):
        place, gone = first + random.randrange(1, count - 12), 1 if kind == 2 else random.randrange(2, 9)
        del lines[place : place + gone]
        return f"{'a row' if gone == 1 else 'rows'} out of the middle", b"".join(lines)
    if kind == 4:
        place = first + random.randrange(20, count - 12)
        fields = re.split(rb"([,; \t])", lines[place].rstrip(b"\r\n"))
        names = re.split(rb"([,; \t])", lines[first - 1].rstrip(b"\r\n")) if first else fields
        numbers = [
            index
            for index, (field, name) in enumerate(zip(fields, names))
            if re.fullmatch(rb'"?-?\d[-+.\deE]*"?', field) and not UNREAD.search(name)
        ]
        word = random.choice([b"nan", b"NaN", b"inf", b"x"])
        fields[random.choice(numbers)] = word
        lines[place] = b"".join(fields) + b"\n"
        return f"a cell that reads {word.decode()}", b"".join(lines)
    place = random.choice([place for place in range(first + 2, len(lines) - 2) if len(lines[place]) > 8])
    lines[place:place] = lines[place : place + 1]
    return "a row twice", b"".join(lines)


def ndjson(seed, data, random):
    lines, first = rows_of(data)
    if random.random() < 0.3:
        return "cut within a line", cut(lines, first, random)
    topic = random.choice([b"/sensor/accelerometer", b"/sensor/gyroscope"])
    own = [index for index, line in enumerate(lines) if topic in line]
    if len(own) < 30:
        return None
    if random.random() < 0.5:
        place, gone = random.randrange(1, len(own) - 12), random.randrange(1, 9)
        chosen = set(own[place : place + gone])
        return f"{gone} messages of one sensor", b"".join(line for index, line in enumerate(lines) if index not in chosen)
    chosen = set(own[random.randrange(2, len(own) // 2) :])
    return "a sensor ends early", b"".join(line for index, line in enumerate(lines) if index not in chosen)


def mcap(seed, data, random):
    items = containers.records(data[8:])
    chunks = [index for index, (code, _) in enumerate(items) if code == containers.CHUNK]
    kind = random.randrange(9)
    if kind == 6:
        # An end mark, or all that stands at the beginning or the end of a file, between two records.
        what, mark = random.choice(
            [
                ("a footer", b"\x02" + struct.pack("<Q", 20) + bytes(20)),
                ("the end of data", b"\x0f" + struct.pack("<Q", 4) + bytes(4)),
                ("the magic bytes", containers.MAGIC),
                ("a footer and the magic bytes", b"\x02" + struct.pack("<Q", 20) + bytes(20) + containers.MAGIC),
            ]
        )
        place = random.choice(chunks)
        items = containers.without_sum(items)
        head, rest = containers.joined(items[:place]), containers.joined(items[place:])
        return what + " inside", containers.MAGIC + head + mark + rest + containers.MAGIC
    if kind in (7, 8):
        # Nothing but its type is changed; or it is gone, and no sum shows it.
        items = containers.without_sum(items)
        place = random.choice([index for index, (code, _) in enumerate(items) if code in (containers.CHUNK, 0x0C)])
        code, body = items.pop(place)
        if kind == 7:
            items.insert(place, (random.randrange(0x10, 0x80), body))
        what = "a record of no known type" if kind == 7 else "a chunk without a sum" if code == containers.CHUNK else "metadata without a sum"
        return what, containers.MAGIC + containers.joined(items) + containers.MAGIC
    if kind == 0:
        del items[random.choice(chunks)]
        return "a chunk", containers.MAGIC + containers.joined(items) + containers.MAGIC
    if kind == 1:
        place = random.choice(chunks)
        body = bytearray(items[place][1])
        if int.from_bytes(body[24:28], "little") == 0:
            return None
        body[random.randrange(60, len(body))] ^= 1 << random.randrange(8)
        items[place] = (containers.CHUNK, bytes(body))
        return "a bit of a chunk", containers.MAGIC + containers.joined(items) + containers.MAGIC
    if kind == 2:
        return "its end", data[: random.randrange(len(data) // 3, len(data) - 1)]
    if kind == 3:
        return "bytes behind the end", data + random.randbytes(random.randrange(1, 400))
    if kind == 4:
        # The data says how often it is counted: the statistics keep their number.
        statistics = next((index for index, (code, _) in enumerate(items) if code == 0x0B), None)
        if statistics is None:
            return None
        count = struct.unpack_from("<Q", items[statistics][1])[0] + random.randrange(1, 500)
        items[statistics] = (0x0B, struct.pack("<Q", count) + items[statistics][1][8:])
        return "messages that the statistics count", (
            containers.MAGIC + containers.joined(containers.without_sum(items)) + containers.MAGIC
        )
    if any(code == 0x0F and body != bytes(4) for code, body in items):
        # Of the sum of all data: in a record that has no sum of its own.
        place = next(index for index, (code, _) in enumerate(items) if code == 0x0C)
        body = bytearray(items[place][1])
        body[-1] ^= 1
        items[place] = (0x0C, bytes(body))
        return "a bit of the metadata", containers.MAGIC + containers.joined(items) + containers.MAGIC
    return None


def zipped(seed, data, random):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [(entry, archive.read(entry)) for entry in archive.infolist()]
    # Of the files that are played.
    played = [entry.filename for entry, _ in entries if not entry.filename.startswith(("Metadata", "info"))]
    name = random.choice(played)
    kind = random.randrange(5)
    if kind == 0:
        return "bytes behind the end", data + random.randbytes(random.randrange(1, 400))
    if kind == 1:
        return "its end", data[: random.randrange(len(data) // 2, len(data) - 60)]
    if kind == 2:
        info = next(entry for entry, _ in entries if entry.filename == name)
        start = info.header_offset + 30 + len(name)
        place = start + random.randrange(info.compress_size - 1)
        # Not of the last byte: behind the last code of deflated data stand bits that mean nothing.
        return "a bit of a file", data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for entry, content in entries:
            info = zipfile.ZipInfo(entry.filename)
            if entry.filename == name and kind == 3:
                # A symbolic link to where nothing is.
                info.create_system, info.external_attr, content = 3, 0o120777 << 16, b"elsewhere.csv"
            archive.writestr(info, content, entry.compress_type)
    packed = buffer.getvalue()
    if kind == 3:
        return "a file that is a link", packed
    # Encrypted: the flag in both headers.
    packed = bytearray(packed)
    for signature, name_at, flag_at in ((b"PK\3\4", 30, 6), (b"PK\1\2", 46, 8)):
        place = packed.find(signature)
        while place >= 0:
            if packed[place + name_at : place + name_at + len(name)] == name.encode():
                packed[place + flag_at] |= 1
            place = packed.find(signature, place + 4)
    return "a file that is encrypted", bytes(packed)


def gzipped(seed, data, random):
    kind = random.randrange(4)
    if kind == 0:
        return "bytes behind the end", data + random.randbytes(random.randrange(1, 400))
    if kind == 1:
        return "its end", data[: random.randrange(len(data) // 2, len(data) - 8)]
    if kind == 2:
        place = random.randrange(len(data) - 8, len(data))
        return "a bit of its sum", data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :]
    content = table(seed, gzip.decompress(data), random)
    return content and (content[0], gzip.compress(content[1], mtime=0))


def recordings(motionctl, folder):
    """The good ones: those of the other attacks but the real ones, so that the cases are the same everywhere."""
    return seeds.all_seeds(motionctl, folder, folder / "none")


KINDS = {
    "table": table, "ndjson": ndjson, "mcap": mcap, "zip": zipped, "gzip": gzipped,
}  # fmt: skip


def member(seed, random):
    """Of a folder: a table that begins late or ends early, or that is no file any more."""
    if "metadata.yaml" in seed.files:
        text = seed.files["metadata.yaml"].decode()
        if random.random() < 0.5:
            return Loss("a file that the metadata name", {"metadata.yaml": (text + "    - bag_1.mcap\n").encode()})
        count = f"  message_count: {random.randrange(10_000, 20_000)}\n  relative"
        return Loss("messages that the metadata count", {"metadata.yaml": text.replace("  relative", count).encode()})
    names = [name for name in seed.files if name not in ("Metadata.csv", "metadata.yaml", "info.txt")]
    if seed.path or len(names) < 2 or seed.kind != "table":
        return None
    name = random.choice(names)
    lines, first = rows_of(seed.files[name])
    count = len(lines) - first
    kept = random.choice([1, random.randrange(2, count - count // 8)])
    kind = random.randrange(4)
    if kind <= 1:
        if kind == 0:
            what, content = "ends early", b"".join(lines[: first + kept])
        else:
            what, content = "begins late", b"".join(lines[:first] + lines[-kept:])
        return Loss(f"{name} {what}", {name: content})
    return Loss(f"{name} is {'a folder' if kind == 2 else 'a link to nothing'}", {name: kind})


def make(seed, random):
    """A loss that can be seen; None where this seed has none of the kind that was drawn."""
    if not seed.path and random.random() < 0.6 and (loss := member(seed, random)):
        return loss
    change = KINDS.get(seed.kind)
    made = change and change(seed, seed.files[seed.target], random)
    return made and Loss(made[0], {seed.target: made[1]})


class Case(trial.Trial):
    """A recording that lost something."""

    def __init__(self, case, seed, loss, folder, choice=0):
        super().__init__(case, seed, seed.files[seed.target], True, folder, choice)
        self.loss = loss
        for name, content in loss.files.items():
            path = folder / "recording" / name
            if isinstance(content, bytes):
                path.write_bytes(content)
                continue
            path.unlink()
            if content == 2:
                path.mkdir()
                (path / "inner.csv").write_bytes(seed.files[name])
            else:
                path.symlink_to("elsewhere")

    def command(self, motionctl):
        """What every case gets besides info."""
        return {
            0: [motionctl, "fuse", self.address, "-o", f"{self.folder}/motion.csv"],
            1: [motionctl, "convert", self.address, f"{self.folder}/out.ndjson"],
            2: [motionctl, "cut", self.address, f"{self.folder}/out.mcap"],
            3: [motionctl, "convert", self.address, f"{self.folder}/out.csv"],
        }[self.choice % 4] + (["--skip-errors"] if self.choice >= 4 else [])

    def lines(self, outcome):
        """What a run said of losses, without its numbers and paths."""
        text = outcome.errors.decode("utf-8", "replace").replace(str(self.folder), "")
        return {re.sub(r"[\d.,]+|\b(ms|s|min)\b", "#", line) for line in text.splitlines() if WORDS.search(line)}


def main():
    environment = os.environ
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("motionctl")
    parser.add_argument("--cases", type=int, default=int(environment.get("LOSS_CASES", 400)), help="how many (LOSS_CASES, 400)")
    parser.add_argument("--seed", type=int, default=int(environment.get("LOSS_SEED", 1)), help="(LOSS_SEED, 1)")
    parser.add_argument("--format", help="only seeds whose name contains this")
    parser.add_argument("--show", type=int, default=3, help="silent cases shown of each kind (3)")
    parser.add_argument("--keep", help="a folder for the shown ones")
    options = parser.parse_args()
    motionctl = str(pathlib.Path(options.motionctl).resolve())
    started = time.monotonic()
    root = pathlib.Path(tempfile.mkdtemp(prefix="losses-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    counts, shown = collections.defaultdict(collections.Counter), collections.Counter()
    try:
        (root / "seeds").mkdir()
        sources = [
            seed
            for seed in recordings(motionctl, root / "seeds")
            if (options.format or "") in seed.name and (seed.kind in KINDS or not seed.path)
        ]
        bases, words = {}, {}
        for index, seed in enumerate(sources):
            whole = Case(index, seed, Loss("", {}), root / f"seed-{index}")
            outcome = trial.run([motionctl, "info", "--json", whole.address], whole.folder, 10)
            bases[seed.name] = trial.report_of(outcome).get(whole.path)
            if not bases[seed.name]:
                sys.exit(f"Error: the seed “{seed.name}” is not read: {outcome.errors.decode(errors='replace')}")
            for whole.choice in range(4):
                words[seed.name, whole.choice] = whole.lines(trial.run(whole.command(motionctl), whole.folder, 10))
            whole.remove()

        def batch(numbers):
            cases = []
            for number in numbers:
                draw = random.Random(f"{options.seed}/{number}")
                seed = sources[number % len(sources)]
                loss = next((made for _ in range(20) if (made := make(seed, draw))), None)
                if loss:
                    cases.append(Case(number, seed, loss, root / f"case-{number}", draw.randrange(8)))
            if not cases:
                return []
            folder = root / f"batch-{numbers[0]}"
            folder.mkdir()
            outcome = trial.run([motionctl, "info", "--json", *(case.address for case in cases)], folder, 30)
            reports = trial.report_of(outcome)
            shutil.rmtree(folder)
            found = []
            for case in cases:
                silent = []
                report = reports.get(case.path)
                # One that info refuses is said in an error.
                if report and trial.what_is_said(report) == trial.what_is_said(bases[case.seed.name]):
                    silent.append("info")
                command = case.command(motionctl)
                outcome = trial.run(command, case.folder, 10)
                if outcome.status == 0 and not case.lines(outcome) - words[case.seed.name, case.choice % 4]:
                    silent.append(" ".join(command[1:2] + (["--skip-errors"] if case.choice >= 4 else [])))
                found.append((case, silent))
            return found

        numbers = range(options.cases)
        batches = [numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            for start in range(0, len(batches), 8):
                for found in pool.map(batch, batches[start : start + 8]):
                    for case, silent in found:
                        row = counts[case.seed.name]
                        row["cases"] += 1
                        row["silent"] += bool(silent)
                        row["info"] += "info" in silent
                        row["command"] += any(name != "info" for name in silent)
                        what = re.sub(r"\d+", "#", case.loss.what)
                        if silent and shown[case.seed.name, what] < options.show:
                            shown[case.seed.name, what] += 1
                            print(f"SILENT {case.seed.name}, case {case.case}: {case.loss.what}: {', '.join(silent)}", flush=True)
                            if options.keep:
                                place = pathlib.Path(options.keep, f"{options.seed}-{case.case}")
                                shutil.rmtree(place, ignore_errors=True)
                                shutil.copytree(case.folder / "recording", place, symlinks=True)
                        case.remove()
    finally:
        shutil.rmtree(root, ignore_errors=True)
    columns = ["cases", "silent", "info", "command"]
    print(f"\n{'lost from':24}" + "".join(f"{name:>9}" for name in columns))
    total = sum(counts.values(), collections.Counter())
    for name, row in [*sorted(counts.items()), ("all", total)]:
        print(f"{name:24}" + "".join(f"{row[column]:9}" for column in columns))
    print(
        f"{total['silent']} of {total['cases']} losses were not said (LOSS_SEED={options.seed}, {time.monotonic() - started:.0f} s)"
    )
    return 1 if total["silent"] or not total["cases"] else 0


if __name__ == "__main__":
    sys.exit(main())
