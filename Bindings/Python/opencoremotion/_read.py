# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings of any format that motionctl reads, as arrays."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, Optional, Union

import numpy as np

from ._arrays import nearest, spelled

#: Topics that have a sensor's readings, the first that is there, and the factors to SI by their unit. Core Motion's own accelerations
#: have the other sign: they are -9.80665 m/s² on the axis that points up at rest.
_TOPICS = {
    "pressure": ("/sensor/pressure",),
    "acc": ("/sensor/accelerometer", "/motion/accelerometer"),
    "gyr": ("/sensor/gyroscope", "/motion/gyro"),
    "mag": ("/sensor/magnetometer", "/motion/magnetometer"),
}
_FACTORS = {"Pa": 1.0, "m/s^2": 1.0, "g": -9.80665, "rad/s": 1.0, "µT": 1.0, "T": 1e6}


@dataclasses.dataclass(frozen=True, eq=False)
class Recording(Mapping[str, Any]):
    """The sensors of a recording: a mapping of the arguments of `fuse`, `steps` and `activity`, as ``ocm.fuse(**recording)``.

    There a sensor that has times of its own is a tuple (times, values), and what motionctl knows of the recording is an option, so that
    the numbers are those of motionctl.

    Attributes
    ----------
    t : ndarray of int64, shape (n,)
        Times, ns: those of the gyroscope, or of the accelerometer where there is no gyroscope.
    gyr : ndarray, shape (n, 3), or None
        Angular velocity, rad/s, device axes.
    acc : ndarray, shape (n, 3), or None
        Specific force, m/s², device axes, +9.81 on the axis that points up at rest: the reading nearest to each time, a row of NaN where
        that is more than 250 ms away.
    mag : ndarray, shape (n, 3), or None
        Magnetic field, µT, likewise.
    sensors : dict of str to structured ndarray
        Every table of the recording as it is, by topic, with the columns and units of `units`; Core Motion's topics
        (``/motion/…``) have Apple's sign.
    units : dict of str to dict of str to str
        Units, by topic and column.
    metadata : dict
        What ``motionctl info --json`` says: format, name, streams with rates and gaps, what was left aside, quality.
    """

    t: np.ndarray
    gyr: Optional[np.ndarray]
    acc: Optional[np.ndarray]
    mag: Optional[np.ndarray]
    sensors: dict[str, np.ndarray]
    units: dict[str, dict[str, str]]
    metadata: dict[str, Any]
    arguments: dict[str, Any] = dataclasses.field(default_factory=dict, repr=False)

    @property
    def placement(self) -> Optional[str]:
        """Where it says that the device was worn; None where it does not."""
        return self.metadata.get("placement")

    def __getitem__(self, key: str) -> Any:
        return self.arguments[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.arguments)

    def __len__(self) -> int:
        return len(self.arguments)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        seconds = (self.t[-1] - self.t[0]) * 1e-9 if len(self.t) else 0.0
        sensors = ", ".join(name for name in ("gyr", "acc", "mag") if getattr(self, name) is not None)
        return f"Recording({self.metadata.get('format', '?')}: {len(self.t)} rows, {seconds:.1f} s, {sensors})"


@spelled()
def read(
    path: Union[str, "os.PathLike[str]"],
    *,
    format: Optional[str] = None,
    map: Optional[str] = None,
    sign: Optional[str] = None,
    axes: Optional[str] = None,
    rate: Optional[float] = None,
    skip_errors: bool = False,
    device: Optional[str] = None,
) -> Recording:
    """Read a recording of any format that motionctl reads.

    The program motionctl does it: it is found by the environment variable MOTIONCTL, or in PATH. This package alone does not have it.

    Parameters
    ----------
    path : str or path
        A file or folder: the logs of phone applications, MCAP, NDJSON, tables (``motionctl formats``).
    format : str, optional
        The format, where its content does not tell (``--from``).
    map, sign, axes, rate, skip_errors
        As the options of ``motionctl convert``: the columns of a table of no known format ("t=Time[ms] ax=AccX[g] …"), which way
        its accelerations point ("reaction" or "apple"), its axes ("x,-z,y"), its rate in Hz where it has no times, and whether
        malformed lines are left out.
    device : str, optional
        Which device, where the recording has several.

    Returns
    -------
    Recording
        ``ocm.fuse(**recording)`` and ``ocm.steps(**recording)`` compute it.

    Raises
    ------
    FileNotFoundError
        motionctl is not installed, or there is no such file.
    ValueError
        motionctl cannot read it, or it has no sensors; the sentence is motionctl's.
    """
    program = _find_motionctl()
    if not os.path.exists(path):
        raise FileNotFoundError(f"path: there is no {os.fspath(path)}")
    source, options = os.path.abspath(path), list[str]()
    address = source if format is None else f"{source}?format={format}"
    for name, value in (("--map", map), ("--sign", sign), ("--axes", axes), ("--rate", rate)):
        options += [] if value is None else [name, str(value)]
    metadata: dict[str, Any] = json.loads(_run(program, "info", address, "--json", *options)) | {"file": source}
    options += ["--skip-errors"] if skip_errors else []
    with tempfile.TemporaryDirectory(prefix="opencoremotion-") as folder:
        _run(program, "convert", address, os.path.join(folder, "out.csv"), "--to", "tidy", *options)
        sensors, units = _tables(pathlib.Path(folder))
    return _recording(sensors, units, metadata, device)


def _find_motionctl() -> str:
    """The program motionctl: that of the environment variable MOTIONCTL, or the one in PATH."""
    program = os.environ.get("MOTIONCTL") or shutil.which("motionctl")
    if not program or not os.access(program, os.X_OK):
        raise FileNotFoundError(
            f"motionctl: {f'{program} cannot be run' if program else 'it is not in PATH'}. ocm.read needs this program of OpenCoreMotion: "
            "install its Debian package (`make release` in its sources builds one), or set MOTIONCTL to where it is"
        )
    return program


def _run(program: str, *arguments: str) -> str:
    result = subprocess.run([program, *arguments], capture_output=True, text=True)
    if result.returncode:
        raise ValueError(f"path: {result.stderr.strip() or f'motionctl ended with {result.returncode}'}")
    return result.stdout


def _tables(folder: pathlib.Path) -> tuple[dict[str, np.ndarray], dict[str, dict[str, str]]]:
    units: dict[str, dict[str, str]] = {}
    with open(folder / "out.columns.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            units.setdefault(row["topic"], {})[row["column"]] = row["unit"]
    sensors: dict[str, np.ndarray] = {}
    for topic, columns in units.items():
        text = (folder / f"out.{topic[1:].replace('/', '.')}.csv").read_text(encoding="utf-8")
        while ",," in text or ",\n" in text:
            text = text.replace(",,", ",nan,").replace(",\n", ",nan\n")
        dtype = [(name, np.int64 if name == "timestamp_ns" else np.float64) for name in columns]
        try:
            sensors[topic] = np.loadtxt(io.StringIO(text), dtype, delimiter=",", skiprows=1, ndmin=1, comments=None)
        except ValueError:  # words: an activity, an event
            rows = list(csv.reader(io.StringIO(text)))
            sensors[topic] = np.array([tuple(row) for row in rows[1:]], [(name, object) for name in columns])
    return sensors, units


def _recording(
    sensors: dict[str, np.ndarray], units: dict[str, dict[str, str]], metadata: dict[str, Any], device: Optional[str]
) -> Recording:
    known = [topic for name, topics in _TOPICS.items() for topic in topics if name != "pressure"]
    devices = sorted({topic[: -len(end)].strip("/") for topic in sensors for end in known if topic.endswith(end)})
    if not devices:
        raise ValueError(f"path: there are no readings of an accelerometer or gyroscope; it has {', '.join(sensors) or 'nothing'}")
    if device is None and len(devices) > 1:
        raise ValueError(f"device: the recording has several; one of {', '.join(devices)} is needed")
    device = devices[0] if device is None else device.strip("/")
    if device not in devices:
        raise ValueError(f"device: one of {', '.join(devices)} is needed, not {device!r}")
    readings: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name, topics in _TOPICS.items():
        for topic in topics:
            topic = f"/{device}{topic}" if device else topic
            if topic in sensors and name not in readings:
                columns = list(units[topic])
                table, factor = sensors[topic], _FACTORS[units[topic][columns[1]]]
                times = table[columns[0]]
                times = times if times.dtype == np.int64 else np.rint(times * 1e9).astype(np.int64)
                values = [table[column] for column in columns[1:4]]
                readings[name] = times, (values[0] if name == "pressure" else np.column_stack(values)) * factor
    main = "gyr" if "gyr" in readings else "acc"
    if main not in readings:
        raise ValueError("path: there is no accelerometer and no gyroscope")
    t = readings[main][0]
    arguments: dict[str, Any] = {"t": t}
    for name, (times, values) in readings.items():
        arguments[name] = values if np.array_equal(t, times) else (times, values)
    arguments |= _known(metadata, device) | {"sign": "reaction"}
    gyr, acc, mag = (None if name not in readings else nearest(t, *readings[name]) for name in ("gyr", "acc", "mag"))
    return Recording(t, gyr, acc, mag, sensors, units, metadata, arguments)


def _known(metadata: dict[str, Any], device: str) -> dict[str, Any]:
    """What motionctl knows of the sensors of a recording, as options."""
    streams = [stream for stream in metadata.get("streams", ()) if stream["kind"] in ("gyroscope", f"{device} gyroscope")]
    options = {"gyro_range": stream["range"] for stream in streams if "range" in stream}
    if streams and not metadata.get("gyroscopeMean"):
        options["gyro_delay"] = 0.0
    if metadata.get("magnetometerCalibrated"):
        options["calibrated"] = True
    return options | ({"placement": metadata["placement"]} if "placement" in metadata else {})
