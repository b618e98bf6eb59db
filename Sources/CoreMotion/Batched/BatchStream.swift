// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// The stream behind an asynchronous sequence of batches: a subscription, and the batches nobody has taken yet.
///
/// A recording or a simulation waits while four batches are untaken; a live source never waits. The subscription does not keep
/// the stream alive: when the iterator goes, the stream goes, and the subscription with it (S80).
final class BatchStream<Value: Sendable>: Sendable {
  private struct State {
    var subscription: Subscription?
    var untaken: [[Value]] = []
    var isOver = false
    var failure: NSError?
    var reader: CheckedContinuation<[Value]?, any Error>?
  }

  private let state = Lock(State())

  deinit { state.withLock { $0.subscription }?.cancel() }

  /// A stream that cannot begin: the first `next` throws.
  func refuse(_ error: NSError) { end(error) }

  func start(_ stream: HubStream, of hub: MotionHub, translator: BatchTranslator<Value>) {
    guard translator.host.policy.hasActiveWorkout else { return refuse(CMBatchedSensorManager.workoutError) }
    // Without the lock: a source that has ended or failed is told before this call returns.
    let subscription = hub.subscribe(
      stream, interval: .zero, window: CMBatchedSensorManager.window, hearsTime: true
    ) { [weak self] event, subscription in
      self?.take(event, subscription, translator)
    }
    let isOver = state.withLock { state in
      state.subscription = subscription
      return state.isOver
    }
    if isOver { subscription.cancel() }
  }

  /// The next batch; nil at the end and when the task is cancelled.
  func next() async throws -> [Value]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (answer, subscription) = state.withLock { state -> (Result<[Value]?, any Error>?, Subscription?) in
          if !state.untaken.isEmpty { return (.success(state.untaken.removeFirst()), state.subscription) }
          if let failure = state.failure {
            state.failure = nil
            return (.failure(failure), nil)
          }
          // Two readers at once is a mistake of the client's; the one who came first is told the end.
          if state.isOver || state.reader != nil { return (.success(nil), nil) }
          state.reader = continuation
          return (nil, nil)
        }
        subscription?.didHandle()
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      end(nil, keepsUntaken: false)
    }
  }

  /// On the source's thread.
  private func take(_ event: HubEvent, _ subscription: Subscription, _ translator: BatchTranslator<Value>) {
    var failure: NSError?
    if case .failed(let error) = event { failure = UpdateService<[Value], [Value]>.clientError(for: error) }
    // What the source had said of the second that it failed in is no less true.
    let delivery: BatchTranslator<Value>.Delivery<[Value]> = translator.translate(failure == nil ? event : .ended)
    switch delivery {
    case .samples(let batches): for batch in batches { give(batch, subscription) }
    case .sample(let batch): give(batch, subscription)
    case .error(let error, _): return end(error)
    case .gone, .nothing: break
    }
    switch event {
    case .ended, .failed: end(failure)
    default: break
    }
  }

  private func give(_ batch: [Value], _ subscription: Subscription) {
    let reader = state.withLock { state -> CheckedContinuation<[Value]?, any Error>? in
      guard !state.isOver else { return nil }
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      state.untaken.append(batch)
      subscription.willHandle()
      return nil
    }
    reader?.resume(returning: batch)
  }

  /// No more batches come; those that nobody has taken are still handed out, unless the reader has gone.
  private func end(_ failure: NSError?, keepsUntaken: Bool = true) {
    let (reader, subscription) = state.withLock {
      state -> (CheckedContinuation<[Value]?, any Error>?, Subscription?) in
      guard !state.isOver else {
        if !keepsUntaken { (state.untaken, state.failure) = ([], nil) }
        return (nil, nil)
      }
      state.isOver = true
      if !keepsUntaken { state.untaken = [] }
      defer { (state.reader, state.subscription) = (nil, nil) }
      if state.reader == nil { state.failure = failure }
      return (state.reader, state.subscription)
    }
    subscription?.cancel()
    if let failure { reader?.resume(throwing: failure) } else { reader?.resume(returning: nil) }
  }
}
