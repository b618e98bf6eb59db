// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// The stream behind an asynchronous sequence of batches: a subscription, and the batches that have not been read.
///
/// A recording or a simulation waits while four batches are unread; a live source never waits. The subscription does
/// not keep the stream alive: when the iterator goes, the stream goes, and the subscription with it (S80).
final class BatchStream<Value: Sendable>: Sendable {
  private struct State {
    var subscription: Subscription?
    var unread: [[Value]] = []
    var isOver = false
    var failure: NSError?
    var reader: CheckedContinuation<[Value]?, any Error>?
  }

  private let state = Lock(State())
  private let outstanding = Outstanding(window: CMBatchedSensorManager.window)

  deinit { state.withLock { $0.subscription }?.cancel() }

  /// Starts at once. Where the device has no such stream, or motion is not permitted, or no workout is active, the log
  /// says so, and the first `next` throws (D43).
  init(_ stream: HubStream, of host: MotionHost, make: (MotionHub, MotionHost) -> BatchTranslator<Value>) {
    do throws(NSError) { try start(stream, of: host, make) } catch {
      host.refuse(error.localizedDescription)
      end(error)
    }
  }

  private func start(
    _ stream: HubStream, of host: MotionHost, _ make: (MotionHub, MotionHost) -> BatchTranslator<Value>
  ) throws(NSError) {
    guard let hub = host.device(serving: stream) else { throw host.refusal(of: stream) }
    host.requestAuthorization()
    guard host.policy.allowsMotion else { throw CMErrorNotAuthorized.error() }
    guard host.policy.hasActiveWorkout else { throw CMBatchedSensorManager.workoutError }
    let (translator, source) = (make(hub, host), hub.info.name)
    // Not under the lock: a source that has ended or failed is reported before this call returns.
    let sink = HubSink(outstanding: outstanding, receivesTime: true) { [weak self] sample in
      self?.take(translator.translate(sample))
    } motion: { [weak self] motion in
      self?.take(translator.translate(motion))
    } news: { [weak self] news in
      self?.take(news, translator, source)
    }
    let subscription = hub.subscribe(stream, interval: .zero, sink: sink)
    let isOver = state.withLock { state in
      state.subscription = subscription
      return state.isOver
    }
    if isOver { subscription.cancel() }
  }

  /// The next batch; nil at the end and when the task is cancelled.
  func next() async throws -> [Value]? {
    // Not in the handler: the runtime holds a lock of the task there, which the source's thread needs to resume it.
    defer { if Task.isCancelled { state.withLock { exchange(&$0.subscription, with: nil) }?.cancel() } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<[Value]?, any Error>? in
          if !state.unread.isEmpty {
            outstanding.end()
            return .success(state.unread.removeFirst())
          }
          if let failure = exchange(&state.failure, with: nil) { return .failure(failure) }
          // Two readers at once are a mistake of the client's: the second gets the end.
          if state.isOver || state.reader != nil { return .success(nil) }
          state.reader = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      end(nil, keepsUnread: false)
    }
  }

  /// On the source's thread, as all that the subscription calls.
  private func take(_ outcome: BatchTranslator<Value>.Outcome) {
    for batch in outcome.batches { emit(batch) }
    if let refusal = outcome.refusal { end(refusal) }
  }

  private func take(_ news: HubNews, _ translator: BatchTranslator<Value>, _ source: String) {
    switch news {
    case .failed(let error):
      // Samples of the second in which the source failed are valid: the batch ends early.
      take(translator.translate(.ended(isEmpty: false)))
      end(error.clientError)
    case .ended(let isEmpty):
      take(translator.translate(news))
      end(isEmpty ? translator.host.endWithoutSamples(of: source) : nil)
    default: take(translator.translate(news))
    }
  }

  private func emit(_ batch: [Value]) {
    let reader = state.withLock { state -> CheckedContinuation<[Value]?, any Error>? in
      guard !state.isOver else { return nil }
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      state.unread.append(batch)
      outstanding.begin()
      return nil
    }
    reader?.resume(returning: batch)
  }

  /// No more batches come; unread ones are still handed out, unless the reader's task was cancelled.
  private func end(_ failure: NSError?, keepsUnread: Bool = true) {
    let (reader, subscription) = state.withLock {
      state -> (CheckedContinuation<[Value]?, any Error>?, Subscription?) in
      guard !state.isOver else {
        if !keepsUnread { (state.unread, state.failure) = ([], nil) }
        return (nil, nil)
      }
      state.isOver = true
      if state.reader == nil { state.failure = failure }
      defer { state.reader = nil }
      if !keepsUnread { state.unread = [] }
      return (state.reader, keepsUnread ? exchange(&state.subscription, with: nil) : nil)
    }
    subscription?.cancel()
    if let failure { reader?.resume(throwing: failure) } else { reader?.resume(returning: nil) }
  }
}
