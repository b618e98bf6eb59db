#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""ROS 2 messages in MCAP between motionctl and mcap-ros2-support, both ways.

  Scripts/Validate/check_ros2.py [MOTIONCTL]

mcap-ros2-support decodes what `record --with ros2 --with foxglove` writes, by the schemas in the file, and the numbers are
compared with the JSON topics beside them; so is the bag that `convert --profile ros2` makes; motionctl reads a bag that
mcap-ros2-support has written.
"""

import json
import math
import pathlib
import tempfile

from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from mcap_ros2.writer import Writer

from command import run


def messages(path):
    """The decoded messages of each topic, ROS 2 and JSON."""
    topics, schemas = {}, {}
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        factory = DecoderFactory()
        for schema, channel, message in reader.iter_messages():
            if channel.message_encoding == "json":
                value = json.loads(message.data)
            else:
                value = factory.decoder_for(channel.message_encoding, schema)(message.data)
            topics.setdefault(channel.topic, []).append((message.publish_time, value))
            schemas[channel.topic] = schema
    return topics, schemas


def turned(q):
    """North-west-up to east-north-up: a quarter turn about z."""
    s = math.sqrt(0.5)
    return [s * (q["w"] - q["z"]), s * (q["x"] - q["y"]), s * (q["y"] + q["x"]), s * (q["z"] + q["w"])]


def check_written(folder):
    path = folder / "ros.mcap"
    run("record", "simulate:handheld?speed=max", "-o", path, "--for", "5", "--with", "motion", "--with", "ros2",
        "--with", "foxglove")
    topics, schemas = messages(path)
    for topic, name in [("/imu/data", "sensor_msgs/msg/Imu"), ("/imu/mag", "sensor_msgs/msg/MagneticField"),
                        ("/imu/pressure", "sensor_msgs/msg/FluidPressure"),
                        ("/imu/temperature", "sensor_msgs/msg/Temperature"), ("/tf", "foxglove.FrameTransform")]:
        assert topics.get(topic), f"{topic} is missing"
        assert schemas[topic].name == name, schemas[topic].name
    raw = {name: dict(topics[f"/sensor/{name}"]) for name in ("accelerometer", "gyroscope", "magnetometer", "pressure")}
    motion = dict(topics["/motion/device"])
    oriented = 0
    for time, imu in topics["/imu/data"]:
        assert imu.header.stamp.sec * 10**9 + imu.header.stamp.nanosec == time and imu.header.frame_id == "imu"
        for axis in "xyz":
            assert getattr(imu.angular_velocity, axis) == raw["gyroscope"][time][axis]
            assert getattr(imu.linear_acceleration, axis) == raw["accelerometer"][time][axis]
        assert imu.angular_velocity_covariance[0] == 0
        if imu.orientation_covariance[0] == -1:
            continue
        oriented += 1
        q = [getattr(imu.orientation, name) for name in "wxyz"]
        assert abs(sum(x * x for x in q) - 1) < 1e-12
        if time in motion:
            # q and -q are the same attitude.
            assert abs(abs(sum(a * b for a, b in zip(q, turned(motion[time]["attitude"])))) - 1) < 1e-12
    assert oriented >= len(topics["/imu/data"]) - 2, f"only {oriented} messages have an orientation"
    for time, field in topics["/imu/mag"]:
        assert all(getattr(field.magnetic_field, axis) == raw["magnetometer"][time][axis] for axis in "xyz")
    for time, pressure in topics["/imu/pressure"]:
        assert pressure.fluid_pressure == raw["pressure"][time]["pressure"]
    for time, transform in topics["/tf"]:
        stamp = transform["timestamp"]
        assert stamp["sec"] * 10**9 + stamp["nsec"] == time and transform["child_frame_id"] == "device"
    return len(topics["/imu/data"])


def check_converted(folder):
    """The same recording as a bag: the profile's header and metadata, and the messages that `record` wrote."""
    recorded, _ = messages(folder / "ros.mcap")
    run("convert", folder / "ros.mcap", folder / "bag.mcap", "--profile", "ros2", "--with", "motion")
    with open(folder / "bag.mcap", "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        assert reader.get_header().profile == "ros2", reader.get_header()
        channels = reader.get_summary().channels.values()
        assert all(c.message_encoding == "cdr" and "offered_qos_profiles" in c.metadata for c in channels), channels
    converted, _ = messages(folder / "bag.mcap")
    assert sorted(converted) == sorted(topic for topic in recorded if topic.startswith("/imu/"))
    for topic in converted:
        assert [time for time, _ in converted[topic]] == [time for time, _ in recorded[topic]], topic
    for (_, a), (_, b) in zip(converted["/imu/data"], recorded["/imu/data"]):
        assert a.angular_velocity.z == b.angular_velocity.z and a.linear_acceleration.z == b.linear_acceleration.z


def definition(own, *needed):
    parts = {
        "Quaternion": "MSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w\n",
        "Vector3": "MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n",
        "Header": "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n",
        "Time": "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n",
    }
    return ("=" * 80 + "\n").join([own] + [parts[name] for name in needed])


def check_read(folder):
    """A bag of a device that turns about z, face up, as a driver without orientation publishes it."""
    path, count = folder / "bag.mcap", 500
    imu = definition(
        "std_msgs/Header header\ngeometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\n"
        "geometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\n"
        "geometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance\n",
        "Quaternion", "Vector3", "Header", "Time")
    with open(path, "wb") as file:
        writer = Writer(file)
        schema = writer.register_msgdef("sensor_msgs/msg/Imu", imu)
        for number in range(count):
            time = 1_700_000_000_000_000_000 + number * 10_000_000
            writer.write_message(
                "/imu/data", schema,
                {
                    "header": {"stamp": {"sec": time // 10**9, "nanosec": time % 10**9}, "frame_id": "imu_link"},
                    "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 0.0},
                    "orientation_covariance": [-1.0] + [0.0] * 8,
                    "angular_velocity": {"x": 0.0, "y": 0.0, "z": 0.5},
                    "angular_velocity_covariance": [0.0] * 9,
                    "linear_acceleration": {"x": 0.0, "y": 0.0, "z": 9.80665},
                    "linear_acceleration_covariance": [0.0] * 9,
                }, log_time=time, publish_time=time)
        writer.finish()
    rows = [dict(zip(lines[0], line)) for lines in [[r.split(",") for r in run("fuse", path).splitlines()]]
            for line in lines[1:]]
    assert len(rows) == count, f"{len(rows)} rows of {count} messages"
    # Face up at rest gravity is -1 g on z, and the rate is the gyroscope's until its bias is learned.
    assert abs(float(rows[-1]["gravity_z"]) + 1) < 1e-3 and abs(float(rows[0]["rotationRate_z"]) - 0.5) < 1e-2
    return count


def main():
    with tempfile.TemporaryDirectory(prefix="check-ros2-") as name:
        folder = pathlib.Path(name)
        written = check_written(folder)
        check_converted(folder)
        read = check_read(folder)
    print(f"ROS 2: {written} Imu messages of motionctl decoded by mcap-ros2-support, {read} of its messages fused by motionctl")


if __name__ == "__main__":
    main()
