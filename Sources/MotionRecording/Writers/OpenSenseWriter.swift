// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Writes the attitudes of several devices as an OpenSense table (`.sto`), with which OpenSim moves a skeleton.
///
/// One row per instant of a common grid, one cell `w,x,y,z` per device, all interpolated along the shortest arc (slerp:
/// Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985). The grid extends from the latest start to the
/// earliest end, and the sign of each quaternion follows the one before it. Where a device pauses for more than a
/// second there are no rows, because its rotation is not known. z is up in the file; OpenSim's y is rotated to it by
/// its setting `sensor_to_opensim_rotations`.
public final class OpenSenseWriter {
  /// One device.
  public struct Segment {
    /// OpenSim's name of the body that carries it: "pelvis". The column is this and "_imu".
    public var name: String
    /// The next attitude in the order of time, nil at the end.
    public var next: () throws(SensorError) -> MotionRow?

    /// A device on a body.
    public init(name: String, next: @escaping () throws(SensorError) -> MotionRow?) {
      self.name = name
      self.next = next
    }
  }

  /// A report of what was written.
  public struct Report: Sendable, Hashable {
    /// Rows of the table.
    public var rows = 0
    /// The frames of the attitudes: headings of several devices compare in a north frame, or after a common reset.
    public var references: Set<MotionRow.Reference> = []
    /// Attitudes that are not a unit quaternion.
    public var nonFinite = 0
    /// Rows skipped where a device paused.
    public var paused = 0
  }

  /// The setting that OpenSim needs for the file: a quarter turn about x, in radians.
  public static let rotationSetting = "sensor_to_opensim_rotations = -1.5707963267948966 0 0"

  private var heads: [SegmentHead]
  private let names: [String]
  private let rate: Double
  private let sink: any ByteSink
  private var report = Report()

  /// `rate` in hertz, 1…10 000. Fails on names that OpenSim could not distinguish.
  public init(_ sink: any ByteSink, segments: [Segment], rate: Double = 100) throws(SensorError) {
    guard (1...10_000).contains(rate) else {
      throw SensorError(.invalidRequest, "The rate \(rate) Hz is out of range: give 1 to 10000.")
    }
    names = segments.map(\.name)
    guard !names.isEmpty, Set(names).count == names.count,
      names.allSatisfy({ !$0.isEmpty && !$0.utf8.contains { $0 <= 0x20 || $0 == 0x2C } })
    else {
      throw SensorError(
        .invalidRequest,
        "Each device needs its own body, a name without spaces and commas: \(names.joined(separator: ", ")).")
    }
    self.sink = sink
    self.rate = rate
    heads = segments.map { SegmentHead($0) }
  }

  /// Reads all devices to the end of the first that ends, writes the table and closes the sink.
  public func run() throws(SensorError) -> Report {
    var text = JSONText(capacity: 1024)
    text.append("DataRate=")
    text.append(raw: SixDecimals.text(rate))
    text.append("\nDataType=Quaternion\nversion=3\nOpenSimVersion=4.5\nendheader\ntime")
    for name in names {
      text.append("\t")
      text.append(raw: name)
      text.append("_imu")
    }
    text.append("\n")
    try sink.write(text)
    for index in heads.indices { try heads[index].begin() }
    let starts = heads.compactMap(\.start)
    if let start = starts.max(), starts.count == heads.count { try writeRows(from: start, &text) }
    report.nonFinite = heads.reduce(0) { $0 + $1.nonFinite }
    report.references = heads.reduce(into: []) { $0.formUnion($1.references) }
    try sink.finish()
    return report
  }

  private func writeRows(from start: SensorInstant, _ text: inout JSONText) throws(SensorError) {
    /// The row of the grid.
    var row = 0
    rows: while true {
      let offset = Double(row) / rate
      guard let elapsed = SensorDuration(seconds: offset) else { return }
      text.removeAll()
      text.append(offset)
      for index in heads.indices {
        switch try heads[index].attitude(at: start + elapsed) {
        case .end: return
        case .pause(let until):
          // At least one row on, however the division rounds.
          let next = max(row + 1, Int(clamping: ((until - start).seconds * rate).rounded(.up)))
          report.paused += next - row
          row = next
          continue rows
        case .attitude(let attitude):
          text.append("\t")
          for place in 0..<4 {
            if place > 0 { text.append(",") }
            text.append(attitude[place])
          }
        }
      }
      text.append("\n")
      try sink.write(text)
      report.rows += 1
      row += 1
    }
  }
}

/// One device's attitudes on their way through the grid: the two around the present instant.
private struct SegmentHead {
  enum Answer {
    /// w, x, y, z.
    case attitude(SIMD4<Double>)
    /// The device says nothing until then.
    case pause(until: SensorInstant)
    case end
  }

  private static let longestPause = SensorDuration.seconds(1)

  private let next: () throws(SensorError) -> MotionRow?
  private var before: (time: SensorInstant, attitude: Rotation<Device, NorthWestUp>)?
  private var after: (time: SensorInstant, attitude: Rotation<Device, NorthWestUp>)?
  /// w, x, y, z.
  private var written: SIMD4<Double>?
  private(set) var references: Set<MotionRow.Reference> = []
  private(set) var nonFinite = 0

  init(_ segment: OpenSenseWriter.Segment) { next = segment.next }

  var start: SensorInstant? { before?.time }

  mutating func begin() throws(SensorError) {
    before = try read()
    after = before
  }

  /// Instants must not go back.
  mutating func attitude(at time: SensorInstant) throws(SensorError) -> Answer {
    while let ahead = after, ahead.time < time {
      before = ahead
      after = try read()
    }
    guard let before, let after else { return .end }
    if after.time - before.time > Self.longestPause, time < after.time { return .pause(until: after.time) }
    let span = (after.time - before.time).nanoseconds
    let fraction = span > 0 ? Double((time - before.time).nanoseconds) / Double(span) : 0
    let attitude = before.attitude.interpolated(to: after.attitude, fraction: fraction)
    var numbers = SIMD4(attitude.w, attitude.x, attitude.y, attitude.z)
    // q and −q are the same attitude; a program that interpolates the file must not go the long way round.
    if let written, (written * numbers).sum() < 0 { numbers = -numbers }
    written = numbers
    return .attitude(numbers)
  }

  private mutating func read() throws(SensorError) -> (time: SensorInstant, attitude: Rotation<Device, NorthWestUp>)? {
    while let sample = try next() {
      if let attitude = sample.attitude, sample.time > (after?.time ?? SensorInstant(nanoseconds: .min)) {
        references.insert(sample.reference)
        return (sample.time, attitude)
      }
      nonFinite += 1
    }
    return nil
  }
}

/// "100.000000", as the header of the table has it.
private enum SixDecimals {
  static func text(_ value: Double) -> String {
    let millionths = Int64(clamping: (value * 1e6).rounded())
    let fraction = String(millionths % 1_000_000)
    return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }
}
