// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
public import MotionSensing

/// An opened recording on disk, which can be read any number of times.
///
/// ```swift
/// let recording = try Recording.open(path: "walk.csv")
/// let reader = try recording.makeReader()
/// while let sample = try reader.next() { … }
/// ```
///
/// Opening reads only the start of each file, for the format and the rates. Reading streams: memory use does not depend
/// on the length. The same recording gives the same samples in the same order each time.
public struct Recording: Sendable {
  /// As given to ``open(path:options:)``.
  public let path: String
  /// As detected, or as set in the options.
  public let format: RecordingFormat
  /// As given to ``open(path:options:)``.
  public let options: RecordingOptions
  /// The recording as a sensor source; the channels carry the measured rates.
  public let info: SensorInfo
  /// The time of the first sample, on the recording's own clock; if only a part is read, the start of that part.
  public let start: SensorInstant
  /// From the first sample to the last. Nil when a large compressed file would have to be read completely.
  public let duration: SensorDuration?
  /// Where it says that the device was worn: by its own description, the name of its device or its columns, the kind of
  /// device, the name of its file. Nil where none does; steps are then counted as on the body.
  public var placement: Placement? { info.placement }
  /// True when ``info`` names fused motion, which the phone computed.
  public let usesRecordedMotion: Bool

  /// The recording's description of itself; nil for formats without one.
  public var recordedDescription: RecordingDescription? { plan.description }
  /// Problems at the start of the recording: sentences about a unit, a sign or columns that do not match gravity. Empty
  /// when there are none. The samples are delivered in any case.
  public let warnings: [String]

  /// What was assumed of a table that no format and no map describes, in sentences: the map that reads it the same way,
  /// and what no name in it says. Empty for all else.
  public var assumptions: [String] { plan.assumptions }

  /// Content of the recording that is not played: groups of columns, files, topics, in words. Its first entry is the
  /// motion that the device computed, if ``RecordingOptions/Motion/recorded`` would play it.
  public var unread: [String] { plan.unread }

  /// Of what all its readers keep.
  package let budget: Budget
  let plan: RecordingPlan
  let span: RecordingSpan

  /// A reader at the start.
  public func makeReader() throws(SensorError) -> RecordingReader { try makeReader(hearsConnection: false) }

  /// A reader whose ``RecordingReader/readConnections()`` gives the reports of the connection.
  func makeReader(hearsConnection: Bool) throws(SensorError) -> RecordingReader {
    let context = ReadingContext(options.damage)
    if hearsConnection { context.connections = [] }
    var streams: [SampleStream] = []
    for stream in plan.streams { streams.append(try stream.open(context)) }
    return RecordingReader(SampleMerger(streams), context, span, reordering: info.reordering)
  }
}

/// Reads a recording once, from its start, one sample after the other.
///
/// Not `Sendable`: one reader belongs to one thread.
public final class RecordingReader {
  // Unchecked: the merger calls only its streams, which know nothing of this reader.
  @exclusivity(unchecked) private var merger: SampleMerger
  private let context: ReadingContext
  private let span: RecordingSpan
  private let reordering: SensorDuration
  private var failure: SensorError?
  private var isOver = false

  init(_ merger: SampleMerger, _ context: ReadingContext, _ span: RecordingSpan, reordering: SensorDuration) {
    self.merger = merger
    self.context = context
    self.span = span
    self.reordering = reordering
  }

  /// Counts of delivered and omitted samples so far.
  public var statistics: RecordingStatistics { context.account }

  /// The reports of the connection that stand before the sample that ``next()`` gave last, and were not read before.
  func readConnections() -> [RecordedConnection] {
    guard let found = context.connections, !found.isEmpty else { return [] }
    context.connections = []
    guard let end = span.end else { return found }
    return found.filter { $0.time < end }
  }

  /// The next sample of any sensor in time order, or nil at the end. If a recording contains the times of arrival, as
  /// MCAP does, that order is used, and samples may be late by `SensorInfo.reordering`.
  ///
  /// The order of samples with the same time is accelerometer first, then gyroscope, magnetometer, pressure, fused
  /// motion. After an error every further call throws the same error.
  public func next() throws(SensorError) -> SensorSample? {
    if let failure { throw failure }
    do throws(SensorError) {
      while !isOver, let sample = try merger.next() {
        if sample.time < span.begin { continue }
        if let end = span.end, sample.time >= end {
          // One that was received late may still belong to the part.
          isOver = sample.time - end > reordering
          continue
        }
        context.statistics.samples += 1
        context.statistics.coverage.update(sample)
        return sample
      }
      return nil
    } catch {
      failure = error
      throw error
    }
  }
}

extension Recording {
  /// Recognises the recording at `path` (a file, a zip or a folder; gzip is decompressed while reading) and reads its
  /// start.
  ///
  /// Fails with a `SensorError` that says what was found, where, and what to do.
  public static func open(
    path: String, options: RecordingOptions = RecordingOptions()
  ) throws(SensorError) -> Recording {
    var files = try RecordingFiles(path: path)
    var format: RecordingFormat
    if let wanted = options.format ?? options.map.map({ _ in .mapped }) {
      format = wanted
    } else {
      (format, files) = try Detection.detect(files)
    }
    guard var reader = FormatReader.reader(format) else {
      let names = RecordingFormat.readable.map(\.rawValue).joined(separator: ", ")
      throw SensorError(
        .invalidRequest, "The format \(format.rawValue.debugDescription) is unknown; there are \(names).",
        at: .init(file: path))
    }
    if options.map != nil, format != .mapped {
      throw SensorError(
        .invalidRequest,
        "A map is only for tables of an unknown format, not for \(reader.title): remove the map or the format.",
        at: .init(file: path))
    }
    if !reader.isTable, options.sign != nil || options.axes != nil || options.rate != nil {
      throw SensorError(
        .invalidRequest,
        "The options sign, axes and rate are for tables, and \(reader.title) states all three: remove them.",
        at: .init(file: path))
    }
    if let device = options.device, !reader.hasDevices {
      throw SensorError(
        .invalidRequest, "The recording has no device \(device.debugDescription); remove the option device.",
        at: .init(file: path))
    }
    var plan: RecordingPlan
    do throws(SensorError) {
      plan = try reader.plan(files, options)
    } catch {
      // A header may begin as that of another program and have none of its sensors, or other units.
      guard options.format == nil, options.map == nil, format != .table, error.code == .unsupported,
        files.kind == .file, let other = try? InferredFormat.plan(files, options)
      else { throw error }
      guard error.place?.column == nil else {
        let way = "\nAs a table it is read with:\n  \(other.command ?? "")"
        throw SensorError(error.code, error.message + way, at: error.place)
      }
      (format, reader, plan) = (.table, InferredFormat.reader, other)
    }
    let check = SelfCheck(plan, isSignStated: options.sign != nil)
    if let refusal = check.refusal(path) { throw SensorError(.unsupported, refusal, at: .init(file: path)) }
    let corrected = try check.corrected(files, options)
    plan = corrected ?? plan
    plan.warnings += files.oddities
    var survey = Survey()
    for stream in plan.streams { try survey.probe(stream, options) }
    plan.streams = survey.streams
    plan.warnings += survey.empty.map { "\($0) holds no sample." }
    guard let start = survey.start else {
      throw SensorError(
        .unsupported,
        (["The recording (\(reader.title)) contains no sample of any sensor: \(files.listing)."] + plan.warnings)
          .joined(separator: " "),
        at: .init(file: path))
    }
    let span = try RecordingSpan(options, start: start, end: survey.end, path: path)
    let motion = plan.usesRecordedMotion ? ["motion as recorded"] : []
    let remarks = ([reader.title] + motion + plan.notes + span.notes).joined(separator: "; ")
    var info = SensorInfo(
      name: "recording \(files.name) (\(remarks))", origin: .recording, pacing: .onDemand,
      timeLine: .recorded(start: span.begin), deviceClass: plan.deviceClass, channels: survey.channels,
      reordering: survey.reordering.map { max($0, plan.reordering) } ?? plan.reordering,
      fusedReference: survey.fusedReference, water: plan.water)
    info.placement = plan.placement ?? info.placement ?? Placement(words: files.name)
    plan.description = plan.description ?? plan.facts?.description(info)
    return Recording(
      path: path, format: format, options: options, info: info, start: span.begin,
      duration: survey.end.map { span.duration(until: $0) }, usesRecordedMotion: plan.usesRecordedMotion,
      warnings: plan.warnings + (corrected == nil ? check.warnings : []), budget: files.budget, plan: plan, span: span)
  }
}

/// What the beginnings of a recording's streams show.
private struct Survey {
  /// Samples looked at in one stream: 10 s of five sensors at 40 Hz.
  private static let samples = 2048
  /// Bytes of a compressed file that are read to its end to learn when it ends.
  private static let cheapBytes: Int64 = 4 << 20

  /// Those that gave a sample.
  private(set) var streams: [SampleStreamPlan] = []
  /// The files of the others.
  private(set) var empty: [String] = []
  private(set) var channels: [SensorInfo.Channel] = []
  private(set) var start: SensorInstant?
  /// The frame of the first recorded motion.
  private(set) var fusedReference: MotionRow.Reference?
  /// Nil when it is unknown for one of them.
  var end: SensorInstant? { isEndKnown ? latest : nil }

  /// Twice what the beginning shows, for streams that keep the order in which samples were received; nil = in order.
  private(set) var reordering: SensorDuration?

  private var latest: SensorInstant?
  private var isEndKnown = true

  mutating func probe(_ stream: SampleStreamPlan, _ options: RecordingOptions) throws(SensorError) {
    let context = ReadingContext(options.damage, problemLimit: InputLimits.judgedRows)
    let reader = try stream.open(context)
    var times: [SensorKinds: [Int64]] = [:]
    var count = 0
    var last: SensorInstant?
    var newest: SensorInstant?
    while count < Self.samples, let sample = try Self.next(reader, context) {
      count += 1
      context.problemLimit = InputLimits.problemsWhileProbing
      last = sample.time
      if let newest, sample.time < newest {
        let lag = (newest - sample.time).nanoseconds
        reordering = max(reordering ?? .zero, SensorDuration(nanoseconds: 2 * min(lag, 5_000_000_000)))
      }
      newest = max(newest ?? sample.time, sample.time)
      if start.map({ sample.time < $0 }) ?? true { start = sample.time }
      if case .motion(let motion) = sample { fusedReference = fusedReference ?? motion.reference }
      times[sample.kinds, default: []].append(sample.time.nanoseconds)
    }
    guard let last else {
      guard let problem = context.firstProblem else { return empty += stream.places.prefix(1) }
      throw SensorError(
        .malformed,
        "None of the first \(InputLimits.judgedRows) rows can be read; here: \(problem.message.prefix { $0 != ";" }).",
        at: problem.place)
    }
    streams.append(stream)
    for var channel in stream.channels {
      channel.rates = times[channel.kind].flatMap(Self.rate).map { [$0] } ?? []
      channels.append(channel)
    }
    if count < Self.samples, !context.hasGivenUp { return extend(to: newest ?? last) }
    // What stands last need not be the latest; before what was read already it is of a clock that has started again.
    if let end = stream.lastInstant(), end >= newest ?? last || options.damage == .stop {
      return extend(to: max(end, newest ?? last))
    }
    guard stream.storedBytes <= Self.cheapBytes, !context.hasGivenUp else {
      isEndKnown = false
      return
    }
    // Damage behind the beginning is for the reader to report.
    var end = last
    while let sample = try? reader() { end = sample.time }
    extend(to: end)
  }

  /// The next sample; too many problems end the look at the beginning.
  private static func next(_ reader: SampleStream, _ context: ReadingContext) throws(SensorError) -> SensorSample? {
    do throws(SensorError) { return try reader() } catch {
      guard context.hasGivenUp else { throw error }
      return nil
    }
  }

  private mutating func extend(to end: SensorInstant) { latest = max(latest ?? end, end) }

  /// Hz: the median interval, which gaps and repeats do not move.
  private static func rate(_ times: [Int64]) -> Double? {
    let intervals = zip(times.dropFirst(), times).map { $0.clamped(minus: $1) }.sorted()
    guard !intervals.isEmpty, intervals[intervals.count / 2] > 0 else { return nil }
    return 1e9 / Double(intervals[intervals.count / 2])
  }
}

/// The part of a recording that is read, on the recording's own clock: from `begin` on, before `end`.
struct RecordingSpan: Sendable {
  let begin: SensorInstant
  /// Nil: to the end of the recording.
  let end: SensorInstant?
  /// "from 10 s", "before 90 s"; empty for the whole.
  let notes: [String]

  /// The part that the options choose of a recording whose first sample is at `start` and whose last one, where that is
  /// known, at `last`.
  init(_ options: RecordingOptions, start: SensorInstant, end last: SensorInstant?, path: String) throws(SensorError) {
    begin = start + options.from
    end = options.to.map { start + $0 }
    notes =
      (options.from > .zero ? ["from \(options.from.seconds) s"] : [])
      + (options.to.map { ["before \($0.seconds) s"] } ?? [])
    if let last, begin > last {
      throw SensorError(
        .invalidRequest,
        "The recording lasts \((last - start).seconds) s: there is nothing after \(options.from.seconds) s.",
        at: .init(file: path))
    }
    if let to = options.to, to <= options.from {
      throw SensorError(
        .invalidRequest,
        "The part from \(options.from.seconds) s to \(to.seconds) s is empty: “to” must be after “from”.",
        at: .init(file: path))
    }
  }

  /// Of a recording whose last sample is at `last`.
  func duration(until last: SensorInstant) -> SensorDuration { (end.map { min($0, last) } ?? last) - begin }
}
