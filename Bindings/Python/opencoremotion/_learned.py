# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What a filter has learned about the sensors of one device, for the next recording of the same device."""

from __future__ import annotations

import json
import math
import os
import pathlib
from ctypes import sizeof
from typing import Any, Union

from . import _library as c

_ARRAYS = {"gyroscopeBias": "gyroscope_bias", "gyroscopeMatrix": "gyroscope_matrix", "covariance": "covariance"}
_SCALARS = {"fieldStrength": "field_strength", "hardIronDeviation": "hard_iron_deviation", "accuracy": "magnetometer_accuracy"}


class Learned:
    """Bias, scale and axes of a gyroscope, delay and magnetism around a magnetometer.

    Its file is that of ``motionctl fuse --learn FILE`` and ``--learned FILE``.

    Examples
    --------
    >>> motion = ocm.fuse(t, gyr, acc, mag)                       # doctest: +SKIP
    >>> motion.learned.save("phone.json")                         # doctest: +SKIP
    >>> ocm.fuse(t2, gyr2, acc2, mag2, learned=ocm.Learned.load("phone.json"))   # doctest: +SKIP
    """

    def __init__(self, numbers: c.LearnedNumbers) -> None:
        self._numbers = numbers

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write a file of JSON, which replaces an older one."""
        target = pathlib.Path(path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.new")
        temporary.write_text(json.dumps(self.to_dict()) + "\n")
        os.replace(temporary, target)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Learned":
        """Read a file of `save` or of ``motionctl fuse --learn``.

        Raises
        ------
        ValueError
            The file is not one of these.
        """
        try:
            return cls.from_dict(json.loads(pathlib.Path(path).read_text()))
        except (ValueError, KeyError, TypeError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else error
            raise ValueError(f"{os.fspath(path)}: not a file of what was learned about sensors: {reason}") from None

    def to_dict(self) -> dict[str, Any]:
        """The numbers by name, in SI units."""
        n = self._numbers
        result: dict[str, Any] = {"format": "opencoremotion-learned", "version": 1, "device": ""}
        result |= {key: list(getattr(n, name)) for key, name in _ARRAYS.items()}
        result["magnetometerDelay"] = n.magnetometer_delay
        if n.has_magnetometer:
            iron: dict[str, Any] = {"hardIron": list(n.hard_iron)} | {key: getattr(n, name) for key, name in _SCALARS.items()}
            iron["accuracy"] = int(iron["accuracy"])
            result["magnetometer"] = iron
        return result

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Learned":
        """The inverse of `to_dict`."""
        if values["format"] != "opencoremotion-learned" or values["version"] != 1:
            raise ValueError("its format or version is another one")
        n = c.LearnedNumbers(size=sizeof(c.LearnedNumbers))
        for key, name in _ARRAYS.items():
            _fill(getattr(n, name), values[key], key)
        n.magnetometer_delay = values["magnetometerDelay"]
        iron = values.get("magnetometer")
        if iron is not None:
            n.has_magnetometer = 1
            _fill(n.hard_iron, iron["hardIron"], "hardIron")
            for key, name in _SCALARS.items():
                setattr(n, name, iron[key])
        return cls(n)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Learned) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return (Learned.from_dict, (self.to_dict(),))


def _fill(array: Any, values: Any, name: str) -> None:
    if len(values) != len(array):
        raise ValueError(f"{name} has {len(values)} numbers, not {len(array)}")
    array[:] = values
