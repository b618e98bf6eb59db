# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The tests of the package vqf, from its source distribution on PyPI, with `from vqf import` changed to `from opencoremotion.vqf import`.

They compare VQF's own implementations with one another, on a recording that is not in the distribution: here it is a made-up one,
on which vqf itself passes them all (a test below, where vqf is installed).
"""

import hashlib
import pathlib
import subprocess
import sys
import tarfile
import xml.etree.ElementTree

import pytest

VERSION = "2.1.2"
HASH = "2bf7134ffb181d518ac8c0855a239881c5a3e06e927605c351e72bbce1623233"
# What cannot mean the same here, by name, with the reason that the exception gives.
DIFFERENT = {
    "test_setTauAcc[PyVQF]": "accLpState: it belongs to VQF's own equations",
    "test_setTauMag[PyVQF]": "the weight of the magnetometer follows from the uncertainties",
}
CONFTEST = '''
import importlib, numpy as np, pytest

@pytest.fixture
def cls(request):
    """A class by its name; None, which the tests skip, for those of Matlab."""
    return getattr(importlib.import_module(MODULE), request.param, None)

class Recording:
    """150 s at 100 Hz: rest, turns about all axes and shaking from 25 s to 120 s, rest; in a field of 45 uT that points down by 70 deg."""
    sampling_rate = 100.0

    def __init__(self):
        random = np.random.default_rng(1)
        count = 15000
        t = np.arange(count) / 100
        moves = np.clip((t - 24) / 3, 0, 1) * np.clip((122 - t) / 3, 0, 1)
        rates = moves[:, None] * np.sin(t[:, None] * [0.9, 0.7, 0.5]) * [1.5, 1.0, 2.0]
        q = np.empty((count, 4))
        q[0] = 0.98, 0.1, -0.15, 0.08
        for i in range(count):
            a, b, c, d = q[max(0, i - 1)]
            x, y, z = rates[i] * 0.005
            q[i] = a - b*x - c*y - d*z, a*x + b + c*z - d*y, a*y - b*z + c + d*x, a*z + b*y - c*x + d
            q[i] /= np.linalg.norm(q[i])
        # A chip averages over its interval: the middle between two attitudes.
        q[1:] += q[:-1].copy()
        w, x, y, z = (q / np.linalg.norm(q, axis=1)[:, None]).T
        axes = np.array([[1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y)], [2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x)],
                         [2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y)]])
        shaking = moves[:, None] * np.sin(t[:, None] * [11, 13, 9]) + [0, 0, 9.81]
        field = 45 * np.array([0, np.cos(np.radians(70)), -np.sin(np.radians(70))])
        self.gyr = rates + [0.001, -0.0007, 0.0012] + random.normal(0, 0.002, (count, 3))
        self.acc = np.einsum("ijn,ni->nj", axes, shaking, order="C") + random.normal(0, 0.03, (count, 3))
        self.mag = np.einsum("ijn,i->nj", axes, field, order="C") + random.normal(0, 0.3, (count, 3))

@pytest.fixture(scope="session")
def imu_data():
    return Recording()
'''


@pytest.fixture(scope="module")
def distribution(tmp_path_factory):
    """The folder of vqf's tests."""
    if sys.version_info < (3, 10):
        pytest.skip("vqf's tests need Python 3.10")
    folder = tmp_path_factory.mktemp("vqf")
    download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "vqf", f"vqf=={VERSION}", "-d", folder]
    try:
        subprocess.run(download, check=True, capture_output=True, timeout=300)
    except (subprocess.SubprocessError, OSError) as error:
        pytest.skip(f"the source distribution of vqf cannot be had from PyPI: {error}")
    archive = folder / f"vqf-{VERSION}.tar.gz"
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == HASH
    (folder / "tests").mkdir()
    with tarfile.open(archive) as files:
        for member in files.getmembers():
            path = pathlib.PurePosixPath(member.name)
            if member.isfile() and path.parts[1:2] == ("tests",) and path.suffix == ".py":
                (folder / "tests" / path.name).write_bytes(files.extractfile(member).read())
    return folder


def run(distribution, module):
    """Name → "passed", "skipped", or the message of the failure."""
    folder = distribution / module
    folder.mkdir()
    tests = sorted((distribution / "tests").glob("test_*.py"))
    assert tests
    for path in tests:
        text = path.read_text()
        assert "\nfrom vqf import" in text
        (folder / path.name).write_text(text.replace("\nfrom vqf import", f"\nfrom {module} import"))
    (folder / "conftest.py").write_text(f"MODULE = {module!r}\n" + CONFTEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=report.xml", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900)
    assert (folder / "report.xml").exists(), done.stdout + done.stderr
    results = {}
    for case in xml.etree.ElementTree.parse(folder / "report.xml").iter("testcase"):
        result = "passed"
        for child in case:
            result = child.get("message", "") if child.tag in ("failure", "error") else child.tag
        results[case.get("name")] = result
    return results


def failures(results):
    return {name: result for name, result in results.items() if result not in ("passed", "skipped")}


def test_vqf_s_own_tests_pass_with_the_import_changed(distribution):
    pytest.importorskip("scipy", reason="vqf's tests need scipy")
    results = run(distribution, "opencoremotion.vqf")
    failed = failures(results)
    assert set(failed) == set(DIFFERENT), failed
    for name, reason in DIFFERENT.items():
        assert "NotImplementedError" in failed[name] and reason in failed[name], failed[name]
    assert sum(result == "passed" for result in results.values()) >= 450
    assert all("Matlab" in name or "Octave" in name for name, result in results.items() if result == "skipped")


def test_vqf_itself_passes_them_on_the_same_recording(distribution):
    pytest.importorskip("scipy", reason="vqf's tests need scipy")
    pytest.importorskip("vqf", reason="vqf is not installed")
    assert not failures(run(distribution, "vqf"))
