# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Steps and activities: what they say of a made walk, the errors, and the same numbers as motionctl."""

import concurrent.futures
import json
import os
import subprocess

import numpy as np
import pytest

import opencoremotion as ocm
from conftest import MOTIONCTL, SHARED, changed, needs_motionctl


def test_the_steps_of_a_walk(walk):
    found = ocm.steps(walk.t, walk.acc, height=1.75, pressure=walk.pressure)
    assert abs(found.count - 114) <= 2
    assert found.low < found.count < found.high
    assert 0 < found.distance_low < found.distance < found.distance_high
    assert abs(found.cadence - 1.9) < 0.02
    assert found.floors_down.value == 2 and found.floors_up.value == 0
    assert found.epochs["steps"].sum() == found.count
    assert found.epochs["distance"].sum() == pytest.approx(found.distance)
    # What the docstring says of adding up.
    deviation = np.sqrt(found.epochs["distance_common_sd"].sum() ** 2 + found.epochs["distance_variance"].sum())
    part = deviation / found.distance
    assert found.distance * np.exp(1.96 * np.sqrt(np.log(1 + part**2))) == pytest.approx(found.distance_high)
    assert (found.epochs["start"][1:] >= found.epochs["end"][:-1]).all()
    assert [event["is_walking"] for event in found.events] == [1, 0]
    assert found.counts == {"rows": 12_000, "late": 0, "accelerometer": 0}
    assert repr(found).startswith("Steps(11")


def test_the_activities_of_a_walk(walk):
    found = ocm.activity(walk.t, walk.acc)
    assert [span.name for span in found.spans] == ["stationary", "walking", "stationary"]
    assert found.spans[0].start == 0 and found.spans[-1].end == found.duration == 119.99
    assert [a.end for a in found.spans[:-1]] == [b.start for b in found.spans[1:]]
    assert set(found.minutes) == {"stationary", "walking"}
    assert all(minutes.low <= minutes.value <= minutes.high for minutes in found.minutes.values())
    assert sum(minutes.value for minutes in found.minutes.values()) == pytest.approx(found.covered / 60)


def test_the_turn_of_the_device_and_the_type_of_the_columns_do_not_matter(walk):
    expected = ocm.steps(walk.t, walk.acc)
    columns = tuple(walk.acc.T)
    for acc in (columns, np.asfortranarray(walk.acc), walk.acc[:, [1, 2, 0]]):
        found = ocm.steps(walk.t, acc)
        assert abs(found.count - expected.count) <= 1
    assert abs(ocm.steps(walk.t, walk.acc.astype(np.float32)).count - expected.count) <= 1
    seconds = ocm.steps((walk.t - walk.t[0]) / 1e9, walk.acc)
    assert seconds.count == expected.count
    other = {"t": (walk.t - walk.t[0]) / 1e6, "acc": walk.acc / 9.80665, "t_unit": "ms", "acc_unit": "g"}
    assert ocm.steps(**other).count == expected.count and len(ocm.activity(**other)) == 3


def test_a_placement_that_no_argument_says_is_taken_for_granted(walk):
    for find in (ocm.steps, ocm.activity):
        for said, placement in ((None, "body"), ("wrist", "wrist"), ("Apple Watch", "wrist"), ("phone.csv", "body"), ("head", "head")):
            found = find(walk.t, walk.acc, placement=said)
            assert found.placement == placement
            assert len(found.assumed) == (said is None) and ("taken for granted: placement: body" in repr(found)) == (said is None)
    assert ocm.steps(walk.t, walk.acc, placement="left wrist").epochs.tobytes() == ocm.steps(walk.t, walk.acc, placement="wrist").epochs.tobytes()


def test_a_barometer_may_have_times_of_its_own(walk):
    known = ~np.isnan(walk.pressure)
    apart = ocm.steps(walk.t, walk.acc, pressure=(walk.t[known], walk.pressure[known]))
    assert apart.floors_down == ocm.steps(walk.t, walk.acc, pressure=walk.pressure).floors_down
    assert ocm.steps(walk.t, walk.acc).floors_down is None


def test_threads_give_the_same(walk):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: ocm.steps(walk.t, walk.acc).epochs.tobytes(), range(16)))
    assert len(set(found)) == 1 and found[0]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda w: {"acc": w.acc / 9.80665}, r"acc: its mean over seconds, which is gravity, is 1 .*acc_unit=\"g\""),
        (lambda w: {"acc": w.acc - [0, 0, 9.81]}, r"acc: its mean over seconds.*gravity has been removed.*gravity \+ userAcceleration"),
        (lambda w: {"t": w.t / 1e6}, r't: row 0 is.*since 1970 this is ms: t_unit="ms"'),
        (lambda w: {"t": (w.t - w.t[0]) / 1e6}, r't: the usual interval is 10 s.*floats are seconds, these are ms: t_unit="ms"'),
        (lambda w: {"t": w.t // 1000}, r't: the usual interval is 1e-05 s.*integers are nanoseconds, these are us: t_unit="us"'),
        (lambda w: {"t": (w.t - w.t[0]) * 1.0}, r't: row 920 is 9.*of another unit: t_unit="ms", "us" or "ns"'),
        (lambda w: {"acc": changed(w.acc, 7, [np.nan, 0, 0])}, r"acc: row 7, \(nan"),
        (lambda w: {"acc": w.acc[:-1]}, r"acc: the shape \(12000, 3\)"),
        (lambda w: {"t": changed(w.t, 9, w.t[3])}, r"t: row 9, \d+ ns, is not later"),
        (lambda w: {"t": [], "acc": np.zeros((0, 3))}, "t: there are no rows"),
        (lambda w: {"placement": "foot"}, "placement: one of body, wrist, head"),
        (lambda w: {"placement": "phone, watch"}, "placement: one of body, wrist, head"),
        (lambda w: {"height": 175}, "height: metres from 0.5 to 2.5"),
        (lambda w: {"pressure": np.full(12_000, 1010.0)}, "pressure: the median is 1010.*multiply hPa by 100"),
        (lambda w: {"pressure": np.full(11, 1e5)}, "pressure: the shape"),
        (lambda w: {"pressure": (w.t[[4, 3]], [1e5, 1e5])}, "pressure: row 1"),
        (lambda w: {"missing": "drop"}, "missing: "),
    ],
)
def test_a_mistake_is_named(walk, change, sentence):
    with pytest.raises(ValueError, match=sentence):
        ocm.steps(**{"t": walk.t, "acc": walk.acc, **change(walk)})


def test_missing_rows_are_counted(walk):
    found = ocm.steps(changed(walk.t, 9, walk.t[3]), changed(walk.acc, 7, np.nan), missing="skip")
    assert found.counts == {"rows": 12_000, "late": 1, "accelerometer": 1}
    assert abs(found.count - 114) <= 2
    found = ocm.steps(changed(walk.t, 9, walk.t[8]), changed(changed(walk.acc, 7, np.nan), 9, walk.acc[8]))
    assert found.counts == {"rows": 12_000, "late": 1, "accelerometer": 1} and "left out: 1 late, 1 accelerometer" in repr(found)


def test_the_arguments_of_an_attitude_are_not_in_the_way(walk):
    expected = ocm.steps(walk.t, walk.acc).epochs.tobytes()
    gyr = np.zeros_like(walk.acc)
    assert ocm.steps(t=walk.t, acc=walk.acc, gyr=gyr, mag=gyr, sign="reaction", calibrated=True).epochs.tobytes() == expected
    assert ocm.steps(t=walk.t[::2], acc=(walk.t, walk.acc)).epochs.tobytes() == expected
    assert len(ocm.activity(t=walk.t, acc=walk.acc, gyr=gyr, pressure=walk.pressure).spans) == 3
    with pytest.raises(TypeError, match="hight: there is no such argument; did you mean height?"):
        ocm.steps(walk.t, walk.acc, hight=1.8)
    with pytest.raises(TypeError, match="acc: there is no accelerometer"):
        ocm.steps(t=walk.t, gyr=gyr)


@pytest.mark.parametrize("seed", range(20))
def test_any_times_and_readings_are_counted_or_taken(seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 2000))
    t = random.integers(-(2**63), 2**63 - 1, count)
    if seed % 2:
        t = random.choice([-(2**63), -4 * 10**18, 0, 2**63 - 10**15]) + np.cumsum(random.integers(-2, 10**9, count))
    acc = random.normal([0, 0, 9.81], 2, (count, 3))
    for value in (np.nan, np.inf, 9999.9, 1e300):
        acc[random.random((count, 3)) < 0.003] = value
    options = {"placement": random.choice(["body", "wrist", "head"]), "missing": "skip", "check": False}
    found = ocm.steps(t, acc, pressure=(np.sort(t), random.normal(1e5, 1e3, count)), **options)
    assert found.counts["rows"] == count
    assert len(ocm.activity(t, acc, **options)) <= count


def test_frames(walk):
    pytest.importorskip("pandas")
    found = ocm.steps(walk.t, walk.acc)
    frame = found.to_dataframe()
    assert frame["steps"].sum() == found.count and str(frame["start"].dtype) == "datetime64[ns]"
    assert list(ocm.activity(walk.t, walk.acc).to_dataframe()["activity"]) == ["stationary", "walking", "stationary"]


def motionctl(*arguments):
    command, environment = [MOTIONCTL, *map(str, arguments)], {**os.environ, "TZ": "UTC"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def columns(folder, recording):
    """The samples of a recording that motionctl reads: times and values of the accelerometer and the barometer."""
    motionctl("convert", recording, folder / "out.csv", "--to", "tidy", "--force")

    def table(sensor, width):
        path = folder / f"out.sensor.{sensor}.csv"
        if not path.exists():
            return None
        rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
        return np.array([int(row[0]) for row in rows]), np.array([[float(x) for x in row[1:width]] for row in rows])

    force, air = table("accelerometer", 4), table("pressure", 2)
    return *force, None if air is None else (air[0], air[1][:, 0])


def compare(folder, recording, placement):
    t, acc, pressure = columns(folder, recording)
    steps = ocm.steps(t, acc, placement=placement, height=1.8, pressure=pressure, missing="skip")
    activity = ocm.activity(t, acc, placement=placement, missing="skip")
    options = ("--json", "--placement", placement, "--height", "1.8")
    theirs = json.loads(motionctl("steps", recording, *options))
    assert steps.count == theirs["steps"]
    near = {"abs": 0.00051}
    assert [steps.distance, steps.distance_low, steps.distance_high] == [
        pytest.approx(theirs[name], **near) for name in ("distance", "distanceLow", "distanceHigh")
    ]
    assert steps.active_time == pytest.approx(theirs["activeTime"], **near)
    assert [(event["t"] - t[0]) / 1e9 for event in steps.events] == [pytest.approx(e["time"], **near) for e in theirs["events"]]
    assert [("resume" if event["is_walking"] else "pause") for event in steps.events] == [e["kind"] for e in theirs["events"]]
    for ours, name in ((steps.floors_up, "floorsAscended"), (steps.floors_down, "floorsDescended")):
        assert (ours and ours.value) == theirs.get(name)
    spans = theirs["activities"]
    assert [(span.name, span.confidence) for span in activity.spans] == [(s["activity"], s["confidence"]) for s in spans]
    assert [x for span in activity.spans for x in (span.start, span.end)] == [
        pytest.approx(s[name], **near) for s in spans for name in ("start", "end")
    ]
    return steps


@needs_motionctl
def test_the_same_numbers_as_motionctl_of_a_simulated_walk(tmp_path):
    motionctl("record", "simulate:walk", "--for", "60", "-o", tmp_path / "walk.mcap")
    assert compare(tmp_path, tmp_path / "walk.mcap", "body").count > 20


@needs_motionctl
@pytest.mark.parametrize(
    ("recording", "placement"),
    [
        ("mcap/oxford_opt_Pixel_Jamie_Carpet_InHand_1.mcap", "body"),
        ("mcap/oxford_opt_Pixel_Jamie_Carpet_InHand_1.mcap", "wrist"),
        ("mcap/oxford_user2_bag_1506422838474.mcap", "body"),
        ("mcap/oxford_user1_backpocket_1506422470497.mcap", "head"),
    ],
)
def test_the_same_numbers_as_motionctl_of_recordings(recording, placement, tmp_path):
    if not (SHARED / recording).exists():
        pytest.skip(f"{recording} is not in {SHARED}")
    assert compare(tmp_path, SHARED / recording, placement).count > 20
