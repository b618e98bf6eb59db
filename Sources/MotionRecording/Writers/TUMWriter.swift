// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Writes attitudes as a trajectory in TUM format, which `evo` and most SLAM tools read.
///
/// One line per pose: time, position, quaternion **x y z w**, device → reference, separated by spaces. There is no
/// position, so it is 0 0 0. Times are Unix seconds if the recording has them, else seconds of its own clock, with all
/// nine decimals. Source: https://github.com/MichaelGrupp/evo/wiki/Formats
public final class TUMWriter: CountingWriter {
  public private(set) var counts = WriterCounts()
  private let sink: any ByteSink
  private let wallOffset: SensorDuration
  private var line = JSONText(capacity: 256)
  private var reference: MotionRow.Reference?

  /// A writer of one device's attitudes; everything else is counted as unsupported.
  public init(_ sink: any ByteSink, description: RecordingDescription) throws(SensorError) {
    self.sink = sink
    wallOffset = description.wallOffset ?? .zero
    line.append("# timestamp tx ty tz qx qy qz qw\n")
    try sink.write(line)
  }

  public func write(_ item: RecordedItem) throws(SensorError) {
    guard case .sample(.motion(let motion), _) = item else {
      counts.unsupported += 1
      return
    }
    guard motion.w.isFinite, motion.vector.isFinite else {
      counts.nonFinite += 1
      return
    }
    line.removeAll()
    if motion.reference != reference {
      // A comment, once in most files: z is up in all frames, x is north in some.
      line.append("# device to ")
      line.append(motion.reference.name)
      line.append(", z up\n")
      reference = motion.reference
    }
    line.append(paddedSeconds: motion.time + wallOffset)
    line.append(" 0 0 0")
    line.append(cells: motion.vector, separator: UInt8(ascii: " "))
    line.append(" ")
    line.append(motion.w)
    line.append("\n")
    try sink.write(line)
    counts.rows += 1
  }

  public func finish() throws(SensorError) { try sink.finish() }
}
