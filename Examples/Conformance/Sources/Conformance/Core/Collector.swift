// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Values that handlers bring, from whatever thread.
///
/// `@unchecked Sendable`: everything that changes is behind the lock.
final class Collector<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [Value] = []

  func add(_ value: Value) { lock.withLock { kept.append(value) } }
  func removeAll() { lock.withLock { kept = [] } }
  var all: [Value] { lock.withLock { kept } }
  var count: Int { lock.withLock { kept.count } }

  /// The values, as soon as there are `count` of them or `seconds` have passed.
  func wait(for count: Int, seconds: Double) async -> [Value] {
    await wait(seconds: seconds) { $0.count >= count }
  }

  /// The values, as soon as they are enough or `seconds` have passed.
  func wait(seconds: Double, until enough: @Sendable ([Value]) -> Bool) async -> [Value] {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end, !enough(all) { await pause(0.01) }
    return all
  }
}

/// Waits; longer than asked where the machine is busy.
func pause(_ seconds: Double) async {
  try? await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
}

/// Whether this code runs on the main queue. Under Linux a test's main queue is served by some thread.
var isOnMainQueue: Bool { Thread.isMainThread || OperationQueue.current === OperationQueue.main }

/// A queue of its own for handlers, one operation at a time.
func serialQueue() -> OperationQueue {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 1
  return queue
}

/// An error of a handler, as far as it matters here.
struct Failure: Equatable, Sendable {
  let domain: String
  let code: Int
  let sentence: String

  init(_ error: any Error) {
    let error = error as NSError
    (domain, code, sentence) = (error.domain, error.code, error.localizedDescription)
  }
}

/// What one call of a handler brought.
struct Delivery<Value: Sendable>: Sendable {
  var value: Value?
  var error: Failure?
}

extension Collector {
  func add<Inner>(_ value: Inner?, _ error: (any Error)?) where Value == Delivery<Inner> {
    add(Delivery(value: value, error: error.map(Failure.init)))
  }

  /// The samples without the errors.
  func values<Inner>() -> [Inner] where Value == Delivery<Inner> { all.compactMap(\.value) }
  func errors<Inner>() -> [Failure] where Value == Delivery<Inner> { all.compactMap(\.error) }
}
