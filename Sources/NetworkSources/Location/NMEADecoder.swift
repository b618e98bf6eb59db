// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// Positions out of the sentences of a satellite receiver: NMEA 0183, as receivers print it, loggers store it and gpsd
/// passes it on.
///
/// A fix needs RMC (date, position, speed). GGA of the same second adds height and precision, GST the receiver's own
/// standard deviations. Without GST the deviation is the dilution of precision times 5 m, a usual range error of
/// receivers with one frequency. Sentences with a wrong checksum are counted and ignored, as is a position without
/// validity.
struct NMEADecoder: Sendable {
  /// Metres of range error that a dilution of precision multiplies.
  private static let rangeDeviation = 5.0
  /// m/s of a knot.
  private static let knot = 1852.0 / 3600

  private struct Supplement {
    /// Of day, as text: two sentences of one fix carry the same.
    var time: Substring
    var height: Double?
    var dilution: Double?
  }

  /// Sentences with a wrong checksum or unreadable numbers.
  private(set) var rejected = 0
  private var supplement: Supplement?
  private var deviations: (horizontal: Double, vertical: Double)?
  /// A fix that waits for the GGA of its second.
  private var waiting: (time: Substring, fix: PositionFix)?

  /// Takes a line. It returns the fix that is complete now, if there is one.
  mutating func decode(_ line: some StringProtocol) -> PositionFix? {
    guard let start = line.firstIndex(of: "$") else { return nil }
    let text = line[line.index(after: start)...].prefix { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }
    guard let star = text.lastIndex(of: "*"), let sum = UInt8(text[text.index(after: star)...].prefix(2), radix: 16),
      text[..<star].utf8.reduce(0, ^) == sum
    else {
      rejected += 1
      return nil
    }
    let fields = String(text[..<star]).split(separator: ",", omittingEmptySubsequences: false)
    guard fields[0].count == 5 else { return nil }
    switch fields[0].suffix(3) {
    case "RMC": return decodeRMC(fields)
    case "GGA": return decodeGGA(fields)
    case "GST":
      if fields.count > 8, let north = Self.number(fields[6]), let east = Self.number(fields[7]),
        let up = Self.number(fields[8])
      {
        deviations = (hypot(north, east), up)
      }
      return nil
    default: return nil
    }
  }

  /// The fix that still waited for its height; the lines are over.
  mutating func finish() -> PositionFix? {
    defer { waiting = nil }
    return waiting?.fix
  }

  private mutating func decodeRMC(_ fields: [Substring]) -> PositionFix? {
    let earlier = finish()
    guard fields.count > 9, fields[2] == "A" else { return earlier }
    guard let time = Self.instant(date: fields[9], time: fields[1]),
      let latitude = Self.angle(fields[3], fields[4], limit: 90),
      let longitude = Self.angle(fields[5], fields[6], limit: 180)
    else {
      rejected += 1
      return earlier
    }
    var fix = PositionFix(time: time, latitude: latitude, longitude: longitude)
    fix.speed = Self.number(fields[7]).map { $0 * Self.knot }
    guard supplement?.time == fields[1] else {
      waiting = (fields[1], fix)
      return earlier
    }
    complete(&fix)
    // GGA came first, so nothing waited.
    return fix
  }

  private mutating func decodeGGA(_ fields: [Substring]) -> PositionFix? {
    guard fields.count > 11, let quality = Int(fields[6]), quality > 0 else { return nil }
    var height: Double?
    // Above mean sea level, and how far that lies above the ellipsoid.
    if let above = Self.number(fields[9]), let geoid = Self.number(fields[11]) { height = above + geoid }
    supplement = Supplement(time: fields[1], height: height, dilution: Self.number(fields[8]))
    guard let (time, early) = waiting, time == fields[1] else { return finish() }
    var fix = early
    waiting = nil
    complete(&fix)
    return fix
  }

  private func complete(_ fix: inout PositionFix) {
    fix.height = supplement?.height
    let estimate = supplement?.dilution.map { $0 * Self.rangeDeviation }
    fix.horizontalDeviation = deviations?.horizontal ?? estimate
    // Heights are about half again as uncertain as positions, by the geometry of satellites above the horizon.
    fix.verticalDeviation = deviations?.vertical ?? estimate.map { $0 * 1.5 }
  }

  private static func number(_ text: Substring) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// rad out of degrees and minutes (`4807.038`) and a hemisphere.
  private static func angle(_ text: Substring, _ hemisphere: Substring, limit: Double) -> Double? {
    guard let point = text.firstIndex(of: ".") ?? Optional(text.endIndex),
      text.distance(from: text.startIndex, to: point) > 2, let sign = ["N": 1.0, "E": 1, "S": -1, "W": -1][hemisphere]
    else { return nil }
    let split = text.index(point, offsetBy: -2)
    guard let degrees = number(text[..<split]), let minutes = number(text[split...]), (0..<60).contains(minutes),
      degrees >= 0, degrees + minutes / 60 <= limit
    else { return nil }
    return sign * (degrees + minutes / 60) * .pi / 180
  }

  /// `ddmmyy` and `hhmmss.ss`. Two digits of a year mean 2000…2099: GPS receivers with NMEA dates of before are museum
  /// pieces.
  private static func instant(date: Substring, time: Substring) -> SensorInstant? {
    func pair(_ text: Substring, _ index: Int) -> Int32? {
      let digits = text.dropFirst(2 * index).prefix(2)
      return digits.count == 2 ? Int32(digits) : nil
    }
    guard let day = pair(date, 0), let month = pair(date, 1), let year = pair(date, 2), let hour = pair(time, 0),
      let minute = pair(time, 1), let second = number(time.dropFirst(4)), (1...31).contains(day),
      (1...12).contains(month), time.dropFirst(4).prefix(while: { $0 != "." }).count == 2, hour < 24, minute < 60,
      (0..<61).contains(second)
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year + 100, month - 1, day)
    (parts.tm_hour, parts.tm_min) = (hour, minute)
    // Apart, because the sum would not be exact.
    guard let fraction = SensorDuration(seconds: second) else { return nil }
    return SensorInstant(nanoseconds: Int64(timegm(&parts)) * 1_000_000_000) + fraction
  }
}
