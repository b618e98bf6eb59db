# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""ocm.h for ctypes. Foreign calls release the interpreter's lock."""

from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_void_p, sizeof
from typing import Any

MAJOR = 1
ORDERS = {"gam": 0, "agm": 1, "mga": 2}
IMPOSSIBLE = 2
OK, TIME, GYROSCOPE, ACCELEROMETER, MAGNETOMETER, LEARNED, PRESSURE = 0, 5, 6, 7, 8, 9, 11


def _fields(*groups: tuple[str, Any]) -> list[tuple[str, Any]]:
    """Names that stand one after the other with their type, as ctypes wants them."""
    return [(name, kind) for names, kind in groups for name in names.split()]


class Parameters(ctypes.Structure):
    _fields_ = _fields(
        ("size uses_magnetometer magnetometer_is_calibrated order skips_missing is_headphone", c_int32),
        ("zeros_are_missing accelerometer_is_slower", c_int32),
        ("magnetometer_unit gyroscope_delay gyroscope_range", c_double),
        ("gyroscope_bias_deviation accelerometer_bias_deviation time_stamp_deviation", c_double),
    )


class Vectors(ctypes.Structure):
    _fields_ = _fields(("x y z", c_void_p), ("stride", c_int64), ("type", c_int32))


class Input(ctypes.Structure):
    _fields_ = _fields(("time", c_void_p), ("time_stride", c_int64), ("gyroscope accelerometer magnetometer", Vectors))


class Table(ctypes.Structure):
    _fields_ = _fields(("data", c_void_p), ("row column", c_int64))


class Flags(ctypes.Structure):
    _fields_ = _fields(("data", c_void_p), ("row", c_int64))


class Output(ctypes.Structure):
    _fields_ = _fields(
        ("quaternion gravity user_acceleration rate bias bias_sd heading_sd inclination_sd", Table),
        ("rest heading_known disturbed", Flags),
    )


class LearnedNumbers(ctypes.Structure):
    _fields_ = _fields(
        ("size has_magnetometer", c_int32), ("gyroscope_bias", c_double * 3), ("gyroscope_matrix", c_double * 9),
        ("magnetometer_delay", c_double), ("covariance", c_double * 91), ("hard_iron", c_double * 3),
        ("field_strength hard_iron_deviation magnetometer_accuracy", c_double),
    )  # fmt: skip


class Counts(ctypes.Structure):
    _fields_ = _fields(("size reserved", c_int32), ("rows late gyroscope accelerometer magnetometer", c_int64))


class Verdict(ctypes.Structure):
    _fields_ = _fields(
        ("size level kind turns confirms_sign", c_int32), ("axes", c_int32 * 3), ("measured evidence factor lever", c_double)
    )


class ActivityParameters(ctypes.Structure):
    _fields_ = _fields(("size placement skips_missing reserved", c_int32), ("height", c_double))


class Pressure(ctypes.Structure):
    _fields_ = _fields(("count", c_int64), ("time", c_void_p), ("time_stride", c_int64), ("value", c_void_p), ("value_stride", c_int64))


class Estimate(ctypes.Structure):
    _fields_ = _fields(("value low high", c_double))


class ActivitySummary(ctypes.Structure):
    _fields_ = _fields(
        ("size has_floors", c_int32), ("start end", c_int64), ("duration covered", c_double),
        ("steps distance floors_up floors_down", Estimate), ("active_time cadence", c_double),
    )  # fmt: skip


def _load() -> ctypes.CDLL:
    """The library beside this file, or the one that OPENCOREMOTION_LIBRARY names."""
    path = os.environ.get("OPENCOREMOTION_LIBRARY") or str(pathlib.Path(__file__).with_name("libocm.so"))
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"The library of opencoremotion cannot be loaded: {error}. "
            "Install the wheel for this machine (Linux on x86-64 or ARM64); Scripts/build-wheel.sh builds it."
        ) from None
    for name, arguments, result in (
        ("version", [], c_int32),
        ("message", [c_int32], c_char_p),
        ("parameters_init", [POINTER(Parameters), c_int32], c_int32),
        ("create", [POINTER(Parameters), POINTER(LearnedNumbers), POINTER(c_void_p)], c_int32),
        ("destroy", [c_void_p], None),
        ("reset", [c_void_p], c_int32),
        ("update", [c_void_p, c_int64, POINTER(Input), POINTER(Output)], c_int32),
        ("smooth", [c_void_p, c_int64, POINTER(Input), POINTER(Output)], c_int32),
        ("error_row", [c_void_p], c_int64),
        ("get_counts", [c_void_p, POINTER(Counts)], c_int32),
        ("get_learned", [c_void_p, POINTER(LearnedNumbers)], c_int32),
        ("check", [POINTER(Parameters), c_int32, c_int64, POINTER(Input), POINTER(Verdict)], c_int32),
        ("placement", [c_char_p], c_int32),
        ("activity_parameters_init", [POINTER(ActivityParameters), c_int32], c_int32),
        ("activity_create", [POINTER(ActivityParameters), POINTER(c_void_p)], c_int32),
        ("activity_destroy", [c_void_p], None),
        ("activity_update", [c_void_p, c_int64, POINTER(Input), POINTER(Pressure)], c_int32),
        ("activity_finish", [c_void_p], c_int32),
        ("activity_error_row", [c_void_p], c_int64),
        ("activity_get_counts", [c_void_p, POINTER(Counts)], c_int32),
        ("activity_get_summary", [c_void_p, POINTER(ActivitySummary)], c_int32),
        *(
            (f"activity_get_{items}", [c_void_p, c_int32, c_int64, c_void_p, POINTER(c_int64)], c_int32)
            for items in ("epochs", "events", "spans", "shares")
        ),
        ("copy", [c_void_p, POINTER(c_void_p)], c_int32),
    ):
        function = getattr(library, f"ocm_{name}")
        function.argtypes, function.restype = arguments, result
    if library.ocm_version() >> 16 != MAJOR:
        raise ImportError(f"{path} is of another version than this package: install opencoremotion again.")
    return library


library = _load()


def message(error: int) -> str:
    """The sentence of an error."""
    return library.ocm_message(error).decode()


def parameters() -> Parameters:
    """The defaults."""
    result = Parameters()
    library.ocm_parameters_init(byref(result), sizeof(result))
    return result
