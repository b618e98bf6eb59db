# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Every open filter that PyPI has: how it is run, with which settings, and what it is told.

A function runs one filter over one trial: (trial, uses magnetometer, settings) → quaternions sensor → east-north-up.

Settings are the defaults of the package, those that its authors or the authors of BROAD published, or, where nobody published
any for such data, the best of a coarse grid (`peers.py --tune`) on every second trial only, the first one included: the other
trials show what they are worth elsewhere.
"""

import importlib.metadata
import pathlib
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

from . import Skipped
from .trials import NORTH_WEST_UP, product

DEFAULTS, PUBLISHED, TUNED = "defaults", "published", "tuned"
# The case study of Laidig et al., Data 6(7):72, 2021, and example_code/out/results_*_average_rmse.json of github.com/dlaidig/broad.
BROAD = "published with BROAD: the best on all of its 39 trials"


def recursive(update, start, count):
    """`update`: (quaternion, row) → quaternion."""
    result = np.empty((count, 4))
    result[0] = quaternion = start
    for row in range(1, count):
        result[row] = quaternion = update(quaternion, row)
    return result


# MARK: vqf


def vqf(trial, nine, variant="VQF"):
    import vqf as package

    data = [trial.gyroscope, trial.accelerometer] + ([trial.magnetometer] if nine else [])
    if variant == "offlineVQF":
        result = package.offlineVQF(*data, *([] if nine else [None]), 1 / trial.rate)
    else:
        result = getattr(package, variant)(1 / trial.rate).updateBatch(*data)
    return result["quat9D" if nine else "quat6D"]


# MARK: ahrs


def updated(filter, trial, nine, start):
    """Of the classes with updateMARG and updateIMU."""
    g, a, m = trial.gyroscope, trial.accelerometer, trial.magnetometer
    if nine:
        return recursive(lambda q, row: filter.updateMARG(q, g[row], a[row], m[row]), start, len(g))
    return recursive(lambda q, row: filter.updateIMU(q, g[row], a[row]), start, len(g))


def madgwick(trial, nine, **settings):
    from ahrs.filters import Madgwick

    # The two gains are the defaults of the package; its world is x north, y west, z up.
    filter = Madgwick(frequency=trial.rate, **{"gain": 0.041 if nine else 0.033, **settings})
    quaternions = updated(filter, trial, nine, trial.start("x"))
    return product(NORTH_WEST_UP, quaternions)


def mahony(trial, nine, **settings):
    from ahrs.filters import Mahony

    return updated(Mahony(frequency=trial.rate, **settings), trial, nine, trial.start("y"))


def aqua(trial, nine, **settings):
    from ahrs.filters import AQUA

    # Its quaternion is that of the world seen from the sensor.
    start = trial.start("x") * [1, -1, -1, -1]
    quaternions = updated(AQUA(frequency=trial.rate, **settings), trial, nine, start)
    return product(NORTH_WEST_UP, quaternions * [1, -1, -1, -1])


def complementary(trial, nine, **settings):
    from ahrs.filters import Complementary

    magnetometer = {"mag": trial.magnetometer} if nine else {}
    filter = Complementary(gyr=trial.gyroscope, acc=trial.accelerometer, frequency=trial.rate, **magnetometer, **settings)
    return product(NORTH_WEST_UP, np.asarray(filter.Q))


def ekf(trial, nine, **settings):
    from ahrs.filters import EKF

    # Its accelerometer shows gravity, not the specific force.
    filter = EKF(frequency=trial.rate, frame="ENU", magnetic_ref=trial.dip(), **settings)
    g, a, m = trial.gyroscope, -trial.accelerometer, trial.magnetometer
    filter.mag = m if nine else None  # Tells its measurement how many numbers there are.
    return recursive(lambda q, row: filter.update(q, g[row], a[row], m[row] if nine else None), trial.start("y"), len(g))


def fourati(trial, _, **settings):
    from ahrs.filters import Fourati

    filter = Fourati(frequency=trial.rate, magnetic_dip=-trial.dip(), **settings)
    g, a, m = trial.gyroscope, trial.accelerometer, trial.magnetometer
    quaternions = recursive(lambda q, row: filter.update(q, g[row], a[row], m[row]), trial.start("x"), len(g))
    return product(NORTH_WEST_UP, quaternions)


def roleq(trial, _, weight=1.0):
    from ahrs.filters import ROLEQ

    filter = ROLEQ(frequency=trial.rate, frame="ENU", magnetic_ref=trial.dip(), weights=np.array([weight, weight]))
    g, a, m = trial.gyroscope, trial.accelerometer, trial.magnetometer
    return recursive(lambda q, row: filter.update(q, g[row], a[row], m[row]), trial.start("y"), len(g))


def fkf(trial, _, **settings):
    from ahrs.filters import FKF

    data = {"gyr": trial.gyroscope, "acc": trial.accelerometer, "mag": trial.magnetometer}
    filter = FKF(**data, frequency=trial.rate, **settings)
    return product(NORTH_WEST_UP, filter.Q)


# MARK: qmt, which has the C++ of BROAD's case study and of OriEstIMU


def qmt(trial, nine, function, start=None, **settings):
    import qmt as package

    settings = {"Ts": 1 / trial.rate, **settings, **({"initQuat": trial.start(start)} if start else {})}
    magnetometer = trial.magnetometer if nine else None
    return getattr(package, function)(trial.gyroscope, trial.accelerometer, magnetometer, settings)


# MARK: imufusion and riann


def fusion(trial, nine, **settings):
    import imufusion

    filter, bias = imufusion.Ahrs(), imufusion.Bias()
    chosen = imufusion.AhrsSettings()
    chosen.sample_rate, chosen.convention = trial.rate, imufusion.CONVENTION_ENU
    for name, value in settings.items():
        setattr(chosen, name, value)
    filter.set_settings(chosen)
    slow = imufusion.BiasSettings()
    slow.sample_rate = trial.rate
    bias.set_settings(slow)
    gyroscope, accelerometer = np.degrees(trial.gyroscope), trial.accelerometer / 9.80665
    result = np.empty((len(gyroscope), 4))
    for row in range(len(result)):
        rate = bias.update(gyroscope[row])
        if nine:
            filter.update(rate, accelerometer[row], trial.magnetometer[row])
        else:
            filter.update_no_magnetometer(rate, accelerometer[row])
        result[row] = filter.get_quaternion()
    return result


def riann(trial, _):
    from riann import riann as package

    model = pathlib.Path(package.__file__).with_name("riann.onnx")
    return package.RIANN(str(model)).predict(trial.accelerometer, trial.gyroscope, trial.rate)


# MARK: All of them


@dataclass(frozen=True)
class Filter:
    name: str
    package: str
    run: Callable
    kind: str = DEFAULTS
    settings: dict = field(default_factory=dict)
    # Arguments of `run` that are no settings: which function of the package.
    how: dict = field(default_factory=dict)
    source: str = ""
    # Besides the rate. `start`: the orientation that the first row of accelerometer and magnetometer shows.
    told: str = ""
    nine: bool = True
    six: bool = True
    # Values that `--tune` tries, all combinations.
    grid: dict = field(default_factory=dict)

    @property
    def chosen(self):
        return ", ".join(f"{name} {value:g}" for name, value in self.settings.items())

    @property
    def title(self):
        return f"{self.name} ({self.chosen})" if self.settings else self.name

    def __call__(self, trial, nine):
        return self.run(trial, nine, **self.how, **self.settings)

    def check(self):
        """Version of the package; says why where it does not work."""
        if self.kind == TUNED and not self.settings:
            raise Skipped(f"{self.name}, tuned: no search for its settings has been made yet (--tune)")
        try:
            version = importlib.metadata.version(self.package)
        except ImportError:
            raise Skipped(f"{self.package}: not installed (pip install {self.package})")
        if self.package == "qmt" and int(np.__version__.split(".")[0]) >= 2:
            raise Skipped("qmt: its wheels need numpy below 2 (pip install 'numpy<2')")
        return version


# What was tried and cannot take part.
LEFT_OUT = [Skipped("UKF of ahrs 0.4.0: ends with “Matrix is not positive definite” in at least three of the 14 trials of BROAD")]

ALL = [
    Filter("VQF", "vqf", vqf, source="the defaults are the published values of its paper, which were chosen on BROAD and other data sets"),
    Filter("BasicVQF", "vqf", vqf, how={"variant": "BasicVQF"}),
    Filter("offline VQF", "vqf", vqf, how={"variant": "offlineVQF"}, told="future"),
    Filter("Madgwick, ahrs", "ahrs", madgwick, told="start"),
    Filter("Madgwick, ahrs", "ahrs", madgwick, PUBLISHED, {"gain": 0.12}, source=BROAD, told="start"),
    Filter("Madgwick, qmt", "qmt", qmt, how={"function": "oriEstMadgwick", "start": "x"}, told="start"),
    Filter(
        "Madgwick, qmt", "qmt", qmt, PUBLISHED, {"beta": 0.12}, {"function": "oriEstMadgwick", "start": "x"}, BROAD, "start"
    ),
    Filter("Mahony, ahrs", "ahrs", mahony, told="start"),
    Filter("Mahony, ahrs", "ahrs", mahony, PUBLISHED, {"k_P": 0.74, "k_I": 0.0012}, source=BROAD, told="start"),
    Filter("Mahony, qmt", "qmt", qmt, how={"function": "oriEstMahony", "start": "x"}, told="start"),
    Filter(
        "Mahony, qmt", "qmt", qmt, PUBLISHED, {"Kp": 0.74, "Ki": 0.0012}, {"function": "oriEstMahony", "start": "x"}, BROAD, "start"
    ),
    Filter("Fusion", "imufusion", fusion),
    Filter(
        "Fusion", "imufusion", fusion, PUBLISHED,
        {"gain": 0.5, "acceleration_rejection": 10, "magnetic_rejection": 10, "rejection_timeout": 5, "gyroscope_range": 2000},
        source="its README: “appropriate for most applications”", told="range",
    ),
    Filter(
        "Fusion", "imufusion", fusion, TUNED, {"gain": 0.05, "acceleration_rejection": 10, "magnetic_rejection": 0, "rejection_timeout": 5},
        grid={"gain": [0.02, 0.05, 0.1, 0.2, 0.5, 1], "acceleration_rejection": [0, 10], "magnetic_rejection": [0, 10], "rejection_timeout": [5]},
    ),
    Filter("OriEstIMU", "qmt", qmt, how={"function": "oriEstIMU"}),
    Filter(
        "OriEstIMU", "qmt", qmt, TUNED, {"tauAcc": 8, "tauMag": 12, "zeta": 10, "accRating": 1}, {"function": "oriEstIMU"},
        "zeta is at the edge of its grid",
        grid={"tauAcc": [0.5, 1, 2, 4, 8, 16], "tauMag": [1.5, 3, 6, 12, 24], "zeta": [0, 1, 3, 10], "accRating": [0, 1]},
    ),
    Filter("RIANN", "riann", riann, source="a trained network without settings; whether it was trained on these trials was not checked", nine=False),
    Filter(
        "Complementary", "ahrs", complementary, told="start",
        source="it averages angles without regard to ±180°; no gain from 0.01 to 0.995 brings its total below 46°",
    ),
    Filter("EKF", "ahrs", ekf, told="start, dip", source="no smaller var_gyr, down to 0.0001, is better than its default"),
    Filter("AQUA", "ahrs", aqua, told="start"),
    Filter(
        "AQUA", "ahrs", aqua, TUNED, {"alpha": 0.001, "beta": 0.001}, source="at the edge of its grid", told="start",
        grid={"alpha": [0.001, 0.003, 0.01], "beta": [0.001, 0.003, 0.01]},
    ),
    Filter(
        "FKF", "ahrs", fkf, told="start", six=False,
        source="its defaults are the best of all combinations of sigma_a and sigma_m of 0.01, 0.3 and 10",
    ),
    Filter(
        "Fourati", "ahrs", fourati, told="start, dip", six=False, source="no gain from 0.003 to 0.3 brings its total below 30°"
    ),
    Filter("ROLEQ", "ahrs", roleq, told="start, dip", six=False),
    Filter(
        "ROLEQ", "ahrs", roleq, TUNED, {"weight": 0.001}, source="at the edge of its grid", told="start, dip", six=False,
        grid={"weight": [0.001, 0.003, 0.01, 0.03, 0.1]},
    ),
]
