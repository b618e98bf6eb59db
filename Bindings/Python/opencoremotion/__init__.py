# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Orientation and motion from a gyroscope, an accelerometer and a magnetometer, steps and activities: OpenCoreMotion.

>>> import numpy as np, opencoremotion as ocm
>>> t = np.arange(500) / 100
>>> motion = ocm.fuse(t, gyr=np.zeros((500, 3)), acc=np.tile([0, 0, 9.81], (500, 1)))
>>> motion.quaternion.shape
(500, 4)
"""

from importlib import metadata as _metadata

from ._activity import Activity, Estimate, Span, Steps, activity, steps
from ._check import InputError, InputWarning
from ._filter import Filter, Options, fuse, fuse_many
from ._learned import Learned
from ._motion import Motion
from ._read import Recording, read

try:
    __version__ = _metadata.version("opencoremotion")
except _metadata.PackageNotFoundError:  # run from the source folder
    __version__ = "0"

__all__ = ["Activity", "Estimate", "Filter", "Learned", "Motion", "Span", "Steps"]
__all__ += ["activity", "fuse", "fuse_many", "steps"]
__all__ += ["InputError", "InputWarning", "Options", "Recording", "read"]
