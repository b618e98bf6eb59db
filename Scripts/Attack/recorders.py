# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Small recordings of robots and cameras, and damage to them: bags of ROS, FIT, GoPro telemetry; each by its public description."""

import bz2
import pathlib
import sqlite3
import struct
import tempfile

import containers
import texts

ROWS = 40
START = 1_700_000_000


def imu(row, counter=True):
    """The fields of sensor_msgs/Imu: ROS 1 with a counter, ROS 2 in CDR."""
    frame = b"imu" if counter else b"imu\0"
    head = struct.pack("<I" if counter else "<4B", *([row] if counter else [0, 1, 0, 0]))
    head += struct.pack("<III", START, row * 10_000_000, len(frame)) + frame
    # CDR: a number stands at a multiple of its size, counted from behind the four bytes of encapsulation.
    head += b"" if counter else bytes(-(len(head) - 4) % 8)
    numbers = [0.0] * 37
    numbers[4], numbers[13:16], numbers[25:28] = -1.0, (0.1, row / 50, 0.2), (0.3, row / 40, 9.8)
    return head + struct.pack("<37d", *numbers)


def bag_record(fields, data):
    head = b"".join(struct.pack("<I", len(name) + 1 + len(value)) + name + b"=" + value for name, value in fields)
    return struct.pack("<I", len(head)) + head + struct.pack("<I", len(data)) + data


def bag(compression=b"none", compress=bytes, filling=b""):
    """A bag of ROS 1 with five chunks; `filling` is at the end of each."""

    def connection():
        described = bag_record([(b"topic", b"/imu"), (b"type", b"sensor_msgs/Imu")], b"")[4:-4]
        return bag_record([(b"op", b"\7"), (b"conn", bytes(4)), (b"topic", b"/imu")], described)

    body, places = b"", []
    for first in range(0, ROWS, 8):
        content = connection() if first == 0 else b""
        for row in range(first, first + 8):
            stamp = struct.pack("<II", START, row * 10_000_000)
            content += bag_record([(b"op", b"\2"), (b"conn", bytes(4)), (b"time", stamp)], imu(row))
        content += filling
        places.append(13 + 4096 + len(body))
        body += bag_record(
            [(b"op", b"\5"), (b"compression", compression), (b"size", struct.pack("<I", len(content)))], compress(content)
        )
        body += bag_record([(b"op", b"\4"), (b"ver", struct.pack("<I", 1)), (b"conn", bytes(4))], bytes(12 * 8))
    fields = [(b"op", b"\3"), (b"index_pos", struct.pack("<Q", 13 + 4096 + len(body))), (b"chunk_count", struct.pack("<I", 5))]
    head = bag_record(fields, b"")
    head = head[:-4] + struct.pack("<I", 4096 - len(head)) + b" " * (4096 - len(head))
    end = connection()
    for place in places:
        end += bag_record([(b"op", b"\6"), (b"ver", struct.pack("<I", 1)), (b"chunk_pos", struct.pack("<Q", place))], b"")
    return b"#ROSBAG V2.0\n" + head + body + end


def database():
    """A database of rosbag2."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "walk.db3")
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT,type TEXT,serialization_format TEXT)")
            connection.execute("CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER,timestamp INTEGER,data BLOB)")
            connection.execute("INSERT INTO topics VALUES(1,'/imu/data','sensor_msgs/msg/Imu','cdr')")
            rows = [(START * 10**9 + row * 10_000_000, imu(row, counter=False)) for row in range(ROWS)]
            connection.executemany("INSERT INTO messages(topic_id,timestamp,data) VALUES(1,?,?)", rows)
        connection.close()
        return path.read_bytes()


def crc16(data):
    total = 0
    for byte in data:
        total ^= byte
        for _ in range(8):
            total = total >> 1 ^ (0xA001 if total & 1 else 0)
    return total


def fit_file(records):
    head = struct.pack("<BBHI4sH", 14, 0x20, 2171, len(records), b".FIT", 0)
    return head + records + struct.pack("<H", crc16(head + records))


def fit():
    """Accelerometer in g, gyroscope in counts with its calibration."""
    records = b"\x40\0\0" + struct.pack("<HB", 165, 6)
    records += bytes([253, 4, 0x86, 0, 2, 0x84, 1, 20, 0x84, 5, 40, 0x88, 6, 40, 0x88, 7, 40, 0x88])
    records += b"\x41\0\0" + struct.pack("<HB", 164, 6)
    records += bytes([253, 4, 0x86, 0, 2, 0x84, 1, 20, 0x84, 2, 20, 0x84, 3, 20, 0x84, 4, 20, 0x84])
    records += b"\x42\0\0" + struct.pack("<HB", 167, 7)
    records += bytes([253, 4, 0x86, 0, 1, 0, 1, 4, 0x86, 2, 4, 0x86, 3, 4, 0x86, 4, 12, 0x85, 5, 36, 0x85])
    records += b"\2" + struct.pack("<IBIII3i9i", 10**9, 1, 5, 82, 32768, 1, 2, 3, 65535, 0, 0, 0, 65535, 0, 0, 0, 65535)
    for block in range(ROWS // 10):
        times = struct.pack("<IH10H", 10**9, block * 100, *range(0, 100, 10))
        records += b"\0" + times + struct.pack("<30f", *([0.1] * 10 + [0.2] * 10 + [1.0 + block / 50] * 10))
        records += b"\1" + times + struct.pack("<30H", *([32768 + block] * 10 + [32700] * 10 + [32800] * 10))
    return fit_file(records)


def klv(key, kind, size, data):
    return key + kind + struct.pack(">BH", size, len(data) // size) + data + bytes(-len(data) % 4)


def gpmf_block(number):
    def sensor(key, scale, rows):
        values = struct.pack(f">{3 * len(rows)}h", *(value for row in rows for value in row))
        parts = klv(b"SCAL", b"s", 2, struct.pack(">h", scale)) + klv(b"ORIN", b"c", 1, b"YxZ") + klv(key, b"s", 6, values)
        return klv(b"STRM", b"\0", 4, parts)

    parts = klv(b"DVNM", b"c", 1, b"Camera")
    parts += sensor(b"ACCL", 100, [(981, number, row) for row in range(10)])
    parts += sensor(b"GYRO", 1000, [(row, 100, number) for row in range(20)])
    return klv(b"DEVC", b"\0", 4, parts)


def video():
    """An MP4 whose only track is a GoPro's telemetry."""

    def box(kind, *parts):
        data = b"".join(parts)
        return struct.pack(">I", 8 + len(data)) + kind + data

    def table(kind, *numbers):
        return box(kind, struct.pack(f">{len(numbers) + 1}I", 0, *numbers))

    blocks = [gpmf_block(number) for number in range(4)]
    head = box(b"ftyp", b"mp41")
    place = len(head) + 8
    places = [place + sum(map(len, blocks[:number])) for number in range(4)]
    tables = box(b"stsd", struct.pack(">III", 0, 1, 16), b"gpmd", bytes(8)) + table(b"stts", 1, 4, 1001)
    tables += table(b"stsz", 0, 4, *map(len, blocks)) + table(b"stco", 4, *places) + table(b"stsc", 1, 1, 1, 1)
    media = box(b"mdia", table(b"mdhd", 0, 0, 1000, 0, 0), box(b"minf", box(b"stbl", tables)))
    return head + box(b"mdat", *blocks) + box(b"moov", box(b"trak", media))


def all_recorders():
    """Name, kind, file, content."""
    yield "ros1 bag", "bag", "walk.bag", bag()
    yield "ros1 bag bz2", "bag", "walk.bag", bag(b"bz2", bz2.compress)
    yield "rosbag2 db3", "database", "walk.db3", database()
    yield "fit", "fit", "walk.fit", fit()
    yield "gpmf", "gpmf", "walk.gpmf", b"".join(map(gpmf_block, range(4)))
    yield "gopro", "video", "walk.mp4", video()


def mutate(data, random, words, order):
    """A number at one of the places that `words` finds, bytes anywhere, or a part left out, doubled, exchanged."""
    kind = random.randrange(8)
    if kind <= 3:
        place, size = random.choice(words)
        numbers = containers.overwrite(data[place : place + size][::order], 0, size, random)[:size]
        return data[:place] + numbers[::order] + data[place + size :]
    if kind <= 5:
        return texts.flip(data, random)
    start = random.randrange(len(data))
    end = min(len(data), start + random.choice([4, 100, 1000]))
    if kind == 6:
        return data[:start] + data[end:]
    return data[:end] + data[start:end] * random.choice([1, 2, 300]) + data[end:]


def mutator(first, order, judges_end=True, again=None):
    """Of a format whose numbers begin at byte `first`, in this order; `again` makes its sum fit."""

    def change(data, random):
        if judges_end and random.random() < 0.1:
            return data[: random.randrange(first, len(data))], True
        words = [(place, size) for size in (1, 2, 4, 8) for place in range(first, len(data) - size, max(1, len(data) // 900))]
        for _ in range(random.randint(1, 3)):
            data = mutate(data, random, [word for word in words if sum(word) <= len(data)] or [(0, 1)], order)
        return again(data) if again and random.random() < 0.7 else data, False

    return change


MUTATORS = {
    "bag": mutator(13, 1),
    "database": mutator(16, -1),
    "fit": mutator(14, 1, again=lambda data: fit_file(data[14:-2])),
    # Nothing says how many blocks there are.
    "gpmf": mutator(4, -1, judges_end=False),
    "video": mutator(4, -1),
}
