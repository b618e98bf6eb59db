# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The good recordings that attacks begin with: written by motionctl itself, made here by name of column, and the heads of real ones."""

import dataclasses
import gzip
import io
import pathlib
import subprocess
import zipfile

from tables import ROWS, seconds, table, tables, vector


@dataclasses.dataclass
class Seed:
    """One recording: `files` below a folder of its own; `target` is the one that is damaged, as `kind` says."""

    name: str
    kind: str
    files: dict
    target: str
    # What motionctl is given: a file of the folder, "" for the folder itself; with options behind it.
    path: str
    options: str = ""


def sensor_logger():
    """Sensor Logger's tables by the name of their file."""

    def sensor(header, cells):
        return table(
            "time,seconds_elapsed," + header,
            lambda row: [str(1_698_501_144_401_773_123 + row * 10_000_000), seconds(row, 0), *cells(row)],
        )

    return {
        "Metadata.csv": b'version,device name,platform,appVersion,sensors\n3,"a, phone",ios,1.40,A|B\n',
        "AccelerometerUncalibrated.csv": sensor("z,y,x", lambda row: vector(row=row)[::-1]),
        "GyroscopeUncalibrated.csv": sensor("z,y,x", lambda row: vector(base=(0.1, 0.2, 0.3), row=row)),
        "MagnetometerUncalibrated.csv": sensor("z,y,x", lambda row: vector(base=(-40, -4, 20), row=row)),
        "Barometer.csv": sensor("relativeAltitude,pressure", lambda row: ["0", f"1013.{row}"]),
    }


def packed(files, compression=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, compression)
    return buffer.getvalue()


def folders():
    """Recordings of several files, the first is damaged."""

    def sensor(scale):
        return table("timestamp_ns,x,y,z", lambda row: [str(2_713_980_000_000 + row * 10_000_000), *vector(scale, row=row)])

    yield (
        "tidy",
        {
            f"walk.sensor.{name}.csv": sensor(scale)
            for name, scale in (("accelerometer", -9.8), ("gyroscope", 0.1), ("magnetometer", 4e-5))
        },
    )
    yield "sensorlogger", sensor_logger()


def written(motionctl, folder):
    """What motionctl itself writes: name, kind, file."""

    def run(*arguments):
        subprocess.run([motionctl, *arguments], cwd=folder, check=True, capture_output=True)

    run("record", "simulate:handheld?speed=max", "--for", "1", "-o", "walk.mcap", "--force")
    yield "mcap", "mcap", "walk.mcap"
    for name, kind, options in (
        ("walk.ndjson", "ndjson", []),
        ("motion.mcap", "mcap", ["--with", "motion"]),
        ("ros2.mcap", "mcap", ["--with", "ros2", "--with", "foxglove"]),
        ("bag.mcap", "mcap", ["--profile", "ros2"]),
        ("motion.ndjson", "ndjson", ["--with", "motion"]),
    ):
        run("convert", "walk.mcap", name, "--force", *options)
        yield name.split(".")[0] + "-" + kind, kind, name
    for compression in ("zstd", "lz4"):
        # Needs the system's library.
        if not subprocess.run(
            [motionctl, "convert", "walk.mcap", f"{compression}.mcap", "--force", "--compress", compression],
            cwd=folder,
            capture_output=True,
        ).returncode:
            yield compression + "-mcap", "mcap", f"{compression}.mcap"
    run("fuse", "walk.mcap", "-o", "fused.csv")
    yield "fused", "table", "fused.csv"


def real(data):
    """The first bytes of recordings of other people's hands; nothing where they are not."""
    wanted = ["baro_px4/*.csv", "steps_mobilised/*.csv.gz"]
    for pattern in wanted:
        for path in sorted(data.glob(pattern))[:1]:
            head = gzip.open(path).read(6000) if path.suffix == ".gz" else path.read_bytes()[:6000]
            name = path.name.removesuffix(".gz")
            yield Seed("real " + pattern.split("/")[0], "table", {name: head[: head.rfind(b"\n") + 1]}, name, name)


def all_seeds(motionctl, folder, data):
    """Every seed, in a fixed order."""
    folder = pathlib.Path(folder)
    seeds = []
    for name, kind, file in written(motionctl, folder):
        seeds.append(Seed(name, kind, {file: (folder / file).read_bytes()}, file, file))
    for name, file, content, options in tables():
        seeds.append(Seed(name, "table", {file: content}, file, file, options))
    for name, files in folders():
        seeds.append(Seed(name + " folder", "table", files, next(f for f in files if f != "Metadata.csv"), ""))
    logger = sensor_logger()
    for name, compression in (("zip", zipfile.ZIP_DEFLATED), ("stored zip", zipfile.ZIP_STORED)):
        seeds.append(Seed(name, "zip", {"walk.zip": packed(logger, compression)}, "walk.zip", "walk.zip"))
    _, file, content, _ = next(entry for entry in tables() if entry[0] == "tidy")
    seeds.append(Seed("gzip", "gzip", {file + ".gz": gzip.compress(content, mtime=0)}, file + ".gz", file + ".gz"))
    metadata = b"rosbag2_bagfile_information:\n  relative_file_paths:\n    - bag_0.mcap\n"
    bag = {"bag_0.mcap": (folder / "bag.mcap").read_bytes(), "metadata.yaml": metadata}
    seeds.append(Seed("rosbag2 folder", "mcap", bag, "bag_0.mcap", ""))
    if data.is_dir():
        seeds += real(data)
    return seeds
