#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""MCAP between motionctl and the package mcap of the format's authors, both ways.

  Scripts/Validate/check_mcap.py [MOTIONCTL]

The package reads what `convert` writes, with its checks of checksums on, and the numbers are those of the text that was
converted; motionctl reads files of the package, compressed and not, chunked and not, to the last digit.
"""

import csv
import json
import pathlib
import random
import tempfile

import mcap
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader
from mcap.writer import CompressionType, Writer

from command import run

RATE = 100
START = 5000.0


def sensorlog(path, rows):
    """A SensorLog CSV; returns what was written, by topic."""
    values = random.Random(7)
    written = {"/motion/accelerometer": [], "/motion/gyro": []}
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(
            ["loggingTime(txt)", "accelerometerTimestamp_sinceReboot(s)"]
            + [f"accelerometerAcceleration{k}(G)" for k in "XYZ"] + ["gyroTimestamp_sinceReboot(s)"]
            + [f"gyroRotation{k}(rad/s)" for k in "XYZ"])
        for row in range(rows):
            time = START + row / RATE
            force = [values.gauss(0, 1) for _ in range(3)]
            rate = [values.gauss(0, 1) for _ in range(3)]
            out.writerow(["2026-11-21T12:00:00.000+00:00", f"{time:.2f}", *force, f"{time:.2f}", *rate])
            written["/motion/accelerometer"].append((time, force))
            written["/motion/gyro"].append((time, rate))
    return written


def vector(message):
    value = message.get("acceleration") or message.get("rotationRate") or message
    return [value[k] for k in "xyz"]


def check_writing(folder):
    written = sensorlog(folder / "walk.csv", 1000)
    run("convert", folder / "walk.csv", folder / "walk.mcap")
    read = {}
    with open(folder / "walk.mcap", "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        names = {record.name for record in reader.iter_metadata()}
        last = 0
        for schema, channel, message in reader.iter_messages():
            assert schema.name.startswith("opencoremotion.") and schema.encoding == "jsonschema", schema
            assert message.log_time >= last, "out of order"
            last = message.log_time
            value = json.loads(message.data)
            for key in json.loads(schema.data)["required"]:
                assert key in value, (schema.name, key)
            assert message.sequence == len(read.setdefault(channel.topic, [])), channel.topic
            read[channel.topic].append((value["timestamp"], vector(value)))
    assert names == {"opencoremotion"}, names
    assert summary.statistics.message_count == 2000 and summary.statistics.chunk_count == len(summary.chunk_indexes)
    assert read == written, "the numbers are not those of the text"
    # From the front, without the summary: every record, and the checksum of the data section.
    with open(folder / "walk.mcap", "rb") as file:
        count = sum(1 for _ in StreamReader(file, validate_crcs=True, emit_chunks=False).records)
    assert count > 2000, count


SCHEMA = json.dumps({"type": "object", "required": ["timestamp_ns", "x", "y", "z"]}).encode()


def check_reading(folder, name, **options):
    values = random.Random(9)
    path = folder / f"{name}.mcap"
    expected = []
    with open(path, "wb") as file:
        writer = Writer(file, chunk_size=4096, **options)
        writer.start(profile="", library="check_mcap.py")
        writer.add_metadata("opencoremotion", {"format": "1", "clock": "monotonic", "wall_offset_ns": "1700000000000000000"})
        schema = writer.register_schema("opencoremotion.Gyroscope", "jsonschema", SCHEMA)
        channels = {topic: writer.register_channel(topic, "json", schema)
                    for topic in ("/sensor/accelerometer", "/sensor/gyroscope")}
        for row in range(1000):
            time = 10**12 + row * 10**7
            for topic, channel in channels.items():
                value = {"timestamp_ns": time, **{k: values.gauss(0, 1) * 10.0 ** values.randint(-12, 3) for k in "xyz"}}
                wall = time + 1_700_000_000_000_000_000
                writer.add_message(channel, log_time=wall + 1000, publish_time=wall, sequence=row,
                                   data=json.dumps(value).encode())
                expected.append((topic, value["timestamp_ns"], vector(value)))
        writer.finish()
    run("convert", path, folder / f"{name}.ndjson")
    lines = [json.loads(line) for line in open(folder / f"{name}.ndjson")]
    read = [(line["topic"], line["timestamp_ns"], vector(line)) for line in lines if line["topic"].startswith("/sensor/")]
    assert read == expected, f"{name}: {len(read)} samples read, {len(expected)} written"
    # Cut off anywhere, the rest is readable.
    cut = path.read_bytes()
    (folder / "cut.mcap").write_bytes(cut[: len(cut) // 2])
    run("fuse", folder / "cut.mcap", "-o", folder / f"{name}-cut.csv")
    assert sum(1 for _ in open(folder / f"{name}-cut.csv")) > 50


def main():
    with tempfile.TemporaryDirectory(prefix="check-mcap-") as name:
        folder = pathlib.Path(name)
        check_writing(folder)
        check_reading(folder, "none", compression=CompressionType.NONE)
        check_reading(folder, "zstd", compression=CompressionType.ZSTD)
        check_reading(folder, "lz4", compression=CompressionType.LZ4)
        check_reading(folder, "unchunked", use_chunking=False)
        check_reading(folder, "plain", compression=CompressionType.NONE, use_statistics=False, use_summary_offsets=False)
        check_reading(folder, "repeated", compression=CompressionType.NONE, repeat_channels=False, repeat_schemas=False)
    print(f"MCAP: read by mcap {mcap.__version__} with its checksums, and its files read, to the last digit")


if __name__ == "__main__":
    main()
