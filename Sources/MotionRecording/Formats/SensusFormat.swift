// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A download of a ReefNet Sensus: no header, thirteen columns, the pressure in millibar every ten seconds, the temperature in
/// kelvin and hundredths. One dive is read; another dive number is another recording, and of several the user chooses
/// one (``RecordingOptions/dive``). Source: Documentation/Formats.md 4.9.
enum SensusFormat {
  static let reader = FormatReader(
    format: .sensus, title: "Sensus dive log", summary: "a CSV of thirteen columns whose second is SU-…", plan: plan)

  /// Whether a first line is one of this form.
  static func isLine(_ line: String) -> Bool {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 13, fields[1].hasPrefix("SU-") else { return false }
    return fields.indices.allSatisfy { $0 == 1 || Int(fields[$0].trimmingSuffix { $0 == "\r" }) != nil }
  }

  /// Where a row's dive number stands, behind the numbers of a ``PressureForm``.
  fileprivate static let diveSlot = PressureForm.Slot.count

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    typealias Slot = PressureForm.Slot
    try PressureForm.refuseRecordedMotion(files, options)
    let member = try files.only()
    let dives = try dives(in: files, member)
    let dive = try choice(of: dives, options.dive, member)
    let columns: [TableLayout.Column] = [
      .init(index: 0, name: "dive number", content: .number(slot: diveSlot)),
      .init(index: 9, name: "elapsed seconds", content: .instant(slot: 0, decimals: 9)),
      .init(index: 10, name: "pressure", content: .number(slot: Slot.pressure)),
      .init(index: 11, name: "temperature", content: .number(slot: Slot.temperature)),
      .init(index: 12, name: "hundredths of a kelvin", content: .number(slot: Slot.hundredths)),
    ]
    var layout = TableLayout(separator: .byte(0x2C), hasHeader: false, columnCount: 13, columns: columns)
    // The clock starts again with each dive.
    layout.isOrdered = false
    let stream = SensusStreamPlan(
      table: TableFile(files: files, member: member, layout: layout), dive: dive, isOnly: dives.count <= 1)
    let notes = dives.count > 1 ? ["dive \(dive) of \(dives.count)"] : []
    return RecordingPlan(
      streams: [stream], deviceClass: .watch, notes: notes + ["no surface pressure"], water: .init())
  }

  /// The numbers of the dives, in their order. Lines that are none are for the reader to report.
  private static func dives(
    in files: RecordingFiles, _ member: RecordingFiles.Member
  ) throws(SensorError) -> [Int] {
    let lines = LineReader(try files.open(member), name: member.place)
    var dives: [Int] = []
    var seen: Set<Int> = []
    while let line = try? lines.next() {
      let bytes = UnsafeBufferPointer(start: line.start, count: line.end - line.start)
      guard let comma = bytes.firstIndex(of: 0x2C),
        let number = Int(String(decoding: bytes[..<comma], as: UTF8.self)), seen.insert(number).inserted
      else { continue }
      dives.append(number)
      guard dives.count <= InputLimits.entries else {
        throw SensorError(
          .limitExceeded, "The file has more than \(InputLimits.entries) dives, so it is not a dive log.",
          at: .init(file: member.place))
      }
    }
    return dives
  }

  private static func choice(
    of dives: [Int], _ wanted: Int?, _ member: RecordingFiles.Member
  ) throws(SensorError) -> Int {
    let list = dives.prefix(20).map(String.init).joined(separator: ", ") + (dives.count > 20 ? " …" : "")
    if let wanted {
      guard dives.contains(wanted) else {
        throw SensorError(
          .notFound, "The file has no dive \(wanted); it has \(list).", at: .init(file: member.place))
      }
      return wanted
    }
    guard dives.count <= 1 else {
      throw SensorError(
        .invalidRequest,
        "The file has \(dives.count) dives (\(list)): choose one, as in “\(member.place)?dive=\(dives[0])”.",
        at: .init(file: member.place))
    }
    return dives.first ?? 0
  }
}

/// The rows of one dive.
private struct SensusStreamPlan: SampleStreamPlan {
  var table: TableFile
  var dive: Int
  /// The file holds no other.
  var isOnly: Bool

  var channels: [SensorInfo.Channel] { [.init(kind: .waterPressure)] }
  var places: [String] { [table.member.place] }
  var storedBytes: Int64 { table.member.storedSize }

  func open(_ context: ReadingContext) throws(SensorError) -> any SampleStream {
    let reader = try table.open(RowValues(count: SensusFormat.diveSlot + 1), context)
    return SensusStream(reader, dive: Double(dive), context: context)
  }

  func lastInstant() -> SensorInstant? { isOnly ? table.lastInstant(slotCount: SensusFormat.diveSlot + 1) : nil }
}

private final class SensusStream: SampleStream {
  private static let form = PressureForm(medium: .water, unit: 100, temperatureOffset: -273.15)
  private let reader: TableReader
  private let dive: Double
  private let context: ReadingContext
  private var order = TimeOrder()

  init(_ reader: TableReader, dive: Double, context: ReadingContext) {
    self.reader = reader
    self.dive = dive
    self.context = context
  }

  func next() throws(SensorError) -> SensorSample? {
    while try reader.next() {
      guard reader.values.numbers[SensusFormat.diveSlot] == dive else { continue }
      guard let time = try context.place(reader.instants[0], in: &order, at: reader.place) else { continue }
      return Self.form.sample(time: SensorInstant(nanoseconds: time), reader.values.numbers)
    }
    return nil
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while isWanted: (Character) -> Bool) -> Substring {
    var text = self
    while let last = text.last, isWanted(last) { text.removeLast() }
    return text
  }
}
