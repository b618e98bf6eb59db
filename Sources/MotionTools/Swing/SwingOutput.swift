// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionAnalysis
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices

/// Strokes as a table for people, or as a JSON object each; and what they amount to.
package struct SwingTable {
  package let isJSON: Bool
  package private(set) var count = 0
  /// Seconds, of the strokes whose start is known.
  private var timesToContact: [Double] = []
  private var reasons: Set<Swing.Reason> = []

  package init(isJSON: Bool) { self.isJSON = isJSON }

  package static let header = "  stroke  impact (s)  peak (g)  start (s)  time to contact (s)  fastest (°/s)\n"

  /// The line of an event that has one.
  package mutating func append(_ event: SwingRun.Event) -> String? {
    guard case .swing(let swing, let origin) = event else { return nil }
    count += 1
    switch swing.stroke {
    case .found: timesToContact.append(swing.timeToContact?.seconds ?? 0)
    case .unknown(let reason): reasons.insert(reason)
    }
    return String(decoding: isJSON ? json(swing, origin) : text(swing, origin), as: UTF8.self) + "\n"
  }

  private func text(_ swing: Swing, _ origin: SensorInstant) -> [UInt8] {
    var buffer = JSONText()
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
    return buffer.bytes
  }

  private func json(_ swing: Swing, _ origin: SensorInstant) -> [UInt8] {
    var json = JSONMembers()
    json.object { json in
      json.member("stroke", count)
      json.member("timestamp", swing.impact.seconds)
      json.member("impact", (swing.impact - origin).seconds)
      json.member("peak", swing.peak / standardGravity)
      json.member("shock", swing.shock / standardGravity)
      switch swing.stroke {
      case .found(let phases):
        if let backswing = phases.backswing { json.member("backswing", (backswing - origin).seconds) }
        json.member("start", (phases.start - origin).seconds)
        json.member("timeToContact", (swing.impact - phases.start).seconds)
        json.member("fastest", (phases.fastest - origin).seconds)
        json.member("fastestRate", phases.fastestRate)
      case .unknown(let reason): json.member("unknown", reason.sentence)
      }
    }
    return json.bytes
  }

  package func summary(threshold: Double) -> [String] {
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

/// Keeps what is needed to draw one stroke: the acceleration, the rotation about gravity, and the phases.
package struct SwingPicture {
  /// Counted from 1.
  package let number: Int
  private var count = 0
  private var accelerations: [(time: Double, value: Double)] = []
  private var rotations: [(time: Double, value: Double)] = []
  /// The stroke, its moments in the seconds of the samples.
  private var stroke: (impact: Double, peak: Double, swing: Swing, start: Double?, backswing: Double?)?

  /// Seconds drawn before the first phase and after the impact, and before an impact without phases.
  private static let (before, after, alone) = (0.15, 0.35, 0.5)
  /// Seconds kept while the stroke has not come: what the detector may look back and wait.
  private static let memory = 8.0

  package init(number: Int) { self.number = number }

  package mutating func append(_ event: SwingRun.Event) {
    switch event {
    case .acceleration(let time, let magnitude): Self.append(time, magnitude, to: &accelerations, until: end)
    case .rotation(let time, let rate):
      Self.append(time, Angle(radians: rate).degrees, to: &rotations, until: end)
    case .swing(let swing, let origin):
      count += 1
      guard count == number else { return }
      stroke = (
        (swing.impact - origin).seconds, swing.peak / standardGravity, swing,
        swing.phases.map { ($0.start - origin).seconds }, swing.phases?.backswing.map { ($0 - origin).seconds }
      )
    }
  }

  /// What comes later is not drawn.
  private var end: Double? { stroke.map { $0.impact + Self.after } }

  private static func append(
    _ time: Double, _ value: Double, to samples: inout [(time: Double, value: Double)], until end: Double?
  ) {
    guard end.map({ time <= $0 }) ?? true else { return }
    samples.append((time, value))
    // Thrown away in portions, so that a sample is moved once and not at every step.
    if end == nil, let first = samples.first, time - first.time > 2 * memory {
      samples.removeFirst(samples.firstIndex { $0.time >= time - memory } ?? 0)
    }
  }

  /// Nil when there was no such stroke.
  package func chart(title: String) -> Chart? {
    guard let stroke else { return nil }
    let first = stroke.backswing ?? stroke.start
    let begin = max(accelerations.first?.time ?? 0, first.map { $0 - Self.before } ?? (stroke.impact - Self.alone))
    let drawn = accelerations.filter { $0.time >= begin && $0.time <= stroke.impact + Self.after }
    var panels = [
      Chart.Panel(
        title: "Acceleration with gravity", unit: "g",
        series: [Chart.Series(name: "magnitude", color: .blue, values: drawn.map(\.value))], leastSpan: 2)
    ]
    let rates = Self.values(of: rotations, at: drawn.map(\.time))
    if rates.contains(where: \.isFinite) {
      panels.append(
        Chart.Panel(
          title: "Rotation about gravity", unit: "°/s",
          series: [Chart.Series(name: "anticlockwise from above", color: .vermilion, values: rates)], leastSpan: 60))
    }
    var bands: [Chart.Band] = []
    if let start = stroke.start {
      if let backswing = stroke.backswing { bands.append(.init(name: "backswing", from: backswing, to: start)) }
      bands.append(.init(name: "forward swing", from: start, to: stroke.impact))
    }
    bands.append(.init(name: "impact", from: stroke.impact, to: stroke.impact))
    for index in bands.indices {
      bands[index].from = max(0, bands[index].from - begin)
      bands[index].to -= begin
    }
    return Chart(
      title: title, subtitle: subtitle(stroke.swing, impact: stroke.impact, peak: stroke.peak),
      times: drawn.map { $0.time - begin }, panels: panels, bands: bands,
      timeTitle: "seconds since \(Text.decimal(begin, places: 3)) s")
  }

  private func subtitle(_ swing: Swing, impact: Double, peak: Double) -> String {
    let head = "stroke \(number): impact at \(Text.decimal(impact, places: 3)) s, \(Text.decimal(peak, places: 1)) g · "
    switch swing.stroke {
    case .found(let phases):
      return head + "time to contact \(Text.decimal((swing.impact - phases.start).seconds * 1e3, places: 0)) ms"
    case .unknown(let reason): return head + reason.sentence
    }
  }

  /// The samples at other times: on the straight line between two that are no more than 30 ms apart, else NaN.
  private static func values(of samples: [(time: Double, value: Double)], at times: [Double]) -> [Double] {
    var next = 0
    return times.map { time in
      while next < samples.count, samples[next].time < time { next += 1 }
      guard next < samples.count else { return .nan }
      let after = samples[next]
      if after.time == time { return after.value }
      guard next > 0 else { return .nan }
      let before = samples[next - 1]
      guard after.time - before.time <= 0.03 else { return .nan }
      return before.value + (after.value - before.value) * (time - before.time) / (after.time - before.time)
    }
  }
}
