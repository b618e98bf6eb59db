# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Damage to MCAP, zip and gzip that knows their structure: lengths, offsets, counts and sums, and what lies behind them."""

import gzip
import io
import struct
import zipfile
import zlib

import texts

LENGTHS = [0, 1, 2, 3, 7, 8, 255, 4096, 65535, 65536, 2**20, 2**24, 2**26, 2**28, 2**31 - 1, 2**31, 2**32 - 1]
LONG = LENGTHS + [2**32, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 1]
MAGIC = b"\x89MCAP0\r\n"
CHUNK, MESSAGE, METADATA_INDEX = 0x06, 0x05, 0x0D


def overwrite(data, place, size, random):
    """Writes a length of `size` bytes over what is at `place`: an edge, or the one that was there and a little."""
    old = int.from_bytes(data[place : place + size], "little")
    values = (LENGTHS if size < 8 else LONG) + [old + 1, old - 1, 2 * old, len(data)]
    value = random.choice(values) % (1 << 8 * size)
    return data[:place] + value.to_bytes(size, "little") + data[place + size :]


def records(data):
    """The records of a run of them as (opcode, body); what is not whole is left out."""
    result, place = [], 0
    while place + 9 <= len(data):
        length = int.from_bytes(data[place + 1 : place + 9], "little")
        if place + 9 + length > len(data):
            break
        result.append((data[place], data[place + 9 : place + 9 + length]))
        place += 9 + length
    return result


def joined(items):
    return b"".join(bytes([opcode]) + len(body).to_bytes(8, "little") + body for opcode, body in items)


def mutate_body(opcode, body, random):
    """The fields of a record; of a chunk without compression the records within, with the sum that fits them."""
    if opcode == CHUNK and random.random() < 0.7:
        size = int.from_bytes(body[28:32], "little")
        # start, end, size, sum, compression, records
        if size == 0:
            inner = body[40:]
            items = mutate_items(records(inner), random)
            inner = joined(items) if random.random() < 0.9 else texts.flip(inner, random)
            total = zlib.crc32(inner) if random.random() < 0.7 else 0
            length = len(inner) if random.random() < 0.9 else random.choice(LONG)
            return (
                body[:16]
                + length.to_bytes(8, "little")
                + total.to_bytes(4, "little")
                + bytes(4)
                + len(inner).to_bytes(8, "little")
                + inner
            )
    if opcode == MESSAGE and random.random() < 0.5 and len(body) > 22:
        return body[:22] + texts.mutate_line(body[22:], random).rstrip(b",\n")
    if len(body) >= 8 and random.random() < 0.7:
        size = random.choice([2, 4, 8])
        place = random.randrange(0, min(len(body) - size + 1, 80))
        return overwrite(body, place, size, random)
    if b"/" in body and random.random() < 0.3:
        return body.replace(b"/", b"\x1b", 1)
    return texts.flip(body, random)


def mutate_items(items, random):
    if not items:
        return items
    items = list(items)
    place = random.randrange(len(items))
    opcode, body = items[place]
    kind = random.randrange(10)
    if kind <= 4:
        items[place] = (opcode, mutate_body(opcode, body, random))
    elif kind == 5:
        items[place:place] = [items[place]] * random.choice([1, 2, 100, 3000 if len(body) < 300 else 3])
    elif kind == 6:
        del items[place]
    elif kind == 7:
        other = random.randrange(len(items))
        items[place], items[other] = items[other], items[place]
    elif kind == 8:
        items[place] = (random.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 127, 128, 255]), body)
    else:
        names = [texts.HOSTILE[0].encode(), b"/sensor/gyroscope", b"x" * 2000]
        name = random.choice(names)
        # A channel of that name: number, schema, topic, encoding, nothing else.
        channel = (
            struct.pack("<HHI", random.choice([1, 2, 9, 65535]), random.choice([0, 1, 99]), len(name))
            + name
            + struct.pack("<I", 4)
            + b"json"
            + bytes(4)
        )
        items.insert(place, (0x04, channel))
    return items


def mutate_mcap(data, random):
    kind = random.randrange(12)
    if kind == 0:
        return texts.flip(data, random), False
    if kind == 1:
        return data[: random.randrange(len(data))], True
    items = records(data[8:])
    if kind == 2:
        # The length of one record.
        place = 8 + len(joined(items[: random.randrange(len(items))])) + 1
        return overwrite(data, place, 8, random), False
    if kind == 3:
        # A chunk whose bytes do not fit its sum: what is lost has to be said.
        chunks = [index for index, (opcode, _) in enumerate(items) if opcode == CHUNK]
        place = random.choice(chunks)
        body = bytearray(items[place][1])
        body[random.randrange(60, len(body))] ^= 1 << random.randrange(8)
        items[place] = (CHUNK, bytes(body))
        return MAGIC + joined(items) + MAGIC, True
    if kind == 4:
        # Many entries of the summary that lead to one place.
        entries = [item for item in items if item[0] in (0x08, 0x0A, METADATA_INDEX, 0x0C)]
        if entries:
            place = items.index(random.choice(entries))
            items[place:place] = [items[place]] * random.choice([10, 1000, 4000])
            return MAGIC + joined(counted(without_sum(items))) + MAGIC, False
    if kind == 5:
        return MAGIC + joined(counted(repeated_metadata(items, random))) + MAGIC, False
    for _ in range(random.randint(1, 2)):
        items = mutate_items(items, random)
    return MAGIC + joined(items) + MAGIC, False


def counted(items):
    """The counts of the statistics as the summary's entries are: a reader trusts a summary that agrees with itself."""
    codes = [opcode for opcode, _ in items]
    counts = struct.pack("<IIII", codes.count(0x04), codes.count(0x0A), codes.count(METADATA_INDEX), codes.count(0x08))
    return [(opcode, body[:10] + counts + body[26:] if opcode == 0x0B else body) for opcode, body in items]


def without_sum(items):
    """Without the footer's sum, so that the summary is not refused for it."""
    return [(opcode, body[:16] + bytes(4) if opcode == 0x02 else body) for opcode, body in items]


def repeated_metadata(items, random):
    """One large record of metadata, and many entries of the index that lead to it."""
    items = [item for item in items if item[0] != METADATA_INDEX]
    text = struct.pack("<I", 1) + b"k" + struct.pack("<I", size := random.choice([1000, 500_000])) + b"v" * size
    body = struct.pack("<I", 1) + b"m" + struct.pack("<I", len(text)) + text
    end = next((place for place, (opcode, _) in enumerate(items) if opcode == 0x0F), len(items))
    offset = len(MAGIC) + len(joined(items[:end]))
    index = struct.pack("<QQI", offset, 9 + len(body), 1) + b"m"
    summary = offset + 9 + len(body) + 9 + 4
    footer = struct.pack("<QQI", summary, 0, 0)
    # Of the old summary the schemas, channels, places of chunks and statistics.
    kept = [item for item in items[end:] if item[0] in (0x03, 0x04, 0x08, 0x0B)]
    return [
        *items[:end],
        (0x0C, body),
        (0x0F, bytes(4)),
        *kept,
        *[(METADATA_INDEX, index)] * random.choice([2, 3000]),
        (0x02, footer),
    ]


def mutate_zip(data, random):
    kind = random.randrange(9)
    signatures = [b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"]
    if kind <= 3:
        # A field of a header: sizes, offsets, counts, methods, lengths of names.
        signature = random.choice(signatures)
        places = [i for i in range(len(data) - 4) if data[i : i + 4] == signature]
        place = random.choice(places)
        size = random.choice([2, 4])
        return overwrite(
            data,
            place
            + random.randrange(4, 44 if signature == signatures[1] else 26 if signature == signatures[0] else 20, 2),
            size,
            random,
        ), False
    if kind == 4:
        return texts.flip(data, random), False
    if kind == 5:
        return data[: random.randrange(len(data))], False
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice([name for name in files if name != "Metadata.csv"])
    judged = False
    if kind == 6:
        files[name], judged = texts.mutate_table(files[name], random)
    elif kind == 7:
        files[
            random.choice(
                texts.HOSTILE
                + ["/etc/x.csv", "a/" * 200 + "x.csv", "__MACOSX/x", "walk/Accelerometer.csv", "Gyroscope.csv.gz"]
            )
        ] = files[name]
    else:
        # A bomb: zeros, ones, or many files.
        bombs = [b"\0" * 30_000_000, files[name] + b"1" * 5_000_000, b"\n" * 5_000_000]
        files[name] = random.choice(bombs)
        if random.random() < 0.4:
            form = random.choice(["{}.csv", "{}/Accelerometer.csv"])
            files |= {form.format(index): b"" for index in range(random.choice([100, 4000]))}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for entry, content in files.items():
            archive.writestr(
                zipfile.ZipInfo(entry),
                content,
                random.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED]),
            )
    return buffer.getvalue(), judged


def mutate_gzip(data, random):
    kind = random.randrange(6)
    if kind == 0:
        return texts.flip(data, random), False
    if kind == 1:
        return data[: random.randrange(len(data))], False
    if kind == 2:
        return data + random.choice(
            [data, data * 50, b"\0" * 100, b"\x1f\x8b", gzip.compress(b"0" * 20_000_000)]
        ), False
    if kind == 3:
        return overwrite(data, random.randrange(2, 10), random.choice([1, 2, 4]), random), False
    content, judged = texts.mutate_table(gzip.decompress(data), random)
    return gzip.compress(content, mtime=0), judged


MUTATORS = {
    "table": texts.mutate_table,
    "ndjson": texts.mutate_ndjson,
    "mcap": mutate_mcap,
    "zip": mutate_zip,
    "gzip": mutate_gzip,
}
