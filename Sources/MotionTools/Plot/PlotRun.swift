// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
package import MotionSensing
package import MotionServices

/// A source listened to for what is to be drawn: all streams of one hub, from the source's first sample on, so that motion is that of the
/// whole recording whatever part of it is drawn.
package struct PlotRun {
  /// What has come.
  package struct Log {
    package var tracks: [PlotTrack]
    package var rests: [ClosedRange<Double>] = []
    package var reference: FusedMotionSample.Reference?
    package var notices: [String] = []
    fileprivate var framing: MotionFraming
    fileprivate var rest = RestMeter()
    fileprivate var start: SensorInstant?
  }

  private let selection: SourceSelection
  private let listen: SourceListener
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
    listen = SourceListener(
      selection, limit: span.upperBound.isFinite ? Seconds(span.upperBound) : nil,
      runsFreely: info.pacing == .onDemand)
  }

  package func callAsFunction() throws -> (outcome: Completion.Outcome, log: Log, statistics: TimelineStatistics) {
    let kinds = selection.info.kinds
    let motion = log.withLock { $0.framing.stream }
    // The accelerometer and the gyroscope tell rest, drawn or not.
    let wanted =
      [HubStream.accelerometer, .gyroscope].filter { $0.isServed(by: kinds) }
      + log.withLock { $0.tracks }.compactMap { $0.channel.stream(of: kinds, motion: motion) }
    let streams = wanted.indices.filter { wanted.firstIndex(of: wanted[$0]) == $0 }.map { wanted[$0] }
    let (outcome, statistics) = listen(streams) { event, stream in take(event, of: stream) }
    return (outcome, log.withLock { $0 }, statistics)
  }

  /// False when the part that is drawn is over.
  private func take(_ event: HubEvent, of stream: HubStream) -> Bool {
    log.withLock { log in
      let (row, notice) = stream == log.framing.stream ? log.framing.update(event) : (nil, nil)
      if let notice { log.notices.append(isLive ? notice.sentence : notice.sentenceOfRecording) }
      guard let time = row?.time ?? Self.time(of: event) else { return true }
      let start = log.start ?? time
      log.start = start
      let elapsed = (time - start).seconds
      guard elapsed < span.upperBound else { return false }
      note(event, start, &log)
      guard elapsed >= span.lowerBound else { return true }
      if let row { log.reference = log.reference ?? row.reference }
      let motion = row.map { DeviceMotionRow($0) }
      for index in log.tracks.indices {
        guard log.tracks[index].channel.stream(of: selection.info.kinds, motion: log.framing.stream) == stream,
          let values = log.tracks[index].channel.values(of: event, motion)
        else { continue }
        log.tracks[index].append(values, at: time, elapsed: elapsed)
      }
      return true
    }
  }

  /// Rest, by the meter of `motionctl info`.
  private func note(_ event: HubEvent, _ start: SensorInstant, _ log: inout Log) {
    let second: RestMeter.Second?
    switch event {
    case .accelerometer(let sample): second = log.rest.update(force: sample.specificForce, at: sample.time)
    case .gyroscope(let sample): second = log.rest.update(rate: sample.angularVelocity, at: sample.time)
    default: return
    }
    guard let second, second.isAtRest else { return }
    let from = (second.start - start).seconds
    guard from + 1 > span.lowerBound else { return }
    if let last = log.rests.last, from - last.upperBound < 0.1 {
      log.rests[log.rests.count - 1] = last.lowerBound...from + 1
    } else {
      log.rests.append(max(from, span.lowerBound)...from + 1)
    }
  }

  private static func time(of event: HubEvent) -> SensorInstant? {
    switch event {
    case .accelerometer(let sample): sample.time
    case .gyroscope(let sample): sample.time
    case .magnetometer(let sample): sample.time
    case .pressure(let sample): sample.time
    case .temperature(let sample): sample.time
    default: nil
    }
  }
}
