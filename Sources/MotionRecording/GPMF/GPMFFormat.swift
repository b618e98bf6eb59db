// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The telemetry of a GoPro: in its MP4, or raw.
///
/// The readings of a block have no times of their own: they are spread evenly from the block's first one to the next
/// block's. Newer cameras write the time of the first by their clock; else it is that of the block in the video's
/// track. Zero is the beginning of the video. Accelerations are +1 g upwards at rest.
enum GPMFFormat {
  static let reader = FormatReader(
    format: .gpmf, title: "GoPro telemetry (GPMF)",
    summary: "a GoPro's .mp4 with its telemetry track, or that track raw"
  ) { (files, options) throws(SensorError) in
    try options.refuseRecordedMotion(files, contains: "raw sensors")
    guard files.kind == .file, let member = files.members.first, member.isSeekable else {
      throw files.error(.unsupported, "A video must be a plain file; unpack it first.")
    }
    let path = files.path
    let track = try GPMFTrack(MCAPInput(path: path))
    let probe = GPMFStream(try MCAPInput(path: path), track.payloads.prefix(5), .probing)
    var kinds: Set<SensorKinds> = []
    while let sample = (try? probe.next()) ?? nil { kinds.insert(sample.kinds) }
    guard !kinds.isEmpty else {
      throw files.error(
        .unsupported, "The telemetry holds no ACCL, GYRO or MAGN that could be read: the camera did not record them.")
    }
    let channels = GPMFPayload.Sensor.allCases.filter { kinds.contains($0.kind) }
      .map { SensorInfo.Channel(kind: $0.kind) }
    var plan = RecordingPlan(
      streams: [
        SampleStreamPlan(
          channels: channels, places: [path], storedBytes: member.storedSize,
          lastInstant: {
            guard let input = try? MCAPInput(path: path) else { return nil }
            let stream = GPMFStream(input, track.payloads.suffix(2), ReadingContext(.skip))
            var last: SensorInstant?
            while let sample = (try? stream.next()) ?? nil { last = max(last ?? sample.time, sample.time) }
            return last
          },
          open: { (context) throws(SensorError) in
            GPMFStream(try MCAPInput(path: path), track.payloads[...], context).next
          })
      ], deviceClass: .module)
    plan.notes = [track.hasTimes ? "times of the video" : "raw, without times: a block is taken as 1.001 s"]
    plan.unread = probe.others.sorted()
    return plan
  }
}

/// The samples of a run of payloads, in the order of time.
private final class GPMFStream {
  /// The keys of data that is not read.
  private(set) var others: Set<String> = []
  private let input: MCAPInput
  private var payloads: ArraySlice<GPMFTrack.Payload>
  private let context: ReadingContext
  private var orders: [SensorKinds: TimeOrder] = [:]
  private var waiting: ArraySlice<SensorSample> = []
  private var place = SensorError.Place(file: "")
  /// What was read last: when its readings end is known when the next block is there.
  private var pending: (payload: GPMFTrack.Payload, readings: [GPMFPayload.Readings])?
  /// The time from reading to reading, ns, as it was last.
  private var steps: [GPMFPayload.Sensor: Double] = [:]

  init(_ input: MCAPInput, _ payloads: ArraySlice<GPMFTrack.Payload>, _ context: ReadingContext) {
    (self.input, self.payloads, self.context) = (input, payloads, context)
  }

  func next() throws(SensorError) -> SensorSample? {
    while true {
      while let sample = waiting.popFirst() {
        guard sample.isFinite, sample.time.nanoseconds.magnitude <= UInt64(InputLimits.nanoseconds) else {
          try context.report(.nonFinite, "A reading of the telemetry is no number", at: place)
          continue
        }
        if let sample = try context.place(sample, in: &orders[sample.kinds, default: TimeOrder()], at: place) {
          return sample
        }
      }
      guard let payload = payloads.popFirst() else {
        guard pending != nil else { return nil }
        deliver(before: nil)
        continue
      }
      try read(payload)
    }
  }

  private func read(_ payload: GPMFTrack.Payload) throws(SensorError) {
    place = input.place(payload.offset)
    do throws(SensorError) {
      try InputLimits.check(
        "A block of telemetry", bytes: payload.size, limit: InputLimits.recordBytes, at: place)
    } catch {
      return try context.report(.malformed, error)
    }
    let bytes = try input.bytes(at: payload.offset, count: payload.size)
    if bytes.count < payload.size { context.statistics.count(.truncated, at: place) }
    var damage: SensorError?
    let content = GPMFPayload(bytes, at: place, damage: &damage)
    others.formUnion(content.others)
    deliver(before: (payload, content.readings))
    // What a cut-off block lacks has been counted.
    if let damage, bytes.count == payload.size { try context.report(.malformed, damage) }
  }

  /// Gives the pending readings their times, in order, now that the next block is there.
  private func deliver(before next: (payload: GPMFTrack.Payload, readings: [GPMFPayload.Readings])?) {
    defer { pending = next }
    guard let (payload, readings) = pending else { return }
    var samples: [SensorSample] = []
    for part in readings where !part.values.isEmpty {
      let start = part.stamp ?? payload.start
      let count = Double(part.values.count)
      let others = next?.readings.first { $0.sensor == part.sensor }
      let end = others.map { part.stamp == nil ? next?.payload.start ?? 0 : $0.stamp ?? 0 }
      // A block may be missing, or its time damaged.
      let mean = max(1, Double(payload.duration) / count)
      if let end, (0.5 * mean...2 * mean).contains((Double(end) - Double(start)) / count) {
        steps[part.sensor] = (Double(end) - Double(start)) / count
      }
      let step = steps[part.sensor] ?? mean
      for (index, value) in part.values.enumerated() {
        samples.append(
          part.sensor.sample(
            SensorInstant(nanoseconds: start &+ Int64(clamping: (Double(index) * step).rounded())), value))
      }
    }
    samples.sort { $0.time < $1.time }
    waiting = samples[...]
  }
}
