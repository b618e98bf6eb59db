// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// How a ``ReplaySource`` plays a recording.
public struct ReplayOptions: Sendable, Hashable {
  /// Which time line the samples carry.
  public enum Clock: String, Sendable, Hashable {
    /// The recorded one, unchanged.
    case recorded
    /// The session's: the first sample is at the present, so that "now − time stamp" makes sense to a client.
    case now
  }

  /// How to read the file.
  public var recording = RecordingOptions()
  /// True: after the last sample the first comes again, later by the length of the recording and one interval. Default
  /// false: the replay ends.
  public var loops = false
  /// Default: recorded.
  public var clock = Clock.recorded

  /// Plays once, on the recorded time line, with ``RecordingOptions/init()``.
  public init() {}

  /// From the options of a URI such as `replay:walk.csv?motion=recorded&loop=yes`.
  ///
  /// | name | values | default |
  /// |---|---|---|
  /// | `motion` | `computed`, `recorded` | `computed` |
  /// | `loop` | `no`, `yes` | `no` |
  /// | `clock` | `recorded`, `now` | `recorded` |
  /// | `from`, `to` | seconds from the first sample: the part from … until before … | all of it |
  /// | `errors` | `stop`, `skip` | `stop` |
  /// | `format` | names of ``RecordingFormat/readable`` | by content |
  /// | `platform` | `ios`, `android` | by `Metadata.csv` |
  /// | `device` | the name of a device: for a recording that holds several; `phone`, `watch`, `headphones` of Sensor Logger; a topic of ROS | the only one, or the first |
  /// | `dive` | the number of a dive: for a Sensus log that holds several | the only one |
  /// | `water` | `fresh`, `en13319`, `salt`, or kg/m³: for logs that hold depths only | `en13319` |
  /// | `map` | columns of a table that no format describes (``ColumnMap``), as in `t=Time[ms] ax=AccX[g] …` | none |
  /// | `sign` | `apple`, `reaction`: for a mapped table | must be said |
  /// | `axes` | where the device's x, y, z come from in a mapped table (``ColumnAxes``), as in `x,-z,y` | `x,y,z` |
  /// | `rate` | Hz, 0.1…100000: for a mapped table without times | none |
  /// | `standardised` | `no`, `yes` | by `Metadata.csv` |
  ///
  /// `speed` and `gate` belong to the host and are passed over. Anything else fails with `.invalidRequest`.
  public init(_ options: [String: String]) throws(SensorError) {
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "motion": recording.motion = try Self.choice(name, value, ["computed": .computed, "recorded": .recorded])
      case "loop": loops = try Self.choice(name, value, ["no": false, "yes": true])
      case "clock": clock = try Self.choice(name, value, ["recorded": .recorded, "now": .now])
      case "from": recording.from = try Self.span(name, value)
      case "to": recording.to = try Self.span(name, value)
      case "errors": recording.skipsErrors = try Self.choice(name, value, ["stop": false, "skip": true])
      case "format":
        let known = RecordingFormat.readable.map { ($0.rawValue, $0) }
        recording.format = try Self.choice(name, value, Dictionary(known) { first, _ in first })
      case "platform": recording.platform = try Self.choice(name, value, ["ios": .iOS, "android": .android])
      case "standardised": recording.isStandardised = try Self.choice(name, value, ["no": false, "yes": true])
      case "dive":
        guard let number = Int(value) else {
          throw SensorError(
            .invalidRequest, "The option dive takes the number of a dive, not \(value.debugDescription).")
        }
        recording.dive = number
      case "device": recording.device = value
      case "water": recording.waterDensity = try Self.density(value)
      case "map": recording.map = try ColumnMap(value)
      case "sign": recording.sign = try Self.choice(name, value, ["apple": .apple, "reaction": .reaction])
      case "axes": recording.axes = try ColumnAxes(value)
      case "rate":
        guard let rate = Double(value), (0.1...100_000).contains(rate) else {
          throw SensorError(
            .invalidRequest, "The option rate takes Hz from 0.1 to 100000, not \(value.debugDescription).")
        }
        recording.rate = rate
      case "speed", "gate": continue
      default:
        throw SensorError(
          .invalidRequest,
          "A replay has no option \(name.debugDescription); there are motion, loop, clock, from, to, errors, format, platform, "
            + "standardised, device, dive, water, map, sign, axes, rate, speed and gate.")
      }
    }
  }

  private static func span(_ name: String, _ text: String) throws(SensorError) -> SensorDuration {
    guard let seconds = Double(text), (0...1e9).contains(seconds), let duration = SensorDuration(seconds: seconds)
    else {
      throw SensorError(
        .invalidRequest,
        "The option \(name) takes seconds from the recording's first sample, 0 to 1e9, not \(text.debugDescription).")
    }
    return duration
  }

  private static func density(_ text: String) throws(SensorError) -> Double {
    switch text {
    case "fresh": return 1000
    case "en13319": return RecordingOptions().waterDensity
    case "salt": return 1025
    default:
      guard let density = Double(text), (950...1300).contains(density) else {
        throw SensorError(
          .invalidRequest,
          "The option water takes fresh, en13319, salt, or kg/m³ from 950 to 1300, not \(text.debugDescription).")
      }
      return density
    }
  }

  private static func choice<Value>(
    _ name: String, _ value: String, _ choices: [String: Value]
  ) throws(SensorError) -> Value {
    if let chosen = choices[value] { return chosen }
    throw SensorError(
      .invalidRequest,
      "The option \(name) cannot be \(value.debugDescription); it can be \(choices.keys.sorted().joined(separator: " or "))."
    )
  }
}
