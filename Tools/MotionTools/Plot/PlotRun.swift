// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
package import MotionSensing
import MotionServices

/// A source run for what is to be drawn: from its first sample on, so that motion is that of the whole recording
/// whatever part of it is drawn.
package struct PlotRun: SampleSink, Sendable {
  package private(set) var tracks: [PlotTrack]
  package private(set) var rests = RestSpans()
  package private(set) var reference: MotionRow.Reference?
  private let kinds: SensorKinds
  private let framing: MotionFraming
  /// Seconds since the first sample.
  private let span: Range<Double>
  package private(set) var time = RunTime(limit: nil)

  /// `channels` nil = the usual ones.
  package init(
    _ selection: SourceSelection, channels: [PlotChannel]?, frame: ReferenceFrame, location: LocationArgument?,
    span: Range<Double>
  ) throws {
    let info = selection.info
    let place = try selection.place(location)
    (kinds, framing, self.span) = (info.kinds, frame.framing(at: place), span)
    let chosen = channels ?? PlotChannel.usual(of: kinds, motion: framing.stream)
    if chosen.contains(where: \.isMotion) { try MotionRequirements.check(frame, of: selection, at: place) }
    for channel in chosen where channel.stream(of: kinds, motion: framing.stream) == nil {
      throw CommandFailure("\(info.name) has no \(channel.rawValue): it has \(Text.list(kinds.names)).")
    }
    guard !chosen.isEmpty else { throw CommandFailure("\(info.name) holds nothing that can be drawn.") }
    tracks = chosen.map { [kinds] in PlotTrack($0, isInWater: kinds.contains(.waterPressure)) }
  }

  /// From here on a signal ends the run, not the program.
  package func callAsFunction(_ selection: SourceSelection) -> (sink: PlotRun, report: RunReport) {
    // The accelerometer and the gyroscope tell rest, drawn or not.
    let wanted =
      [HubStream.accelerometer, .gyroscope].filter { $0.isServed(by: kinds) }
      + tracks.compactMap { $0.channel.stream(of: kinds, motion: framing.stream) }
    let streams = wanted.indices.filter { wanted.firstIndex(of: wanted[$0]) == $0 }.map { wanted[$0] }
    return SourceRun(
      selection, streams.filter { $0 != framing.stream }, framing: streams.contains(framing.stream) ? framing : nil,
      limit: span.upperBound.isFinite ? Seconds(span.upperBound) : nil)(self)
  }

  package mutating func take(_ row: MotionRow) -> Bool {
    take(.motion(row), of: framing.stream)
  }

  /// A sample of a single sensor, or of two.
  package mutating func take(_ sample: SensorSample) -> Bool {
    switch sample {
    case .inertial(let pair):
      take(.accelerometer(pair.accelerometer), of: .accelerometer) && take(.gyroscope(pair.gyroscope), of: .gyroscope)
    case .accelerometer: take(sample, of: .accelerometer)
    case .gyroscope: take(sample, of: .gyroscope)
    case .magnetometer: take(sample, of: .magnetometer)
    case .pressure(let pressure): take(sample, of: pressure.medium == .air ? .airPressure : .waterPressure)
    case .temperature: take(sample, of: .temperature)
    case .motion: true
    }
  }

  /// False when the part that is drawn is over.
  private mutating func take(_ sample: SensorSample, of stream: HubStream) -> Bool {
    let elapsed = time.pass(sample.time) ?? 0
    guard elapsed < span.upperBound else { return false }
    rests.update(sample, since: time.first ?? sample.time, earliest: span.lowerBound)
    guard elapsed >= span.lowerBound else { return true }
    if case .motion(let row) = sample { reference = reference ?? row.reference }
    for index in tracks.indices {
      let channel = tracks[index].channel
      guard channel.stream(of: kinds, motion: framing.stream) == stream, let values = channel.values(of: sample) else {
        continue
      }
      tracks[index].append(values, at: sample.time, elapsed: elapsed)
    }
    return true
  }
}
