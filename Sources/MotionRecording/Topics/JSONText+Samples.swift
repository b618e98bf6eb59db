// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The bodies of messages of measurements, keys in the order of ``Topic/Kind/fields``.
extension JSONText {
  mutating func appendTime(nanoseconds time: SensorInstant) {
    append("{\"timestamp_ns\":")
    append(time.nanoseconds)
  }

  mutating func append(nanoseconds time: SensorInstant, _ vector: Vector3<Device>) {
    appendTime(nanoseconds: time)
    append(",\"x\":")
    append(vector.x)
    append(",\"y\":")
    append(vector.y)
    append(",\"z\":")
    append(vector.z)
    append("}")
  }

  mutating func append(seconds time: SensorInstant, _ name: StaticString, _ vector: Vector3<Device>) {
    append("{\"timestamp\":")
    append(time.seconds)
    append(",\"")
    append(name)
    append("\":")
    append(object: vector)
    append("}")
  }

  mutating func append(object vector: Vector3<Device>, scale: Double = 1) {
    append("{\"x\":")
    append(vector.x * scale)
    append(",\"y\":")
    append(vector.y * scale)
    append(",\"z\":")
    append(vector.z * scale)
    append("}")
  }

  /// Fused motion as `/motion/device`; numbers that came in Core Motion's units pass unchanged (their factor is 1).
  mutating func append(_ sample: FusedMotionSample) {
    append("{\"timestamp\":")
    append(sample.time.seconds)
    append(",\"attitude\":{\"x\":")
    append(sample.vector.x)
    append(",\"y\":")
    append(sample.vector.y)
    append(",\"z\":")
    append(sample.vector.z)
    append(",\"w\":")
    append(sample.w)
    append("},\"rotationRate\":")
    append(object: sample.angularVelocity)
    let gravities = sample.accelerationUnit.scale / AccelerationUnit.reversedGravity.scale
    append(",\"gravity\":")
    append(object: sample.gravity, scale: gravities)
    append(",\"userAcceleration\":")
    append(object: sample.linearAcceleration, scale: gravities)
    if let field = sample.field {
      let scale = field.unit == .microtesla ? 1 : field.unit.scale * 1e6
      append(",\"magneticField\":{\"x\":")
      append(field.reading.x * scale)
      append(",\"y\":")
      append(field.reading.y * scale)
      append(",\"z\":")
      append(field.reading.z * scale)
      append(",\"accuracy\":")
      append(field.accuracy)
      append("}")
    }
    if let heading = sample.heading {
      append(",\"heading\":")
      append(heading.value(in: .degree))
    }
    if let accuracy = sample.headingAccuracy {
      append(",\"headingAccuracy\":")
      append(accuracy.value(in: .degree))
    }
    append(",\"sensorLocation\":")
    append(sample.location.rawValue)
    append(",\"attitudeReferenceFrame\":")
    append(UInt8(1) << sample.reference.rawValue)
    append("}")
  }
}
