// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// The options of a ``ReplaySource``.
public struct ReplayOptions: Sendable, Hashable {
  /// The time line of the samples.
  public enum Clock: String, Sendable, Hashable, CaseIterable {
    /// The recorded one, unchanged.
    case recorded
    /// The session's: the first sample is at the current time, so that "now − time stamp" is meaningful for a client.
    case now
  }

  /// Options for reading the file.
  public var recording = RecordingOptions()
  /// True: after the last sample the recording starts again, shifted by its length and one interval. Default false: the
  /// replay ends.
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
  /// | `map` | columns of a table of an unknown format (``ColumnMap``), as in `t=Time[ms] ax=AccX[g] …` | none |
  /// | `sign` | `apple`, `reaction`: for a mapped table | required |
  /// | `axes` | the columns for the device's x, y, z in a mapped table (``ColumnAxes``), as in `x,-z,y` | `x,y,z` |
  /// | `rate` | Hz, 0.1…100000: for a mapped table without times | none |
  /// | `standardised` | `no`, `yes` | by `Metadata.csv` |
  ///
  /// `speed`, `gate` and `resume` belong to the host and have no effect here. Anything else fails with
  /// `.invalidRequest`.
  public init(_ options: [String: String]) throws(SensorError) {
    try Self.table.apply(options, to: &self)
  }

  private static let table = SourceOptions<ReplayOptions>(
    "a replay", hostOptions: ["speed", "gate", "resume"],
    [
      .choice("motion", RecordingOptions.Motion.self, default: "computed") { $0.recording.motion = $1 },
      .yesOrNo("loop", default: "no") { $0.loops = $1 },
      .choice("clock", Clock.self, default: "recorded") { $0.clock = $1 },
      .span("from") { $0.recording.from = $1 },
      .span("to") { $0.recording.to = $1 },
      .choice("errors", DamagePolicy.self, default: "stop") { $0.recording.damage = $1 },
      .value(
        "format", "one of \(RecordingFormat.readable.map(\.rawValue).joined(separator: ", "))", default: "by content",
        parse: { text in RecordingFormat.readable.first { $0.rawValue == text } }
      ) { $0.recording.format = $1 },
      .choice("platform", RecordingOptions.Platform.self, default: "by Metadata.csv") { $0.recording.platform = $1 },
      .yesOrNo("standardised", default: "by Metadata.csv") { $0.recording.isStandardised = $1 },
      .value("device", "the name of a device", parse: { $0 }) { $0.recording.device = $1 },
      .value("map", "columns of a table", parse: { text throws(SensorError) in try ColumnMap(text) }) {
        $0.recording.map = $1
      },
      .choice("sign", RecordingOptions.Sign.self) { $0.recording.sign = $1 },
      .value("axes", "axes of a table", parse: { text throws(SensorError) in try ColumnAxes(text) }) {
        $0.recording.axes = $1
      },
      .number("rate", "Hz", in: 0.1...100_000) { $0.recording.rate = $1 },
    ])
}

extension SourceOption {
  /// A time from the recording's first sample.
  fileprivate static func span(
    _ name: String, set: @escaping @Sendable (inout Settings, SensorDuration) -> Void
  ) -> Self {
    value(
      name, "seconds from the recording's first sample, a number from 0 to 1e9",
      parse: { text in
        Double(text).flatMap { (0...1e9).contains($0) ? SensorDuration(seconds: $0) : nil }
      }, set: set)
  }
}
