// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionMath
import MotionSensing

/// The WISDM data set as it is kept in shared data: `dt_ms,x,y,z`, a file for each sensor, m/s² upwards at rest or
/// rad/s.
///
/// The time is the running sum of `dt_ms`. The name says the rest: `<person>_<phone|watch>_<accel|gyro>.csv`. An
/// accelerometer takes the gyroscope of the same device with it when that file lies beside it. Both clocks are one, and
/// `source_start_ns` in the set's `index.csv` says when each file begins on it; without the index both begin at 0,
/// which is right within half a second. Source: Documentation/Formats.md 4.10; Weiss, Yoneda, Hayajneh, IEEE Access 7,
/// 2019.
enum WISDMFormat {
  static let reader = FormatReader(
    format: .wisdm, title: "WISDM",
    summary: "<person>_<phone|watch>_<accel|gyro>.csv with the columns dt_ms,x,y,z", plan: plan)

  static func isHeader(_ line: String) -> Bool {
    line.hasPrefix("dt_ms") && ["dt_ms,x,y,z", "dt_ms;x;y;z", "dt_ms\tx\ty\tz"].contains(line.filter { $0 != "\r" })
  }

  private static func plan(
    _ files: RecordingFiles, _ options: RecordingOptions
  ) throws(SensorError) -> RecordingPlan {
    try options.refuseRecordedMotion(files, contains: "raw sensors")
    guard files.kind == .file, let member = files.members.first else {
      throw files.error(
        .unsupported, "There are \(files.members.count) files here (\(files.listing)); give one of them.")
    }
    let name = member.plainName.lowercased()
    let isAccelerometer = name.contains("accel")
    guard isAccelerometer || name.contains("gyro"), name.contains("phone") || name.contains("watch") else {
      throw member.error(
        .unsupported,
        "The sensor of these columns is unknown: the name of the file should contain phone or watch, and accel or gyro.",
        line: 1)
    }
    var plan = RecordingPlan(streams: [], deviceClass: name.contains("watch") ? .watch : .phone)
    guard isAccelerometer else {
      plan.streams = [try stream(member, .gyroscope, files)]
      return plan
    }
    let form = SampleForm.accelerometer(unit: .metresPerSecondSquared)
    let other = member.plainName.replacing("accel", with: "gyro")
    guard let gyroscope = files.neighbour(other + ".gz") ?? files.neighbour(other) else {
      plan.streams = [try stream(member, form, files)]
      return plan
    }
    // How much later the gyroscope begins, ns.
    let starts = try starts(files)
    let delay: Int64? = if let own = starts(member), let others = starts(gyroscope) { others &- own } else { nil }
    plan.streams = [
      try stream(member, form, files, start: max(0, Int64(0).clamped(minus: delay ?? 0))),
      try stream(gyroscope, .gyroscope, files, start: max(0, delay ?? 0)),
    ]
    let clock = delay == nil ? "both files begin at 0, as index.csv does not say when" : "on one clock by index.csv"
    plan.notes = ["gyroscope from \(gyroscope.name), \(clock)"]
    return plan
  }

  private static func stream(
    _ member: RecordingFiles.Member, _ form: SampleForm, _ files: RecordingFiles, start: Int64 = 0
  ) throws(SensorError) -> SampleStreamPlan {
    let header = try files.header(of: member)
    guard let axes = try header.axes("") else {
      throw header.error(.malformed, "The header has no such column.", column: "x")
    }
    var layout = header.layout([try header.time("dt_ms", decimals: 6)] + .numbers(axes))
    layout.timeLine = .differences(start: start)
    return SampleStreamPlan(TableFile(files: files, member: member, layout: layout), form)
  }

  /// When files begin on the device's clock, ns, by the set's index; nil for a file that it does not have.
  private static func starts(
    _ files: RecordingFiles
  ) throws(SensorError) -> (RecordingFiles.Member) -> Int64? {
    // Names repeat from activity to activity, so the folder counts.
    let folder = files.path.lastIndex(of: "/").map { String(files.path[...$0]) } ?? "."
    guard let index = files.neighbour("../index.csv"), let resolved = realpath(folder, nil) else { return { _ in nil } }
    defer { free(resolved) }
    let activity = String(cString: resolved).split(separator: "/").last.map { $0 + "/" } ?? ""
    let text = String(decoding: try files.open(index).bytes(limit: 1 << 20), as: UTF8.self)
    let rows = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    guard let file = rows.first?.firstIndex(of: "file"), let start = rows.first?.firstIndex(of: "source_start_ns")
    else {
      return { _ in nil }
    }
    return { member in
      rows.first { $0.count > max(file, start) && $0[file] == activity + member.name }.flatMap { Int64($0[start]) }
        .flatMap { (0...InputLimits.nanoseconds).contains($0) ? $0 : nil }
    }
  }
}
