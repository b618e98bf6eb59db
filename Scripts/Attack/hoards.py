# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Files below 10 MB that want to be kept: each declares, repeats or unpacks to much more than it is."""

import dataclasses
import gzip
import importlib.util
import json
import os
import struct
import zipfile
import zlib

import seeds

START = 1_700_000_000 * 10**9


@dataclasses.dataclass
class Case:
    name: str
    # Makes the files in a folder.
    build: object
    # Arguments of motionctl, run in that folder.
    commands: list
    needs_pyarrow: bool = False


def has_pyarrow():
    return importlib.util.find_spec("pyarrow") is not None


def reading(path, *others):
    """What most commands do with a file."""
    return [["info", path], ["fuse", path, "-o", "out/motion.csv"], ["convert", "--skip-errors", path, "out/walk.mcap"], *others]


def file(name, content):
    """A builder of one file: its bytes, or a generator of them."""

    def build(folder):
        made = content()
        with open(folder / name, "wb") as output:
            for piece in [made] if isinstance(made, bytes) else made:
                output.write(piece)

    return build


# MCAP


def text(value):
    data = value.encode() if isinstance(value, str) else value
    return struct.pack("<I", len(data)) + data


def mcap_record(code, body):
    return bytes([code]) + struct.pack("<Q", len(body)) + body


def mcap_schema(number=1, data=b"", name="sensor_msgs/msg/Imu"):
    return mcap_record(3, struct.pack("<H", number) + text(name) + text("ros2msg") + text(data))


def mcap_channel(number=1, schema=1, topic="/imu", metadata=b""):
    return mcap_record(4, struct.pack("<HH", number, schema) + text(topic) + text("cdr") + text(metadata))


def imu(row):
    """The CDR of sensor_msgs/msg/Imu."""
    head = bytes([0, 1, 0, 0]) + struct.pack("<III", START // 10**9, row * 10_000_000, 4) + b"imu\0"
    # A number stands at a multiple of its size, counted from behind the four bytes of encapsulation.
    head += bytes(-(len(head) - 4) % 8)
    numbers = [0.0] * 37
    numbers[4], numbers[13:16], numbers[25:28] = -1.0, (0.1, row / 50, 0.2), (0.3, row / 40, 9.8)
    return head + struct.pack("<37d", *numbers)


def mcap_message(row, channel=1, body=None, time=None):
    time = START + row * 10_000_000 if time is None else time
    body = imu(row % 400) if body is None else body
    return mcap_record(5, struct.pack("<HIQQ", channel, row & 0xFFFFFFFF, time, time) + body)


def mcap_chunk(records, first, last, compression="", declared=None):
    """`declared`: its times may be said to be others than they are."""
    if compression:
        import pyarrow as pa

        stored = pa.compress(records, codec=compression, asbytes=True)
    else:
        stored = records
    return mcap_record(
        6,
        struct.pack("<QQQI", *(declared or (first, last)), len(records), 0) + text(compression)
        + struct.pack("<Q", len(stored)) + stored,
    )  # fmt: skip


def mcap(*parts):
    yield b"\x89MCAP0\r\n" + mcap_record(1, text("ros2") + text("attack"))
    for part in parts:
        yield from [part] if isinstance(part, bytes) else part
    yield mcap_record(15, struct.pack("<I", 0)) + mcap_record(2, struct.pack("<QQI", 0, 0, 0)) + b"\x89MCAP0\r\n"


def mcap_bomb(compression, megabytes):
    """A few rows, and a chunk of one message that is mostly zeros."""
    good = b"".join(mcap_message(row) for row in range(100))
    room = mcap_message(0, channel=9, body=bytes(megabytes << 20), time=START)
    # Enough that cannot be compressed, so that the ratio is kept.
    filling = mcap_message(0, channel=9, body=os.urandom((megabytes << 20) // 195), time=START)
    yield from mcap(
        mcap_schema(), mcap_channel(),
        mcap_chunk(good, START, START + 10**9), mcap_chunk(filling + room, START, START, compression),
    )  # fmt: skip


def overlapping(count, kilobytes, compression):
    """Chunks that are all said to begin at once."""
    for number in range(count):
        records = b"".join(mcap_message(number * 4 + row) for row in range(4))
        records += mcap_message(0, channel=9, body=bytes(kilobytes << 10) + os.urandom((kilobytes << 10) // 190))
        yield mcap_chunk(records, START, START + 10**12, compression, (START, START + 10**12))


# The others


def rows(count, header="time,ax,ay,az,gx,gy,gz", step=1, cells=None):
    yield (header + "\n").encode()
    for first in range(0, count, 1000):
        yield "".join(
            f"{(row * step) / 100:.2f},{cells or '0.1,0.2,9.8,0.01,0.02,0.03'}\n" for row in range(first, min(count, first + 1000))
        ).encode()


def wide(count):
    """A sensor, and as many other columns as a table may have."""
    yield ("time,ax,ay,az," + ",".join(f"column{number}" for number in range(count)) + "\n").encode()
    for row in range(300):
        yield (f"{row / 100},0.1,0.2,9.8" + ",0.25" * count + "\n").encode()


def gzipped(content, level=9):
    packer = zlib.compressobj(level, wbits=31)
    for piece in content:
        yield packer.compress(piece)
    yield packer.flush()


def zipped(members):
    def build(folder):
        with zipfile.ZipFile(folder / "walk.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members():
                with archive.open(name, "w", force_zip64=True) as member:
                    for piece in [data] if isinstance(data, bytes) else data:
                        member.write(piece)

    return build


def sensor_folders(count, pack=bytes):
    logger = {name: pack(data) for name, data in seeds.sensor_logger().items()}
    for number in range(count):
        for name, data in logger.items():
            yield f"walk{number}/{name}" + (".gz" if pack is not bytes else ""), data


def tables_in(count, pack=bytes):
    """A recording, and tables of unknown sensors."""
    logger = seeds.sensor_logger()
    yield from logger.items()
    for number in range(count):
        yield f"Sensor{number:04}.csv", pack(logger["AccelerometerUncalibrated.csv"])


def bomb_in_zip():
    """A table whose gzip member holds a gigabyte of zeros behind its rows."""
    logger = seeds.sensor_logger()
    good = logger.pop("AccelerometerUncalibrated.csv")
    yield "AccelerometerUncalibrated.csv.gz", gzipped([good, *[bytes(1 << 20)] * 1000])
    yield from logger.items()


def ndjson(topics, bytes_of_name):
    """Readings of one device, between those of many others."""
    for number in range(topics):
        # Long ones hold as much noise as the ratio of a compressed file asks for.
        noise = os.urandom(300).hex() if bytes_of_name > 1000 else ""
        name = f"{number:06}{noise}".ljust(bytes_of_name, "x")
        for device in ("", f"/{name}"):
            for kind in ("accelerometer", "gyroscope"):
                yield (
                    '{"topic":"%s/sensor/%s","timestamp_ns":%d,"x":0.1,"y":0.2,"z":9.8}\n' % (device, kind, number * 10_000_000)
                ).encode()


def cases():
    smooth = ["fuse", "--smooth", "--skip-errors", "walk.csv", "-o", "out/motion.csv"]
    plot = ["plot", "walk.csv", "-o", "out/walk.svg"]
    for codec in ("zstd", "lz4"):
        yield Case(f"mcap, a {codec} chunk of 250 MB", file("walk.mcap", lambda c=codec: mcap_bomb(c, 250)), reading("walk.mcap"), True)
        yield Case(f"mcap, a {codec} chunk of 60 MB", file("walk.mcap", lambda c=codec: mcap_bomb(c, 60)), reading("walk.mcap"), True)
    yield Case(
        "mcap, 1,000 chunks that overlap",
        file("walk.mcap", lambda: mcap(mcap_schema(), mcap_channel(), overlapping(1000, 1000, "zstd"))),
        reading("walk.mcap"), True,
    )  # fmt: skip
    yield Case(
        "mcap, 90,000 chunks",
        file("walk.mcap", lambda: mcap(mcap_schema(), mcap_channel(), (
            mcap_chunk(mcap_message(row, body=b""), START + row, START + row) for row in range(90_000)
        ))),
        reading("walk.mcap"),
    )  # fmt: skip
    yield Case(
        "mcap, 290,000 empty messages",
        file("walk.mcap", lambda: mcap(mcap_schema(), mcap_channel(), mcap_chunk(
            b"".join(mcap_message(row, body=b"") for row in range(290_000)), START, START + 10**13
        ))),
        reading("walk.mcap"),
    )  # fmt: skip
    yield Case(
        "mcap, rows far out of order",
        file("walk.mcap", lambda: mcap(mcap_schema(), mcap_channel(), mcap_chunk(b"".join(
            mcap_message(row, time=START + (row if row % 2 else 24_000 - row) * 10_000_000) for row in range(24_000)
        ), START, START + 10**13))),
        reading("walk.mcap"),
    )  # fmt: skip
    yield Case(
        "mcap, 4,000 channels with much metadata",
        file("walk.mcap", lambda: mcap(mcap_schema(), (
            mcap_channel(number, topic=f"/{number}" + "x" * 900, metadata=text("k" * 500) + text("v" * 900)) for number in range(1, 3401)
        ), (mcap_message(number, number) for number in range(1, 3401)))),
        reading("walk.mcap"),
    )  # fmt: skip
    yield Case(
        "mcap, a map of 900,000 empty entries",
        file("walk.mcap", lambda: mcap(mcap_schema(), mcap_channel(), (
            mcap_record(12, text("m") + text((text("") + text("")) * 60_000)) for _ in range(18)
        ), (mcap_message(row) for row in range(100)))),
        reading("walk.mcap"),
    )  # fmt: skip
    yield Case(
        "mcap, 900 schemas of 10 kB",
        file("walk.mcap", lambda: mcap((mcap_schema(n, b"x" * 10_000) for n in range(2, 902)), mcap_schema(), mcap_channel(), (
            mcap_message(row) for row in range(100)
        ))),
        reading("walk.mcap"),
    )  # fmt: skip
    yield Case("csv, 9 MB", file("walk.csv", lambda: rows(260_000)), [*reading("walk.csv"), smooth, plot])
    yield Case("csv, 4,000 columns", file("walk.csv", lambda: wide(4000)), reading("walk.csv"))
    yield Case("csv, 4,096 names of 250 bytes", file("walk.csv", lambda: [",".join(f"{n:06}".ljust(250, "x") for n in range(4096)).encode(), b"\n", b"1," * 4095 + b"1\n"]), reading("walk.csv"))
    yield Case("csv, one line of 9 MB", file("walk.csv", lambda: b"1," * 4_500_000), reading("walk.csv"))
    yield Case("csv.gz, 3 million rows", file("walk.csv.gz", lambda: gzipped(rows(3_000_000, cells="0,0,9.8,0,0,0"))), [["info", "walk.csv.gz"]])
    yield Case("csv.gz, 1 GB without a line", file("walk.csv.gz", lambda: gzipped(bytes(1 << 20) for _ in range(1000))), [["info", "walk.csv.gz"]])
    yield Case("zip, 4,000 tables", zipped(lambda: tables_in(4000)), reading("walk.zip"))
    yield Case("zip, 4,000 tables in gzip", zipped(lambda: tables_in(4000, gzip.compress)), reading("walk.zip"))
    yield Case("zip, 800 folders of 5 tables", zipped(lambda: sensor_folders(800)), reading("walk.zip"))
    yield Case("zip, 800 folders in gzip", zipped(lambda: sensor_folders(800, gzip.compress)), reading("walk.zip"))
    yield Case("zip, gzip of 1 GB in it", zipped(bomb_in_zip), reading("walk.zip"))
    yield Case("ndjson, 50,000 topics", file("walk.ndjson", lambda: ndjson(25_000, 40)), reading("walk.ndjson"))
    yield Case("ndjson.gz, 700 names of 60 kB", file("walk.ndjson.gz", lambda: gzipped(ndjson(700, 60_000))), [["info", "walk.ndjson.gz"]])
    yield Case("ndjson, lines of 1 MB", file("walk.ndjson", lambda: (
        b'{"topic":"/sensor/accelerometer","timestamp_ns":%d,"x":0.1,"y":0.2,"z":9.8,"w":[' % row + b"1," * 500_000 + b"1]}\n" for row in range(9)
    )), reading("walk.ndjson"))  # fmt: skip
