// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// The counts of a recording's rows: delivered samples, and omitted rows by reason.
///
/// Everything that is dropped is counted by the code that drops it: repeated time stamps and a last line without its end
/// always; other damage ends the reading with an error, or is skipped and counted if the options say so. At the end what
/// was read is compared with what the file states (``ReadingContext/compare(_:with:at:)``).
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

/// What becomes of damage in a recording: the value of `errors=`.
public enum DamagePolicy: String, Sendable, Hashable, CaseIterable {
  /// The first damaged row ends the reading with an error.
  case stop
  /// Damaged rows are counted and skipped.
  case skip
}

/// What the readers of one pass share: how strict to be, and the counters.
final class ReadingContext {
  let damage: DamagePolicy
  var statistics = RecordingStatistics()
  /// What a recording says of the connection, in its order, until it is read; nil = not wanted.
  var connections: [RecordedConnection]?
  private let problemLimit: Int

  /// `problemLimit`: after so many skipped rows even a lenient pass fails, with the error of that row.
  init(_ damage: DamagePolicy, problemLimit: Int = .max) {
    self.damage = damage
    self.problemLimit = problemLimit
  }

  /// A look at the beginning, whose damage is for the reader to report.
  static var probing: ReadingContext { ReadingContext(.skip, problemLimit: InputLimits.problemsWhileProbing) }

  /// What to add to the times after the first, second, … restart of the clock; the streams of a recording share them,
  /// ns.
  var shifts: [Int64] = []
  /// The latest time that was placed, ns.
  var newest = Int64.min

  /// Files whose end is in the account: several tables may lie in one file.
  private var ended: Set<String> = []

  /// Even a lenient pass has met more problems than it accepts.
  var hasGivenUp: Bool { damage == .skip && statistics.omitted >= problemLimit }

  /// Damage: thrown, or counted when errors are skipped.
  func report(_ reason: RecordingStatistics.Reason, _ error: SensorError) throws(SensorError) {
    guard damage == .skip, statistics.omitted < problemLimit, let place = error.place else { throw error }
    statistics.count(reason, at: place)
  }

  /// The same with what is wrong, to which what to do about it is added.
  func report(
    _ reason: RecordingStatistics.Reason, _ what: String, at place: SensorError.Place
  ) throws(SensorError) {
    try report(reason, .damaged(what, at: place))
  }

  /// Keeps a report of the connection where reports are wanted, else counts it as passed over, with what it reports as
  /// lost.
  func receive(_ event: RecordingEvent, topic: Topic, at place: @autoclosure () -> SensorError.Place) {
    statistics.count(lostIn: event, at: place())
    guard connections != nil, let state = event.connection else {
      statistics.passOver(topic.name)
      return
    }
    // A file may hold nothing but reports: of a thousand between two samples the last ones matter.
    if connections?.count == 1000 { connections?.removeFirst() }
    connections?.append(RecordedConnection(time: event.time, state: state))
  }

  /// The bytes of a stream broke off: the stream ends there, or the error is thrown.
  ///
  /// A compressed file that was cut off costs its last line and no more, as a plain one does; damage within is damage.
  func endOfBytes(_ error: SensorError) throws(SensorError) {
    guard let place = error.place, [.malformed, .cutOff, .trailing].contains(error.code) else { throw error }
    guard ended.insert(place.file).inserted else { return }
    switch error.code {
    case .trailing:
      let size = (try? FileBytes(path: place.file).fileSize) ?? 0
      statistics.count(.trailing, max(1, Int(clamping: size) - (place.byte ?? 0)), at: place)
    case .cutOff: statistics.count(.truncated, at: place)
    default: try report(.truncated, error)
    }
  }

  /// Whether a line is the last one and lacks its end. It is left out, because the last of its numbers may be shortened
  /// and still be a number.
  func isCutOff(_ line: LineReader.Line, at place: SensorError.Place) -> Bool {
    guard !line.isTerminated else { return false }
    let isBlank = line.bytes.allSatisfy { $0 <= 0x20 }
    if !isBlank, ended.insert(place.file).inserted { statistics.count(.truncated, at: place) }
    return true
  }

  /// The comparison at the end of a file, of all that was met with what the file states of it.
  func compare(_ met: UInt64, with stated: UInt64, at place: @autoclosure () -> SensorError.Place) {
    if met < stated { statistics.count(.absent, Int(claimed: stated - met), at: place()) }
    if met > stated { statistics.count(.surplus, Int(claimed: met - stated), at: place()) }
  }
}

/// A report of the connection and when it was made, on the recording's clock.
struct RecordedConnection {
  var time: SensorInstant
  var state: ConnectionState
}

extension SensorError.Code {
  /// A file was cut off; nothing else is known to be wrong with it.
  static let cutOff = SensorError.Code(rawValue: "cut-off")
  /// Everything was read, and something else stands behind it, from the byte of the error's place on.
  static let trailing = SensorError.Code(rawValue: "trailing")
}

extension SensorError {
  /// Damage in a recording: what it is, and what to do about it.
  static func damaged(_ what: String, at place: Place? = nil) -> SensorError {
    SensorError(.malformed, "\(what); \"?errors=skip\" (on the command line --skip-errors) reads the rest.", at: place)
  }
}

/// The order of the times in one stream of a recording, ns.
///
/// Time only goes forward. A row whose time is before that of an earlier one is damage, or comes late; but a logger
/// whose clock started again, after a crash or a new start of the device, writes everything that follows with small
/// times. Two rows tell these apart: the first is more than two seconds too early, the second follows the first.
///
/// Readings that waited for a radio may share the stamp of their arrival. They keep their order, a nanosecond apart; only
/// a row that repeats the one before is left out.
struct TimeOrder {
  /// The latest time as it stands in the file.
  private(set) var latest: Int64
  /// Where a clock may have started again: its time and place.
  private var beginning: (time: Int64, place: SensorError.Place)?
  /// How often it has started again.
  private var restarts = 0
  /// The latest time on the recording's time line.
  private var placed = Int64.min

  init(latest: Int64 = .min) { self.latest = latest }

  /// A step back of more than this is no delay: the loggers that we know lag by tenths of a second. ns.
  private static var leastStep: Int64 { 2_000_000_000 }
  /// The time that is shown between the parts, of which nothing is known. Longer than any gap that the filter bridges.
  /// ns.
  private static var pause: Int64 { 10_000_000_000 }

  /// `time` on the recording's time line; nil for a row that is not used: repeats are counted, steps back reported, and
  /// where a clock has started again what follows is kept.
  mutating func place(
    _ time: Int64, isRepeat: Bool, _ context: ReadingContext, at place: () -> SensorError.Place
  ) throws(SensorError) -> Int64? {
    if time < latest, try !startsAgain(at: time, context, place) { return nil }
    guard time != latest || !isRepeat else {
      context.statistics.count(.duplicate, at: place())
      return nil
    }
    var shifted = restarts == 0 ? time : time.addingReportingOverflow(context.shifts[restarts - 1]).partialValue
    if restarts == 0 || time == latest { shifted = max(shifted, placed.clamped(plus: 1)) }
    (latest, beginning) = (time, nil)
    guard restarts == 0 || shifted > placed && shifted.magnitude <= UInt64(InputLimits.nanoseconds) else {
      // Another stream has started again much earlier than this one.
      context.statistics.count(.outOfOrder, at: place())
      return nil
    }
    placed = shifted
    context.newest = max(context.newest, shifted)
    return shifted
  }

  /// A step back: reported, unless it is the second row of a clock that has started again.
  private mutating func startsAgain(
    at time: Int64, _ context: ReadingContext, _ place: () -> SensorError.Place
  ) throws(SensorError) -> Bool {
    if context.damage == .skip, let first = beginning, time > first.time {
      context.statistics.recountRestart(at: first.place)
      restarts += 1
      if context.shifts.count < restarts {
        let (begin, isTooLarge) = context.newest.addingReportingOverflow(Self.pause)
        let (shift, isFar) = begin.subtractingReportingOverflow(first.time)
        guard !isTooLarge, !isFar else {
          throw SensorError(.limitExceeded, "Time goes backwards here by centuries.", at: place())
        }
        context.shifts.append(shift)
      }
      return true
    }
    // Unsigned: the difference of any two times fits.
    let step = UInt64(bitPattern: latest &- time)
    let place = place()
    beginning = step > UInt64(Self.leastStep) ? (time, place) : nil
    let seconds = SensorInstant(nanoseconds: latest) - SensorInstant(nanoseconds: time)
    try context.report(.outOfOrder, "Time goes backwards here, by \(seconds.seconds) s", at: place)
    return false
  }
}

extension ReadingContext {
  /// A sample on the recording's time line; nil when it is not used.
  func place(
    _ sample: SensorSample, in order: inout TimeOrder, at place: @autoclosure () -> SensorError.Place
  ) throws(SensorError) -> SensorSample? {
    let time = sample.time.nanoseconds
    guard let placed = try order.place(time, isRepeat: true, self, at: place) else { return nil }
    return placed == time ? sample : sample.moved(to: SensorInstant(nanoseconds: placed))
  }
}
