// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What lies between Core Motion's handler and the reader of a stream: the unread samples, or the reader that waits.
///
/// | state | what is true |
/// |---|---|
/// | samples are unread | no reader waits |
/// | a reader waits | nothing is unread and the stream is not over |
/// | over | no sample is accepted; unread ones are read first, then `failure` is thrown once, then nil |
///
/// `@unchecked Sendable`: `state` is only touched with `lock` held. Continuations are resumed and the stop is called
/// outside of the lock, because both run code of others.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
final class SampleBuffer<Element: Sendable>: @unchecked Sendable {
  private typealias Outcome = Result<Element?, MotionError>
  private typealias Waiting = CheckedContinuation<Outcome, Never>

  private struct State {
    var unread = Fifo<Element>()
    var isOver = false
    var failure: MotionError?
    var waiting: Waiting?
    var stop: StreamStop?
  }

  /// Unread samples from which on the queue is held, so that a recording waits.
  static var limit: Int { 65_536 }

  /// Where Core Motion's handlers run, one at a time.
  let queue = HandlerQueue()
  private let newest: Int?
  private let lock = NSLock()
  private var state = State()

  init(_ buffering: MotionBuffering) {
    switch buffering {
    case .everything: newest = nil
    case .newest(let count): newest = max(1, count)
    }
  }

  /// Samples that nobody has read.
  var unreadCount: Int { lock.withLock { state.unread.count } }

  // MARK: The handler's side

  /// One more sample.
  func append(_ element: Element) {
    lock.lock()
    guard !state.isOver else { return lock.unlock() }
    if let waiting = state.waiting {
      state.waiting = nil
      lock.unlock()
      return waiting.resume(returning: .success(element))
    }
    state.unread.append(element)
    if let newest, state.unread.count > newest { _ = state.unread.popFirst() }
    if state.unread.count == Self.limit { queue.isSuspended = true }
    lock.unlock()
  }

  /// No more samples come; the reader gets those that are unread, then the error, if there is one.
  func end(_ error: MotionError?) {
    let (waiting, stop) = lock.withLock { () -> (Waiting?, StreamStop?) in
      let stop = state.stop
      state.stop = nil
      return (close(error), stop)
    }
    finish(stop)
    if let waiting { waiting.resume(returning: error.map { .failure($0) } ?? .success(nil)) }
  }

  /// With the lock held: no more samples are accepted; the reader who waits, if there is one.
  private func close(_ error: MotionError?) -> Waiting? {
    guard !state.isOver else { return nil }
    state.isOver = true
    defer { state.waiting = nil }
    if state.waiting == nil { state.failure = error }
    return state.waiting
  }

  /// What ends the updates. They may be over already: an error can come before the start has returned.
  func setStop(_ stop: @escaping StreamStop) {
    let isOver = lock.withLock {
      if !state.isOver { state.stop = stop }
      return state.isOver
    }
    if isOver { stop() }
  }

  // MARK: The reader's side

  /// Nobody reads any more.
  func cancel() {
    end(nil)
    lock.withLock { (state.unread, state.failure) = (Fifo(), nil) }
  }

  func next(isolation actor: isolated (any Actor)?) async throws(MotionError) -> Element? {
    if Task.isCancelled { cancel() }
    if let outcome = lock.withLock({ take() }) { return try outcome.get() }
    let outcome = await withTaskCancellationHandler(
      operation: { await withCheckedContinuation(isolation: actor) { wait($0) } }, onCancel: { wake() },
      isolation: actor)
    if Task.isCancelled { cancel() }
    return try outcome.get()
  }

  /// The reader's task is cancelled: it wakes with the end, and stops the updates itself. Not here: the runtime holds
  /// the task's lock, and a source that resumes this very task at this moment holds that of its updates.
  private func wake() {
    let waiting = lock.withLock { close(nil) }
    waiting?.resume(returning: .success(nil))
  }

  private func wait(_ continuation: Waiting) {
    let outcome = lock.withLock { () -> Outcome? in
      if let outcome = take() { return outcome }
      // Two readers of one iterator are a mistake of the client's: the second gets the end.
      if state.waiting != nil { return .success(nil) }
      state.waiting = continuation
      return nil
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  /// With the lock held: what there is for the reader now.
  private func take() -> Outcome? {
    if let element = state.unread.popFirst() {
      if queue.isSuspended, state.unread.count < Self.limit / 2 { queue.isSuspended = false }
      return .success(element)
    }
    guard state.isOver else { return nil }
    defer { state.failure = nil }
    return state.failure.map { .failure($0) } ?? .success(nil)
  }

  /// A queue that was held is let go, or its operations would keep it.
  private func finish(_ stop: StreamStop?) {
    stop?()
    queue.isSuspended = false
  }
}

/// A queue of values: what was put in first comes out first, each in constant time on average.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
struct Fifo<Element> {
  private var elements: [Element] = []
  private var head = 0

  var count: Int { elements.count - head }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    defer {
      head += 1
      if head == elements.count {
        elements.removeAll(keepingCapacity: true)
        head = 0
      } else if head >= 1024, head * 2 >= elements.count {
        elements.removeFirst(head)
        head = 0
      }
    }
    return elements[head]
  }
}
