// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Sensor Logger's JSON export: one flat array of objects, grouped by sensor, every value a string.
///
/// Each sensor's objects are turned into the rows of the CSV that the app would have exported for it, so that one set
/// of rules reads both. The array is read once to find the sensors and where they begin, and then once for each sensor.
/// Source: Documentation/Formats.md 4.2.
enum SensorLoggerJSON {
  /// The objects of one sensor.
  struct Sensor: Sendable, Hashable {
    /// As in the objects: "Accelerometer".
    var name: String
    /// The names of the first object's members but the sensor.
    var columns: [String]
    var member: RecordingFiles.Member
    /// Bytes into the text: its first object, and the end of its last.
    var start: Int64
    var end: Int64
    /// An object that was cut off before it said its sensor is counted here.
    var takesRest = false
  }

  /// The app has about forty sensors.
  private static let mostSensors = 256

  static func isBeginning(_ head: [UInt8]) -> Bool {
    let text = head.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard text.first == 0x5B else { return false }
    let beginning = String(decoding: text.prefix(4096), as: UTF8.self)
    return beginning.contains("\"sensor\"") && beginning.contains("\"seconds_elapsed\"")
  }

  /// The one file that can be such an export, of a recording that holds no other tables.
  static func only(in files: RecordingFiles) -> RecordingFiles.Member? {
    if files.kind == .file { return files.members.first }
    let found = files.members.filter { $0.plainName.lowercased().hasSuffix(".json") }
    return found.count == 1 ? found[0] : nil
  }

  /// The recording with a file for each sensor; unchanged when it is no JSON.
  static func expand(_ files: RecordingFiles) throws(SensorError) -> RecordingFiles {
    guard let member = only(in: files), files.member("Metadata.csv") == nil,
      isBeginning(try files.open(member).bytes(limit: 64 << 10))
    else { return files }
    return files.withRecords(try sensors(of: member, in: files))
  }

  private static func sensors(
    of member: RecordingFiles.Member, in files: RecordingFiles
  ) throws(SensorError) -> [Sensor] {
    let reader = try JSONObjectReader(files.open(member), position: 0, name: member.place)
    var sensors: [Sensor] = []
    var latest = 0
    do throws(SensorError) {
      while try reader.next() {
        let members = reader.members
        guard let name = members.first(where: { $0.key == "sensor" })?.value else {
          if reader.isTruncated, !sensors.isEmpty {
            sensors[latest].takesRest = true
            sensors[latest].end = reader.position
          }
          continue
        }
        if sensors.isEmpty || sensors[latest].name != name {
          if let known = sensors.firstIndex(where: { $0.name == name }) {
            latest = known
          } else {
            latest = sensors.count
            sensors.append(
              Sensor(
                name: name, columns: members.map(\.key).filter { $0 != "sensor" }, member: member,
                start: reader.objectStart, end: 0))
          }
          guard sensors.count <= mostSensors, name.utf8.count <= InputLimits.nameBytes else {
            throw member.error(
              .limitExceeded,
              "The file names more than \(mostSensors) sensors or a sensor of more than \(InputLimits.nameBytes) bytes."
            )
          }
        }
        sensors[latest].end = reader.position
      }
    } catch {
      // Damage: the sensor in which it lies meets it again, and reports it.
      guard error.code == .malformed || error.code == .cutOff, !sensors.isEmpty else { throw error }
      sensors[latest].end = .max
    }
    return sensors
  }

  /// A sensor's objects as the lines of a CSV.
  static func rows(of sensor: Sensor, in files: RecordingFiles) throws(SensorError) -> any ByteSource {
    let (bytes, skip) = try files.open(sensor.member, from: sensor.start)
    return Rows(
      sensor, try JSONObjectReader(bytes, position: sensor.start, skip: skip, name: sensor.member.place))
  }

  private final class Rows: ByteSource {
    private let sensor: Sensor
    private let reader: JSONObjectReader
    private var pending: [UInt8]
    private var cursor = 0

    init(_ sensor: Sensor, _ reader: JSONObjectReader) {
      self.sensor = sensor
      self.reader = reader
      pending = Array((sensor.columns.map { Self.cell($0) }.joined(separator: ",") + "\n").utf8)
    }

    func read(_ most: Int, into bytes: inout [UInt8]) throws(SensorError) -> Int {
      if cursor == pending.count { try refill() }
      let count = min(most, pending.count - cursor)
      bytes.append(contentsOf: pending[cursor..<cursor + count])
      cursor += count
      return count
    }

    /// Some dozens of lines; none at the end.
    private func refill() throws(SensorError) {
      pending.removeAll(keepingCapacity: true)
      cursor = 0
      do throws(SensorError) {
        while pending.count < 16 << 10, reader.position < sensor.end, try reader.next() { append() }
      } catch {
        // Lines that came before the damage are read first; the next call meets it again.
        if pending.isEmpty { throw error }
      }
    }

    private func append() {
      let members = reader.members
      guard let name = members.first(where: { $0.key == "sensor" })?.value else {
        if reader.isTruncated, sensor.takesRest { pending.append(UInt8(ascii: "?")) }
        return
      }
      guard name == sensor.name else { return }
      for (index, column) in sensor.columns.enumerated() {
        if index > 0 { pending.append(0x2C) }
        // Mostly in the order of the columns.
        let value =
          index + 1 < members.count && members[index + 1].key == column
          ? members[index + 1].value : members.first { $0.key == column }?.value
        if let value { pending.append(contentsOf: Self.cell(value).utf8) }
      }
      if !reader.isTruncated { pending.append(0x0A) }
    }

    /// A value as one cell.
    private static func cell(_ value: String) -> String {
      guard value.utf8.contains(where: { [0x2C, 0x22, 0x0A, 0x0D, 0x3B, 0x09].contains($0) }) else { return value }
      let plain = String(value.unicodeScalars.map { Character($0 == "\"" ? "'" : $0 == "\n" || $0 == "\r" ? " " : $0) })
      return "\"\(plain)\""
    }
  }
}
