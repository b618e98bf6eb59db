// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The serial queue that a stream gives to Core Motion.
///
/// A reader's task wakes on a thread of Swift's pool in any case. That a queue's thread wakes before it, for the few
/// numbers that a handler of ours copies, would double what a sample costs. So with OpenCoreMotion, whose queues may be
/// of any kind, an operation runs where it is added, on the thread of the source. Apple's framework gets a plain queue.
///
/// While the queue is suspended, because its reader is far behind, operations wait in it and a recording waits for them;
/// as long as one of these is left, the next one waits behind it, so the order stays.
///
/// `@unchecked Sendable`: as its superclass; it adds no state.
final class HandlerQueue: OperationQueue, @unchecked Sendable {
  override init() {
    super.init()
    maxConcurrentOperationCount = 1
    qualityOfService = .userInitiated
    name = "MotionStreams"
  }

  #if !canImport(Darwin)
  override func addOperation(_ operation: Operation) {
    if isSuspended || operationCount > 0 { super.addOperation(operation) } else { operation.start() }
  }
  #endif
}
