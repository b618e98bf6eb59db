// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import MotionServices

/// Strokes as a table for people, or as a JSON object each; and what they amount to.
struct SwingTable {
  let isJSON: Bool
  private(set) var count = 0
  /// Seconds, of the strokes whose start is known.
  private var timesToContact: [Double] = []
  private var reasons: Set<Swing.Reason> = []

  init(isJSON: Bool) { self.isJSON = isJSON }

  static let header = "  stroke  impact (s)  peak (g)  start (s)  time to contact (s)  fastest (°/s)\n"

  /// The line of an event that has one.
  mutating func take(_ event: SwingRun.Event) -> String? {
    guard case .swing(let swing, let origin) = event else { return nil }
    count += 1
    switch swing.stroke {
    case .found: timesToContact.append(swing.timeToContact?.seconds ?? 0)
    case .unknown(let reason): reasons.insert(reason)
    }
    var buffer = JSONText()
    if isJSON { appendJSON(swing, origin, to: &buffer) } else { appendText(swing, origin, to: &buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private func appendText(_ swing: Swing, _ origin: SensorInstant, to buffer: inout JSONText) {
    buffer.append("\(count)", width: 8)
    buffer.append((swing.impact - origin).seconds, places: 3, width: 12)
    buffer.append(swing.peak / standardGravity, places: 1, width: 10)
    switch swing.stroke {
    case .found(let phases):
      buffer.append((phases.start - origin).seconds, places: 3, width: 11)
      buffer.append((swing.impact - phases.start).seconds, places: 3, width: 21)
      buffer.append(Angle(radians: phases.fastestRate).degrees, places: 0, width: 15)
    case .unknown(let reason):
      buffer.append("  \(reason.sentence)")
    }
    buffer.append("\n")
  }

  private func appendJSON(_ swing: Swing, _ origin: SensorInstant, to buffer: inout JSONText) {
    func append(_ name: StaticString, _ value: Double) {
      buffer.append(name)
      buffer.append(value)
    }
    buffer.append("{\"stroke\":")
    buffer.append(count)
    append(",\"timestamp\":", swing.impact.seconds)
    append(",\"impact\":", (swing.impact - origin).seconds)
    append(",\"peak\":", swing.peak / standardGravity)
    append(",\"shock\":", swing.shock / standardGravity)
    switch swing.stroke {
    case .found(let phases):
      if let backswing = phases.backswing { append(",\"backswing\":", (backswing - origin).seconds) }
      append(",\"start\":", (phases.start - origin).seconds)
      append(",\"timeToContact\":", (swing.impact - phases.start).seconds)
      append(",\"fastest\":", (phases.fastest - origin).seconds)
      append(",\"fastestRate\":", phases.fastestRate)
    case .unknown(let reason):
      buffer.append(",\"unknown\":")
      buffer.append(quoting: reason.sentence)
    }
    buffer.append("}\n")
  }

  func summary(threshold: Double) -> [String] {
    guard count > 0 else { return ["no impact above \(Text.decimal(threshold, places: 2)) g"] }
    var line = Text.count(count, "impact")
    if let shortest = timesToContact.min(), let longest = timesToContact.max() {
      let mean = timesToContact.reduce(0, +) / Double(timesToContact.count)
      line +=
        ", \(Text.count(timesToContact.count, "time")) to contact from \(Text.decimal(shortest, places: 3)) to "
        + "\(Text.decimal(longest, places: 3)) s, \(Text.decimal(mean, places: 3)) s on average"
    }
    return [line] + (reasons.contains(.noDeviceMotion) ? [Swing.Reason.noDeviceMotion.sentence] : [])
  }
}
