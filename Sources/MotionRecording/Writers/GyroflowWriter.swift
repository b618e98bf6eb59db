// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Writes raw sensors as a Gyroflow log (`.gcsv`, version 1.3), which stabilises a video with the rotation of its
/// camera.
///
/// One row per gyroscope sample, with the latest accelerometer and magnetometer readings: microseconds from the first
/// frame of the video, rad/s, g, µT (`mscale` converts them to gauss). The accelerometer has Core Motion's sign.
/// Gyroflow reads the header from the first 500 bytes, so it stays short. Source:
/// https://docs.gyroflow.xyz/app/technical-details/gcsv-format
public final class GyroflowWriter: CountingWriter {
  /// The relation of the log to the camera and the video.
  public struct Options: Sendable, Hashable {
    /// Letter k is the log's axis for the camera's axis k; lower case = negated. Default "XYZ".
    public var orientation = "XYZ"
    /// The instant of the first frame on the recording's clock; nil, the default: the first row.
    public var videoStart: SensorInstant?

    /// The log's axes are the camera's, and it starts with the video.
    public init() {}
  }

  public private(set) var counts = WriterCounts()
  private let sink: any ByteSink
  private let options: Options
  private let wallOffset: SensorDuration?
  private let hasMagnetometer: Bool
  private var text = JSONText(capacity: 512)
  private var origin: SensorInstant?

  /// The row that waits for what belongs to the same instant.
  private var pending: GyroscopeSample?
  private var acceleration: Vector3<Device>?
  private var field: Vector3<Device>?
  private var isAccelerationFresh = false
  private var isFieldFresh = false

  /// Fails when the orientation is not a permutation of X, Y and Z.
  public init(
    _ sink: any ByteSink, description: RecordingDescription, options: Options = Options()
  ) throws(SensorError) {
    guard options.orientation.uppercased().sorted() == ["X", "Y", "Z"] else {
      throw SensorError(
        .invalidRequest,
        "The orientation \(options.orientation.debugDescription) must name each of X, Y and Z once, lower case = negated, such as XYZ or xzY."
      )
    }
    self.sink = sink
    self.options = options
    wallOffset = description.wallOffset
    hasMagnetometer = description.info.kinds.contains(.magnetometer)
  }

  public func write(_ item: RecordedItem) throws(SensorError) {
    guard case .sample(let sample, _) = item else {
      counts.unsupported += 1
      return
    }
    if let waiting = pending, sample.time > waiting.time { try writeRow() }
    switch sample {
    case .accelerometer(let sample): update(sample)
    case .gyroscope(let sample): try update(sample)
    case .inertial(let sample):
      update(sample.accelerometer)
      try update(sample.gyroscope)
    case .magnetometer(let sample):
      guard sample.reading.isFinite else { return counts.nonFinite += 1 }
      if isFieldFresh { counts.superseded += 1 }
      field = sample.microteslas
      isFieldFresh = true
    case .pressure, .temperature, .motion: counts.unsupported += 1
    }
  }

  public func finish() throws(SensorError) {
    if pending != nil { try writeRow() }
    if origin == nil { try writeHeader(start: nil) }
    try sink.finish()
  }

  private func update(_ sample: AccelerometerSample) {
    guard sample.reading.isFinite else { return counts.nonFinite += 1 }
    if isAccelerationFresh { counts.superseded += 1 }
    acceleration = sample.gravities
    isAccelerationFresh = true
  }

  private func update(_ sample: GyroscopeSample) throws(SensorError) {
    guard sample.angularVelocity.isFinite else { return counts.nonFinite += 1 }
    if pending != nil { try writeRow() }
    pending = sample
  }

  private func writeRow() throws(SensorError) {
    guard let row = pending else { return }
    pending = nil
    // Gyroflow knows no empty cells: rows begin when every sensor has delivered.
    guard let acceleration, field != nil || !hasMagnetometer else {
      counts.superseded += 1
      return
    }
    (isAccelerationFresh, isFieldFresh) = (false, false)
    if origin == nil { try writeHeader(start: row.time) }
    text.removeAll()
    append(microseconds: row.time - (origin ?? row.time))
    text.append(cells: row.angularVelocity)
    text.append(cells: acceleration)
    if hasMagnetometer, let field { text.append(cells: field) }
    text.append("\n")
    try sink.write(text)
    counts.rows += 1
  }

  private func writeHeader(start: SensorInstant?) throws(SensorError) {
    origin = options.videoStart ?? start
    text.removeAll()
    text.append("GYROFLOW IMU LOG\nversion,1.3\nid,opencoremotion\norientation,")
    text.append(raw: options.orientation)
    text.append("\nnote,\nfwversion,\ntimestamp,")
    if let origin, let wallOffset { text.append((origin + wallOffset).nanoseconds / 1_000_000_000) }
    text.append("\nvendor,\nvideofilename,\nlensprofile,\ntscale,0.000001\ngscale,1\nascale,1\n")
    text.append(hasMagnetometer ? "mscale,0.01\nt,gx,gy,gz,ax,ay,az,mx,my,mz\n" : "t,gx,gy,gz,ax,ay,az\n")
    try sink.write(text)
  }

  /// Whole microseconds, and what is left in decimals.
  private func append(microseconds duration: SensorDuration) {
    let magnitude = duration.nanoseconds.magnitude
    if duration.nanoseconds < 0 { text.append("-") }
    text.append(magnitude / 1000)
    guard magnitude % 1000 > 0 else { return }
    text.append(".")
    for divisor: UInt64 in [100, 10, 1] { text.append(byte: UInt8(ascii: "0") + UInt8(magnitude / divisor % 10)) }
  }
}
