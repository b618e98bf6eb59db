// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
package import MotionSensing
package import MotionServices

/// A source listened to for what is to be drawn: all streams of one hub, from the source's first sample on, so that
/// motion is that of the whole recording whatever part of it is drawn.
package struct PlotRun {
  /// What has come.
  package struct Log {
    package var tracks: [PlotTrack]
    package fileprivate(set) var rests = RestSpans()
    package var reference: MotionRow.Reference?
    package var notices: [String] = []
    fileprivate var framing: MotionFraming
    fileprivate var start: SensorInstant?
  }

  private let selection: SourceSelection
  private let run: SourceRun
  /// Seconds since the first sample.
  private let span: Range<Double>
  private let log: Lock<Log>
  private var isLive: Bool { selection.info.origin == .hardware }

  /// From here on a signal ends the run, not the program. `channels` nil = the usual ones.
  package init(
    _ selection: SourceSelection, channels: [PlotChannel]?, frame: ReferenceFrame, location: LocationArgument?,
    span: Range<Double>
  ) throws {
    (self.selection, self.span) = (selection, span)
    let info = selection.info
    let host = try selection.host(location: location)
    let framing = frame.framing(on: host)
    let chosen = channels ?? PlotChannel.usual(of: info.kinds, motion: framing.stream)
    if chosen.contains(where: \.isMotion) { try MotionRequirements.check(frame, of: selection, on: host) }
    for channel in chosen where channel.stream(of: info.kinds, motion: framing.stream) == nil {
      throw CommandFailure("\(info.name) has no \(channel.rawValue): it has \(Text.list(info.kinds.names)).")
    }
    guard !chosen.isEmpty else { throw CommandFailure("\(info.name) holds nothing that can be drawn.") }
    log = Lock(
      Log(
        tracks: chosen.map { PlotTrack($0, isInWater: info.kinds.contains(.waterPressure)) }, framing: framing))
    run = SourceRun(selection, runsFreely: info.pacing == .onDemand)
  }

  package func callAsFunction() throws -> (outcome: Completion.Outcome, log: Log, statistics: TimelineStatistics) {
    let kinds = selection.info.kinds
    let motion = log.withLock { $0.framing.stream }
    // The accelerometer and the gyroscope tell rest, drawn or not.
    let wanted =
      [HubStream.accelerometer, .gyroscope].filter { $0.isServed(by: kinds) }
      + log.withLock { $0.tracks }.compactMap { $0.channel.stream(of: kinds, motion: motion) }
    let streams = wanted.indices.filter { wanted.firstIndex(of: wanted[$0]) == $0 }.map { wanted[$0] }
    let line = ProgressLine(selection, limit: span.upperBound.isFinite ? Seconds(span.upperBound) : nil)
    let (outcome, statistics) = run(
      streams, status: line.update,
      motion: { state in
        log.withLock { log in
          let (row, notice) = log.framing.update(state)
          if let notice { log.notices.append(isLive ? notice.sentence : notice.sentenceOfRecording) }
          return row.map { take(.motion($0), of: motion, &log) } ?? true
        }
      }
    ) { sample, stream in
      log.withLock { log in
        if case .motion(let row) = sample { return take(.motion(MotionFraming.row(row)), of: stream, &log) }
        return take(sample, of: stream, &log)
      }
    }
    return (outcome, log.withLock { $0 }, statistics)
  }

  /// False when the part that is drawn is over.
  private func take(_ sample: SensorSample, of stream: HubStream, _ log: inout Log) -> Bool {
    let start = log.start ?? sample.time
    log.start = start
    let elapsed = (sample.time - start).seconds
    guard elapsed < span.upperBound else { return false }
    log.rests.update(sample, since: start, earliest: span.lowerBound)
    guard elapsed >= span.lowerBound else { return true }
    if case .motion(let row) = sample { log.reference = log.reference ?? row.reference }
    for index in log.tracks.indices {
      let channel = log.tracks[index].channel
      guard channel.stream(of: selection.info.kinds, motion: log.framing.stream) == stream,
        let values = channel.values(of: sample)
      else { continue }
      log.tracks[index].append(values, at: sample.time, elapsed: elapsed)
    }
    return true
  }
}
