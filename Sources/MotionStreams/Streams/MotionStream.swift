// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What a stream keeps for a reader that is slower than the sensor.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public enum MotionBuffering: Hashable, Sendable {
  /// Every sample, in order; nothing is lost. A recording or a simulation waits while 65,536 samples are unread. A live
  /// sensor does not wait, so a reader that is too slow for ever needs ever more memory.
  case everything
  /// The latest `count` samples, at least one; older ones are dropped. `.newest(1)` is right for what draws the present.
  case newest(_ count: Int)
}

/// The samples of one service of Core Motion as an asynchronous sequence.
///
/// ```swift
/// for try await motion in MotionUpdates.device(.xMagneticNorth, every: .milliseconds(10)) {
///   print(motion.attitude.roll)
///   if motion.attitude.pitch > 1 { break }
/// }
/// ```
///
/// * **It begins** when a loop asks for an iterator. Each loop is a start of its own, with a manager of its own; any
///   number may run at once.
/// * **It stops the sensor** when the loop is left, when its iterator goes, and when its task is cancelled. A cancelled
///   loop ends as if the samples had ended, without an error; samples that it has not read are dropped.
/// * **It throws** a ``MotionError`` and is over when the service is missing, is not permitted, or fails. Samples that
///   came before are read first. To go on after a sensor was plugged in again, begin a new loop.
/// * **Notices do not end it** (``MotionError/isNotice``): they go to the `onNotice` of those streams that can have
///   them.
/// * **The end of a replayed recording does not end it**: Core Motion has no such event. Cancel the task.
///
/// Core Motion calls a private serial queue, which copies the numbers; a loop on any actor reads them there, without a
/// hop for each sample.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct MotionStream<Element: Sendable>: AsyncSequence, Sendable {
  /// What is thrown.
  public typealias Failure = MotionError

  /// What it keeps for a slow reader.
  public var buffering: MotionBuffering
  private let start: @Sendable (SampleBuffer<Element>) throws(MotionError) -> StreamStop

  /// `start` starts the updates and returns what stops them.
  init(
    _ buffering: MotionBuffering, start: @escaping @Sendable (SampleBuffer<Element>) throws(MotionError) -> StreamStop
  ) { (self.buffering, self.start) = (buffering, start) }

  /// A stream of given samples that then ends, or throws: for tests and previews of code that reads a stream.
  public init(_ samples: [Element], endingWith error: MotionError? = nil) {
    self.init(.everything) { buffer in
      samples.forEach(buffer.append)
      buffer.end(error)
      return {}
    }
  }

  /// Starts the service.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: StreamReader(buffering, start: start)) }

  /// A running service; it stops when the last copy goes.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: StreamReader<Element>

    /// The next sample, as soon as there is one; nil at the end and when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(MotionError) -> Element? {
      try await reader.buffer.next(isolation: actor)
    }

    /// The same for callers that know no actor.
    public mutating func next() async throws(MotionError) -> Element? { try await reader.buffer.next(isolation: nil) }
  }
}

/// Ends the updates of one start; called once, from any thread.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
typealias StreamStop = @Sendable () -> Void

/// Holds a start: when the reader goes, the updates stop. Handlers hold the buffer, never the reader.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
final class StreamReader<Element: Sendable>: Sendable {
  let buffer: SampleBuffer<Element>

  init(
    _ buffering: MotionBuffering, start: (SampleBuffer<Element>) throws(MotionError) -> StreamStop
  ) {
    buffer = SampleBuffer(buffering)
    do { buffer.setStop(try start(buffer)) } catch { buffer.end(error) }
  }

  deinit { buffer.cancel() }
}
