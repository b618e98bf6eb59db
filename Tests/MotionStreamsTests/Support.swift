// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionServices
import MotionTesting
import Testing

@testable import MotionStreams

/// What handlers on any queue and the test share.
///
/// `@unchecked Sendable`: the value is only touched with the lock held; a test reads objects when their handler has
/// returned.
final class Box<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  func with<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&stored) } }
  var value: Value { with { $0 } }
}

/// A queue for a handler of Core Motion's.
func serialQueue() -> OperationQueue {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 1
  return queue
}

extension MotionStream.Iterator {
  /// The next `count` elements; fewer at the end.
  mutating func take(_ count: Int) async throws(MotionError) -> [Element] {
    var elements: [Element] = []
    while elements.count < count, let element = try await next() { elements.append(element) }
    return elements
  }
}

/// Who starts a moment later may miss the first sample of a live source: the part of `objects` that a stream which began
/// at `first` has to have, without the last few, which may be under way.
func shared<Object: CMLogItem>(_ objects: [Object], from first: TimeInterval) -> ArraySlice<Object> {
  objects.drop { $0.timestamp < first }.dropLast(3)
}

/// The samples of a stream beside the objects that a handler got at the same times.
func pairs<Element, Object: CMLogItem>(
  _ iterator: inout MotionStream<Element>.Iterator, _ objects: [Object], _ time: (Element) -> TimeInterval
) async throws -> [(Element, Object)] {
  let first = try #require(try await iterator.next())
  let objects = shared(objects, from: time(first))
  // Bounded, because in virtual time nothing more would come.
  let rest = try await iterator.take(min(objects.count - 1, iterator.reader.buffer.unreadCount))
  #expect(([first] + rest).map(time) == objects.map(\.timestamp))
  return Array(zip([first] + rest, objects))
}

/// The error that the first read of a stream throws.
func refusal<Element>(of stream: MotionStream<Element>) async -> MotionError? {
  var iterator = stream.makeAsyncIterator()
  do throws(MotionError) {
    _ = try await iterator.next()
    return nil
  } catch {
    return error
  }
}

extension MotionHost {
  /// Whether no source runs. A stop takes effect at once; the source's thread sees it a moment later.
  func hasStopped() async -> Bool {
    let end = Date() + 20
    while isRunning, Date() < end { try? await Task.sleep(for: .milliseconds(1)) }
    return !isRunning
  }

  /// Whether a source runs now.
  var isRunning: Bool { device?.isRunning == true || headphones?.isRunning == true }
}

extension TestDevice {
  /// Whether the device's source has stopped.
  func hasStopped() async -> Bool { await host.hasStopped() }

  /// Whether the device's source runs now.
  var isRunning: Bool { host.isRunning }
}
