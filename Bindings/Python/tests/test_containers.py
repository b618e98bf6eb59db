# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays out of HDF5 and MAT files, written by h5py and SciPy."""

import subprocess
import sys

import numpy as np
import pytest

import opencoremotion as ocm
from opencoremotion import containers

h5py = pytest.importorskip("h5py")
scipy_io = pytest.importorskip("scipy.io")

N = 400
RANDOM = np.random.default_rng(7)
GYR, ACC, MAG = RANDOM.normal(size=(N, 3)) / 10, RANDOM.normal(size=(N, 3)) + [0, 0, 9.81], RANDOM.normal(size=(N, 3)) + [20, 0, -40]
T = np.arange(N) / 100


def same(found, mag=True):
    np.testing.assert_array_equal(found["gyr"], GYR)
    np.testing.assert_array_equal(found["acc"], ACC)
    assert ("mag" in found) == mag
    if mag:
        np.testing.assert_array_equal(found["mag"], MAG)
    np.testing.assert_allclose(found["t"] - found["t"][0], T, atol=1e-12)


def hdf5(path, groups=("",), **others):
    with h5py.File(path, "w") as file:
        for group in groups:
            for name, array in {"imu_gyr": GYR, "imu_acc": ACC, "imu_mag": MAG, **others}.items():
                file[f"{group}{name}"] = array
    return path


def test_the_layout_of_broad_is_read_as_it_is(tmp_path):
    path = hdf5(tmp_path / "a.hdf5", sampling_rate=100.0, opt_quat=np.zeros((N, 4)), movement=np.zeros(N, bool))
    found = containers.read(path)
    same(found)
    assert ocm.fuse(**found).quaternion.shape == (N, 4)


@pytest.mark.parametrize("unit, scale", [("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)])
def test_the_unit_of_the_times_follows_from_the_rate(tmp_path, unit, scale):
    times = T if unit == "s" else 1_700_000_000_000_000_000 // 10**9 * int(scale) + np.round(T * scale).astype(np.int64)
    same(containers.read(hdf5(tmp_path / "a.h5", timestamp=times)))
    same(containers.read(hdf5(tmp_path / "b.h5", timestamp=times), t_unit=unit))


def test_days_of_matlab_are_a_time_too(tmp_path):
    found = containers.read(hdf5(tmp_path / "a.h5", time=739_000 + T / 86400))
    np.testing.assert_allclose(found["t"] - found["t"][0], T, atol=2e-5)


def test_a_mat_file_and_its_structures(tmp_path):
    scipy_io.savemat(tmp_path / "a.mat", {"gyr": GYR, "acc": ACC.T, "mag": MAG, "fs": 100.0})
    same(containers.read_mat(tmp_path / "a.mat"))
    scipy_io.savemat(tmp_path / "b.mat", {"data": {"IMU": {"Gyro": GYR, "Accel": ACC}, "time": T}, "subject": "one"})
    same(containers.read(tmp_path / "b.mat"), mag=False)
    axes = {f"{name}_{axis}": array[:, index] for name, array in (("gyr", GYR), ("acc", ACC)) for index, axis in enumerate("xyz")}
    scipy_io.savemat(tmp_path / "c.mat", {**axes, "t": T})
    same(containers.read(tmp_path / "c.mat"), mag=False)


def test_matlab_7_3_is_hdf5_behind_a_head_with_rows_and_columns_exchanged(tmp_path):
    path = tmp_path / "a.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, array in {"gyr": GYR, "acc": ACC, "mag": MAG}.items():
            file[name] = array.T
        file["t"] = T[:, None]
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64")
    same(containers.read(path))


def test_what_cannot_be_told_is_said_with_what_is_there(tmp_path):
    path = hdf5(tmp_path / "a.h5", groups=("left/", "right/"), fs=100.0)
    with pytest.raises(containers.ContainerError, match=r"several arrays .*left/imu_gyr, right/imu_gyr.*group="):
        containers.read(path)
    same(containers.read(path, group="left/"))
    same(containers.read(path, gyr="right/imu_gyr", acc="right/imu_acc", mag="left/imu_mag", rate=100))
    with pytest.raises(containers.ContainerError, match=r"neither a time.* nor a rate.*imu_gyr \(400, 3\)"):
        containers.read(hdf5(tmp_path / "b.h5"))
    with pytest.raises(containers.ContainerError, match="no array 'gyroskop'"):
        containers.read(path, gyr="gyroskop")
    with pytest.raises(containers.ContainerError, match="unit of the times is unclear"):
        containers.read(hdf5(tmp_path / "c.h5", t=T / 100))
    with pytest.raises(containers.ContainerError, match="different numbers of rows"):
        scipy_io.savemat(tmp_path / "d.mat", {"gyr": GYR, "acc": ACC[:100], "fs": 100})
        containers.read(tmp_path / "d.mat")


def test_damaged_files_are_said_to_be_so(tmp_path):
    good = hdf5(tmp_path / "a.h5", fs=100.0).read_bytes()
    scipy_io.savemat(tmp_path / "a.mat", {"gyr": GYR, "acc": ACC, "fs": 100.0})
    for name, data in (("b.h5", good), ("b.mat", (tmp_path / "a.mat").read_bytes())):
        (tmp_path / name).write_bytes(data[: len(data) // 2])
        with pytest.raises(containers.ContainerError):
            containers.read(tmp_path / name)
    (tmp_path / "c.mat").write_text("t,ax\n")
    with pytest.raises(containers.ContainerError, match="neither HDF5 nor"):
        containers.read(tmp_path / "c.mat")


def test_the_command_writes_a_table_with_every_bit(tmp_path):
    path = hdf5(tmp_path / "a.h5", fs=100.0)
    command = [sys.executable, "-m", "opencoremotion.containers", str(path)]
    subprocess.run([*command, str(tmp_path / "a.csv")], check=True)
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0] == "t,ax,ay,az,gx,gy,gz,mx,my,mz" and len(lines) == N + 1
    table = np.loadtxt(lines[1:], delimiter=",")
    np.testing.assert_array_equal(table[:, 1:], np.hstack([ACC, GYR, MAG]))
    assert subprocess.run([*command, str(tmp_path / "a.txt")], capture_output=True).returncode == 2
    listed = subprocess.run([*command, "--list"], capture_output=True, text=True, check=True).stdout
    assert "imu_gyr (400, 3) float64" in listed
