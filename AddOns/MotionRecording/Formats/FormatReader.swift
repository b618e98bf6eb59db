// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// How one format is read. To add one, write a type with a `reader`, then add it to ``FormatReader/all`` and a rule to
/// ``DetectionRule/all``.
struct FormatReader: Sendable {
  let format: RecordingFormat
  let title: String
  /// How a person recognises it, for the list of what can be read.
  let summary: String
  /// Whether its recordings may hold several devices, so that ``RecordingOptions/device`` names one; else that option
  /// is refused.
  var hasDevices = false
  /// Whether a person may state its sign, its axes and the rate of its rows.
  var isTable = true
  let plan: @Sendable (RecordingFiles, RecordingOptions) throws(SensorError) -> RecordingPlan

  /// In the order in which they are listed for people.
  static let all = [
    SensorLogFormat.reader, SensorLoggerFormat.reader, PhyphoxFormat.reader, TidyFormat.reader, MappedFormat.reader,
    InferredFormat.reader, MCAPFormat.reader, NDJSONFormat.reader, ROSBagFormat.reader,
  ]

  static func reader(_ format: RecordingFormat) -> FormatReader? { all.first { $0.format == format } }
}

/// The plan of a format for reading a set of files.
struct RecordingPlan: Sendable {
  var streams: [SampleStreamPlan]
  var usesRecordedMotion = false
  var deviceClass = SensorInfo.DeviceClass.unknown
  /// Where it says that the device was worn; nil: it does not.
  var placement: Placement?
  /// What a reader of the recording's name should know: how a sensor was rebuilt.
  var notes: [String] = []
  /// What the recording says of its own attitude or gravity, as recorded motion, where the streams do not deliver it:
  /// for the check of its beginning. Attitude or acceleration may be NaN.
  var witness: SampleStreamPlan?
  /// Radians by which a recorded attitude and gravity may differ.
  var witnessTolerance = SelfCheck.sameEventTolerance
  /// What a dive log says of the water.
  var water: SensorInfo.Water?
  /// How far samples of different sensors are out of order, as the recording states it; the order of the stream counts.
  var reordering: SensorDuration = .zero
  /// What the recording says of itself, where it does.
  var description: RecordingDescription?
  /// The corresponding facts of another program's recording; nil = none.
  var facts: RecordedFacts?
  /// What is there and is not played, in words: for people.
  var unread: [String] = []
  /// The sign of the accelerometer that a person stated and nothing in the file confirms.
  var statedSign: RecordingOptions.Sign?
  /// How a table that no map describes was understood.
  var inferred: TableInference.Reading?
  /// What was assumed of it: sentences.
  var assumptions: [String] = []
  /// The command that reads a table as it is understood.
  var command: String?
  /// What is odd about its form: sentences.
  var warnings: [String] = []

  /// What fused motion that is there and not played is called.
  static let unplayedMotion = "motion as the device computed it"
}

extension RecordingPlan {
  /// The sign family of the accelerometer: "apple" in g of Core Motion, "reaction" with any unit; nil for anything
  /// else.
  var accelerometerSign: String? {
    for form in streams.flatMap(\.forms) {
      switch form {
      case .accelerometer(let unit), .accelerometerSum(let unit):
        return unit == .reversedGravity ? "apple" : unit.isReversed ? nil : "reaction"
      default: continue
      }
    }
    return nil
  }

  /// Names the motion that the device computed, where it is there and not played, and the tables that no stream reads;
  /// `metadata` are files that were read for what they say of the others.
  mutating func listUnread(of files: RecordingFiles, metadata: Set<String> = []) {
    let hasMotion = witness != nil && !usesRecordedMotion
    var read = Set(streams.flatMap(\.places))
    if hasMotion { read.formUnion(witness?.places ?? []) }
    unread = hasMotion ? [Self.unplayedMotion] : []
    unread += files.members.filter { !read.contains($0.place) && $0.plainName.lowercased().hasSuffix(".csv") }
      .map(\.plainName).filter { !metadata.contains($0) }
  }
}

extension SensorError {
  /// `motion=recorded` was asked for and is not there.
  static func noRecordedMotion(in files: RecordingFiles, needs: String) -> SensorError {
    files.error(
      .unsupported,
      "The recording contains no recorded motion (it needs \(needs)); without \"motion=recorded\" motion is computed from the raw sensors."
    )
  }
}
