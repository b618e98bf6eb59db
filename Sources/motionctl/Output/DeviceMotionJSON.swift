// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion

/// `/motion/device` and `/motion/headphone` as NDJSON (`formats.md` 6.1 and 6.4): keys in a fixed order, so equal input gives equal bytes; what is
/// absent has no key.
enum DeviceMotionJSON {
  static func append(
    _ row: DeviceMotionRow, topic: StaticString = "/motion/device", to buffer: inout TextBuffer
  ) {
    buffer.append("{\"topic\":\"")
    buffer.append(topic)
    buffer.append("\",\"timestamp\":")
    buffer.append(row.timestamp)
    buffer.append(",\"attitude\":{\"x\":")
    append(row.attitude.x, to: &buffer)
    buffer.append(",\"y\":")
    append(row.attitude.y, to: &buffer)
    buffer.append(",\"z\":")
    append(row.attitude.z, to: &buffer)
    buffer.append(",\"w\":")
    append(row.attitude.w, to: &buffer)
    buffer.append("},\"rotationRate\":")
    append(row.rotationRate.x, row.rotationRate.y, row.rotationRate.z, to: &buffer)
    buffer.append(",\"gravity\":")
    append(row.gravity.x, row.gravity.y, row.gravity.z, to: &buffer)
    buffer.append(",\"userAcceleration\":")
    append(row.userAcceleration.x, row.userAcceleration.y, row.userAcceleration.z, to: &buffer)
    if let known = row.knownField {
      buffer.append(",\"magneticField\":")
      append(known.field.x, known.field.y, known.field.z, accuracy: Int(known.accuracy.rawValue), to: &buffer)
    }
    if let heading = row.knownHeading {
      buffer.append(",\"heading\":")
      append(heading, to: &buffer)
    }
    if let accuracy = row.knownHeadingAccuracy {
      buffer.append(",\"headingAccuracy\":")
      append(accuracy, to: &buffer)
    }
    buffer.append(",\"sensorLocation\":")
    buffer.append(row.sensorLocation.rawValue)
    if let frame = row.frame {
      buffer.append(",\"attitudeReferenceFrame\":")
      buffer.append(Int(frame.rawValue))
    }
    buffer.append("}\n")
  }

  static func append(
    _ x: Double, _ y: Double, _ z: Double, accuracy: Int? = nil, to buffer: inout TextBuffer
  ) {
    buffer.append("{\"x\":")
    append(x, to: &buffer)
    buffer.append(",\"y\":")
    append(y, to: &buffer)
    buffer.append(",\"z\":")
    append(z, to: &buffer)
    if let accuracy {
      buffer.append(",\"accuracy\":")
      buffer.append(accuracy)
    }
    buffer.append("}")
  }

  /// JSON has no word for what is not finite but null.
  private static func append(_ value: Double, to buffer: inout TextBuffer) {
    if value.isFinite { buffer.append(value) } else { buffer.append("null") }
  }
}
