// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
package import MotionTools

/// Records of one kind in order of time, thinned to every second one as often as there are too many for a page.
struct ThinnedRecords: Sendable {
  /// Half an hour at 100 Hz, 16 MB of motion.
  static let limit = 262_144

  private(set) var bytes: [UInt8] = []
  /// One of so many is kept.
  private(set) var step = 1
  private(set) var passed = 0
  private var kept = 0

  /// Takes a record, which `write` appends, or passes it over.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    defer { passed += 1 }
    guard passed % step == 0 else { return }
    write(&bytes)
    kept += 1
    if kept > Self.limit { thin() }
  }

  private mutating func thin() {
    let size = bytes.count / kept
    var thinned: [UInt8] = []
    thinned.reserveCapacity(bytes.count / 2 + size)
    for index in stride(from: 0, to: kept, by: 2) { thinned += bytes[index * size..<(index + 1) * size] }
    bytes = thinned
    kept = (kept + 1) / 2
    step *= 2
  }
}

/// Reads a recording to its end and makes its track: the motion that `motionctl fuse` computes, the sensors, and what
/// happened when.
struct ViewTrackBuilder: SampleSink {
  private let selection: SourceSelection
  private let view: Int
  private let framing: MotionFraming
  private let hasMotion: Bool
  private let smooths: Bool
  private let start: SensorInstant
  private var motion = ThinnedRecords()
  private var ghost = ThinnedRecords()
  private var sensors: [Int: ThinnedRecords] = [:]
  private var rests = RestSpans()
  private var gaps: [ClosedRange<Double>] = []
  private var period = SamplePeriod()
  private var latest: SensorInstant?
  private var end = 0.0
  /// Seconds, then x, y, z.
  private var biases: [[Double]] = []
  /// One a second, until the row of its time comes: with the smoother minutes later.
  private var gyroscopes: [GyroscopeSample] = []
  private var nextGyroscope: SensorInstant?
  private var report = RunReport()

  init(
    _ selection: SourceSelection, _ recording: Recording, view: Int, framing: MotionFraming, smooths: Bool
  ) {
    (self.selection, self.view, self.framing, self.smooths) = (selection, view, framing, smooths)
    hasMotion = framing.stream.isServed(by: selection.info.kinds)
    start = recording.start
  }

  /// The track; `goesOn` hears how far it is, 0…1, and ends the work.
  static func track(
    of selection: SourceSelection, view: Int, framing: MotionFraming, smooths: Bool, goesOn: (Double) -> Bool
  ) throws -> (summary: [UInt8], records: [UInt8])? {
    guard let recording = selection.recording else { throw CommandFailure("\(selection.name) is no recording.") }
    var builder = ViewTrackBuilder(selection, recording, view: view, framing: framing, smooths: smooths)
    let duration = recording.duration?.seconds ?? .infinity
    let witness = selection.recordedMotion
    let share = witness == nil ? 1 : 0.8
    let fusion = OfflineFusion(
      info: selection.info, framing: builder.hasMotion ? framing : nil, kinds: SensorKinds(rawValue: .max),
      smooths: smooths)
    var pass = try RecordingPass(recording, through: fusion, calibration: selection.calibrated?.file.calibration)
    guard try pass(into: &builder, goesOn: { builder, _, _ in goesOn(min(1, builder.end / duration) * share) }) else {
      return nil
    }
    builder.report = pass.report
    if let witness, try !builder.readGhost(witness, goesOn: { goesOn(share + 0.2 * min(1, $0 / duration)) }) {
      return nil
    }
    return (try builder.summary(), builder.records)
  }

  /// The attitude that the phone had recorded, from the same files.
  private mutating func readGhost(_ recording: Recording, goesOn: (Double) -> Bool) throws -> Bool {
    let reader = try recording.makeReader()
    var count = 0
    while let sample = try reader.next() {
      guard case .motion(let motion) = sample, motion.w.isFinite, motion.vector.isFinite else { continue }
      let seconds = (motion.time - start).seconds
      let row = MotionFraming.row(motion)
      ghost.append { [view] in ViewRecord.append(row, view: view, seconds: seconds, isGhost: true, to: &$0) }
      count += 1
      if count % 1024 == 0, !goesOn(seconds) { return false }
    }
    return true
  }

  mutating func take(_ row: MotionRow) -> Bool {
    let seconds = (row.time - start).seconds
    noteGap(before: row.time)
    motion.append { [view] in ViewRecord.append(row, view: view, seconds: seconds, to: &$0) }
    while let raw = gyroscopes.first, raw.time <= row.time {
      gyroscopes.removeFirst()
      let bias = raw.angularVelocity - row.angularVelocity
      if raw.time == row.time, bias.isFinite { biases.append([seconds, bias.x, bias.y, bias.z]) }
    }
    return true
  }

  mutating func take(_ sample: SensorSample) -> Bool {
    let seconds = (sample.time - start).seconds
    end = max(end, seconds)
    switch sample {
    case .motion: return true
    case .inertial(let pair): note(pair.gyroscope)
    case .gyroscope(let gyroscope): note(gyroscope)
    case .accelerometer: if !hasMotion { noteGap(before: sample.time) }
    default: break
    }
    rests.update(sample, since: start)
    // What motion does not show: without motion, all.
    if hasMotion, !sample.kinds.isDisjoint(with: .inertial) { return true }
    sensors[Int(sample.kinds.rawValue), default: ThinnedRecords()].append { [view] in
      ViewRecord.append(sample, view: view, seconds: seconds, to: &$0)
    }
    return true
  }

  private mutating func note(_ sample: GyroscopeSample) {
    guard hasMotion, nextGyroscope.map({ sample.time >= $0 }) ?? true else { return }
    gyroscopes.append(sample)
    nextGyroscope = sample.time + .seconds(1)
  }

  private mutating func noteGap(before time: SensorInstant) {
    if let latest, time > latest, period.update(time - latest) {
      gaps.append((latest - start).seconds...(time - start).seconds)
    }
    latest = time
  }

  /// Records (``ViewRecord``), one kind after the other.
  private var records: [UInt8] {
    sensors.sorted { $0.key < $1.key }.reduce(motion.bytes + ghost.bytes) { $0 + $1.value.bytes }
  }

  /// Seconds, names and sentences of a track.
  private struct Summary: Encodable {
    struct Event: Encodable {
      var seconds: Double
      var text: String
    }
    struct Count: Encodable {
      var name: String
      var samples: Int
      var rate: Double?
      var gaps, dropped: Int
    }
    var duration: Double
    /// Of motion, else of the sensor with the most.
    var rows, step: Int
    var hasGhost: Bool
    var frame: String
    var rests, gaps: [[Double]]
    var events: [Event]
    var biases: [[Double]]
    var counts: [Count]
    var warnings: [String]
  }

  private func summary() throws -> [UInt8] {
    let counts = (report.statistics?.named ?? []).filter { $0.counts.delivered > 0 }
    let shown = hasMotion ? motion : sensors.values.max { $0.passed < $1.passed } ?? motion
    return try JSONLine.bytes(
      Summary(
        duration: end, rows: shown.passed, step: shown.step, hasGhost: !ghost.bytes.isEmpty,
        frame: ReferenceFrame(framing.reference).rawValue, rests: rests.spans.map { [$0.lowerBound, $0.upperBound] },
        gaps: gaps.map { [$0.lowerBound, $0.upperBound] },
        events: report.notices.map {
          .init(seconds: ($0.time - start).seconds, text: $0.notice.sentenceOfRecording)
        },
        biases: biases,
        counts: counts.map { name, counts in
          .init(
            name: name, samples: counts.delivered, rate: counts.rate, gaps: counts.gaps, dropped: counts.dropped)
        },
        warnings: selection.warnings + [report.omissions].compactMap(\.self)))
  }
}

/// The tracks of one recording, a frame each: computed on a thread of their own when first asked for, then kept.
package final class ViewTracks: Sendable {
  package enum Progress: Sendable {
    /// 0…1
    case reading(Double)
    /// The summary, a JSON object, and the records of a track.
    case ready(summary: [UInt8], records: [UInt8])
    case failed(String)
  }

  package let selection: SourceSelection
  package let host: MotionHost
  private let view: Int
  private let smooths: Bool
  private let tracks = Lock<[ReferenceFrame: Progress]>([:])
  private let isStopped = Lock(false)

  package init(_ selection: SourceSelection, view: Int, location: LocationArgument?, smooths: Bool) throws {
    (self.selection, self.view, self.smooths) = (selection, view, smooths)
    host = try selection.host(clock: FreeRunningClock(), location: location)
  }

  /// The track in a frame, or how far it is; the first call begins it.
  package func track(_ frame: ReferenceFrame) -> Progress {
    let (progress, isNew) = tracks.withLock { tracks -> (Progress, Bool) in
      if let progress = tracks[frame] { return (progress, false) }
      tracks[frame] = .reading(0)
      return (.reading(0), true)
    }
    guard isNew else { return progress }
    do { try SystemThread.start("motion track") { [self] in compute(frame) } } catch {
      tracks.withLock { $0[frame] = .failed("\(error)") }
    }
    return progress
  }

  package func stop() { isStopped.withLock { $0 = true } }

  private func compute(_ frame: ReferenceFrame) {
    do {
      let framing = frame.framing(at: host.location)
      let track = try ViewTrackBuilder.track(of: selection, view: view, framing: framing, smooths: smooths) { share in
        tracks.withLock { $0[frame] = .reading(share) }
        return !isStopped.withLock { $0 }
      }
      if let track { tracks.withLock { $0[frame] = .ready(summary: track.summary, records: track.records) } }
    } catch {
      tracks.withLock { $0[frame] = .failed("\(error)") }
    }
  }
}
