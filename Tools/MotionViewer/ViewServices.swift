// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices
import MotionTools

/// What runs on a source beside its motion: a card each, with its latest value or the reason why there is none.
struct ViewServices {
  private let info: SensorInfo
  private var altitude = AltitudeEstimator()
  private var climb = ClimbEstimator()
  private var water = SubmersionEstimator()
  private var latestAltitude: AltitudeEstimator.Altitude?
  private var latestDepth: SubmersionUpdate.Measurement?
  private var temperature: Double?

  init(_ selection: SourceSelection) { info = selection.info }

  mutating func update(_ sample: SensorSample) {
    switch sample {
    case .pressure(let pressure) where pressure.medium == .air:
      guard let altitude = altitude.update(pressure) else { return }
      climb.update(altitude.relative)
      latestAltitude = altitude
    case .pressure(let pressure): latestDepth = water.update(pressure).measurement ?? latestDepth
    case .temperature(let sample): temperature = sample.temperature
    default: break
    }
  }

  /// In a fixed order; the reason counts where there is no value.
  func cards(
    location: MotionRow.Location?, statistics: TimelineStatistics
  ) -> [(name: String, value: String?, reason: String)] {
    func reason(_ kind: SensorKinds, _ absence: String, else reason: String) -> String {
      info.kinds.contains(kind) ? reason : "\(info.name) \(absence)."
    }
    let height = latestAltitude.map {
      "\(Text.decimal($0.relative, places: 2)) m from the start, climbed \(Text.decimal(climb.ascent, places: 1)) m, "
        + Text.count(climb.floors, "floor")
    }
    // What `CMBatchedSensorManager` would deliver by the second.
    let rate = info.channel(.accelerometer)?.rates.last ?? statistics.accelerometer.rate
    var cards: [(name: String, value: String?, reason: String)] = [
      (
        "Altitude", height, reason(.airPressure, "does not measure the pressure of air", else: "The barometer settles.")
      ),
      (
        "Depth", latestDepth?.depth.map { "\(Text.decimal($0, places: 2)) m" },
        reason(.waterPressure, "does not measure the pressure of water", else: "Not in water.")
      ),
      (
        "Batches", rate.map { "The accelerometer at \(Text.decimal($0, places: 0)) Hz, by the second." },
        reason(.accelerometer, "has no accelerometer", else: "The rate is not known yet.")
      ),
    ]
    if info.deviceClass == .headphones {
      let side = location?.words.map { "The \($0) measures." } ?? "The head's own attitude; the side is not known."
      cards.append(("Headphones", location == nil ? nil : side, "No motion has come yet."))
    }
    if let temperature { cards.append(("Temperature", "\(Text.decimal(temperature, places: 1)) °C", "")) }
    return cards
  }
}

/// The rates of the sensors over the last seconds.
struct ViewRates {
  private var former: [(name: String, samples: Int, last: SensorInstant)] = []
  private(set) var values: [(name: String, hertz: Double)] = []

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
      return (item.name, Double(item.samples - then.samples) / (item.last - then.last).seconds)
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
