# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Good tables of each kind, a device that lies still: by the names of their columns."""

import math

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


def axes(*names):
    return ",".join(f"{name}{axis}" for name in names for axis in "xyz")


def tables():
    """Name of the file, kind of table, bytes, options."""
    rate, field, turn = (0.01, 0.02, -0.03), (20.5, -4.25, -40.5), ["0.0998", "0.1494", "0.1494", "0.9722"]

    def raw(row):
        return vector(row=row) + vector(base=rate, row=row) + vector(base=field, row=row)

    yield (
        "phyphox",
        "Raw Data.csv",
        table(
            '"Time (s)",' + ",".join(f'"Acceleration {axis} (m/s^2)"' for axis in "xyz"),
            lambda row: [f"{row / 100:.9E}", *vector(-9.81, row=row)],
        ),
        "",
    )
    yield (
        "tidy",
        "motion.csv",
        table(
            "timestamp,"
            + axes("attitude_")
            + ",attitude_w,"
            + axes("rotationRate_", "gravity_", "userAcceleration_", "magneticField_")
            + ",magneticField_accuracy,heading,headingAccuracy,sensorLocation,attitudeReferenceFrame",
            lambda row: (
                [seconds(row), *turn, *vector(base=rate), *vector(row=row), *vector(0.001), *vector(base=field)]
                + ["2", "123.5", "4.5", "0", "4"]
            ),
        ),
        "",
    )
    yield (
        "mapped",
        "log.csv",
        table(
            "Time,AX,AY,AZ,GX,GY,GZ,MX,MY,MZ,Baro,T,Note", lambda row: [str(10 * row), *raw(row), "14.5", "68", "text"]
        ),
        "?map=t=Time[ms] ax=AX[g] ay=AY az=AZ gx=GX[rad/s] gy=GY gz=GZ mx=MX[mG] my=MY mz=MZ p=Baro[psi] temp=T[degF]&sign=apple",
    )
    yield (
        "table",
        "walk.csv",
        table(
            "t_s,acc_x_g,acc_y_g,acc_z_g,gyr_x_dps,gyr_y_dps,gyr_z_dps,bar_hPa",
            lambda row: [seconds(row), *vector(row=row), *vector(base=rate, row=row), "1007.5"],
        ),
        "",
    )
    yield (
        "pressures",
        "dive.csv",
        table("t_s,abs_pressure_Pa,temperature_C", lambda row: [str(row), str(101325 + 1000 * row), "12.5"]),
        "",
    )
