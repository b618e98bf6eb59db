// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionHost
package import MotionRecording
package import MotionSensing

/// A length of time above 0 as people write it: `90` (seconds), `2.5s`, `10m`, `1h30m`, `250ms`.
package struct Seconds {
  package let value: Double

  package var duration: SensorDuration { SensorDuration(seconds: value) ?? .zero }

  package init(_ value: Double) { self.value = value }

  package init?(argument: String) {
    guard let value = Self.parse(argument[...]), value > 0 else { return nil }
    self.value = value
  }

  /// Whether a sample taken `elapsed` seconds after the first one is beyond this time. The microsecond takes up the
  /// rounding of time stamps, so that 2 s at 100 Hz are 200 samples.
  package func isOver(after elapsed: Double) -> Bool { elapsed >= value - 1e-6 }

  private static let units: [(name: String, seconds: Double)] = [
    ("ms", 1e-3), ("h", 3600), ("min", 60), ("m", 60), ("s", 1),
  ]

  /// A number without unit is seconds; with units they come once each, the larger first.
  fileprivate static func parse(_ text: Substring) -> Double? {
    if let seconds = Double(text), text.first?.isLetter == false { return (0...9e9).contains(seconds) ? seconds : nil }
    var rest = text
    var total = 0.0
    var smallest = Double.infinity
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      guard let value = Double(digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { $0.isLetter }
      guard let unit = units.first(where: { $0.name == name }), unit.seconds < smallest else { return nil }
      smallest = unit.seconds
      total += value * unit.seconds
      rest = rest.dropFirst(name.count)
    }
    return smallest.isFinite && total <= 9e9 ? total : nil
  }
}

/// Names behind one another, as in `--columns attitude,gravity`: at least one, all of them known.
package struct NameList<Name: RawRepresentable<String>> {
  package let names: [Name]

  package init?(argument: String) {
    names = argument.split(separator: ",").compactMap { Name(rawValue: String($0)) }
    guard !names.isEmpty, names.count == argument.split(separator: ",").count else { return nil }
  }
}

/// A wanted rate: hertz above 0, or `max` for every sample of the source.
package enum SampleRate: CustomStringConvertible {
  case hertz(Double)
  case fastest

  package init?(argument: String) {
    if argument.lowercased() == "max" {
      self = .fastest
    } else if let rate = Double(argument), rate > 0, rate <= 1e6 {
      self = .hertz(rate)
    } else {
      return nil
    }
  }

  /// Seconds between samples as a manager's update interval; 0 = every sample.
  package var interval: Double {
    switch self {
    case .hertz(let rate): 1 / rate
    case .fastest: 0
    }
  }

  /// The same as a duration; zero = every sample.
  package var duration: SensorDuration { SensorDuration(seconds: interval) ?? .zero }

  package var description: String {
    switch self {
    case .hertz(let rate): "\(Text.decimal(rate, places: 3)) Hz"
    case .fastest: "every sample"
    }
  }
}

/// A place in a recording: seconds from its start (`90`, `1m30s`), or an instant (`2026-11-21T10:00:00Z`).
package enum TimePlace {
  case sinceStart(SensorDuration)
  /// Nanoseconds since 1970-01-01 00:00 UTC.
  case instant(Int64)

  package init?(argument: String) {
    if let span = Seconds.parse(argument[...]).flatMap(SensorDuration.init(seconds:)) {
      self = .sinceStart(span)
      return
    }
    let styles = [
      Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle(),
    ]
    guard let date = styles.lazy.compactMap({ try? $0.parse(argument) }).first else { return nil }
    // To the microsecond, which a `Date` of our time still holds.
    guard let microseconds = Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded()) else { return nil }
    // Nanoseconds end in April 2262; a part may well begin or end behind all that is.
    let (nanoseconds, isTooLarge) = microseconds.multipliedReportingOverflow(by: 1000)
    self = .instant(isTooLarge ? (microseconds < 0 ? .min : .max) : nanoseconds)
  }
}

/// `--location LATITUDE,LONGITUDE`, by the rules of the environment variable `MOTION_LOCATION`.
package struct LocationArgument {
  package let location: GeographicLocation
  /// As the person wrote it.
  package let text: String

  package init?(argument: String) {
    guard let found = try? HostEnvironment(["MOTION_LOCATION": argument]).location() else { return nil }
    (location, text) = (found, argument)
  }
}

/// A recording as a person names it for a command that looks into the file: a path, or an address with options such as
/// `walk.mcap?from=10&to=20`.
package struct RecordingArgument {
  /// As it was written.
  package let name: String
  /// The file or folder.
  package let path: String
  package let options: RecordingOptions
  /// Whether all of the file is meant, read as it is: its messages may be taken as they are.
  let isWhole: Bool

  package init(_ name: String, _ choices: ReadingChoices = ReadingChoices()) throws {
    self.name = name
    let address = try SourceSelection.address(of: name)
    guard address.scheme == "replay" else { throw CommandFailure("“\(name)” is no recording.") }
    path = address.path
    var options = try ReplayOptions(address.options).recording
    choices.apply(to: &options)
    self.options = options
    var plain = RecordingOptions()
    plain.damage = options.damage
    isWhole = options == plain
  }
}
