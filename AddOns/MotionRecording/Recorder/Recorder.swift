// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Writes the output of a source to a recording, on its own thread.
///
/// ```swift
/// let recorder = Recorder(writer: writer, waitsForRoom: source.info.pacing == .onDemand)
/// recorder.append(.sample(sample, receivedAt: clock.now))   // on the source's thread; never blocks a live one
/// …
/// try recorder.finish()
/// ```
///
/// Everything that was appended before ``finish()`` is in the recording, unless the buffer was full: then the loss is
/// counted (``Progress/lost``) and the recording has a `/event/gap` with the number. A pause of a sensor is also a
/// `/event/gap`. At least once a second the writer passes its data to the system, also when the source is slow or sends
/// nothing, so a killed program loses one second at most; a ``FileByteSink`` passes it on to the disk, so a power cut
/// costs no more than that and what the disk takes. When writing fails (a full disk, a deleted file) the recorder
/// stops, calls `onFailure` once, and accepts nothing more.
public final class Recorder: Sendable {
  /// The progress of a recording.
  public struct Progress: Sendable, Hashable {
    /// Samples of one kind that were written.
    public struct Stream: Sendable, Hashable {
      /// The measured quantities.
      public var kinds: SensorKinds
      /// Samples.
      public var samples = 0
      /// The time of the first.
      public var first: SensorInstant
      /// The time of the latest.
      public var last: SensorInstant

      /// Hz, the mean so far; nil below two samples.
      public var rate: Double? { last > first ? Double(samples - 1) / (last - first).seconds : nil }
    }

    /// Each kind that has been written, in the order of arrival.
    public internal(set) var streams: [Stream] = []
    /// Events that were written.
    public internal(set) var events = 0
    /// Samples and events lost because the buffer was full.
    public internal(set) var lost = 0

    /// All samples.
    public var samples: Int { streams.reduce(0) { $0 + $1.samples } }
  }

  /// Capacity of the buffer in samples and events: eight seconds of a source with four streams at 1 kHz, the time that
  /// a slow card needs to recover.
  public static let standardCapacity = 32_768
  /// How often, at least, what has been written is handed to the system.
  static let flushInterval = SensorDuration.seconds(1)
  /// How long written items may lie in the buffer, so that a progress line is up to date.
  static let latency = SensorDuration.milliseconds(100)

  private struct State {
    var progress = Progress()
    var failure: SensorError?
    var isDone = false
  }

  private let queue: RecorderQueue
  private let state = Lock(State())
  /// Signalled when the thread has ended.
  private let done = WakeSignal()
  private let onFailure: @Sendable (SensorError) -> Void

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - writer: the recording; from now on only the recorder's thread uses it, and finishes it.
  ///   - waitsForRoom: whether ``append(_:)`` waits while the buffer is full; for on-demand sources, which then simply pause.
  ///   - capacity: samples and events that fit in the buffer.
  ///   - onFailure: called once, on the recorder's thread, when writing fails, before ``finish()`` returns; it must not call that. Where
  ///     the system gives no thread, it is called before this returns, and nothing is recorded.
  public init(
    writer: sending any RecordingWriter, waitsForRoom: Bool, capacity: Int = Recorder.standardCapacity,
    onFailure: @escaping @Sendable (SensorError) -> Void = { _ in }
  ) {
    queue = RecorderQueue(capacity: capacity, waitsForRoom: waitsForRoom)
    self.onFailure = onFailure
    // unsafe by its name only: the loop is handed over when the thread starts, and is not used here after that.
    nonisolated(unsafe) let loop = WriterLoop(writer: writer, recorder: self)
    do throws(SensorError) { try SystemThread.start("motion recorder") { loop.run() } } catch { loop.fail(error) }
  }

  /// Appends a sample or an event. Does nothing after the recorder has failed or finished.
  public func append(_ item: RecordedItem) { queue.append(item) }

  /// What has been written so far.
  public var progress: Progress {
    var progress = state.withLock { $0.progress }
    progress.lost = queue.lost
    return progress
  }

  /// Writes the remaining data, finishes the recording and waits for it. Throws any error, also an earlier one; a
  /// failed recording is readable up to its last complete chunk.
  public func finish() throws(SensorError) {
    queue.close()
    while !state.withLock({ $0.isDone }) {
      if done.wait(limit: nil) { done.signal() }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// The work of the thread, with everything that only the thread may touch.
  final class WriterLoop {
    private let writer: any RecordingWriter
    private let recorder: Recorder
    private var progress = Progress()
    private var gaps = GapWatch()
    private var batch: [RecordedItem] = []
    private var flushed = MonotonicClock().now

    init(writer: sending any RecordingWriter, recorder: Recorder) {
      self.writer = writer
      self.recorder = recorder
    }

    func run() {
      do throws(SensorError) {
        while recorder.queue.drain(into: &batch, limit: Recorder.latency) { try writeBatch() }
        try writeBatch()
        try writer.finish()
        recorder.end(nil)
      } catch {
        fail(error)
      }
    }

    func fail(_ failure: SensorError) {
      recorder.queue.close()
      // A part of the last batch has been written.
      publish()
      // Frees what it holds; the recording keeps what was written so far.
      try? writer.finish()
      recorder.end(failure)
    }

    private func writeBatch() throws(SensorError) {
      for item in batch {
        if let gap = gap(before: item) {
          try writer.write(gap)
          count(gap)
        }
        try writer.write(item)
        count(item)
      }
      batch.removeAll(keepingCapacity: true)
      let now = MonotonicClock().now
      // Also when nothing has come: what was written may not be on the disk yet, and the file may have been deleted.
      if now - flushed >= Recorder.flushInterval {
        try writer.flush()
        flushed = now
      }
      publish()
    }

    private func publish() {
      let progress = progress
      recorder.state.withLock { $0.progress = progress }
    }

    /// The pause of a sensor that an item ends.
    private func gap(before item: RecordedItem) -> RecordedItem? {
      switch item {
      case .sample(let sample, let receivedAt):
        return gaps.update(sample).map { .event($0, receivedAt: receivedAt) }
      case .event(.gap, _), .event(.connection, _): gaps.reset()
      default: break
      }
      return nil
    }

    private func count(_ item: RecordedItem) {
      guard case .sample(let sample, _) = item else {
        progress.events += 1
        return
      }
      let kinds = sample.kinds
      let index = progress.streams.firstIndex { $0.kinds == kinds } ?? progress.streams.count
      if index == progress.streams.count {
        progress.streams.append(.init(kinds: kinds, first: sample.time, last: sample.time))
      }
      progress.streams[index].samples += 1
      progress.streams[index].last = max(progress.streams[index].last, sample.time)
    }
  }

  private func end(_ failure: SensorError?) {
    state.withLock { $0.failure = failure }
    // Before a waiting `finish` returns.
    if let failure { onFailure(failure) }
    state.withLock { $0.isDone = true }
    done.signal()
  }
}

/// Detects pauses of a sensor while it is recorded, so that they become events of the recording.
///
/// ``SamplePeriod`` defines a pause. What a loss or an absence already explains is no pause of the sensor.
struct GapWatch: Sendable {
  private var sensors: [SensorKinds: (last: SensorInstant, period: SamplePeriod)] = [:]

  /// The pause that ends with a sample; nil = none.
  mutating func update(_ sample: SensorSample) -> RecordingEvent? {
    let (kinds, time) = (sample.kinds, sample.time)
    var (last, period) = sensors[kinds] ?? (time, SamplePeriod())
    defer { sensors[kinds] = (max(last, time), period) }
    guard time > last else { return nil }
    let step = time - last
    let missing = period.samplesMissing(in: step)
    guard period.update(step) else { return nil }
    return .gap(last, service: kinds.names.joined(separator: " and "), duration: step, lost: missing)
  }

  /// A loss or an absence that the recording already reports: the next samples start again.
  mutating func reset() { sensors.removeAll(keepingCapacity: true) }
}

/// The bounded buffer between the thread of a source and the thread that writes.
///
/// A live source never waits: items that do not fit are counted, and a gap in the recording reports them. An on-demand
/// source waits. The writer takes everything at once; it wakes up when the buffer is a quarter full, or by its own time
/// limit, so that a fast source does not cost a wake-up per sample.
final class RecorderQueue: Sendable {
  private struct State {
    var items: [RecordedItem] = []
    var isClosed = false
    /// Since the last item that found room.
    var lost: (count: Int, from: SensorInstant, until: SensorInstant)?
    var allLost = 0

    /// The loss becomes an item of its own, once there is room again.
    mutating func reportLoss() {
      guard let (count, from, until) = exchange(&lost, with: nil) else { return }
      items.append(.event(.gap(from, service: "recorder", duration: until - from, lost: count)))
    }
  }

  private let capacity: Int
  private let waitsForRoom: Bool
  private let state = Lock(State())
  /// Wakes the writer; wakes who waits for room.
  private let arrived = WakeSignal(), emptied = WakeSignal()

  /// `waitsForRoom`: whether a full buffer holds the source up instead of losing its samples.
  init(capacity: Int, waitsForRoom: Bool) { (self.capacity, self.waitsForRoom) = (max(1, capacity), waitsForRoom) }

  /// Items that found no room, so far.
  var lost: Int { state.withLock { $0.allLost } }

  /// Hands an item to the writer. Nothing is taken any more once the queue is closed.
  func append(_ item: RecordedItem) {
    while !isDone(with: item) {
      arrived.signal()
      _ = emptied.wait(limit: nil)
    }
  }

  /// False where the source has to wait for room.
  private func isDone(with item: RecordedItem) -> Bool {
    let (isDone, isClosed, count) = state.withLock { state -> (Bool, Bool, Int) in
      guard !state.isClosed else { return (true, true, 0) }
      guard state.items.count < capacity else {
        if waitsForRoom { return (false, false, 0) }
        state.allLost += 1
        state.lost = ((state.lost?.count ?? 0) + 1, state.lost?.from ?? item.time, item.time)
        return (true, false, 0)
      }
      state.reportLoss()
      state.items.append(item)
      return (true, false, state.items.count)
    }
    if count == capacity / 4 + 1 { arrived.signal() }
    // A signal wakes one; another thread may wait, too.
    if isClosed { emptied.signal() }
    return isDone
  }

  /// Nothing more will come; who waits for room, or for items, goes on.
  func close() {
    state.withLock { $0.isClosed = true }
    arrived.signal()
    emptied.signal()
  }

  /// Swaps everything there is for the writer's emptied `batch`, after at most `limit`; false when nothing more will
  /// come.
  func drain(into batch: inout [RecordedItem], limit: SensorDuration) -> Bool {
    let clock = MonotonicClock()
    let deadline = clock.now + limit
    while state.withLock({ !$0.isClosed && $0.items.count <= capacity / 4 }),
      arrived.wait(limit: max(.zero, deadline - clock.now))
    {}
    let isClosed = state.withLock { state in
      if state.isClosed { state.reportLoss() }
      swap(&state.items, &batch)
      return state.isClosed
    }
    if waitsForRoom { emptied.signal() }
    return !isClosed
  }
}
