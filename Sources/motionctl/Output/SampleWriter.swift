// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion

/// One sample of any service, in Core Motion's units.
enum ServiceSample {
  case motion(DeviceMotionRow)
  case vector(timestamp: Double, x: Double, y: Double, z: Double)

  /// Seconds.
  var timestamp: Double {
    switch self {
    case .motion(let row): row.timestamp
    case .vector(let timestamp, _, _, _): timestamp
    }
  }
}

/// Writes the samples of one service in one format.
///
/// CSV and NDJSON keep Core Motion's numbers digit by digit; only the table converts, to degrees.
struct SampleWriter: Sendable {
  let service: MotionService
  let format: SampleFormat

  func appendHeader(to buffer: inout TextBuffer) {
    switch format {
    case .ndjson: break
    case .csv:
      if service == .deviceMotion {
        DeviceMotionCSV.appendHeader(to: &buffer)
      } else {
        buffer.append("timestamp,\(service.property)_x,\(service.property)_y,\(service.property)_z\n")
      }
    case .table: MotionTable(service).appendHeader(to: &buffer)
    }
  }

  func append(_ sample: ServiceSample, to buffer: inout TextBuffer) {
    switch (format, sample) {
    case (.csv, .motion(let row)): DeviceMotionCSV.append(row, to: &buffer)
    case (.ndjson, .motion(let row)): DeviceMotionJSON.append(row, to: &buffer)
    case (.csv, .vector(let timestamp, let x, let y, let z)):
      buffer.append(timestamp)
      for value in [x, y, z] {
        buffer.append(",")
        buffer.append(value)
      }
      buffer.append("\n")
    case (.ndjson, .vector(let timestamp, let x, let y, let z)):
      buffer.append("{\"topic\":\"\(service.topic)\",\"timestamp\":")
      buffer.append(timestamp)
      buffer.append(",\"\(service.property)\":")
      DeviceMotionJSON.append(x, y, z, to: &buffer)
      buffer.append("}\n")
    case (.table, _): MotionTable(service).append(sample, to: &buffer)
    }
  }
}
