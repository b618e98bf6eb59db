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
        "oxiod",
        "imu1.csv",
        table(
            None,
            lambda row: [
                seconds(row),
                "0.1",
                "0.2",
                "0.3",
                *vector(base=rate),
                *vector(row=row),
                *vector(0.001),
                *vector(base=field),
            ],
        ),
        "",
    )
    yield (
        "motionsense",
        "sub_1.csv",
        table(
            ",attitude.roll,attitude.pitch,attitude.yaw," + axes("gravity.", "rotationRate.", "userAcceleration."),
            lambda row: [str(row), "0.1", "0.2", "0.3", *vector(row=row), *vector(base=rate), *vector(0.001)],
        ),
        "",
    )
    yield (
        "sensingkit",
        "DeviceMotion.csv",
        table(
            "timestamp,timeIntervalSince1970,attitude.roll,attitude.pitch,attitude.yaw,"
            + axes("gravity.", "magneticField.", "rotationRate.", "userAcceleration."),
            lambda row: (
                ['"2017-05-01 10:00:00.123 +0000"', seconds(row, 1493632800), "0.1", "0.2", "0.3"]
                + [*vector(row=row), *vector(base=field), *vector(base=rate), *vector(0.001)]
            ),
        ),
        "",
    )
    yield (
        "ximu3",
        "Inertial.csv",
        table(
            "Timestamp (us),"
            + ",".join(
                f"{sensor} {axis} ({unit})"
                for sensor, unit in (("Gyroscope", "deg/s"), ("Accelerometer", "g"))
                for axis in "XYZ"
            ),
            lambda row: [str(1_000_000 + 2500 * row), "1.5", "-90", "0.25", *vector(-1, row=row)],
        ),
        "",
    )
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
        "mobilised",
        "HA001.csv",
        table(
            "t_s,acc_x_g,acc_y_g,acc_z_g,gyr_x_dps,gyr_y_dps,gyr_z_dps,mag_x_uT,mag_y_uT,mag_z_uT,bar_hPa",
            lambda row: [seconds(row), *raw(row), "1007.5"],
        ),
        "",
    )
    yield (
        "mhealthtools",
        "walk_data.csv",
        table(
            "t_s,qx,qy,qz,qw,rx,ry,rz,ux,uy,uz,gx,gy,gz,mx,my,mz,mag_accuracy",
            lambda row: [
                seconds(row),
                *turn,
                *vector(base=rate),
                *vector(0.001),
                *vector(row=row),
                *vector(base=field),
                "2",
            ],
        ),
        "",
    )
    yield "wisdm", "1601_watch_accel.csv", table("dt_ms,x,y,z", lambda row: ["50", *vector(9.8, row=row)]), ""
    yield "barometer", "baro.csv", table("t_s,pressure_Pa", lambda row: [seconds(row), str(101325 + row)]), ""
    yield (
        "divelog",
        "dive.csv",
        table("t_s,abs_pressure_Pa,temperature_C", lambda row: [str(row), str(101325 + 1000 * row), "12.5"]),
        "",
    )
    yield (
        "batches",
        "batches.csv",
        table(None, lambda row: [("\n" if row % 10 == 0 else "") + f"{5 + row / 800:.5f}", *vector(row=row)]),
        "",
    )
    yield (
        "oxford",
        "user1_hand_1.csv",
        table(None, lambda row: [str(1_493_063_653_667 + 10_000_000 * row), *vector(9.8, row=row), "0", "0", "0"]),
        "",
    )
    yield (
        "sensus",
        "sensus.csv",
        table(
            None,
            lambda row: [
                "1",
                "SU-10001",
                "0",
                "2015",
                "1",
                "2",
                "3",
                "4",
                "5",
                str(10 * row),
                str(1013 + row),
                "287",
                "67",
            ],
        ),
        "",
    )
    text = "//SEABEAR DIVING TECHNOLOGY\n//Log interval: 1 s\nDepth;Temperature\n//m;C\n"
    yield (
        "seabear",
        "dive.CSV",
        (text + "".join(f"{row / 10};{'12.5' if row % 5 == 0 else ''}\n" for row in range(ROWS))).encode(),
        "",
    )
