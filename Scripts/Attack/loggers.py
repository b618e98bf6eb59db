# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Small files of data loggers (Axivity CWA, ActiGraph GT3X, GENEActiv BIN) and damage that knows their blocks, sums and numbers."""

import struct

import texts

HEADER, BLOCK, PAGE_LINES = 1024, 512, 10
START = 1_709_510_400


def summed(block):
    """A block of 512 bytes with the sum that fits."""
    return block[:510] + struct.pack("<H", -sum(struct.unpack("<255H", block[:510])) & 0xFFFF)


def cwa(axes, blocks=8):
    """An AX3 (3) or an AX6 (6) at 100 Hz."""
    count = 120 if axes == 3 else 40
    data = (b"MD\xfc\x03" + (b"\x17" if axes == 3 else b"\x64")).ljust(64, b"\xff") + b"_p=left+wrist".ljust(960, b" ")
    for number in range(blocks):
        time = number * count / 100
        fraction, second = int(time % 1 * 32768), int(time)
        packed = 24 << 26 | 3 << 22 | 4 << 17 | second // 60 << 6 | second % 60
        light = 300 if axes == 3 else 300 | 2 << 10 | 3 << 13
        block = struct.pack(
            "<2sHHIIIHHBBBBhH", b"AX", 508, 0x8000 | fraction, 7, number, packed, light, 270, 0, 200, 0x4A,
            axes << 4 | (0 if axes == 3 else 2), -(fraction * 100 >> 15), count,
        )  # fmt: skip
        for index in range(count):
            x, y = (number * count + index) % 200 - 100, index % 50
            if axes == 3:
                block += struct.pack("<I", 256 << 20 | (y & 1023) << 10 | (x & 1023))
            else:
                block += struct.pack("<6h", x, y, 0, 8 * x, 8 * y, 2048)
        data += summed(block.ljust(510, b"\0") + b"\0\0")
    return data


def record(kind, second, payload):
    body = struct.pack("<BBIH", 0x1E, kind, START + second, len(payload)) + payload
    total = 0xFF
    for byte in body:
        total ^= byte
    return body + bytes([total])


def nibbles(numbers):
    text = "".join(f"{number & 0xFFF:03x}" for number in numbers)
    return bytes.fromhex(text + "0" * (len(text) % 2))


INFO = b"Serial Number: MOS2A12345678\r\nFirmware: 1.9.2\r\nSample Rate: 30\r\nStart Date: 638451072000000000\r\nLimb: Wrist\r\n"


def log(seconds=8):
    """A log.bin with all kinds of records that are read."""
    names = [f"{sensor} {axis}" for sensor in ("Gyroscope", "Magnetometer") for axis in "XYZ"]
    columns = b"".join(
        struct.pack("<BBBI", 2, 16 * index, 16, 5 << 24 | 0x400000) + name.encode().ljust(16) for index, name in enumerate(names)
    )
    data = record(6, 0, b"{}") + record(21, 0, struct.pack("<IIII", 6 << 16, 2, 55 << 16, 9 << 24 | 0x400000))
    data += record(24, 0, struct.pack("<HHH", 1, len(names), 10) + columns)
    for second in range(seconds):
        numbers = [value for index in range(30) for value in (index, -index, 256)]
        if second % 2:
            data += record(26, second, struct.pack("<90h", *numbers))
        else:
            data += record(0, second, nibbles(numbers))
        data += record(25, second, struct.pack("<H60h", 1, *range(60)))
        data += record(5, second, b"\x30\0") + (record(0, second, b"\0") if second == 3 else b"")
    return data


def geneactiv(pages=5):
    text = "Device Identity\nDevice Type:GENEActiv\nAccelerometer Range:-8 to 8\nMeasurement Frequency:50 Hz\n"
    text += "x gain:25000\nx offset:120\ny gain:25600\ny offset:-300\nz gain:24800\nz offset:45\nVolts:300\nLux:800\n"
    text += f"Number of Pages:{pages}\n\n"
    for page in range(pages):
        text += f"Recorded Data\nDevice Unique Serial Code:012345\nSequence Number:{page}\nPage Time:2024-03-04 10:00:{6 * page:02}:000\n"
        text += "Unassigned:\nTemperature:28.2\nBattery voltage:4.1\nDevice Status:Recording\nMeasurement Frequency:50.0\n"
        text += "".join(f"{index:03X}{-index & 0xFFF:03X}1001A4" for index in range(300 if page < pages - 1 else 120)) + "\n"
    return text.encode()


def seeds():
    """Name, kind, files, target, path."""
    yield "wrist cwa", "cwa", {"a.cwa": cwa(3)}, "a.cwa", "a.cwa"
    yield "wrist cwa ax6", "cwa", {"a.cwa": cwa(6)}, "a.cwa", "a.cwa"
    yield "wrist gt3x", "gt3x", {"log.bin": log(), "info.txt": INFO}, "log.bin", ""
    yield "wrist old gt3x", "bytes", {"activity.bin": nibbles(range(-450, 450)), "info.txt": INFO}, "activity.bin", ""
    yield "wrist geneactiv", "pages", {"a.bin": geneactiv()}, "a.bin", "a.bin"


def noise(data, random, longest=300):
    """Bytes of a stretch that become any."""
    start = random.randrange(len(data))
    return data[:start] + random.randbytes(min(len(data) - start, random.randrange(1, longest))) + data[start + longest :]


def mutate_bytes(data, random):
    kind = random.randrange(3)
    return (texts.flip(data, random) if kind == 0 else noise(data, random) if kind == 1 else data[: random.randrange(len(data))]), False


def mutate_cwa(data, random):
    """Judged: a bit within a block, which its sum shows. A field with the sum that fits makes another recording."""
    kind = random.randrange(8)
    blocks = [data[place : place + BLOCK] for place in range(HEADER, len(data), BLOCK)]
    place = random.randrange(len(blocks))
    block = bytearray(blocks[place])
    if kind <= 1:
        block[random.randrange(BLOCK)] ^= 1 << random.randrange(8)
        blocks[place] = bytes(block)
        return data[:HEADER] + b"".join(blocks), True
    if kind <= 3:
        size = random.choice([1, 2, 4])
        start = random.randrange(2, 30)
        block[start : start + size] = random.choice([b"\0" * size, b"\xff" * size, b"\x80" * size, random.randbytes(size)])
        blocks[place] = summed(bytes(block[:BLOCK]).ljust(BLOCK, b"\0"))
    elif kind == 4:
        other = random.randrange(len(blocks))
        blocks[place], blocks[other] = blocks[other], blocks[place]
    elif kind == 5:
        blocks[place:place] = [blocks[place]] * random.choice([1, 2, 50])
    elif kind == 6:
        start = random.randrange(len(data))
        if random.random() < 0.5:
            return data[:start] + random.randbytes(random.randrange(1, 600)) + data[start:], False
        return data[:start] + data[start + random.randrange(1, 600) :], False
    else:
        return mutate_bytes(data, random)
    return data[:HEADER] + b"".join(blocks), False


def records(data):
    """The records of a log as (type, seconds, payload)."""
    found, place = [], 0
    while place + 9 <= len(data):
        _, kind, time, size = struct.unpack_from("<BBIH", data, place)
        found.append((kind, time - START, data[place + 8 : place + 8 + size]))
        place += 9 + size
    return found


def mutate_gt3x(data, random):
    """Judged: a bit within a record of accelerations, which its sum shows."""
    items = records(data)
    place = random.randrange(len(items))
    kind, second, payload = items[place]
    which = random.randrange(7)
    if which == 0:
        encoded = [bytearray(record(*item)) for item in items]
        encoded[place][random.randrange(len(encoded[place]))] ^= 1 << random.randrange(8)
        return b"".join(encoded), kind in (0, 26)
    if which == 1:
        items[place] = (random.choice([0, 21, 24, 25, 26, 30, 255]), second, payload)
    elif which == 2:
        items[place] = (kind, random.choice([-START, second - 1, second + 1, 2**32 - 1 - START, 10**6]), payload)
    elif which == 3:
        body = random.choice([b"", payload[:-1], payload[:1], payload * 3, payload + b"\0", b"\x1e" * 2000, random.randbytes(500)])
        items[place] = (kind, second, body[:65535])
    elif which == 4:
        changed = bytearray(payload) or bytearray(1)
        start = random.randrange(len(changed))
        changed[start : start + 4] = random.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\0\x80", random.randbytes(4)])
        items[place] = (kind, second, bytes(changed))
    elif which == 5:
        items[place:place] = [items[place]] * random.choice([1, 2, 40])
    else:
        return mutate_bytes(data, random)
    return b"".join(record(*item) for item in items), False


def mutate_pages(data, random):
    """Judged: a digit that is none. There is no sum: a digit that became another is not seen."""
    lines = data.split(b"\n")
    pages = [index for index, line in enumerate(lines) if len(line) > 1000]
    place = random.choice(pages)
    which = random.randrange(6)
    if which == 0:
        line = bytearray(lines[place])
        line[random.randrange(len(line))] = random.choice(b"GZ :-\xff\0")
        lines[place] = bytes(line)
        return b"\n".join(lines), True
    if which == 1:
        row = random.randrange(len(lines) - 1)
        lines[row] = texts.mutate_line(lines[row], random).rstrip(b"\n")
    elif which == 2:
        row = random.randrange(len(lines))
        lines[row:row] = [lines[row]] * random.choice([1, 2, 30])
    elif which == 3:
        del lines[random.randrange(len(lines))]
    elif which == 4:
        lines[place] = lines[place][: random.randrange(len(lines[place]))]
    else:
        return mutate_bytes(data, random)
    return b"\n".join(lines), False


MUTATORS = {"cwa": mutate_cwa, "gt3x": mutate_gt3x, "bytes": mutate_bytes, "pages": mutate_pages}
