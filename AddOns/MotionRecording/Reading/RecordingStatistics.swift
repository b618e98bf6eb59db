// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// The counts of a recording's rows: delivered samples, and omitted rows by reason.
///
/// Everything that is dropped is counted by the code that drops it: repeated time stamps and a last line without its end
/// always; other damage ends the reading with an error, or is skipped and counted if the options say so. At the end what
/// was read is compared with what the file states.
public struct RecordingStatistics: Sendable, Hashable {
  /// The reason why a row gave no sample.
  public enum Reason: String, CaseIterable, Sendable, Hashable {
    /// A field does not match its column, or the number of columns is wrong.
    case malformed = "malformed"
    /// A number is NaN or infinite, or a row has a time and no number at all.
    case nonFinite = "not finite"
    /// The time stamp repeats that of the row before. Real logs have such rows.
    case duplicate = "repeated time stamp"
    /// The time stamp is before that of an earlier row.
    case outOfOrder = "out of order"
    /// The clock started again: the time stamp is far before that of an earlier row, and the next row follows it. What
    /// comes from that next row on is kept, ten seconds later than what was before; how long it really was is not
    /// known.
    case clockRestart = "at a restart of the clock"
    /// The end of a line, of the compressed data or of the file is missing: what stands before it may be shortened.
    case truncated = "cut off"
    /// A row of recorded motion without a row of the same time in the other files.
    case unmatched = "without counterpart"
    /// The file counts or numbers more messages than it holds: a part of it is gone.
    case absent = "absent, though the file counts them"
    /// The file counts fewer messages than it holds.
    case surplus = "more than the file counts"
    /// The recorder states that it has lost them.
    case lost = "lost by the recorder"
    /// The checksum of the whole file is wrong, though no part of it could be found to be: something in it was changed.
    case changed = "change that only the checksum of the whole file shows"
    /// Bytes, not rows, that stand behind the end of what the file says that it holds.
    case trailing = "bytes behind its end"
  }

  /// The number of occurrences, and the first place.
  public struct Occurrence: Sendable, Hashable {
    /// How many rows.
    public var count: Int
    /// The place of the first of them.
    public var firstPlace: SensorError.Place
  }

  /// Samples delivered.
  public var samples = 0
  /// Omitted rows; reasons that never occurred are absent.
  public private(set) var omissions: [Reason: Occurrence] = [:]
  /// Messages that were skipped because they contain no played sample (events, results of services, other programs'
  /// topics, recorded motion if the raw sensors are played), by topic; lines without a known topic are under "". They
  /// are not faults.
  public private(set) var passedOver: [String: Int] = [:]

  /// Which part of the recording each sensor covers, by the samples delivered so far.
  package var coverage = RecordingCoverage()

  /// Nothing delivered, nothing omitted.
  public init() {}

  /// Rows omitted for one reason.
  public subscript(reason: Reason) -> Int { omissions[reason]?.count ?? 0 }

  /// Rows that are in the file, or should be, and were omitted for any reason.
  public var omitted: Int {
    omissions.reduce(0) { $0 + ([.trailing, .lost].contains($1.key) ? 0 : $1.value.count) }
  }

  package mutating func count(_ reason: Reason, _ number: Int = 1, at place: @autoclosure () -> SensorError.Place) {
    if omissions[reason] == nil { omissions[reason] = Occurrence(count: 0, firstPlace: place()) }
    omissions[reason]?.count += Int(claimed: number)
  }

  /// What the recorder itself reports as lost.
  package mutating func count(lostIn event: RecordingEvent, at place: @autoclosure () -> SensorError.Place) {
    guard case .gap(_, "recorder", _, let lost) = event else { return }
    count(.lost, lost ?? 1, at: place())
  }

  /// What was found before the messages were read.
  mutating func add(_ other: RecordingStatistics) {
    for (reason, found) in other.omissions { count(reason, found.count, at: found.firstPlace) }
  }

  /// The row at a place was counted as out of order, and was the first after a restart of the clock.
  mutating func recountRestart(at place: SensorError.Place) {
    if var found = omissions[.outOfOrder] {
      found.count -= 1
      omissions[.outOfOrder] = found.count > 0 ? found : nil
    }
    count(.clockRestart, at: place)
  }

  mutating func passOver(_ topic: String, count: Int = 1) {
    // A text can name a new device in every line.
    let isKnown = passedOver[topic] != nil || passedOver.count < InputLimits.channels
    passedOver[isKnown ? topic : "", default: 0] += Int(claimed: count)
  }
}

extension RecordingStatistics: CustomStringConvertible {
  /// "60000 samples; 2 malformed (first walk.csv, line 7), 1 cut off (first …)".
  public var description: String {
    let parts = Reason.allCases.compactMap { reason in
      omissions[reason].map { "\($0.count) \(reason.rawValue) (first \($0.firstPlace))" }
    }
    return "\(samples) samples" + (parts.isEmpty ? "" : "; " + parts.joined(separator: ", "))
  }
}
