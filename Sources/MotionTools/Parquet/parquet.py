# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""The Parquet side of motionctl, run by it as a child process: PyArrow does the reading and the writing.

read FILE [--key NAME] [--most BYTES]  Parquet in, an Arrow IPC stream of long rows on standard output
write [--like FILE] [--key NAME]       an Arrow IPC stream on standard input, Parquet on standard output

Long: one row per instant, and a column that tells recordings apart if there are several. Nested: one row per recording; the columns of
instants are lists. `write --like` gives the output the layout of FILE. Messages are one sentence on standard error, exit code 1; exit code 3
where PyArrow is missing.

A file may be anybody's: what it is unpacked to has the limits of every input (Budget.swift), beyond what PyArrow itself takes.
"""

import argparse
import os
import resource
import sys

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
except ImportError as problem:
    print(problem, file=sys.stderr)
    sys.exit(3)

TIME = "timestamp_ns"
KEYS = ("device_id", "recording")
ROWS = 131_072  # of a batch, and of a row group of a long file at least


MEMORY = 64 << 20  # bytes, or
MEMORY_RATIO = 5  # times the file
NAME_BYTES = 1024


class Failure(Exception):
    """A sentence for the person."""


def is_list(kind):
    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)


def key_of(schema, wanted):
    """The column that tells recordings apart; None where there is none."""
    if wanted is not None:
        if wanted not in schema.names:
            raise Failure(f"there is no column “{wanted}”; the columns are {', '.join(schema.names)}")
        return wanted
    return next((name for name in KEYS if name in schema.names and not is_list(schema.field(name).type)), None)


def is_nested(schema):
    if TIME not in schema.names:
        raise Failure(f"there is no column “{TIME}”; the columns are {', '.join(schema.names)}")
    return is_list(schema.field(TIME).type)


def bound(size):
    """Limits the memory that this process takes from here on, for a file of so many bytes."""
    # The threads' stacks and the pools' reserves would count, used or not.
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    with open("/proc/self/status") as status:
        used = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData"))
    most = used + max(MEMORY, MEMORY_RATIO * size)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def names_of(array):
    """A column of names as text. It is read as a dictionary, so that one long name in many rows is there once."""
    if pa.types.is_dictionary(array.type) and pa.types.is_string(array.type.value_type):
        longest = pc.max(pc.binary_length(array.dictionary)).as_py() or 0
        if longest > NAME_BYTES:
            raise Failure(f"a name has {longest} bytes; the limit is {NAME_BYTES}")
    return array.cast(pa.string())


def unnested(batch, key, columns, first_row):
    """The rows of a batch with one recording in each."""
    arrays = {name: batch.column(name) for name in columns}
    lengths = pc.fill_null(pc.list_value_length(arrays[TIME]), 0)
    for name, array in arrays.items():
        same = pc.equal(pc.fill_null(pc.list_value_length(array), 0), lengths)
        if not pc.all(same).as_py():
            row = same.to_pylist().index(False)
            raise Failure(
                f"in row {first_row + row} the list “{name}” is not as long as “{TIME}”: a recording has a value for each time")
    owner = pc.list_parent_indices(arrays[TIME])
    names = [] if key is None else [pc.take(names_of(batch.column(key)), owner)]
    fields = [] if key is None else [key]
    values = [pc.list_flatten(array) for array in arrays.values()]
    return pa.RecordBatch.from_arrays(names + values, names=fields + list(arrays))


def read(arguments):
    size = os.path.getsize(arguments.file)
    bound(size)
    source = pq.ParquetFile(arguments.file)
    schema = source.schema_arrow
    key = key_of(schema, arguments.key)
    nested = is_nested(schema)
    columns = [
        field.name for field in schema
        if field.name != key and is_list(field.type) == nested and (field.name == TIME or is_number(field.type))
    ]
    expected = 0 if nested else 8 * source.metadata.num_rows * len(columns)
    sink = Counted(sys.stdout.buffer, arguments.most, expected)
    if key is not None and is_text(schema.field(key).type):
        source = pq.ParquetFile(arguments.file, read_dictionary=[key])
    writer = None
    row = 0
    # Of a nested file few rows at once: a row is a whole recording.
    for batch in source.iter_batches(
        16 if nested else ROWS, columns=columns + ([key] if key else []), use_threads=False
    ):
        if nested:
            long = unnested(batch, key, columns, row)
        else:
            order = ([key] if key else []) + columns
            long = pa.RecordBatch.from_arrays(
                [names_of(batch.column(n)) if n == key else batch.column(n) for n in order], names=order)
        row += batch.num_rows
        if writer is None:
            writer = pa.ipc.new_stream(pa.PythonFile(sink, "w"), long.schema)
        for start in range(0, long.num_rows, ROWS):
            writer.write_batch(long.slice(start, ROWS))
    if writer is None:
        raise Failure("the file has no rows")
    writer.close()
    sink.flush()


def is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def is_number(kind):
    kind = kind.value_type if is_list(kind) else kind
    return pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_timestamp(kind)


class Counted:
    """A file that knows how much was written to it: Parquet asks where it is, and a pipe cannot tell. `most`: how much may be; None = all.
    `expected`: how much will be at least."""

    closed = False

    def __init__(self, file, most=None, expected=0):
        self.file, self.place, self.most = file, 0, most
        self.check(expected)

    def check(self, size):
        if self.most is not None and size > self.most:
            raise Failure(
                f"its rows are more than {self.most >> 20} MB unpacked, the limit for a file of this size: “motionctl fuse --in parquet” "
                "reads it row by row")

    def write(self, data):
        self.check(self.place + len(data))
        self.file.write(data)
        self.place += len(data)
        return len(data)

    def tell(self):
        return self.place

    def flush(self):
        self.file.flush()

    def close(self):
        self.flush()

    def readable(self):
        return False

    def writable(self):
        return True

    def seekable(self):
        return False


def nest(rows, key):
    """One recording, whose rows are given, as a row."""
    def column(name):
        values = rows.column(name).combine_chunks()
        if isinstance(values, pa.ChunkedArray):
            values = pa.concat_arrays(values.chunks)
        return pa.LargeListArray.from_arrays(pa.array([0, len(values)], pa.int64()), values).cast(pa.list_(values.type))

    names = [name for name in rows.column_names if name != key]
    head = [] if key is None else [rows.column(key).slice(0, 1).combine_chunks()]
    return pa.table(head + [column(name) for name in names], names=([] if key is None else [key]) + names)


def recordings(batches, key):
    """The rows of each recording as a table. Constant memory: they must be together."""
    done, name, parts = set(), None, []
    for batch in batches:
        keys = batch.column(key).to_pylist() if key else [None] * batch.num_rows
        start = 0
        while start < len(keys):
            end = start
            while end < len(keys) and keys[end] == keys[start]:
                end += 1
            if parts and keys[start] != name:
                yield pa.Table.from_batches(parts)
                done.add(name)
                parts = []
            name = keys[start]
            if name in done:
                raise Failure(f"the rows of “{name}” are not together, so they cannot be one row: sort them by “{key}” first")
            parts.append(batch.slice(start, end - start))
            start = end
    if parts:
        yield pa.Table.from_batches(parts)


def write(arguments):
    reader = pa.ipc.open_stream(sys.stdin.buffer)
    nested = arguments.like is not None and is_nested(pq.read_schema(arguments.like))
    sink = pa.PythonFile(Counted(sys.stdout.buffer), "w")
    options = {"compression": "zstd", "compression_level": 3}
    if not nested:
        writer = None
        held = []
        for batch in reader:
            held.append(batch)
            if sum(b.num_rows for b in held) >= ROWS:
                writer = writer or pq.ParquetWriter(sink, reader.schema, **options)
                writer.write_table(pa.Table.from_batches(held))
                held = []
        writer = writer or pq.ParquetWriter(sink, reader.schema, **options)
        if held:
            writer.write_table(pa.Table.from_batches(held))
        writer.close()
    else:
        key = key_of(reader.schema, arguments.key)
        writer = None
        for rows in recordings(reader, key):
            row = nest(rows, key)
            writer = writer or pq.ParquetWriter(sink, row.schema, **options)
            writer.write_table(row)
        if writer:
            writer.close()
    sys.stdout.buffer.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", choices=["read", "write"])
    parser.add_argument("file", nargs="?")
    parser.add_argument("--key")
    parser.add_argument("--like")
    parser.add_argument("--most", type=int)
    arguments = parser.parse_args()
    try:
        (read if arguments.work == "read" else write)(arguments)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except MemoryError:
        print(f"unpacked, a part of it is larger than {MEMORY >> 20} MB or {MEMORY_RATIO} times the file, the limit", file=sys.stderr)
        sys.exit(1)
    except (Failure, pa.ArrowException, OSError, ValueError) as problem:
        print(" ".join(str(problem).split()), file=sys.stderr)
        sys.exit(1)


main()
