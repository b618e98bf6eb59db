# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What a filter says of a recording."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional

import numpy as np

from ._learned import Learned


@dataclasses.dataclass(frozen=True, eq=False)
class Motion:
    """Orientation and motion, a row for each row of the sensors, in SI units.

    Rows before the first usable specific force have NaN in `quaternion`, `gravity` and `user_acceleration`.

    Attributes
    ----------
    t : ndarray of int64, shape (n,)
        Times, ns.
    quaternion : ndarray, shape (n, 4)
        w, x, y, z: from the device's axes to east-north-up. Without a magnetometer the azimuth is arbitrary.
    gravity : ndarray, shape (n, 3)
        m/s², device axes: (0, 0, -9.80665) when the device lies face up.
    user_acceleration : ndarray, shape (n, 3)
        m/s², device axes: the acceleration without gravity, ``acc + gravity``; NaN in a row without accelerometer.
    rate : ndarray, shape (n, 3)
        rad/s, device axes: the angular velocity without the gyroscope's bias.
    bias : ndarray, shape (n, 3)
        rad/s, device axes: what the gyroscope reads at rest.
    bias_sd : ndarray, shape (n, 3)
        One standard deviation of the bias, rad/s.
    heading_sd : ndarray, shape (n,)
        One standard deviation of the heading, rad; without a magnetometer that of the azimuth since the start.
    inclination_sd : ndarray, shape (n,)
        One standard deviation of the direction of gravity, rad.
    rest : ndarray of bool, shape (n,)
        The device has been still for 1.5 s or longer.
    heading_known : ndarray of bool, shape (n,)
        The azimuth counts from magnetic north.
    disturbed : ndarray of bool, shape (n,)
        The magnetic field points elsewhere than the known one, by more than 15°.
    learned : Learned or None
        Of `fuse`: what is known of the sensors now, for the next recording of this device; None before the first attitude.
    counts : dict or None
        Of `fuse`: rows, and what was left out with ``missing="skip"`` (`Filter.counts`).
    """

    t: np.ndarray
    quaternion: np.ndarray
    gravity: np.ndarray
    user_acceleration: np.ndarray
    rate: np.ndarray
    bias: np.ndarray
    bias_sd: np.ndarray
    heading_sd: np.ndarray
    inclination_sd: np.ndarray
    rest: np.ndarray
    heading_known: np.ndarray
    disturbed: np.ndarray
    learned: Optional[Learned] = None
    counts: Optional[dict[str, int]] = None

    def __len__(self) -> int:
        return len(self.t)

    @property
    def heading(self) -> np.ndarray:
        """Direction of the device's +y axis, rad clockwise from magnetic north, 0 to 2π; NaN where it is not known, shape (n,)."""
        w, x, y, z = np.moveaxis(self.quaternion, -1, 0)
        angle = np.arctan2(2 * (x * y - w * z), 1 - 2 * (x * x + z * z)) % (2 * np.pi)
        return np.where(self.heading_known, angle, np.nan)

    def plot(self) -> Any:
        """Draw roll, pitch and yaw, the user acceleration and the uncertainties over time.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ImportError
            Matplotlib is not installed.
        """
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise ImportError("Motion.plot needs matplotlib: pip install matplotlib") from None
        time = (self.t - self.t[0]) * 1e-9 if len(self.t) else np.zeros(0)
        w, x, y, z = np.moveaxis(self.quaternion, -1, 0)
        roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        pitch = np.arcsin(np.clip(2 * (w * y - x * z), -1, 1))
        yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        figure, axes = plt.subplots(3, 1, sharex=True, figsize=(9, 7), layout="constrained")
        for values, label in ((roll, "roll"), (pitch, "pitch"), (yaw, "yaw")):
            axes[0].plot(time, np.degrees(values), label=label)
        axes[0].set_ylabel("angle, °")
        for index, label in enumerate("xyz"):
            axes[1].plot(time, self.user_acceleration[:, index], label=label)
        axes[1].set_ylabel("user acceleration, m/s²")
        axes[2].plot(time, np.degrees(self.inclination_sd), label="inclination")
        axes[2].plot(time, np.degrees(self.heading_sd), label="heading")
        axes[2].set(ylabel="1 σ, °", xlabel="time, s", yscale="log")
        for axis in axes:
            axis.fill_between(time, 0, 1, self.rest, transform=axis.get_xaxis_transform(), color="0.9", label="rest")
            axis.legend(loc="upper right")
        return figure
