# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What a filter says of a recording."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _arrays
from ._learned import Learned

if TYPE_CHECKING:
    from pandas import DataFrame
    from scipy.spatial.transform import Rotation

#: Of the viewer, on a light ground: the axes, and the angles in the complement of the axis that they turn about.
_COLOURS = {"x": "#bf3a1a", "y": "#157a3a", "z": "#1f5fc4", "roll": "#a81fb8", "pitch": "#00626b", "yaw": "#946200"}


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
        m/s², device axes: the acceleration without gravity, ``acc + gravity``; that of Core Motion and motionctl is ``-user_acceleration
        / 9.80665`` in g. NaN in a row without accelerometer.
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
        Of `fuse`: rows, and what was left out of them (`Filter.counts`).
    assumed : tuple of str
        What the data could not confirm, and was taken for granted: the sign of `acc`, unless it was said; unit and axes of `gyr` where
        gravity hardly turns.
    """

    t: NDArray[np.int64]
    quaternion: NDArray[np.float64]
    gravity: NDArray[np.float64]
    user_acceleration: NDArray[np.float64]
    rate: NDArray[np.float64]
    bias: NDArray[np.float64]
    bias_sd: NDArray[np.float64]
    heading_sd: NDArray[np.float64]
    inclination_sd: NDArray[np.float64]
    rest: NDArray[np.bool_]
    heading_known: NDArray[np.bool_]
    disturbed: NDArray[np.bool_]
    learned: Optional[Learned] = None
    counts: Optional[dict[str, int]] = None
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        if not len(self):
            return "Motion(0 rows)"
        seconds = (int(self.t[-1]) - int(self.t[0])) * 1e-9
        heading = f"heading ±{np.degrees(self.heading_sd[-1]):.1f}°" if self.heading_known[-1] else "heading unknown"
        inclination = f"inclination ±{np.degrees(self.inclination_sd[-1]):.1f}°"
        text = f"Motion({len(self)} rows, {seconds:.6g} s, rest {self.rest.mean():.0%}, {inclination}, {heading}"
        return text + _arrays.granted(self.assumed, self.counts) + ")"

    def __len__(self) -> int:
        return len(self.t)

    @property
    def heading(self) -> NDArray[np.float64]:
        """Core Motion's heading, in rad clockwise from magnetic north, 0 to 2π: of the device's +y axis while it lies flatter than 45°,
        else of its back, -z. NaN where it is not known, shape (n,)."""
        w, x, y, z = np.moveaxis(self.quaternion, -1, 0)
        flat = abs(self.gravity[:, 1]) <= abs(self.gravity[:, 2])
        east = np.where(flat, 2 * (x * y - w * z), -2 * (x * z + w * y))
        north = np.where(flat, 1 - 2 * (x * x + z * z), -2 * (y * z - w * x))
        return np.where(self.heading_known, np.arctan2(east, north) % (2 * np.pi), np.nan)

    @property
    def rotation(self) -> Rotation:
        """The attitude as a SciPy Rotation, from the device's axes to east-north-up; rows without an attitude are the identity.

        An ImportError without SciPy.
        """
        transform = _arrays.optional("SciPy", "scipy.spatial.transform", "Motion.rotation")
        known = np.isfinite(self.quaternion[:, 0])
        return transform.Rotation.from_quat(np.where(known[:, None], self.quaternion[:, [1, 2, 3, 0]], [0.0, 0.0, 0.0, 1.0]))

    def euler(self, order: str = "core motion", degrees: bool = False) -> NDArray[np.float64]:
        """Angles of the turns that lead from the reference frame to the device, one after the other.

        Parameters
        ----------
        order : str
            "core motion": yaw, pitch and roll of Core Motion, motionctl and the viewer, turns about up, the new x and the new y. Yaw counts
            from magnetic north where it is known (0: the x axis points there), else from the first row. Others: three letters, as of
            ``scipy.spatial.transform.Rotation.as_euler``, from east-north-up: of X, Y, Z for axes that turn along ("ZYX": yaw, pitch and roll
            of an aircraft), of x, y, z for fixed ones.
        degrees : bool
            In degrees in place of rad.

        Returns
        -------
        ndarray, shape (n, 3)
            In the order of `order`, counter-clockwise, -π to π. NaN in rows without an attitude.

        Raises
        ------
        ValueError
            `order` is none of these.
        ImportError
            SciPy is not installed; the default order does not need it.
        """
        if order == "core motion":
            w, x, y, z = np.moveaxis(self.quaternion, -1, 0)
            # Half their sum and half their difference, exact at the poles, too: as CMAttitude.
            total, difference = np.arctan2(y + z, w + x), np.arctan2(z - y, w - x)
            pitch = 2 * np.arctan2(np.hypot(w + x, y + z), np.hypot(w - x, z - y)) - np.pi / 2
            yaw = total + difference
            # From x to the east, or of any direction, to x to the north, or ahead at the first row.
            yaw = yaw - np.where(self.heading_known, np.pi / 2, yaw[np.isfinite(yaw).argmax()] if len(yaw) else 0)
            yaw, roll = (angle - 2 * np.pi * np.rint(angle / (2 * np.pi)) for angle in (yaw, total - difference))
            angles = np.stack([yaw, pitch, roll], -1)
            return np.degrees(angles) if degrees else angles
        if len(order) != 3 or not (set(order) <= set("XYZ") or set(order) <= set("xyz")) or order[0] == order[1] or order[1] == order[2]:
            raise ValueError(f'order: "core motion" or three letters of XYZ or xyz, neighbours different, are needed, not {order!r}')
        angles = np.asarray(self.rotation.as_euler(order, degrees=degrees), np.float64)
        angles[np.isnan(self.quaternion).any(axis=1)] = np.nan
        return angles

    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns of a table, by name: ``quaternion_w`` …, ``gravity_x`` …, ``user_acceleration_x`` …, ``rate_x`` …, ``bias_x`` …,
        ``bias_sd_x`` …, ``heading``, ``heading_sd``, ``inclination_sd``, ``rest``, ``heading_known``, ``disturbed``."""
        columns: dict[str, NDArray[Any]] = {}
        for name in ("quaternion", "gravity", "user_acceleration", "rate", "bias", "bias_sd"):
            values: NDArray[np.float64] = getattr(self, name)
            columns |= {f"{name}_{axis}": values[:, i] for i, axis in enumerate("wxyz" if values.shape[1] == 4 else "xyz")}
        names = ("heading", "heading_sd", "inclination_sd", "rest", "heading_known", "disturbed")
        return columns | {name: getattr(self, name) for name in names}

    def to_dataframe(self) -> DataFrame:
        """A table for pandas: `columns`, and the index `t` (int64, ns). An ImportError without pandas."""
        pandas = _arrays.optional("pandas", "pandas", "Motion.to_dataframe")
        return pandas.DataFrame(self.columns(), index=pandas.Index(self.t, name="t"))

    def plot(self) -> Any:
        """Draw roll, pitch and yaw (`euler`), the user acceleration and the uncertainties over time, as a matplotlib.figure.Figure.

        The colours are those of the viewer. An ImportError without Matplotlib.
        """
        plt = _arrays.optional("matplotlib", "matplotlib.pyplot", "Motion.plot")
        time = (self.t - self.t[0]) * 1e-9 if len(self.t) else np.zeros(0)
        yaw, pitch, roll = self.euler(degrees=True).T
        figure, axes = plt.subplots(3, 1, sharex=True, figsize=(9, 7), layout="constrained")
        for values, label in ((roll, "roll"), (pitch, "pitch"), (yaw, "yaw")):
            axes[0].plot(time, values, label=label, color=_COLOURS[label])
        axes[0].set_ylabel("angle, °")
        for index, label in enumerate("xyz"):
            axes[1].plot(time, self.user_acceleration[:, index], label=label, color=_COLOURS[label])
        axes[1].set_ylabel("user acceleration, m/s²")
        axes[2].plot(time, np.degrees(self.inclination_sd), label="inclination", color=_COLOURS["roll"])
        axes[2].plot(time, np.degrees(self.heading_sd), label="heading", color=_COLOURS["yaw"])
        axes[2].set(ylabel="1 σ, °", xlabel="time, s", yscale="log")
        for axis in axes:
            axis.fill_between(time, 0, 1, self.rest, transform=axis.get_xaxis_transform(), color="0.9", label="rest")
            axis.legend(loc="upper right")
        return figure
