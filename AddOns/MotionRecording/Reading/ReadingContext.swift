// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

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
  /// After so many skipped rows even a lenient pass fails, with the error of that row.
  var problemLimit: Int
  /// What was wrong first.
  private(set) var firstProblem: SensorError?

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

  /// Of the tables that are read.
  var voids: [VoidCells] = []
  /// What was delivered and left out so far, whichever way the reading ends.
  var account: RecordingStatistics { voids.reduce(into: statistics) { $1.add(to: &$0) } }

  /// Files whose end is in the account: several tables may lie in one file.
  private var ended: Set<String> = []

  /// Even a lenient pass has met more problems than it accepts.
  var hasGivenUp: Bool { damage == .skip && statistics.omitted >= problemLimit }

  /// Damage: thrown, or counted when errors are skipped.
  func report(_ reason: RecordingStatistics.Reason, _ error: SensorError) throws(SensorError) {
    guard damage == .skip, statistics.omitted < problemLimit, let place = error.place else { throw error }
    firstProblem = firstProblem ?? error
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
    let isBlank = line.bytes.allSatisfy { [0x20, 0x09, 0x0D, 0x1A].contains($0) }
    if !isBlank, ended.insert(place.file).inserted { statistics.count(.truncated, at: place) }
    return true
  }

  /// The comparison at the end of a file, of all that was met with what the file states of it.
  func compare(_ met: UInt64, with stated: UInt64, at place: @autoclosure () -> SensorError.Place) {
    if met < stated { statistics.count(.absent, Int(clamping: stated - met), at: place()) }
    if met > stated { statistics.count(.surplus, Int(clamping: met - stated), at: place()) }
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
