# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The good recordings that attacks begin with: written by motionctl itself, made here by name of column, and the heads of real ones."""

import dataclasses
import gzip
import io
import json
import math
import pathlib
import subprocess
import zipfile


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


ROWS = 40
GRAVITY = (0.0978, -0.1987, -0.9752)


def seconds(row, start=100.5):
    return f"{start + row / 100:.2f}"


def vector(scale=1.0, base=GRAVITY, row=0):
    return [f"{scale * value + 0.001 * math.sin(row + axis):.6f}" for axis, value in enumerate(base)]


def table(header, row):
    """A CSV file: `row` gives the cells of each row."""
    lines = ([header] if header else []) + [",".join(row(index)) for index in range(ROWS)]
    return ("\n".join(lines) + "\n").encode()


def columns(names):
    return ",".join(names.split())


def axes(*names):
    return ",".join(f"{name}{axis}" for name in names for axis in "xyz")


def tables():
    """Name of the file, kind of table, bytes, options."""
    rate, field, turn = (0.01, 0.02, -0.03), (20.5, -4.25, -40.5), ["0.0998", "0.1494", "0.1494", "0.9722"]

    def raw(row):
        return vector(row=row) + vector(base=rate, row=row) + vector(base=field, row=row)

    yield "oxiod", "imu1.csv", table(
        None, lambda row: [seconds(row), "0.1", "0.2", "0.3", *vector(base=rate), *vector(row=row), *vector(0.001), *vector(base=field)]
    ), ""
    yield "motionsense", "sub_1.csv", table(
        ",attitude.roll,attitude.pitch,attitude.yaw," + axes("gravity.", "rotationRate.", "userAcceleration."),
        lambda row: [str(row), "0.1", "0.2", "0.3", *vector(row=row), *vector(base=rate), *vector(0.001)],
    ), ""
    yield "sensingkit", "DeviceMotion.csv", table(
        "timestamp,timeIntervalSince1970,attitude.roll,attitude.pitch,attitude.yaw,"
        + axes("gravity.", "magneticField.", "rotationRate.", "userAcceleration."),
        lambda row: ['"2017-05-01 10:00:00.123 +0000"', seconds(row, 1493632800), "0.1", "0.2", "0.3"]
        + [*vector(row=row), *vector(base=field), *vector(base=rate), *vector(0.001)],
    ), ""
    yield "ximu3", "Inertial.csv", table(
        "Timestamp (us)," + ",".join(f"{sensor} {axis} ({unit})" for sensor, unit in (("Gyroscope", "deg/s"), ("Accelerometer", "g")) for axis in "XYZ"),
        lambda row: [str(1_000_000 + 2500 * row), "1.5", "-90", "0.25", *vector(-1, row=row)],
    ), ""
    yield "phyphox", "Raw Data.csv", table(
        '"Time (s)",' + ",".join(f'"Acceleration {axis} (m/s^2)"' for axis in "xyz"),
        lambda row: [f"{row / 100:.9E}", *vector(-9.81, row=row)],
    ), ""
    yield "tidy", "motion.csv", table(
        "timestamp," + axes("attitude_") + ",attitude_w," + axes("rotationRate_", "gravity_", "userAcceleration_", "magneticField_")
        + ",magneticField_accuracy,heading,headingAccuracy,sensorLocation,attitudeReferenceFrame",
        lambda row: [seconds(row), *turn, *vector(base=rate), *vector(row=row), *vector(0.001), *vector(base=field)] + ["2", "123.5", "4.5", "0", "4"],
    ), ""
    yield "mapped", "log.csv", table(
        "Time,AX,AY,AZ,GX,GY,GZ,MX,MY,MZ,Baro,T,Note", lambda row: [str(10 * row), *raw(row), "14.5", "68", "text"]
    ), "?map=t=Time[ms] ax=AX[g] ay=AY az=AZ gx=GX[rad/s] gy=GY gz=GZ mx=MX[mG] my=MY mz=MZ p=Baro[psi] temp=T[degF]&sign=apple"
    yield "mobilised", "HA001.csv", table(
        "t_s,acc_x_g,acc_y_g,acc_z_g,gyr_x_dps,gyr_y_dps,gyr_z_dps,mag_x_uT,mag_y_uT,mag_z_uT,bar_hPa", lambda row: [seconds(row), *raw(row), "1007.5"]
    ), ""
    yield "mhealthtools", "walk_data.csv", table(
        "t_s,qx,qy,qz,qw,rx,ry,rz,ux,uy,uz,gx,gy,gz,mx,my,mz,mag_accuracy",
        lambda row: [seconds(row), *turn, *vector(base=rate), *vector(0.001), *vector(row=row), *vector(base=field), "2"],
    ), ""
    yield "wisdm", "1601_watch_accel.csv", table("dt_ms,x,y,z", lambda row: ["50", *vector(9.8, row=row)]), ""
    yield "barometer", "baro.csv", table("t_s,pressure_Pa", lambda row: [seconds(row), str(101325 + row)]), ""
    yield "divelog", "dive.csv", table("t_s,abs_pressure_Pa,temperature_C", lambda row: [str(row), str(101325 + 1000 * row), "12.5"]), ""
    yield "batches", "batches.csv", table(None, lambda row: [("\n" if row % 10 == 0 else "") + f"{5 + row / 800:.5f}", *vector(row=row)]), ""
    yield "oxford", "user1_hand_1.csv", table(None, lambda row: [str(1_493_063_653_667 + 10_000_000 * row), *vector(9.8, row=row), "0", "0", "0"]), ""
    yield "sensus", "sensus.csv", table(
        None, lambda row: ["1", "SU-10001", "0", "2015", "1", "2", "3", "4", "5", str(10 * row), str(1013 + row), "287", "67"]
    ), ""
    text = "//SEABEAR DIVING TECHNOLOGY\n//Log interval: 1 s\nDepth;Temperature\n//m;C\n"
    yield "seabear", "dive.CSV", (text + "".join(f"{row / 10};{'12.5' if row % 5 == 0 else ''}\n" for row in range(ROWS))).encode(), ""


def sensor_logger():
    """Sensor Logger's tables by the name of their file."""
    def sensor(header, cells):
        return table("time,seconds_elapsed," + header, lambda row: [str(1_698_501_144_401_773_123 + row * 10_000_000), seconds(row, 0), *cells(row)])

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
    def blanks(cells, start=2_713_980_000_000):
        return ("# Created\n" + "".join(f"{start + row * 10_000_000} {' '.join(cells(row))}\n" for row in range(ROWS))).encode()

    yield "pyojinkim", {"acce.txt": blanks(lambda row: vector(9.81, row=row)), "gyro_uncalib.txt": blanks(lambda row: vector(0.1, row=row))}
    times = lambda row: f"58202.{4488 + 100 * row}"
    yield "tyrex", {
        name + ".txt": "".join(f"{times(row)} {' '.join(vector(scale, row=row))}\n" for row in range(ROWS)).encode()
        for name, scale in (("accelerometer", 1), ("gyroscope", 0.1), ("magnetometer", 40))
    }
    yield "advio", {
        "accelerometer.csv": table(None, lambda row: [seconds(row), *vector(row=row)]),
        "gyro.csv": table(None, lambda row: [seconds(row), *vector(0.1, row=row)]),
        "barometer.csv": table(None, lambda row: [seconds(row), "101.3", "0.1"]),
    }
    yield "sensorlogger", sensor_logger()


def written(motionctl, folder):
    """What motionctl itself writes: name, kind, file."""
    def run(*arguments):
        subprocess.run([motionctl, *arguments], cwd=folder, check=True, capture_output=True)

    run("record", "simulate:handheld?speed=max", "--for", "1", "-o", "walk.mcap", "--force")
    yield "mcap", "mcap", "walk.mcap"
    for name, kind, options in (
        ("walk.ndjson", "ndjson", []), ("walk.arrows", "arrow", ["--to", "arrow"]), ("sensorlog.csv", "table", ["--to", "sensorlog"]),
        ("motion.mcap", "mcap", ["--fuse"]), ("ros2.mcap", "mcap", ["--with", "ros2", "--with", "foxglove"]),
        ("bag.mcap", "mcap", ["--profile", "ros2"]), ("motion.ndjson", "ndjson", ["--fuse"]),
    ):
        run("convert", "walk.mcap", name, "--force", *options)
        yield name.split(".")[0] + "-" + kind, kind, name
    for compression in ("zstd", "lz4"):
        # Needs the system's library.
        if not subprocess.run([motionctl, "convert", "walk.mcap", f"{compression}.mcap", "--force", "--compress", compression], cwd=folder, capture_output=True).returncode:
            yield compression + "-mcap", "mcap", f"{compression}.mcap"
    run("fuse", "walk.mcap", "-o", "fused.csv")
    yield "fused", "table", "fused.csv"


def real(data):
    """The first bytes of recordings of other people's hands; nothing where they are not."""
    wanted = ["dive/*", "swing_applewatch/*.csv", "baro_px4/*.csv", "steps_oxford/*.gz", "cmdevicemotion_sage/*.gz", "steps_mobilised/*.csv.gz", "running_adept/*.gz"]
    for pattern in wanted:
        for path in sorted(data.glob(pattern))[:1]:
            head = (gzip.open(path).read(6000) if path.suffix == ".gz" else path.read_bytes()[:6000])
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
    rows = [
        {"sensor": sensor, "time": str(1_698_501_144_401_773_123 + row * 10_000_000), "seconds_elapsed": seconds(row, 0)}
        | dict(zip("xyz", vector(row=row)))
        for row in range(ROWS) for sensor in ("AccelerometerUncalibrated", "GyroscopeUncalibrated")
    ]
    records = json.dumps([{"sensor": "Metadata", "version": "3", "platform": "ios", "appVersion": "1.40"}, *rows]).replace("}, {", "},\n{")
    seeds.append(Seed("json", "json", {"walk.json": records.encode()}, "walk.json", "walk.json"))
    if data.is_dir():
        seeds += real(data)
    return seeds
