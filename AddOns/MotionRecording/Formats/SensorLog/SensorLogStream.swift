// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// The groups of a SensorLog table as one stream.
///
/// Each row repeats every group's last value, so a group's sample is new only when its own time stamp has changed. The
/// groups of one row lag behind the row by different times; samples therefore wait until the newest stamp is two
/// seconds ahead, which puts them into one order at constant memory and in a single pass.
final class SensorLogStream {
  /// ns; real files lag by tenths of a second at most.
  private static let window: Int64 = 2_000_000_000
  private static let mostWaiting = 65_536

  private let reader: TableReader
  private let groups: [RowReading]
  private let context: ReadingContext
  // Unchecked: nothing is called while one of these is being changed, and the checks cost more than the changes.
  @exclusivity(unchecked) private var orders: [TimeOrder]
  /// In time order from `head` on.
  @exclusivity(unchecked) private var waiting: [SensorSample] = []
  @exclusivity(unchecked) private var head = 0
  private var newest = Int64.min
  private var delivered = Int64.min
  private var hasEnded = false

  init(_ reader: TableReader, groups: [RowReading], context: ReadingContext) {
    self.reader = reader
    self.groups = groups
    self.context = context
    orders = Array(repeating: TimeOrder(latest: 0), count: groups.count)
  }

  func next() throws(SensorError) -> SensorSample? {
    while true {
      if head < waiting.count {
        let time = waiting[head].time.nanoseconds
        if hasEnded || time <= newest &- Self.window || waiting.count - head > Self.mostWaiting {
          delivered = time
          defer { dropHead() }
          return waiting[head]
        }
      }
      if hasEnded { return nil }
      do throws(SensorError) {
        if try reader.next() { try readRow() } else { hasEnded = true }
      } catch {
        // A search for the first samples ends with those that it has.
        guard context.hasGivenUp, head < waiting.count else { throw error }
        hasEnded = true
      }
    }
  }

  private func readRow() throws(SensorError) {
    let numbers = reader.values.numbers
    for (index, group) in groups.enumerated() {
      let time = reader.instants[group.instant]
      // 0 and an empty cell: never delivered. The same as before: nothing new.
      guard time != 0, time != TableReader.absent, time != orders[index].latest else { continue }
      guard try context.isComplete(group, numbers.span, at: reader.place) else { continue }
      guard let time = try context.place(time, in: &orders[index], at: reader.place) else { continue }
      guard time >= delivered else {
        try context.report(
          .outOfOrder, "The \(group.form.kind.names.joined()) lags more than 2 s behind the other sensors here",
          at: reader.place)
        continue
      }
      insert(group.form.sample(time: time, numbers.span.extracting(group.firstSlot...)))
    }
  }

  private func insert(_ sample: SensorSample) {
    let time = sample.time
    var position = waiting.count
    while position > head, waiting[position - 1].time > time { position -= 1 }
    if position == waiting.count { waiting.append(sample) } else { waiting.insert(sample, at: position) }
    newest = max(newest, time.nanoseconds)
  }

  private func dropHead() {
    head += 1
    if head == waiting.count || head > 1024 {
      waiting.removeFirst(head)
      head = 0
    }
  }
}

/// Facts from the first rows of a SensorLog table: the offset of its clock to the wall clock, and which groups of
/// columns hold something that is not played.
struct SensorLogBeginning {
  private let header: TableHeader
  private let rows: [[String]]

  /// Groups that no sensor is in, by the beginning of their columns' names; the first that fits counts.
  private static let groups = [
    ("locationHeading", "heading"), ("locationTrueHeading", "heading"), ("locationMagneticHeading", "heading"),
    ("location", "location"), ("activity", "activity"), ("pedometer", "pedometer"),
    ("altimeterRelativeAltitude", "relative altitude"), ("deviceOrientation", "device orientation"),
    ("battery", "battery"), ("avAudioRecorder", "sound level"), ("IP_", "network addresses"), ("label(", "label"),
  ]

  init(_ header: TableHeader, _ files: RecordingFiles, _ member: RecordingFiles.Member) throws(SensorError) {
    self.header = header
    var lines = try files.firstLines(of: member, count: 2000).dropFirst()
    // The last may be cut off.
    if lines.count > 1 { lines = lines.dropLast() }
    rows = lines.map { TableHeader.fields(of: Array($0.utf8), separator: header.separator) }
  }

  /// Unix time less the time of a group, whose time stamp is named; nil where the table has no `loggingTime(txt)`.
  ///
  /// A row is written after its samples, some late, so the least difference is the nearest; texts are rounded down, to
  /// the millisecond or to the second. In whole milliseconds the offset that was used to write a table is found again
  /// to the nanosecond.
  func wallOffset(of timeStamp: String) throws(SensorError) -> (offset: SensorDuration, hasZone: Bool)? {
    guard let wall = try header.index(of: "loggingTime", units: ["txt"]),
      let own = try header.index(of: timeStamp, units: ["s"])
    else { return nil }
    var differences: [Int64] = []
    var hasZone = true
    var resolution: Int64 = 1_000_000
    var previous: Int64?
    for row in rows where row.count > max(wall, own) {
      guard let text = WallTime(row[wall]), let time = DecimalNumber.nanoseconds(row[own]), time != 0, time != previous
      else { continue }
      previous = time
      differences.append(text.nanoseconds - time)
      hasZone = hasZone && text.hasZone
      resolution = max(resolution, text.resolution)
    }
    guard let least = differences.min() else { return nil }
    // Texts in whole seconds: the latest within the second is the nearest.
    let nearest = resolution > 1_000_000 ? differences.filter { $0 < least + resolution }.max() ?? least : least
    let (whole, rest) = nearest.quotientAndRemainder(dividingBy: 1_000_000)
    return (SensorDuration(nanoseconds: (rest > 0 ? whole + 1 : whole) * 1_000_000), hasZone)
  }

  /// The groups that hold something.
  var unread: [String] {
    var names: [String] = []
    for (index, column) in header.names.enumerated() {
      guard let name = Self.groups.first(where: { column.hasPrefix($0.0) })?.1, !names.contains(name),
        rows.contains(where: { index < $0.count && Self.isValue($0[index]) })
      else { continue }
      names.append(name)
    }
    return names
  }

  /// Neither empty nor one of the numbers that stand for "none".
  private static func isValue(_ cell: String) -> Bool {
    guard !cell.isEmpty, cell.lowercased() != "null" else { return false }
    guard let number = Double(cell) else { return true }
    return number.isFinite && ![0, -1, -9999].contains(number)
  }
}
