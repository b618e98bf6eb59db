// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A GT3X file of an ActiGraph, which is a zip: `info.txt`, and `log.bin` or, of old firmware, `activity.bin`.
///
/// Accelerations are in g with the sign of a reaction, times are those of the wearer's clock. Source:
/// Documentation/Formats.md 4.11; actigraph/GT3X-File-Format; actigraph/NHANES-GT3X-File-Format.
enum GT3XFormat {
  static let reader = FormatReader(
    format: .gt3x, title: "ActiGraph GT3X",
    summary: "a .gt3x, which is a zip with info.txt and log.bin or activity.bin",
    signature: ["info.txt", "log.bin", "activity.bin", "lux.bin"], plan: plan)

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    try options.refuseRecordedMotion(files, contains: "raw sensors")
    guard let member = files.member("info.txt") else {
      throw files.error(.notFound, "info.txt is missing, which says the rate: copy the whole .gt3x file again.")
    }
    let info = GT3XInfo(try files.beginning(of: member, limit: 64 << 10))
    guard let rate = info.rate else {
      throw member.error(.malformed, "It states no “Sample Rate” from 1 to 1000 Hz.")
    }
    var plan = RecordingPlan(streams: [], deviceClass: info.place.deviceClass)
    plan.facts = RecordedFacts(
      clock: .device, wallOffset: .zero, isLocalTime: true, sign: "reaction", deviceModel: "ActiGraph")
    plan.notes = info.place.notes
    if let log = files.member("log.bin") {
      try addLog(log, files, info, rate, to: &plan)
    } else if let activity = files.member("activity.bin") {
      try addActivity(activity, files, info, member, rate, to: &plan)
    }
    return plan
  }

  private static func addActivity(
    _ member: RecordingFiles.Member, _ files: RecordingFiles, _ info: GT3XInfo, _ text: RecordingFiles.Member,
    _ rate: Double, to plan: inout RecordingPlan
  ) throws(SensorError) {
    guard let start = info.start else {
      throw text.error(.malformed, "It states no “Start Date” from 1970 to 2090.")
    }
    let scale = GT3XScale(countsPerG: info.scale)
    let blocks: SampleBlockOpening = { (context, _) throws(SensorError) in
      GT3XOldActivity(
        try files.open(member), name: member.place, start: start, rate: rate, scale: scale, context)
    }
    plan.streams = [
      SampleStreamPlan(
        blocks: blocks, [.accelerometer], place: member.place, storedBytes: member.storedSize, lastInstant: { nil })
    ]
    plan.unread = ["lux.bin", "battery.bin"].filter { files.member($0) != nil }.map {
      $0 == "lux.bin" ? "light" : "battery"
    }
  }

  private static func addLog(
    _ member: RecordingFiles.Member, _ files: RecordingFiles, _ info: GT3XInfo, _ rate: Double,
    to plan: inout RecordingPlan
  ) throws(SensorError) {
    guard let clock = BlockClock(rate: rate, grain: 0) else { return }
    let survey = try GT3XSurvey(GT3XLog(try files.open(member, isChecked: false), name: member.place, .probing))
    let scale = GT3XScale(countsPerG: survey.scale ?? info.scale, isTurned: info.isTurned)
    func stream(_ kinds: [SensorKinds], isInertial: Bool) -> SampleStreamPlan {
      let blocks: SampleBlockOpening = { (context, wanted) throws(SensorError) in
        GT3XSeconds(
          GT3XLog(try files.open(member, isChecked: false), name: member.place, context), clock: clock, scale: scale,
          isInertial: isInertial, wanted, context)
      }
      return SampleStreamPlan(
        blocks: blocks, kinds, place: member.place, storedBytes: member.storedSize, lastInstant: { nil })
    }
    if survey.hasActivity { plan.streams.append(stream([.accelerometer], isInertial: false)) }
    // A Link has a second accelerometer in its inertial chip: of use only where the first was off.
    let inertial = [SensorKinds.accelerometer, .gyroscope, .magnetometer].filter {
      survey.inertial.contains($0) && !(survey.hasActivity && $0 == .accelerometer)
    }
    if !inertial.isEmpty { plan.streams.append(stream(inertial, isInertial: true)) }
    if info.isTurned { plan.notes.append("the axes that firmware 1.6.0 turned are turned back") }
    plan.unread = survey.unread
    if survey.hasActivity, survey.inertial.contains(.accelerometer) {
      plan.unread.append("accelerometer of the inertial chip")
    }
  }
}

/// What the first megabytes of a log hold.
private struct GT3XSurvey {
  /// Records that are looked at: some minutes.
  private static let records = 2000
  /// Groups of records that no sensor is in, by their types.
  private static let others: [(types: [UInt8], name: String)] = [
    ([5], "light"), ([2], "battery"), ([4, 11, 14], "heart rate"), ([9, 12, 15, 16], "epochs"), ([13], "skin contact"),
  ]

  /// Counts per g; nil where no record says it.
  private(set) var scale: Double?
  private(set) var hasActivity = false
  private(set) var inertial: SensorKinds = []
  private(set) var unread: [String] = []

  init(_ log: GT3XLog) throws(SensorError) {
    var seen: Set<UInt8> = []
    var count = 0
    while count < Self.records, let record = try log.next() {
      count += 1
      seen.insert(record.type)
      switch record.type {
      case GT3XLog.Kind.parameters: scale = scale ?? Self.scale(record.payload)
      case GT3XLog.Kind.sensorSchema: inertial.formUnion(GT3XSchema(record.payload)?.kinds ?? [])
      case GT3XLog.Kind.activity, GT3XLog.Kind.activity2: hasActivity = hasActivity || record.payload.count > 1
      default: break
      }
    }
    unread = Self.others.filter { !seen.isDisjoint(with: $0.types) }.map(\.name)
  }

  /// The value of the key 0, 55 (ACCEL_SCALE) among pairs of 8 bytes.
  private static func scale(_ payload: ArraySlice<UInt8>) -> Double? {
    for start in stride(from: 0, to: payload.count - 7, by: 8) where payload.word(start) == 55 << 16 {
      let value = payload.actiGraphNumber(start + 4)
      return GT3XInfo.scales.contains(value) ? value : nil
    }
    return nil
  }
}

/// What `info.txt` says that a reader needs.
struct GT3XInfo {
  /// Counts per g that a device may have.
  static let scales = 10.0...100_000

  /// Hz; nil where it is not stated.
  let rate: Double?
  /// ns since 1970 on the wearer's clock.
  let start: Int64?
  /// Counts per g where the log does not say it.
  let scale: Double
  let isTurned: Bool
  let place: WornPlace

  init(_ text: String) {
    var values: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let key = line[..<colon].filter { $0 != "\u{FEFF}" }
      values[key] = line[line.index(after: colon)...].split(separator: " ").joined(separator: " ")
    }
    rate = values["Sample Rate"].flatMap(Double.init).flatMap { (1...1000).contains($0) ? $0 : nil }
    start = values["Start Date"].flatMap(Int64.init).flatMap(Self.time)
    let serial = values["Serial Number"] ?? ""
    let usual = ["NEO", "MRA", "CLE"].contains { serial.hasPrefix($0) } ? 341.0 : 256
    let stated = values["Acceleration Scale"].flatMap(Double.init)
    scale = stated.flatMap { Self.scales.contains($0) ? $0 : nil } ?? usual
    isTurned = serial.hasPrefix("MOS") && values["Firmware"] == "1.6.0"
    place = WornPlace([values["Side"], values["Limb"]].compactMap(\.self).joined(separator: " "))
  }

  /// .NET ticks of 100 ns since 0001-01-01.
  private static func time(_ ticks: Int64) -> Int64? {
    let since = ticks.subtractingReportingOverflow(621_355_968_000_000_000)
    guard !since.overflow, (0...37_000_000_000_000_000).contains(since.partialValue) else { return nil }
    return since.partialValue * 100
  }
}

/// Where a device was worn, in the words of the person who started it.
struct WornPlace {
  private let words: String?

  /// Empty, "undefined" and what is no short plain text are not known.
  init(_ text: String?) {
    let words = text?.split(separator: " ").joined(separator: " ") ?? ""
    let isPlain = words.utf8.allSatisfy { (0x20...0x7E).contains($0) } && words.utf8.count <= 64
    self.words = isPlain && !words.isEmpty && words.lowercased() != "undefined" ? words : nil
  }

  /// Loggers of this kind are worn on the wrist unless they say otherwise.
  var deviceClass: SensorInfo.DeviceClass {
    guard let words = words?.lowercased() else { return .watch }
    return words.contains("wrist") || ["left", "right"].contains(words) ? .watch : .module
  }

  var notes: [String] { words.map { ["worn: \($0)"] } ?? [] }
}
