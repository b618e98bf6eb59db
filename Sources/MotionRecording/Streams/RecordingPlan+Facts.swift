// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

// What a plan's streams show of it.
extension RecordingPlan {
  /// The sign family of the accelerometer: "apple" in g of Core Motion, "reaction" with any unit; nil for anything else.
  var accelerometerSign: String? {
    for form in streams.flatMap(Self.forms) {
      switch form {
      case .accelerometer(let unit), .accelerometerSum(let unit, _, _):
        return unit == .reversedGravity ? "apple" : unit.isReversed ? nil : "reaction"
      default: continue
      }
    }
    return nil
  }

  private static func forms(_ stream: any SampleStreamPlan) -> [SampleForm] {
    switch stream {
    case let stream as TableStreamPlan: [stream.form]
    case let stream as JoinedStreamPlan: [stream.form]
    case let stream as RowStreamPlan: stream.readings.map(\.form)
    default: []
    }
  }

  /// Names the motion that the device computed, where it is there and not played, and the tables that no stream reads; `metadata` are
  /// files that were read for what they say of the others.
  mutating func leaveAside(of files: RecordingFiles, metadata: Set<String> = []) {
    let hasMotion = witness != nil && !usesRecordedMotion
    var read = Set(streams.flatMap(\.places))
    if hasMotion { read.formUnion(witness?.places ?? []) }
    unread = hasMotion ? [Self.motionAside] : []
    unread += files.members.filter { !read.contains($0.place) && $0.plainName.lowercased().hasSuffix(".csv") }
      .map(\.plainName).filter { !metadata.contains($0) }
  }
}
