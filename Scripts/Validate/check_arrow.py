#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Arrow IPC between motionctl and pyarrow, both ways.

  Scripts/Validate/check_arrow.py [MOTIONCTL]

pyarrow reads and validates what `convert` and `fuse --in arrow --out arrow` write, and compares the numbers with those of
NDJSON; motionctl reads what pyarrow writes, with nulls, batches of odd sizes and other types of columns.
"""

import json
import math
import pathlib
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc

from command import call


def stream(table, **options):
    sink = pa.BufferOutputStream()
    with ipc.new_stream(sink, table.schema, options=ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=333)
    return sink.getvalue().to_pybytes()


def readings(rows, devices=("only",), key="device_id"):
    random = np.random.default_rng(3)
    count = rows * len(devices)
    columns = {key: pa.array(np.tile(devices, rows))} if key else {}
    columns["timestamp_ns"] = pa.array(np.repeat(np.arange(rows) * 10_000_000 + 1_700_000_000_000_000_000, len(devices)))
    for name, mean in zip(("ax", "ay", "az", "gx", "gy", "gz", "mx", "my", "mz"), (0, 0, 9.81, 0.1, 0, 0, 2e-5, 0, -4e-5)):
        columns[name] = pa.array(random.normal(mean, abs(mean) / 100 + 1e-7, count))
    return pa.table(columns)


def main():
    with tempfile.TemporaryDirectory(prefix="check-arrow-") as name:
        folder = pathlib.Path(name)
        table = readings(2000, key=None)

        # pyarrow → motionctl → pyarrow, digit for digit, through a recording.
        (folder / "in.arrow").write_bytes(stream(table))
        call("convert", folder / "in.arrow", folder / "out.arrow")
        with ipc.open_stream((folder / "out.arrow").read_bytes()) as reader:
            back = reader.read_all()
        back.validate(full=True)
        assert back.num_rows == 2000 and back.column_names == table.column_names, back.schema
        for column in table.column_names:
            assert back[column].to_pylist() == table[column].to_pylist(), column
        assert back.schema.field("mx").metadata == {b"unit": b"T"}, back.schema.field("mx").metadata

        # The Arrow file, as well as the stream.
        with ipc.new_file(folder / "file.arrow", table.schema) as writer:
            writer.write_table(table)
        call("convert", folder / "file.arrow", folder / "file.ndjson")
        lines = [json.loads(line) for line in (folder / "file.ndjson").read_text().splitlines()]
        assert len(lines) == 6000
        rates = [line["x"] for line in lines if line["topic"] == "/sensor/gyroscope"]
        assert rates == table["gx"].to_pylist()

        # Two devices through the filters; other types of columns, nulls.
        both = readings(1500, ("a", "b"))
        both = both.set_column(1, "timestamp_ns", both["timestamp_ns"].cast(pa.timestamp("ns")))
        both = both.set_column(0, "device_id", both["device_id"].cast(pa.large_utf8()))
        field = both["mx"].to_pylist()
        field[10] = None
        both = both.set_column(both.column_names.index("mx"), "mx", pa.array(field))
        output, errors = call("fuse", "--in", "arrow", "--out", "arrow", "--key", "device_id", data=stream(both))
        assert "3,000 rows of 2 devices" in errors, errors
        motion = ipc.open_stream(output).read_all()
        motion.validate(full=True)
        assert motion["device_id"].to_pylist() == both["device_id"].to_pylist()
        assert motion["timestamp_ns"].to_pylist() == both["timestamp_ns"].cast(pa.int64()).to_pylist()
        last = motion.slice(2998).to_pylist()
        for row in last:
            assert abs(math.hypot(*(row[f"attitude_{k}"] for k in "wxyz")) - 1) < 1e-12, row
            assert abs(math.hypot(*(row[f"gravity_{k}"] for k in "xyz")) - 9.80665) < 1e-9, row

        # What is not read says so by the name of the column.
        coded = both.set_column(0, "device_id", both["device_id"].cast(pa.utf8()).dictionary_encode())
        assert "device_id" in call("fuse", "--in", "arrow", data=stream(coded), fails=True)[1]
        for codec in ("lz4", "zstd"):
            assert "compress" in call("fuse", "--in", "arrow", data=stream(both, compression=codec), fails=True)[1]
    print(f"Arrow: read by pyarrow {pa.__version__} and back, to the last digit")


if __name__ == "__main__":
    main()
