// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices
import MotionTools

/// The rates of the sensors over the last seconds.
struct ViewRates {
  private var former: [(name: String, samples: Int, last: SensorInstant)] = []
  private(set) var values: [Rate] = []

  struct Rate: Encodable {
    var name: String
    var hertz: Double
  }

  /// Called twice a second; the rates are renewed when a second of the source has passed.
  mutating func update(_ statistics: TimelineStatistics) {
    let now = statistics.named.compactMap { item in
      item.counts.last.map { (name: item.name, samples: item.counts.delivered, last: $0) }
    }
    guard let latest = now.map(\.last).max() else { return }
    guard let before = former.map(\.last).max() else { return former = now }
    guard latest - before >= .seconds(1) else { return }
    values = now.compactMap { item in
      guard let then = former.first(where: { $0.name == item.name }), item.last > then.last else { return nil }
      return Rate(
        name: item.name, hertz: Double(item.samples - then.samples) / (item.last - then.last).seconds)
    }
    former = now
  }
}

/// The frames in which a source's motion can be shown.
enum ViewFrames {
  /// Why the source has no motion; nil when it has.
  static func absence(_ selection: SourceSelection) -> String? {
    let info = selection.info
    guard !HubStream.deviceMotion(usesMagnetometer: false).isServed(by: info.kinds) else { return nil }
    return
      "Device motion needs an accelerometer and a gyroscope, and \(info.name) has only \(Text.list(info.kinds.names))."
  }

  static func frames(of selection: SourceSelection, on host: MotionHost) -> [ReferenceFrame] {
    guard absence(selection) == nil else { return [] }
    // Motion that the source has fused itself comes in its own frame.
    if selection.info.kinds.contains(.motion) { return [.arbitrary] }
    return ReferenceFrame.allCases.filter { frame in
      (try? MotionRequirements.check(frame, of: selection, at: host.location)) != nil
    }
  }
}
